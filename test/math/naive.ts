import { Elementary } from "../../src/math/elementary.ts";
import { ceil4, type Primitives } from "../../src/math/primitives.ts";

/**
 * The primitives stated a second time, from `Primitives`' docstrings alone: slow, one operation after the
 * other, with each index computed again. Implementations are compared with this.
 */

const r = Math.fround;
const elementary = new Elementary();

const add = (a: number, b: number) => r(r(a) + r(b));
const sub = (a: number, b: number) => r(r(a) - r(b));
const mul = (a: number, b: number) => r(r(a) * r(b));
const div = (a: number, b: number) => r(r(a) / r(b));

/** Word of component j of stored row i. */
const rowAt = (rows: number, d: number, i: number, j: number) =>
  rows + 4 * d * Math.floor(i / 4) + 4 * j + (i % 4);
/** Word of entry (i, j) of a packed symmetric matrix. */
const packedAt = (s: number, i: number, j: number) => {
  const [row, column] = i >= j ? [i, j] : [j, i];
  return s + (row * (row + 1)) / 2 + column;
};
/** The float32 nearest to the sine of k parts of n of a turn, k = 0..n: n / 4 parts are the most that the library's sine is asked for. */
const sine = (k: number, n: number): number => {
  if (2 * k > n) return -sine(n - k, n);
  return 4 * k > n ? sine(n / 2 - k, n) : r(Math.sin((2 * Math.PI * k) / n));
};
/** Of the two zeros +0. */
const cosine = (k: number, n: number) => sine((k + n / 4) % n, n) + 0;

/** A block's components as whole multiples of a unit. */
const roundToWhole = (block: readonly number[]) => {
  const most = Math.max(...block.map(Math.abs), 2 ** -126);
  let unit = 2 ** -149;
  while (unit * 2 ** 24 <= most) unit *= 2;
  const whole = block.map((c) => BigInt(Math.sign(c) * Math.floor(Math.abs(c) / unit + 0.5)));
  return { unit, whole };
};
const blockProduct = (a: readonly number[], b: readonly number[]) => {
  if (![...a, ...b].every(Number.isFinite)) return Number.NaN;
  const [p, q] = [roundToWhole(a), roundToWhole(b)];
  const sum = p.whole.reduce((s, c, j) => s + c * q.whole[j], 0n);
  return r(r(Number(sum)) * (p.unit * q.unit));
};

/** Index of the least number, the lowest on ties; 0 where the first is NaN. */
const findLeast = (values: readonly number[]) => {
  const isLeast = (value: number) => !Number.isNaN(value) && values.every((other) => !(other < value));
  return Number.isNaN(values[0]) ? 0 : Math.max(0, values.findIndex(isLeast));
};

type Complex = readonly [re: number, im: number];
/** b turned back by k parts of n of a turn. */
const turnedBack = ([p, q]: Complex, k: number, n: number): Complex => {
  const [c, s] = [cosine(k, n), sine(k, n)];
  return [add(mul(c, p), mul(s, q)), sub(mul(c, q), mul(s, p))];
};
/** The transform of complex numbers, from the transforms of the even and the odd ones. */
const transform = (z: readonly Complex[]): readonly Complex[] => {
  if (z.length === 1) return z;
  const [even, odd] = [0, 1].map((part) => transform(z.filter((_, i) => i % 2 === part)));
  const turned = odd.map((b, j) => turnedBack(b, j, z.length));
  return [
    ...even.map((a, j): Complex => [add(a[0], turned[j][0]), add(a[1], turned[j][1])]),
    ...even.map((a, j): Complex => [sub(a[0], turned[j][0]), sub(a[1], turned[j][1])]),
  ];
};
interface Moments {
  readonly m: number;
  readonly v: number;
  readonly n: number;
  readonly r: number;
}

/** Of one component, in doubles: z and what becomes of the moments, as `Primitives.standardise` states it. */
function standardised(
  x: number,
  { m, v, n, r }: Moments,
  N: number,
  stepAfter: number,
): Moments & { readonly z: number; readonly skips?: true } {
  const again = (z: number, run: number) => ({ z, m: x, v: 0, n: 1, r: run });
  const move = (z: number, mean: number, delta: number, count: number, run: number) => {
    const after = mean + delta * (1 / count);
    const spread = v + (1 / count) * (delta * (delta - delta * (1 / count)) - v);
    if (![after, spread].every((value) => Number.isFinite(Math.fround(value)))) return again(z, 0);
    return { z, m: after, v: spread, n: spread >= 2 ** -126 ? count : Math.min(count, 3), r: run };
  };
  const next = n < N ? n + 1 : N;
  const [delta, sd] = [x - m, Math.sqrt(v)];
  if (!(v >= 2 ** -126)) return move(0, m, delta, next, r);
  const limit = 4 * sd * (n < 32 ? 1 + 20 / n : 1);
  if (n < 32 && Math.abs(delta) > limit) {
    const run = Math.max(r, 0) + 1;
    return run >= 8 ? again(0, 0) : { z: 0, m, v, n, r: run, skips: true };
  }
  const agrees = Math.abs(delta) > 0.9 * sd && Math.abs(delta) < 1.1 * sd;
  if (n === 2 && r === 0 && agrees) return again(0, -1);
  const ratio = Number.isNaN(delta / sd) ? -5 : delta / sd;
  const z = Math.min(5, Math.max(-5, ratio));
  if (!(Math.abs(delta) > limit)) return move(z, m, delta, next, 0);
  const side = Math.sign(delta);
  const run = r * side > 0 ? r + side : side;
  return Math.abs(run) >= stepAfter ? move(z, x, 0, 9, 0) : move(z, m, side * limit, next, run);
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);
const wholeBlocks = (n: number) => 4 * Math.ceil(n / 4);

export class Naive implements Primitives {
  readonly words: Float32Array;
  readonly bits: Uint32Array;

  constructor(buffer: ArrayBuffer) {
    this.words = new Float32Array(buffer);
    this.bits = new Uint32Array(buffer);
  }

  private at(i: number): number {
    return this.words[i];
  }

  /** Writes all results, or none if one isn't finite. */
  private guarded(results: readonly (readonly [number, number])[]): boolean {
    if (!results.every(([, value]) => Number.isFinite(value))) return false;
    for (const [at, value] of results) this.words[at] = value;
    return true;
  }

  load(to: number, x: ArrayLike<number>, n: number): boolean {
    if (x.length !== n) return false;
    for (const j of upTo(n)) this.words[to + j] = r(x[j]);
    return this.finite(to, n);
  }

  crc32(bytes: Uint8Array, from: number, to: number, before: number): number {
    let register = ~before;
    for (const byte of bytes.subarray(from, to)) {
      for (const bit of upTo(8)) {
        const out = (register ^ (byte >> bit)) & 1;
        register = (register >>> 1) ^ (out * 0xedb88320);
      }
    }
    return ~register >>> 0;
  }

  finite(a: number, n: number): boolean {
    return upTo(n).every((j) => Number.isFinite(this.at(a + j)));
  }

  dot(a: number, b: number, n: number): number {
    const l = [0, 0, 0, 0];
    for (const j of upTo(n)) l[j % 4] = add(l[j % 4], mul(this.at(a + j), this.at(b + j)));
    return add(add(l[0], l[2]), add(l[1], l[3]));
  }

  addScaled(y: number, s: number, x: number, n: number): boolean {
    return this.guarded(upTo(n).map((j) => [y + j, add(this.at(y + j), mul(s, this.at(x + j)))]));
  }

  scale(x: number, s: number, n: number): void {
    for (const j of upTo(n)) this.words[x + j] = mul(s, this.at(x + j));
  }

  copy(to: number, from: number, n: number): void {
    const copied = upTo(n).map((j) => this.bits[from + j]);
    for (const j of upTo(n)) this.bits[to + j] = copied[j];
  }

  argmin(a: number, n: number): number {
    return findLeast(upTo(n).map((j) => this.at(a + j)));
  }

  argminMagnitude(a: number, n: number): number {
    return findLeast(upTo(n).map((j) => Math.abs(this.at(a + j))));
  }

  oldest(b: number, now: number, n: number): number {
    const ages = upTo(n).map((j) => (now - this.bits[b + j] + 2 ** 32) % 2 ** 32);
    return n === 0 ? 0 : ages.indexOf(Math.max(...ages));
  }

  stalest(last: number, uses: number, now: number, after: number, n: number): number {
    const idle = upTo(n).map((j) => (now - this.bits[last + j] + 2 ** 32) % 2 ** 32);
    const isStale = (j: number) =>
      BigInt(idle[j]) > (BigInt(after) * BigInt(this.bits[uses + j])) % 2n ** 32n;
    const stale = upTo(n).filter(isStale);
    return stale.length === 0 ? -1 : (stale.find((j) => stale.every((k) => idle[k] <= idle[j])) as number);
  }

  /** The lane of a number in the grid before rows of n lanes; as `float` says the number that it stands for. */
  private lane(rows: number, n: number, j: number, x: number): number {
    const q = sub(mul(x, this.at(rows - n - 1)), this.at(rows - n + j));
    if (Number.isNaN(q)) return -16384;
    const [low, rest] = [Math.floor(q), q - Math.floor(q)];
    const nearest = rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low;
    return Math.max(-16384, Math.min(16383, nearest));
  }

  private float(rows: number, n: number, j: number, q: number): number {
    return mul(add(q, this.at(rows - n + j)), this.at(rows - n - 2));
  }

  /** Byte of lane j of row i. */
  private laneByte(rows: number, n: number, i: number, j: number): number {
    return 4 * rowAt(rows, Math.ceil(n / 2), i, Math.floor(j / 2)) + 2 * (j % 2);
  }

  private rowLanes(rows: number, i: number, n: number): number[] {
    const view = new DataView(this.words.buffer);
    return upTo(n).map((j) => view.getInt16(this.laneByte(rows, n, i, j), true));
  }

  /** Row i as float32, and what makes it others. */
  private row(rows: number, i: number, d: number): number[] {
    if (d >= 0) return upTo(d).map((j) => this.at(rowAt(rows, d, i, j)));
    return this.rowLanes(rows, i, -d).map((q, j) => this.float(rows, -d, j, q));
  }

  private putRow(rows: number, i: number, d: number, row: readonly number[]): void {
    const view = new DataView(this.words.buffer);
    for (const [j, x] of row.entries()) {
      if (d >= 0) this.words[rowAt(rows, d, i, j)] = x;
      else view.setInt16(this.laneByte(rows, -d, i, j), this.lane(rows, -d, j, x), true);
    }
    if (d < 0 && d % 2 !== 0) view.setInt16(this.laneByte(rows, -d, i, -d), 0, true);
  }

  /** Words of row i of a set, and of how many words. */
  private rowWordsAt(rows: number, i: number, d: number): number[] {
    const words = d < 0 ? Math.ceil(-d / 2) : d;
    return upTo(words).map((j) => rowAt(rows, words, i, j));
  }

  /** Of rows 0, 1, ... of lanes the squared distances to x, in squared units. */
  private squares(rows: number, x: number, n: number, d: number): bigint[] {
    const input = upTo(-d).map((j) => this.lane(rows, -d, j, this.at(x + j)));
    return upTo(wholeBlocks(n)).map((i) =>
      this.rowLanes(rows, i, -d).reduce((sum, q, j) => sum + BigInt(q - input[j]) ** 2n, 0n),
    );
  }

  private laneGaussian(s: bigint, gamma: number, u: number): number {
    const rate = Math.abs(mul(mul(gamma, mul(u, u)), Math.fround(Math.LOG2E)));
    if (s === 0n) return 1;
    if (!(rate < Infinity)) return 0;
    if (rate < 2 ** -126) return 1;
    const exponent = upTo(254).find((e) => rate < 2 ** (e - 125)) as number;
    const factor = BigInt(rate * 2 ** (157 - exponent));
    const shift = BigInt(101 - exponent);
    const shifted = shift >= 0n ? s >> shift : s << -shift;
    const t = (shifted * factor) >> 32n;
    if (shifted >= 2n ** 32n || t >= 126n << 24n) return 0;
    const high = (a: bigint, b: bigint) => (a * b) >> 32n;
    const z = high((t % 2n ** 18n) * 256n, BigInt(Math.round(Math.LN2 * 2 ** 32)));
    const q = high(z, z);
    const falls = z - (q >> 1n) + high(high(q, z), BigInt(Math.round(2 ** 32 / 6)));
    const power = BigInt(Math.round(2 ** (31 - Number((t >> 18n) % 64n) / 64)));
    const left = power - high(power, falls);
    return (Number((left + 64n) >> 7n) / 2 ** 24) * 2 ** -Number(t >> 24n);
  }

  storeRow(rows: number, i: number, x: number, d: number): void {
    this.putRow(
      rows,
      i,
      d,
      upTo(Math.abs(d)).map((j) => this.at(x + j)),
    );
  }

  fetchRow(x: number, rows: number, i: number, d: number): void {
    for (const [j, value] of this.row(rows, i, d).entries()) this.words[x + j] = value;
  }

  storeColumn(rows: number, j: number, x: number, n: number, d: number): void {
    for (const i of upTo(n)) this.words[rowAt(rows, d, i, j)] = this.at(x + i);
  }

  private dotRow(rows: number, i: number, x: number, d: number): number {
    return upTo(d).reduce((s, j) => add(s, mul(this.at(rowAt(rows, d, i, j)), this.at(x + j))), 0);
  }

  addScaledRow(rows: number, i: number, s: number, x: number, d: number): boolean {
    const at = (j: number) => rowAt(rows, d, i, j);
    return this.guarded(upTo(d).map((j) => [at(j), add(this.at(at(j)), mul(s, this.at(x + j)))]));
  }

  moveRowTowards(rows: number, i: number, s: number, x: number, d: number): boolean {
    const moved = this.row(rows, i, d).map((c, j) => add(c, mul(s, sub(this.at(x + j), c))));
    if (!moved.every(Number.isFinite)) return false;
    this.putRow(rows, i, d, moved);
    return true;
  }

  innerProducts(out: number, rows: number, x: number, n: number, d: number): void {
    for (const i of upTo(wholeBlocks(n))) this.words[out + i] = this.dotRow(rows, i, x, d);
  }

  blockProducts(
    out: number,
    rows: number,
    x: number,
    slot: number,
    n: number,
    size: number,
    d: number,
    k: number,
  ): void {
    for (const v of upTo(k)) {
      for (const place of upTo(n)) {
        const i = (slot - place + size) % size;
        const row = upTo(d).map((j) => this.at(rowAt(rows, d, i, j)));
        const vector = upTo(d).map((j) => this.at(x + v * d + j));
        const products = upTo(Math.ceil(d / 32)).map((b) =>
          blockProduct(row.slice(32 * b, 32 * b + 32), vector.slice(32 * b, 32 * b + 32)),
        );
        this.words[out + v * size + i] = products.reduce(add);
      }
    }
  }

  squaredDistances(out: number, rows: number, x: number, n: number, d: number): void {
    if (d < 0) {
      const u = this.at(rows + d - 2);
      for (const [i, s] of this.squares(rows, x, n, d).entries())
        this.words[out + i] = mul(Number(s), mul(u, u));
      return;
    }
    for (const i of upTo(wholeBlocks(n))) {
      const t = (j: number) => sub(this.at(rowAt(rows, d, i, j)), this.at(x + j));
      this.words[out + i] = upTo(d).reduce((s, j) => add(s, mul(t(j), t(j))), 0);
    }
  }

  gaussianRow(out: number, rows: number, x: number, n: number, d: number, gamma: number): void {
    if (d < 0) {
      const u = this.at(rows + d - 2);
      for (const [i, s] of this.squares(rows, x, n, d).entries())
        this.words[out + i] = this.laneGaussian(s, gamma, u);
      return;
    }
    this.squaredDistances(out, rows, x, n, d);
    for (const i of upTo(wholeBlocks(n))) {
      this.words[out + i] = elementary.exp(-mul(gamma, this.at(out + i)));
    }
  }

  polynomialRow(
    out: number,
    rows: number,
    x: number,
    n: number,
    d: number,
    offset: number,
    degree: number,
  ): void {
    this.innerProducts(out, rows, x, n, d);
    for (const i of upTo(wholeBlocks(n))) {
      const factors = upTo(degree).map(() => add(offset, this.at(out + i)));
      this.words[out + i] = factors.reduce(mul);
    }
  }

  private setAt(set: number, m: number, d: number) {
    const coefficients = set + this.rowWordsAt(set, 0, d).length * wholeBlocks(m);
    return {
      coefficients,
      births: coefficients + m,
      size: coefficients + 2 * m,
      born: coefficients + 2 * m + 1,
    };
  }

  gaussianExpansion(
    to: number,
    x: ArrayLike<number>,
    set: number,
    m: number,
    d: number,
    gamma: number,
    rule: number,
    term: number,
    scale: number,
  ): number {
    const row = to + Math.abs(d);
    if (!this.load(to, x, Math.abs(d))) return Number.NaN;
    const { coefficients, size } = this.setAt(set, m, d);
    this.gaussianRow(row, set, to, this.bits[size], d, gamma);
    const f = this.dot(coefficients, row, this.bits[size]);
    if (!Number.isFinite(f)) return Number.NaN;
    const [t, counted] = [this.at(term), this.bits[term]];
    const by = (n: number) => (counted === 0 ? f : f / (scale * n));
    return [f, f + t, f - t, f - 1 - t, by(counted), by(Math.sqrt(counted))][rule];
  }

  insertVector(set: number, m: number, d: number, x: number, a: number): void {
    const { coefficients, births, size, born } = this.setAt(set, m, d);
    const i = this.bits[size];
    this.storeRow(set, i, x, d);
    this.words[coefficients + i] = r(a);
    this.bits[births + i] = this.bits[born];
    this.bits[size] = i + 1;
    this.bits[born] = (this.bits[born] + 1) % 2 ** 32;
  }

  removeVector(set: number, m: number, d: number, i: number): void {
    const { coefficients, births, size } = this.setAt(set, m, d);
    const last = this.bits[size] - 1;
    const vectorWords = (k: number) => [...this.rowWordsAt(set, k, d), coefficients + k, births + k];
    const leaves = vectorWords(last).map((at) => this.bits[at]);
    for (const [j, at] of vectorWords(i).entries()) this.bits[at] = leaves[j];
    for (const at of vectorWords(last)) this.bits[at] = 0;
    this.bits[size] = last;
  }

  removeVectorInOrder(set: number, m: number, d: number, i: number): void {
    const { coefficients, births, size } = this.setAt(set, m, d);
    const last = this.bits[size] - 1;
    const vectorWords = (k: number) => [...this.rowWordsAt(set, k, d), coefficients + k, births + k];
    for (const k of upTo(last).filter((k) => k >= i)) {
      const behind = vectorWords(k + 1).map((at) => this.bits[at]);
      for (const [j, at] of vectorWords(k).entries()) this.bits[at] = behind[j];
    }
    for (const at of vectorWords(last)) this.bits[at] = 0;
    this.bits[size] = last;
  }

  stepExpansion(
    set: number,
    m: number,
    d: number,
    keep: number,
    x: number,
    a: number,
    leaving: number,
    threshold: number,
    counts: number,
    gamma: number,
  ): void {
    const { coefficients, births, size, born } = this.setAt(set, m, d);
    this.scale(coefficients, keep, this.bits[size]);
    const full = this.bits[size] === m;
    const finite = Number.isFinite(r(a));
    if (a !== 0 && !finite) this.bits[counts]++;
    if (a !== 0 && finite && full && leaving === -3) this.bits[counts + 4]++;
    if (a !== 0 && finite && full && leaving === -4) {
      const least = this.argminMagnitude(coefficients, m);
      const [own, stored] = [r(a), this.at(coefficients + least)];
      const row = x + Math.abs(d);
      const spare = row + ceil4(m);
      const lent = Math.abs(own) < Math.abs(stored);
      const leaves = this.row(set, least, d).map((c, j) => (lent ? this.at(x + j) : c));
      for (const [j, c] of leaves.entries()) this.words[spare + j] = c;
      if (!lent) {
        this.removeVector(set, m, d, least);
        this.insertVector(set, m, d, x, own);
      }
      this.mergeNearest(row, set, coefficients, m, d, spare, lent ? own : stored, gamma);
      this.bits[counts + 1]++;
      this.bits[counts + 3]++;
    } else if (a !== 0 && finite && !(full && leaving === -3)) {
      if (full) {
        const oldest = this.oldest(births, this.bits[born], m);
        const least = this.argminMagnitude(coefficients, m);
        this.removeVector(set, m, d, leaving === -1 ? oldest : leaving === -2 ? least : leaving);
        this.bits[counts + 3]++;
      }
      this.insertVector(set, m, d, x, a);
      this.bits[counts + 1]++;
    }
    const small = () => this.argminMagnitude(coefficients, this.bits[size]);
    while (this.bits[size] > 0 && Math.abs(this.at(coefficients + small())) < threshold) {
      this.removeVector(set, m, d, small());
      this.bits[counts + 2]++;
    }
  }

  nearestRow(out: number, rows: number, x: number, n: number, d: number): number {
    this.squaredDistances(out, rows, x, n, d);
    return upTo(n).reduce((best, j) => (this.at(out + j) < this.at(out + best) ? j : best), 0);
  }

  nearestBytes(out: number, rows: number, x: number, n: number, w: number, k: number): number {
    const bytes = new Uint8Array(this.bits.buffer, this.bits.byteOffset);
    const distances = upTo(n).map((i) =>
      upTo(4 * w).reduce((sum, j) => sum + (bytes[4 * (rows + i * w) + j] - bytes[4 * x + j]) ** 2, 0),
    );
    const nearest = upTo(n).sort((i, j) => distances[i] - distances[j] || i - j);
    nearest.slice(0, k).forEach((i, place) => {
      this.bits[out + place] = i;
      this.bits[out + k + place] = distances[i];
    });
    return Math.min(n, k);
  }

  mergeNearest(
    out: number,
    rows: number,
    coefficients: number,
    n: number,
    d: number,
    x: number,
    options: number,
    gamma: number,
  ): number {
    const a = r(options);
    this.squaredDistances(out, rows, x, n, d);
    const mates = upTo(n).filter((j) => mul(a, this.at(coefficients + j)) > 0);
    if (mates.length === 0) return -1;
    const j = mates.reduce((best, j) => (this.at(out + j) < this.at(out + best) ? j : best));
    const [b, L] = [this.at(coefficients + j), mul(gamma, this.at(out + j))];
    if (!(this.exp(-L) > 0)) return -1;
    const m = div(a, add(a, b));
    const share = (e: number) => div(e, add(e, sub(1, m)));
    const h = upTo(5).reduce(
      (h) => {
        const T = share(mul(m, this.exp(-mul(L, sub(1, add(h, h))))));
        const s = sub(1, mul(mul(add(L, L), T), sub(1, T)));
        const next = s > 0 ? add(h, div(sub(T, h), s)) : T;
        return next <= 0.5 ? next : 0.5;
      },
      share(mul(m, this.exp(-L))),
    );
    const near = this.exp(-mul(L, mul(sub(1, h), sub(1, h))));
    const z = add(mul(a, near), mul(b, this.exp(-mul(L, mul(h, h)))));
    if (!Number.isFinite(z)) return -1;
    const before = this.row(rows, j, d);
    this.putRow(
      rows,
      j,
      d,
      before.map((c, i) => add(c, mul(h, sub(this.at(x + i), c)))),
    );
    for (const [i, c] of before.entries()) this.words[x + i] = c;
    this.words[coefficients + j] = z;
    this.words[out] = b;
    return j;
  }

  private sharedAt(to: number, set: number, m: number, d: number, k: number) {
    const at = this.setAt(set, m, d);
    const across = wholeBlocks(k);
    const classes = at.born + 1;
    const labels = classes + across * m;
    const row = to + Math.abs(d);
    const scores = row + wholeBlocks(m) + Math.abs(d);
    const [changes, leaves, norms] = [1, 2, 3].map((part) => scores + part * across);
    return {
      ...at,
      ...{ across, classes, labels, steps: labels + m, g: labels + m + 1, row, spare: row + wholeBlocks(m) },
      ...{ scores, changes, leaves, norms, merged: norms + wholeBlocks(m) },
    };
  }

  private factorAt(g: number): number {
    return this.bits[g] === 0 ? 1 : this.at(g);
  }

  classScores(to: number, set: number, m: number, d: number, k: number, scale: number): number {
    const { across, classes, row, scores, size, g } = this.sharedAt(to, set, m, d, k);
    for (const c of upTo(across)) {
      this.words[scores + c] = upTo(this.bits[size]).reduce(
        (sum, i) => add(sum, mul(this.at(rowAt(classes, m, c, i)), this.at(row + i))),
        0,
      );
    }
    const factor = mul(this.factorAt(g), scale);
    const found = upTo(k).map((c) => mul(this.at(scores + c), factor));
    for (const c of upTo(k)) this.words[scores + c] = found[c];
    return found.every(Number.isFinite) ? found.indexOf(Math.max(...found)) : Number.NaN;
  }

  classStep(
    to: number,
    set: number,
    m: number,
    d: number,
    k: number,
    y: number,
    gamma: number,
    self: number,
    keep: number,
    size: number,
    level: number,
    most: number,
    ties: number,
    leaving: number,
    threshold: number,
    counts: number,
  ): void {
    const at = this.sharedAt(to, set, m, d, k);
    const G = mul(this.factorAt(at.g), keep);
    const u = div(size, G);
    for (const c of upTo(at.across)) {
      const f = this.at(at.scores + c);
      const gap = c === y ? sub(level, f) : add(level, f);
      const share = div(gap, self);
      const step = r(most) === 0 ? u : mul(share < r(most) ? share : most, u);
      const steps = c < k && (gap > 0 || (ties !== 0 && gap === 0));
      this.words[at.changes + c] = steps ? (c === y ? step : -step) : 0;
    }
    const N = r(Math.sqrt(this.dot(at.changes, at.changes, k)));
    if (!this.finite(at.changes, k) || !Number.isFinite(N)) {
      this.bits[counts]++;
      return;
    }
    this.bits[at.steps] = Math.min(this.bits[at.steps] + 1, 0xffffffff);
    this.words[at.g] = G;
    if (N > 0) this.takeShared(at, to, set, m, d, y, N, leaving, counts, gamma, k);
    const small = () => this.argminMagnitude(at.coefficients, this.bits[at.size]);
    while (
      this.bits[at.size] > 0 &&
      r(threshold) > 0 &&
      mul(this.at(at.coefficients + small()), G) < r(threshold)
    ) {
      this.removeShared(at, set, m, d, small());
      this.bits[counts + 2]++;
    }
    if (G < r(0.001)) {
      for (const i of [
        ...upTo(m).map((i) => at.coefficients + i),
        ...upTo(at.across * m).map((i) => at.classes + i),
      ])
        this.words[i] = mul(G, this.at(i));
      this.words[at.g] = 1;
    }
  }

  private takeShared(
    at: ReturnType<Naive["sharedAt"]>,
    ...[to, set, m, d, y, N, leaving, counts, gamma, k]: number[]
  ): void {
    const isFull = this.bits[at.size] === m;
    if (isFull && leaving === -3) {
      this.bits[counts + 4]++;
      return;
    }
    this.bits[counts + 1]++;
    const insert = () => {
      const i = this.bits[at.size];
      for (const c of upTo(at.across)) this.words[rowAt(at.classes, m, c, i)] = this.at(at.changes + c);
      this.bits[at.labels + i] = y;
      this.insertVector(set, m, d, to, N);
    };
    if (!isFull) {
      insert();
      return;
    }
    this.bits[counts + 3]++;
    const least = this.argminMagnitude(at.coefficients, m);
    const i = leaving === -1 ? this.oldest(at.births, this.bits[at.born], m) : least;
    const norm = this.at(at.coefficients + i);
    const isNew = leaving === -4 && norm > N;
    const label = isNew ? y : this.bits[at.labels + i];
    if (leaving === -4) {
      const vector = isNew ? upTo(Math.abs(d)).map((j) => this.at(to + j)) : this.row(set, i, d);
      for (const [j, value] of vector.entries()) this.words[at.spare + j] = value;
      for (const c of upTo(at.across))
        this.bits[at.leaves + c] = this.bits[isNew ? at.changes + c : rowAt(at.classes, m, c, i)];
    }
    if (!isNew) {
      this.removeShared(at, set, m, d, i);
      insert();
    }
    if (leaving === -4) this.mergeShared(at, set, m, d, label, isNew ? N : norm, gamma, k);
  }

  private removeShared(at: ReturnType<Naive["sharedAt"]>, ...[set, m, d, i]: number[]): void {
    const last = this.bits[at.size] - 1;
    const exampleWords = (j: number) => [
      at.labels + j,
      ...upTo(at.across).map((c) => rowAt(at.classes, m, c, j)),
    ];
    const moved = exampleWords(last).map((word) => this.bits[word]);
    for (const [j, word] of exampleWords(i).entries()) this.bits[word] = moved[j];
    for (const word of exampleWords(last)) this.bits[word] = 0;
    this.removeVector(set, m, d, i);
  }

  private mergeShared(
    at: ReturnType<Naive["sharedAt"]>,
    ...[set, m, d, label, norm, gamma, k]: number[]
  ): void {
    const [size, n] = [this.bits[at.size], Math.abs(d)];
    for (const j of upTo(size))
      this.words[at.norms + j] = this.bits[at.labels + j] === label ? this.at(at.coefficients + j) : 0;
    this.copy(at.merged, at.spare, n);
    const j = this.mergeNearest(at.row, set, at.norms, size, d, at.spare, norm, gamma);
    if (j < 0) return;
    const z = at.merged + n;
    for (const [i, value] of this.row(set, j, d).entries()) this.words[z + i] = value;
    const [near, far] = [at.spare, at.merged].map((x) => {
      this.addScaled(x, -1, z, n);
      return this.exp(-mul(gamma, this.dot(x, x, n)));
    });
    for (const c of upTo(at.across)) {
      const a = rowAt(at.classes, m, c, j);
      this.words[a] = add(mul(this.at(a), near), mul(this.at(at.leaves + c), far));
      this.words[at.leaves + c] = this.at(a);
    }
    const grown = r(Math.sqrt(this.dot(at.leaves, at.leaves, k)));
    if (Number.isFinite(grown)) this.words[at.coefficients + j] = grown;
    else this.removeShared(at, set, m, d, j);
  }

  fourierFeatures(out: number, rows: number, x: number, n: number, d: number): void {
    this.innerProducts(out, rows, x, n, d);
    const s = upTo(n).map((i) => this.at(out + i));
    for (const i of upTo(n)) {
      this.words[out + 2 * i] = this.cos(s[i]);
      this.words[out + 2 * i + 1] = this.sin(s[i]);
    }
  }

  hingeStep(
    to: number,
    y: number,
    f: number,
    slot: number,
    n: number,
    size: number,
    margin: number,
    step: number,
  ): void {
    for (const k of upTo(n)) {
      const m = (slot - k + size) % size;
      if (this.at(y + m) * this.at(f + m) < margin)
        this.words[to + m] = this.at(to + m) + step * this.at(y + m);
    }
  }

  agreementStep(
    to: number,
    p: number,
    v: number,
    u: number,
    slot: number,
    n: number,
    size: number,
    step: number,
  ): void {
    for (const i of upTo(n)) {
      const m = (slot - i + size) % size;
      this.words[to + m] = this.at(to + m) - step * (this.at(p + i) - this.at(v + i) + this.at(u + i));
    }
  }

  agree(v: number, u: number, p: number, n: number, agents: number, stride: number): void {
    for (const i of upTo(n)) {
      const rows = upTo(agents).map((j) => j * stride + i);
      this.words[v + i] = rows.reduce((sum, ji) => sum + (this.at(p + ji) + this.at(u + ji)), 0) / agents;
      for (const ji of rows) this.words[u + ji] = this.at(u + ji) + (this.at(p + ji) - this.at(v + i));
    }
  }

  aggressiveness(at: number, y: number, f: number, k: number): number {
    const r = Math.fround;
    const wrong = k === 1 ? Number(f < 0 !== y < 0) : r((Number(f !== y) * 2) / k);
    const n = Math.min(this.bits[at + 1] + 1, 3200);
    this.bits[at + 1] = n;
    this.words[at] = r(this.at(at) - (n > 240 ? r(this.at(at) * r(1 / 240)) : 0)) + wrong;
    const C = r(r(r(0.05) * (Math.min(n, 240) + 16)) / r(this.at(at) + r(2.4)));
    if (Number.isNaN(C)) return 2;
    const least = n >= 3200 ? r(0.1) : r(r(0.4) * (n > 200 ? r(Math.sqrt(r(200 / n))) : 1));
    return Math.min(2, Math.max(C, least));
  }

  private localAt(to: number, set: number, m: number, form: number, k: number) {
    const d = Math.abs(form);
    const counts = set + this.rowWordsAt(set, 0, form).length * ceil4(m);
    const nearest = to + d + k + ceil4(m);
    const [size, w] = [counts + m, nearest + 1];
    return { counts, size, nearest, w, u: w + k * d, storedW: size + 1, storedU: size + 1 + k * d };
  }

  localDecision(to: number, x: ArrayLike<number>, set: number, m: number, form: number, k: number): number {
    const d = Math.abs(form);
    if (!this.load(to, x, d)) return Number.NaN;
    const { size, nearest, u, storedW, storedU } = this.localAt(to, set, m, form, k);
    const stored = this.bits[size];
    const i = stored < m ? stored : this.nearestRow(to + d + k, set, to, m, form);
    this.bits[nearest] = i;
    for (const j of upTo(k * d)) this.words[u + j] = this.at(rowAt(storedU, k * d, i, j));
    const scores = upTo(k).map((c) => add(this.dot(storedW + c * d, to, d), this.dot(u + c * d, to, d)));
    for (const c of upTo(k)) this.words[to + d + c] = scores[c];
    if (!scores.every(Number.isFinite)) return Number.NaN;
    return k === 1 ? scores[0] : scores.indexOf(Math.max(...scores));
  }

  localStep(
    to: number,
    set: number,
    m: number,
    form: number,
    k: number,
    y: number,
    share: number,
    C: number,
    before: number,
  ): number {
    const d = Math.abs(form);
    const { counts, size, nearest, w, u, storedW, storedU } = this.localAt(to, set, m, form, k);
    const i = this.bits[nearest];
    const counted = this.bits[counts + i];
    for (const j of upTo(k * d)) this.words[w + j] = this.at(storedW + j);
    const learned = upTo(k).every((c) => {
      const label = k === 1 ? y : y === c ? 1 : -1;
      const loss = 1 - label * this.at(to + d + c);
      const exact = loss / ((1 + share) * this.dot(to, to, d));
      const e = exact > C ? C : exact;
      return (
        !(loss > 0) ||
        (this.addScaled(w + c * d, e * share * label, to, d) && this.addScaled(u + c * d, e * label, to, d))
      );
    });
    if (!learned) return 0;
    if (counted > 0 && !this.moveRowTowards(set, i, 1 / (counted + before), to, form)) return 0;
    if (counted === 0) {
      this.storeRow(set, i, to, form);
      this.bits[size] = i + 1;
    }
    this.bits[counts + i] = Math.min(counted + 1, 0xffffffff);
    for (const j of upTo(k * d)) this.words[storedW + j] = this.at(w + j);
    for (const j of upTo(k * d)) this.words[rowAt(storedU, k * d, i, j)] = this.at(u + j);
    return counted > 0 ? 1 : 2;
  }

  windowStatistics(to: number, ring: number, place: number, n: number, size: number): boolean {
    const x = upTo(n).map((i) => this.at(ring + ((place + i) % size)));
    const range = r(
      x.reduce((most, value) => (value > most ? value : most)) -
        x.reduce((least, value) => (value < least ? value : least)),
    );
    const signed = x.filter((value) => value !== 0);
    const sides = signed.map((value) => (value > 0 ? 1 : -1));
    return (
      Number.isFinite(range) &&
      [
        x.reduce((sum, value) => sum + value, 0) / n,
        Math.sqrt(x.reduce((sum, value) => sum + value * value, 0) / n),
        range,
        signed.filter((value, i) => value * sides[i - 1] < 0).length,
      ].every((value, i) => {
        this.words[to + i] = value;
        return true;
      })
    );
  }

  standardise(s: number, x: number, d: number, horizon: number, stepAfter: number): boolean {
    if (!this.finite(x, d)) return false;
    for (const j of upTo(d)) {
      const word = (k: number) => s + k * d + j;
      const [mean, rest, v, n, run] = upTo(5).map((k) => this.at(word(k)));
      const after = standardised(this.at(x + j), { m: mean + rest, v, n, r: run }, horizon, stepAfter);
      const rounded = after.skips ? mean : r(after.m);
      [rounded, after.skips ? rest : after.m - rounded, after.v, after.n, after.r].forEach((value, k) => {
        this.words[word(k)] = value;
      });
      this.words[x + j] = after.z;
    }
    return true;
  }

  centre(to: number, x: number, n: number): boolean {
    const mean = upTo(n).reduce((sum, i) => sum + this.at(x + i), 0) / n;
    for (const i of upTo(n)) this.words[x + i] = this.at(x + i) - mean;
    const v = upTo(n).map((i) => this.at(x + i));
    const peak = v.map(Math.abs).reduce((most, value) => (value > most ? value : most), 0);
    if (peak === Infinity) return false;
    const signs = v.filter((value) => value > 0 || value < 0).map(Math.sign);
    this.words[to] = peak;
    this.words[to + 1] = Math.sqrt(v.reduce((sum, value) => sum + value * value, 0) / n);
    this.words[to + 2] = signs.filter((sign, i) => i > 0 && sign !== signs[i - 1]).length;
    return true;
  }

  taper(x: number, n: number): void {
    for (const i of upTo(n)) this.words[x + i] = sub(this.at(x + i), mul(this.at(x + i), cosine(i, n)));
  }

  fourierTransform(x: number, n: number): void {
    const Z = transform(upTo(n / 2).map((i): Complex => [this.at(x + 2 * i), this.at(x + 2 * i + 1)]));
    const put = (k: number, re: number, im: number) => {
      this.words[x + 2 * k] = re;
      this.words[x + 2 * k + 1] = im;
    };
    put(0, add(...Z[0]), sub(...Z[0]));
    for (const k of upTo(n / 4).map((k) => k + 1)) {
      const [[a, b], [c, d]] = [Z[k], Z[n / 2 - k]];
      const [p, q] = [add(a, c), sub(b, d)];
      const [re, im] = turnedBack([add(b, d), sub(c, a)], k, n);
      put(n / 2 - k, mul(0.5, sub(p, re)), mul(0.5, sub(im, q)));
      put(k, mul(0.5, add(p, re)), mul(0.5, add(q, im)));
    }
  }

  goertzel(x: number, n: number, c: number): number {
    const [s, t] = upTo(n).reduce(([s, t], i) => [this.at(x + i) + (c * s - t), s], [0, 0]);
    return r(s * s + t * t - c * s * t);
  }

  diagonalProduct(out: number, s: number, x: number, n: number): void {
    for (const i of upTo(n)) this.words[out + i] = mul(this.at(s + i), this.at(x + i));
  }

  diagonalRankOne(s: number, b: number, v: number, n: number): boolean {
    return this.guarded(
      upTo(n).map((i) => [s + i, add(this.at(s + i), mul(b, mul(this.at(v + i), this.at(v + i))))]),
    );
  }

  symmetricProduct(out: number, s: number, x: number, n: number): void {
    for (const i of upTo(n)) {
      this.words[out + i] = upTo(n).reduce(
        (sum, j) => add(sum, mul(this.at(packedAt(s, i, j)), this.at(x + j))),
        0,
      );
    }
  }

  symmetricRankOne(s: number, b: number, v: number, n: number): boolean {
    const entries = upTo(n).flatMap((i) => upTo(i + 1).map((j) => [i, j]));
    return this.guarded(
      entries.map(([i, j]) => {
        const at = packedAt(s, i, j);
        return [at, add(this.at(at), mul(b, mul(this.at(v + i), this.at(v + j))))];
      }),
    );
  }

  cholesky(a: number, n: number): boolean {
    for (const i of upTo(n)) {
      for (const j of upTo(i + 1)) {
        const s = upTo(j).reduce(
          (rest, k) => sub(rest, mul(this.at(packedAt(a, i, k)), this.at(packedAt(a, j, k)))),
          this.at(packedAt(a, i, j)),
        );
        if (i === j && !(s > 0 && s < Infinity)) return false;
        this.words[packedAt(a, i, j)] = i === j ? r(Math.sqrt(s)) : div(s, this.at(packedAt(a, j, j)));
      }
    }
    return true;
  }

  solveLower(l: number, x: number, n: number): void {
    for (const i of upTo(n)) {
      const s = upTo(i).reduce(
        (rest, j) => sub(rest, mul(this.at(packedAt(l, i, j)), this.at(x + j))),
        this.at(x + i),
      );
      this.words[x + i] = div(s, this.at(packedAt(l, i, i)));
    }
  }

  solveLowerTransposed(l: number, x: number, n: number): void {
    for (const i of upTo(n).reverse()) {
      const s = upTo(n)
        .reverse()
        .filter((j) => j > i)
        .reduce((rest, j) => sub(rest, mul(this.at(packedAt(l, j, i)), this.at(x + j))), this.at(x + i));
      this.words[x + i] = div(s, this.at(packedAt(l, i, i)));
    }
  }

  deleteFactorRow(l: number, n: number, i: number, b: number, r: number): void {
    for (const k of upTo(n - 1).filter((k) => k >= i)) {
      const [c, s] = this.rotation(this.at(packedAt(l, k + 1, k)), this.at(packedAt(l, k + 1, k + 1)));
      const turned = ([x, y]: number[]) => [add(mul(c, x), mul(s, y)), sub(mul(c, y), mul(s, x))];
      const turn = (...pair: number[]) => {
        const after = turned(pair.map((at) => this.at(at)));
        for (const [j, at] of pair.entries()) this.words[at] = after[j];
      };
      for (const m of upTo(n).filter((m) => m > k)) turn(packedAt(l, m, k), packedAt(l, m, k + 1));
      if (b >= 0) turn(b + k, b + k + 1);
      if (r < 0) continue;
      for (const m of upTo(n).filter((m) => m !== k && m !== k + 1))
        turn(packedAt(r, m, k), packedAt(r, m, k + 1));
      const [p, o, q] = [packedAt(r, k, k), packedAt(r, k + 1, k), packedAt(r, k + 1, k + 1)];
      const rows = [turned([this.at(p), this.at(o)]), turned([this.at(o), this.at(q)])];
      const [first, second] = [turned([rows[0][0], rows[1][0]]), turned([rows[0][1], rows[1][1]])];
      [this.words[p], this.words[o], this.words[q]] = [first[0], first[1], second[1]];
    }
    const rows = upTo(n).map((m) => upTo(m + 1).map((j) => this.bits[packedAt(l, m, j)]));
    for (const m of upTo(n - 1).filter((m) => m >= i))
      for (const j of upTo(m + 1)) this.bits[packedAt(l, m, j)] = rows[m + 1][j];
    for (const j of upTo(n)) this.bits[packedAt(l, n - 1, j)] = 0;
    if (b >= 0) this.bits[b + n - 1] = 0;
    if (r >= 0) for (const j of upTo(n)) this.bits[packedAt(r, n - 1, j)] = 0;
  }

  solveUnitLower(to: number, l: number, x: number, n: number, from: number): void {
    for (const i of upTo(n).filter((i) => i >= from)) {
      this.words[x + i] = upTo(i).reduce(
        (rest, j) => sub(rest, mul(this.at(packedAt(l, i, j)), this.at(x + j))),
        this.at(x + i),
      );
      this.words[to + i] = div(this.at(x + i), this.at(packedAt(l, i, i)));
    }
  }

  solveUnitLowerTransposed(to: number, order: number, l: number, x: number, n: number): void {
    for (const j of upTo(n).reverse()) {
      this.words[x + j] = upTo(n)
        .reverse()
        .filter((i) => i > j)
        .reduce((rest, i) => sub(rest, mul(this.at(packedAt(l, i, j)), this.at(x + i))), this.at(x + j));
    }
    for (const i of upTo(n)) this.words[to + this.bits[order + i]] = this.at(x + i);
  }

  pivotProduct(out: number, l: number, x: number, n: number): void {
    for (const i of upTo(n)) this.words[out + i] = mul(this.at(x + i), this.at(packedAt(l, i, i)));
  }

  deleteUnitFactorRow(l: number, n: number, p: number, b: number, s: number): number {
    const L = upTo(n).map((i) => upTo(i + 1).map((j) => this.at(packedAt(l, i, j))));
    let a = L[p][p];
    const X = new Map<number, number>();
    const W = new Map<number, number>();
    /** The row without its entry p, as the update leaves it, and what that entry has become. */
    const updated = (row: readonly number[]): [number[], number] => {
      let x = row[p];
      const rest = upTo(row.length).filter((k) => k > p);
      const behind = rest.map((k) => {
        x = sub(x, mul(X.get(k) as number, row[k]));
        return add(row[k], mul(W.get(k) as number, x));
      });
      return [[...row.slice(0, p), ...behind], x];
    };
    for (const i of upTo(n).filter((i) => i > p)) {
      const [row, x] = updated(L[i].slice(0, i));
      const w = mul(a, x);
      const g = add(L[i][i], mul(w, x));
      X.set(i, x);
      W.set(i, div(w, g));
      a = mul(a, div(L[i][i], g));
      for (const [j, value] of [...row, g].entries()) this.words[packedAt(l, i - 1, j)] = value;
    }
    const [y] = updated(upTo(n).map((i) => this.at(b + i)));
    for (const [i, value] of y.entries()) this.words[b + i] = value;
    for (const [i, x] of X) this.words[s + i] = x;
    for (const [i, w] of W) this.words[s + n + i] = w;
    for (const j of upTo(n)) this.bits[packedAt(l, n - 1, j)] = 0;
    this.bits[b + n - 1] = 0;
    return a;
  }

  /** Cosine and sine of the rotation that turns (p, q) along the first axis. */
  private rotation(p: number, q: number): [number, number] {
    const shorter = (t: number) => r(Math.sqrt(add(1, mul(t, t))));
    if (Math.abs(q) > Math.abs(p)) {
      const s = div(1, shorter(div(p, q)));
      return [mul(s, div(p, q)), s];
    }
    const c = div(p > 0 ? 1 : -1, shorter(div(q, p)));
    return [c, mul(c, div(q, p))];
  }

  exp(x: number): number {
    return elementary.exp(x);
  }

  log(x: number): number {
    return elementary.log(x);
  }

  cos(x: number): number {
    return elementary.cos(x);
  }

  sin(x: number): number {
    return elementary.sin(x);
  }
}
