import { BlockProducts } from "./block-products.ts";
import { ClassSteps } from "./class-steps.ts";
import { Crc32 } from "./crc32.ts";
import { Elementary } from "./elementary.ts";
import { centreWave, lineOfWave, taperWave, transformWave } from "./fourier.ts";
import {
  deletePackedFactorRow,
  deletePackedUnitFactorRow,
  packedCholesky,
  packedPivotProduct,
  solvePackedLower,
  solvePackedLowerTransposed,
  solvePackedUnitLower,
  solvePackedUnitLowerTransposed,
} from "./packed.ts";
import { ceil4, components, DECISION, LEAVING, type Primitives, placeIn, rowWords } from "./primitives.ts";
import { Q15Rows } from "./q15.ts";

const round = Math.fround;
/** 2^-126: below it float32 loses precision, and a component counts as constant. */
const LEAST_VARIANCE = 1.1754943508222875e-38;
const LARGEST = 3.4028234663852886e38;
/** Constants of `standardise`, see its statement in `Primitives`. */
const Z_LARGEST = 5;
const LIMIT = 4;
const CONSTANT_COUNT = 3;
const WARM_COUNT = 32;
const WARM_WIDTH = 20;
const WARM_RUN = 8;
const ESCAPE_COUNT = 8;
/** Constants of `aggressiveness`. */
const ERRORS_SCALE = round(0.05);
const ERRORS_HORIZON = 240;
const ERRORS_FADE = round(1 / ERRORS_HORIZON);
const PRIOR_LABELS = 16;
const PRIOR_ERRORS = round(2.4);
const MOST_C = 2;
const FIRST_C = round(0.4);
const EARLY = 200;
const LEAST_C = round(0.1);
const SETTLED = 3200;

function isFinite32(v: number): boolean {
  return v >= -LARGEST && v <= LARGEST;
}

/** The primitives in portable TypeScript, on any ES2022 engine. What each does stands in `Primitives`. */
export class PortableF32 implements Primitives {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  private readonly elementary = new Elementary();
  private readonly crc = new Crc32();
  private readonly q15: Q15Rows;
  private readonly blocks: BlockProducts;
  private readonly classes = new ClassSteps(this);

  constructor(buffer: ArrayBufferLike) {
    this.words = new Float32Array(buffer);
    this.bits = new Uint32Array(buffer);
    this.q15 = new Q15Rows(this.words, this.elementary);
    this.blocks = new BlockProducts(this.words, this.bits);
  }

  load(to: number, x: ArrayLike<number>, n: number): boolean {
    const m = this.words;
    if (x.length !== n) return false;
    for (let j = 0; j < n; j++) m[to + j] = x[j];
    return this.finite(to, n);
  }

  crc32(bytes: Uint8Array, from: number, to: number, before: number): number {
    return this.crc.crc32(bytes, from, to, before);
  }

  finite(a: number, n: number): boolean {
    const m = this.words;
    for (let j = a; j < a + n; j++) if (!isFinite32(m[j])) return false;
    return true;
  }

  dot(a: number, b: number, n: number): number {
    const m = this.words;
    const whole = n & ~3;
    let l0 = 0;
    let l1 = 0;
    let l2 = 0;
    let l3 = 0;
    let j = 0;
    for (; j < whole; j += 4) {
      l0 = round(l0 + round(m[a + j] * m[b + j]));
      l1 = round(l1 + round(m[a + j + 1] * m[b + j + 1]));
      l2 = round(l2 + round(m[a + j + 2] * m[b + j + 2]));
      l3 = round(l3 + round(m[a + j + 3] * m[b + j + 3]));
    }
    if (j < n) l0 = round(l0 + round(m[a + j] * m[b + j]));
    if (j + 1 < n) l1 = round(l1 + round(m[a + j + 1] * m[b + j + 1]));
    if (j + 2 < n) l2 = round(l2 + round(m[a + j + 2] * m[b + j + 2]));
    return round(round(l0 + l2) + round(l1 + l3));
  }

  addScaled(y: number, s: number, x: number, n: number): boolean {
    const m = this.words;
    const t = round(s);
    for (let j = 0; j < n; j++) if (!isFinite32(round(m[y + j] + round(t * m[x + j])))) return false;
    for (let j = 0; j < n; j++) m[y + j] = m[y + j] + round(t * m[x + j]);
    return true;
  }

  scale(x: number, s: number, n: number): void {
    const m = this.words;
    const t = round(s);
    for (let j = x; j < x + n; j++) m[j] = t * m[j];
  }

  copy(to: number, from: number, n: number): void {
    this.bits.copyWithin(to, from, from + n);
  }

  argmin(a: number, n: number): number {
    const m = this.words;
    let best = 0;
    for (let j = 1; j < n; j++) if (m[a + j] < m[a + best]) best = j;
    return best;
  }

  argminMagnitude(a: number, n: number): number {
    const m = this.words;
    let best = 0;
    for (let j = 1; j < n; j++) if (Math.abs(m[a + j]) < Math.abs(m[a + best])) best = j;
    return best;
  }

  oldest(b: number, now: number, n: number): number {
    const m = this.bits;
    let best = 0;
    for (let j = 1; j < n; j++) if ((now - m[b + j]) >>> 0 > (now - m[b + best]) >>> 0) best = j;
    return best;
  }

  stalest(last: number, uses: number, now: number, after: number, n: number): number {
    const m = this.bits;
    let best = -1;
    let most = 0;
    for (let j = 0; j < n; j++) {
      const idle = (now - m[last + j]) >>> 0;
      if (idle <= most || idle <= Math.imul(after, m[uses + j]) >>> 0) continue;
      best = j;
      most = idle;
    }
    return best;
  }

  storeRow(rows: number, i: number, x: number, d: number): void {
    if (d < 0) {
      this.q15.store(rows, i, x, -d);
      return;
    }
    const m = this.words;
    const r = rows + 4 * d * (i >> 2) + (i & 3);
    for (let j = 0; j < d; j++) m[r + 4 * j] = m[x + j];
  }

  fetchRow(x: number, rows: number, i: number, d: number): void {
    if (d < 0) {
      this.q15.fetch(x, rows, i, -d);
      return;
    }
    const m = this.words;
    const r = rows + 4 * d * (i >> 2) + (i & 3);
    for (let j = 0; j < d; j++) m[x + j] = m[r + 4 * j];
  }

  storeColumn(rows: number, j: number, x: number, n: number, d: number): void {
    const m = this.words;
    for (let i = 0; i < n; i++) m[rows + 4 * d * (i >> 2) + 4 * j + (i & 3)] = m[x + i];
  }

  addScaledRow(rows: number, i: number, s: number, x: number, d: number): boolean {
    const m = this.words;
    const t = round(s);
    const r = rows + 4 * d * (i >> 2) + (i & 3);
    for (let j = 0; j < d; j++) if (!isFinite32(round(m[r + 4 * j] + round(t * m[x + j])))) return false;
    for (let j = 0; j < d; j++) m[r + 4 * j] = m[r + 4 * j] + round(t * m[x + j]);
    return true;
  }

  moveRowTowards(rows: number, i: number, s: number, x: number, d: number): boolean {
    const m = this.words;
    const t = round(s);
    if (d < 0) return this.q15.moveTowards(rows, i, t, x, -d);
    const r = rows + 4 * d * (i >> 2) + (i & 3);
    for (let j = 0; j < d; j++) {
      if (!isFinite32(round(m[r + 4 * j] + round(t * round(m[x + j] - m[r + 4 * j]))))) return false;
    }
    for (let j = 0; j < d; j++) m[r + 4 * j] = m[r + 4 * j] + round(t * round(m[x + j] - m[r + 4 * j]));
    return true;
  }

  innerProducts(out: number, rows: number, x: number, n: number, d: number): void {
    const m = this.words;
    for (let i = 0; i < n; i += 4) {
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let j = 0, r = rows + d * i; j < d; j++, r += 4) {
        const v = m[x + j];
        s0 = round(s0 + round(m[r] * v));
        s1 = round(s1 + round(m[r + 1] * v));
        s2 = round(s2 + round(m[r + 2] * v));
        s3 = round(s3 + round(m[r + 3] * v));
      }
      m[out + i] = s0;
      m[out + i + 1] = s1;
      m[out + i + 2] = s2;
      m[out + i + 3] = s3;
    }
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
    this.blocks.multiply(out, rows, x, slot, n, size, d, k);
  }

  squaredDistances(out: number, rows: number, x: number, n: number, d: number): void {
    const m = this.words;
    if (d < 0) {
      this.q15.distances(out, rows, x, n, -d);
      return;
    }
    for (let i = 0; i < n; i += 4) {
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let j = 0, r = rows + d * i; j < d; j++, r += 4) {
        const v = m[x + j];
        const t0 = round(m[r] - v);
        const t1 = round(m[r + 1] - v);
        const t2 = round(m[r + 2] - v);
        const t3 = round(m[r + 3] - v);
        s0 = round(s0 + round(t0 * t0));
        s1 = round(s1 + round(t1 * t1));
        s2 = round(s2 + round(t2 * t2));
        s3 = round(s3 + round(t3 * t3));
      }
      m[out + i] = s0;
      m[out + i + 1] = s1;
      m[out + i + 2] = s2;
      m[out + i + 3] = s3;
    }
  }

  gaussianRow(out: number, rows: number, x: number, n: number, d: number, gamma: number): void {
    const m = this.words;
    const { elementary } = this;
    const g = round(gamma);
    if (d < 0) {
      this.q15.gaussian(out, rows, x, n, -d, g);
      return;
    }
    this.squaredDistances(out, rows, x, n, d);
    for (let i = 0; i < n; i += 4) {
      for (let k = out + i; k < out + i + 4; k++) m[k] = elementary.exp(-round(g * m[k]));
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
    const m = this.words;
    const c = round(offset);
    this.innerProducts(out, rows, x, n, d);
    for (let i = 0; i < n; i += 4) {
      for (let k = out + i; k < out + i + 4; k++) {
        const b = round(c + m[k]);
        let power = b;
        for (let p = 1; p < degree; p++) power = round(power * b);
        m[k] = power;
      }
    }
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
    if (!this.load(to, x, components(d))) return Number.NaN;
    const coefficients = set + rowWords(d) * ceil4(m);
    const n = this.held(coefficients + 2 * m, m);
    const row = to + components(d);
    this.gaussianRow(row, set, to, n, d, gamma);
    const f = this.dot(coefficients, row, n);
    return f - f === 0 ? this.decision(f, rule, term, scale) : Number.NaN;
  }

  /** Vectors of a set, by the word of its size; no more than it has room for, whatever that says. */
  private held(size: number, m: number): number {
    const n = this.bits[size];
    return n < m ? n : m;
  }

  /** The decision that follows from f(x) = sum. */
  private decision(sum: number, rule: number, term: number, scale: number): number {
    const { words, bits } = this;
    if (rule === DECISION.plus) return sum + words[term];
    if (rule === DECISION.minus) return sum - words[term];
    if (rule === DECISION.level) return sum - 1 - words[term];
    const t = bits[term];
    if (rule === DECISION.sum || t === 0) return sum;
    return sum / (scale * (rule === DECISION.root ? Math.sqrt(t) : t));
  }

  insertVector(set: number, m: number, d: number, x: number, a: number): void {
    const { bits } = this;
    const coefficients = set + rowWords(d) * ceil4(m);
    const births = coefficients + m;
    const i = this.held(births + m, m);
    if (i === m) return;
    bits[births + m] = i + 1;
    this.storeRow(set, i, x, d);
    this.words[coefficients + i] = a;
    bits[births + i] = bits[births + m + 1]++;
  }

  removeVector(set: number, m: number, d: number, i: number): void {
    const { bits } = this;
    const w = rowWords(d);
    const coefficients = set + w * ceil4(m);
    const births = coefficients + m;
    const last = this.held(births + m, m) - 1;
    if (i < 0 || i > last) return;
    bits[births + m] = last;
    const from = set + 4 * w * (last >> 2) + (last & 3);
    const to = set + 4 * w * (i >> 2) + (i & 3);
    for (let j = 0; j < 4 * w; j += 4) {
      bits[to + j] = bits[from + j];
      bits[from + j] = 0;
    }
    bits[coefficients + i] = bits[coefficients + last];
    bits[coefficients + last] = 0;
    bits[births + i] = bits[births + last];
    bits[births + last] = 0;
  }

  removeVectorInOrder(set: number, m: number, d: number, i: number): void {
    const { bits } = this;
    const w = rowWords(d);
    const coefficients = set + w * ceil4(m);
    const births = coefficients + m;
    const last = this.held(births + m, m) - 1;
    if (i < 0 || i > last) return;
    for (let k = i; k < last; k++) {
      const to = set + 4 * w * (k >> 2) + (k & 3);
      const from = set + 4 * w * ((k + 1) >> 2) + ((k + 1) & 3);
      for (let j = 0; j < 4 * w; j += 4) bits[to + j] = bits[from + j];
    }
    this.copy(coefficients + i, coefficients + i + 1, last - i);
    this.copy(births + i, births + i + 1, last - i);
    this.removeVector(set, m, d, last);
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
    const { words, bits } = this;
    const coefficients = set + rowWords(d) * ceil4(m);
    const count = coefficients + 2 * m;
    this.scale(coefficients, keep, this.held(count, m));
    if (a !== 0) this.take(set, m, d, x, a, leaving, counts, gamma);
    while (bits[count] > 0) {
      const least = this.argminMagnitude(coefficients, this.held(count, m));
      if (!(Math.abs(words[coefficients + least]) < threshold)) return;
      this.removeVector(set, m, d, least);
      bits[counts + 2]++;
    }
  }

  /** What `stepExpansion` does with x. */
  private take(
    set: number,
    m: number,
    d: number,
    x: number,
    a: number,
    leaving: number,
    counts: number,
    gamma: number,
  ): void {
    const { bits } = this;
    const coefficients = set + rowWords(d) * ceil4(m);
    const births = coefficients + m;
    const n = this.held(births + m, m);
    if (!isFinite32(round(a))) {
      bits[counts]++;
      return;
    }
    if (n === m && leaving === LEAVING.merge) {
      this.mergeIn(set, m, d, x, round(a), gamma);
      bits[counts + 1]++;
      bits[counts + 3]++;
      return;
    }
    if (n === m) {
      if (leaving === LEAVING.refuse) {
        bits[counts + 4]++;
        return;
      }
      let i = leaving;
      if (leaving === LEAVING.oldest) i = this.oldest(births, bits[births + m + 1], n);
      if (leaving === LEAVING.smallest) i = this.argminMagnitude(coefficients, n);
      this.removeVector(set, m, d, i);
      bits[counts + 3]++;
    }
    this.insertVector(set, m, d, x, a);
    bits[counts + 1]++;
  }

  /** What `stepExpansion` does with x where vectors merge. */
  private mergeIn(set: number, m: number, d: number, x: number, a: number, gamma: number): void {
    const { words } = this;
    const coefficients = set + rowWords(d) * ceil4(m);
    const row = x + components(d);
    const spare = row + ceil4(m);
    const least = this.argminMagnitude(coefficients, m);
    const stored = words[coefficients + least];
    const leaves = Math.abs(a) < Math.abs(stored);
    if (leaves) {
      this.copy(spare, x, components(d));
    } else {
      this.fetchRow(spare, set, least, d);
      this.removeVector(set, m, d, least);
      this.insertVector(set, m, d, x, a);
    }
    this.mergeNearest(row, set, coefficients, m, d, spare, leaves ? a : stored, gamma);
  }

  nearestRow(out: number, rows: number, x: number, n: number, d: number): number {
    this.squaredDistances(out, rows, x, n, d);
    return this.argmin(out, n);
  }

  nearestBytes(out: number, rows: number, x: number, n: number, w: number, k: number): number {
    const { bits } = this;
    let found = 0;
    for (let i = 0; i < n; i++) {
      const s = this.byteDistance(rows + i * w, x, w);
      if (found === k && s >= bits[out + 2 * k - 1]) continue;
      let j = found < k ? found++ : k - 1;
      for (; j > 0 && bits[out + k + j - 1] > s; j--) {
        bits[out + j] = bits[out + j - 1];
        bits[out + k + j] = bits[out + k + j - 1];
      }
      bits[out + j] = i;
      bits[out + k + j] = s;
    }
    return found;
  }

  private byteDistance(row: number, x: number, w: number): number {
    const { bits } = this;
    let s = 0;
    for (let j = 0; j < w; j++) {
      const a = bits[row + j];
      const b = bits[x + j];
      const t0 = (a & 255) - (b & 255);
      const t1 = ((a >> 8) & 255) - ((b >> 8) & 255);
      const t2 = ((a >> 16) & 255) - ((b >> 16) & 255);
      const t3 = (a >>> 24) - (b >>> 24);
      s += t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3;
    }
    return s;
  }

  mergeNearest(
    out: number,
    rows: number,
    coefficients: number,
    n: number,
    d: number,
    x: number,
    a: number,
    gamma: number,
  ): number {
    const m = this.words;
    const { elementary } = this;
    const own = round(a);
    this.squaredDistances(out, rows, x, n, d);
    const j = this.nearestOfSign(out, coefficients, n, own);
    if (j < 0) return -1;
    const other = m[coefficients + j];
    const L = round(round(gamma) * m[out + j]);
    const k = elementary.exp(-L);
    if (!(k > 0)) return -1;
    const h = this.mergeShare(round(own / round(own + other)), L, k);
    const q = round(1 - h);
    const merged = round(
      round(own * elementary.exp(-round(L * round(q * q)))) +
        round(other * elementary.exp(-round(L * round(h * h)))),
    );
    if (!isFinite32(merged)) return -1;
    if (d < 0) this.q15.exchange(rows, j, x, -d, h);
    const r = rows + 4 * d * (j >> 2) + (j & 3);
    for (let i = 0; i < d; i++) {
      const before = m[r + 4 * i];
      m[r + 4 * i] = before + round(h * round(m[x + i] - before));
      m[x + i] = before;
    }
    m[coefficients + j] = merged;
    m[out] = other;
    return j;
  }

  /** The nearest of the rows whose coefficients have the sign of `own`, by the distances at `out`; -1 if there is none. */
  private nearestOfSign(out: number, coefficients: number, n: number, own: number): number {
    const m = this.words;
    let best = -1;
    for (let j = 0; j < n; j++) {
      if (round(own * m[coefficients + j]) > 0 && (best < 0 || m[out + j] < m[out + best])) best = j;
    }
    return best;
  }

  /** h of `mergeNearest`. */
  private mergeShare(share: number, L: number, k: number): number {
    const rest = round(1 - share);
    let e = round(share * k);
    let h = round(e / round(e + rest));
    for (let step = 0; step < 5; step++) {
      e = round(share * this.elementary.exp(-round(L * round(1 - round(h + h)))));
      const T = round(e / round(e + rest));
      const slope = round(1 - round(round(round(L + L) * T) * round(1 - T)));
      h = slope > 0 ? round(h + round(round(T - h) / slope)) : T;
      if (!(h <= 0.5)) h = 0.5;
    }
    return h;
  }

  classScores(to: number, set: number, m: number, d: number, k: number, scale: number): number {
    return this.classes.scores(to, set, m, d, k, scale);
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
    this.classes.step(
      to,
      set,
      m,
      d,
      k,
      y,
      gamma,
      self,
      keep,
      size,
      level,
      most,
      ties,
      leaving,
      threshold,
      counts,
    );
  }

  fourierFeatures(out: number, rows: number, x: number, n: number, d: number): void {
    const m = this.words;
    this.innerProducts(out, rows, x, n, d);
    for (let i = n - 1; i >= 0; i--) {
      const s = m[out + i];
      m[out + 2 * i + 1] = this.elementary.sin(s);
      m[out + 2 * i] = this.elementary.cos(s);
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
    const { words } = this;
    let m = placeIn(slot, size);
    for (let k = 0; k < n; k++) {
      if (words[y + m] * words[f + m] < margin) words[to + m] += step * words[y + m];
      m = m === 0 ? size - 1 : m - 1;
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
    const { words } = this;
    let m = placeIn(slot, size);
    for (let i = 0; i < n; i++) {
      words[to + m] -= step * (words[p + i] - words[v + i] + words[u + i]);
      m = m === 0 ? size - 1 : m - 1;
    }
  }

  agree(v: number, u: number, p: number, n: number, agents: number, stride: number): void {
    const { words } = this;
    const end = agents * stride;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let ji = i; ji < end; ji += stride) sum += words[p + ji] + words[u + ji];
      words[v + i] = sum / agents;
      for (let ji = i; ji < end; ji += stride) words[u + ji] += words[p + ji] - words[v + i];
    }
  }

  aggressiveness(at: number, y: number, f: number, k: number): number {
    const { words, bits } = this;
    const n = bits[at + 1] < SETTLED ? bits[at + 1] + 1 : SETTLED;
    const M = words[at];
    const isWrong = k === 1 ? f < 0 !== y < 0 : f !== y;
    const error = isWrong ? (k === 1 ? 1 : round(2 / k)) : 0;
    bits[at + 1] = n;
    words[at] = round(M - (n > ERRORS_HORIZON ? round(M * ERRORS_FADE) : 0)) + error;
    const labels = n < ERRORS_HORIZON ? n : ERRORS_HORIZON;
    const C = round(round(ERRORS_SCALE * (labels + PRIOR_LABELS)) / round(words[at] + PRIOR_ERRORS));
    if (!(C < FIRST_C)) return C < MOST_C ? C : MOST_C; // above every lower bound
    let least = LEAST_C;
    if (n <= EARLY) least = FIRST_C;
    else if (n < SETTLED) least = round(FIRST_C * round(Math.sqrt(round(EARLY / n))));
    return C < least ? least : C;
  }

  localDecision(to: number, x: ArrayLike<number>, set: number, m: number, form: number, k: number): number {
    const d = components(form);
    if (!this.load(to, x, d)) return Number.NaN;
    const { words, bits } = this;
    const size = set + rowWords(form) * ceil4(m) + m;
    const scores = to + d;
    const distances = scores + k;
    const nearest = distances + ceil4(m);
    const next = nearest + 1;
    const across = k * d;
    const i = bits[size] < m ? bits[size] : this.nearestRow(distances, set, to, m, form);
    bits[nearest] = i;
    this.fetchRow(next + across, size + 1 + across, i, across);
    let best = 0;
    for (let c = 0; c < k; c++) {
      words[scores + c] = this.dot(size + 1 + c * d, to, d) + this.dot(next + across + c * d, to, d);
      if (words[scores + c] > words[scores + best]) best = c;
    }
    if (!this.finite(scores, k)) return Number.NaN;
    return k === 1 ? words[scores] : best;
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
    const { words, bits } = this;
    const d = components(form);
    const counts = set + rowWords(form) * ceil4(m);
    const size = counts + m;
    const nearest = to + d + k + ceil4(m);
    const next = nearest + 1;
    const across = k * d;
    const i = bits[nearest];
    this.copy(next, size + 1, across);
    for (let c = 0; c < k; c++) {
      const label = k === 1 ? y : y === c ? 1 : -1;
      const w = next + c * d;
      if (!this.problemStep(w, w + across, to, d, label, words[to + d + c], share, C)) return 0;
    }
    const counted = bits[counts + i];
    if (counted > 0) {
      if (!this.moveRowTowards(set, i, 1 / (counted + before), to, form)) return 0;
    } else {
      this.storeRow(set, i, to, form);
      bits[size] = i + 1;
    }
    if (counted < 0xffffffff) bits[counts + i] = counted + 1;
    this.copy(size + 1, next, across);
    this.storeRow(size + 1 + across, i, next + across, across);
    return counted > 0 ? 1 : 2;
  }

  /** The step of `localStep` for one binary problem, on w and u_i. */
  private problemStep(
    w: number,
    u: number,
    x: number,
    d: number,
    y: number,
    f: number,
    share: number,
    C: number,
  ): boolean {
    const loss = 1 - y * f;
    if (!(loss > 0)) return true;
    let e = loss / ((1 + share) * this.dot(x, x, d));
    if (e > C) e = C;
    return this.addScaled(w, e * share * y, x, d) && this.addScaled(u, e * y, x, d);
  }

  windowStatistics(to: number, ring: number, place: number, n: number, size: number): boolean {
    const { words } = this;
    let at = placeIn(place, size);
    let sum = 0;
    let squares = 0;
    let least = words[ring + at];
    let largest = least;
    let sign = 0;
    let crossings = 0;
    for (let i = 0; i < n; i++) {
      const x = words[ring + at];
      at = at + 1 === size ? 0 : at + 1;
      sum += x;
      squares += x * x;
      if (x < least) least = x;
      if (x > largest) largest = x;
      if (x * sign < 0) crossings++;
      if (x !== 0) sign = x > 0 ? 1 : -1;
    }
    if (!isFinite32(round(largest - least))) return false;
    words[to] = sum / n;
    words[to + 1] = Math.sqrt(squares / n);
    words[to + 2] = largest - least;
    words[to + 3] = crossings;
    return true;
  }

  standardise(s: number, x: number, d: number, horizon: number, stepAfter: number): boolean {
    if (!this.finite(x, d)) return false;
    for (let j = 0; j < d; j++) this.standardiseOne(s + j, x + j, d, horizon, stepAfter);
    return true;
  }

  /**
   * Standardises one component: its mean at s, then, d words apart, the mean's rest, the variance, the count
   * and the run.
   */
  private standardiseOne(s: number, x: number, d: number, horizon: number, stepAfter: number): void {
    const { words } = this;
    const value = words[x];
    const variance = words[s + 2 * d];
    const count = words[s + 3 * d];
    const run = words[s + 4 * d];
    const mean = words[s] + words[s + d];
    const delta = value - mean;
    const n = count < horizon ? count + 1 : horizon;
    words[x] = 0;
    if (!(variance >= LEAST_VARIANCE)) {
      this.observe(s, d, value, mean, delta, n);
      return;
    }
    const deviation = Math.sqrt(variance);
    const far = delta < 0 ? -delta : delta;
    const limit = LIMIT * deviation * (count < WARM_COUNT ? 1 + WARM_WIDTH / count : 1);
    if (count < WARM_COUNT && far > limit) {
      const refused = run >= 0 ? run + 1 : 1;
      words[s + 4 * d] = refused;
      if (refused >= WARM_RUN) this.startAgain(s, d, value, 0);
      return;
    }
    if (count === 2 && run === 0 && far > 0.9 * deviation && far < 1.1 * deviation) {
      this.startAgain(s, d, value, -1);
      return;
    }
    const z = delta / deviation;
    words[x] = !(z > -Z_LARGEST) ? -Z_LARGEST : z < Z_LARGEST ? z : Z_LARGEST;
    const side = delta > limit ? 1 : delta < -limit ? -1 : 0;
    const beyond = side === 0 ? 0 : run * side > 0 ? run + side : side;
    const step = beyond >= stepAfter || beyond <= -stepAfter;
    words[s + 4 * d] = step ? 0 : beyond;
    if (step) this.observe(s, d, value, value, 0, ESCAPE_COUNT + 1);
    else this.observe(s, d, value, mean, side === 0 ? delta : side * limit, n);
  }

  /** The n-th sample, `delta` from the mean, moves the component's moments; if they overflow, it starts again at `value`. */
  private observe(s: number, d: number, value: number, mean: number, delta: number, n: number): void {
    const { words } = this;
    const share = 1 / n;
    const after = mean + delta * share;
    const variance = words[s + 2 * d];
    const spread = variance + share * (delta * (delta - delta * share) - variance);
    if (!isFinite32(round(after)) || !isFinite32(round(spread))) {
      this.startAgain(s, d, value, 0);
      return;
    }
    words[s] = after;
    words[s + d] = after - words[s];
    words[s + 2 * d] = spread;
    words[s + 3 * d] = spread >= LEAST_VARIANCE || n < CONSTANT_COUNT ? n : CONSTANT_COUNT;
  }

  private startAgain(s: number, d: number, value: number, run: number): void {
    const { words } = this;
    words[s] = value;
    words[s + d] = 0;
    words[s + 2 * d] = 0;
    words[s + 3 * d] = 1;
    words[s + 4 * d] = run;
  }

  centre(to: number, x: number, n: number): boolean {
    return centreWave(this.words, to, x, n);
  }

  taper(x: number, n: number): void {
    taperWave(this.words, x, n);
  }

  fourierTransform(x: number, n: number): void {
    transformWave(this.words, x, n);
  }

  goertzel(x: number, n: number, c: number): number {
    return lineOfWave(this.words, x, n, c);
  }

  symmetricProduct(out: number, s: number, x: number, n: number): void {
    const m = this.words;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      let p = s + ((i * (i + 1)) >> 1);
      for (let j = 0; j <= i; j++, p++) sum = round(sum + round(m[p] * m[x + j]));
      p += i;
      for (let j = i + 1; j < n; j++, p += j) sum = round(sum + round(m[p] * m[x + j]));
      m[out + i] = sum;
    }
  }

  symmetricRankOne(s: number, b: number, v: number, n: number): boolean {
    const m = this.words;
    const t = round(b);
    for (let i = 0, p = s; i < n; i++) {
      for (let j = 0; j <= i; j++, p++) {
        if (!isFinite32(round(m[p] + round(t * round(m[v + i] * m[v + j]))))) return false;
      }
    }
    for (let i = 0, p = s; i < n; i++) {
      for (let j = 0; j <= i; j++, p++) m[p] = m[p] + round(t * round(m[v + i] * m[v + j]));
    }
    return true;
  }

  diagonalProduct(out: number, s: number, x: number, n: number): void {
    const m = this.words;
    for (let i = 0; i < n; i++) m[out + i] = m[s + i] * m[x + i];
  }

  diagonalRankOne(s: number, b: number, v: number, n: number): boolean {
    const m = this.words;
    const t = round(b);
    for (let i = 0; i < n; i++) {
      if (!isFinite32(round(m[s + i] + round(t * round(m[v + i] * m[v + i]))))) return false;
    }
    for (let i = 0; i < n; i++) m[s + i] = m[s + i] + round(t * round(m[v + i] * m[v + i]));
    return true;
  }

  cholesky(a: number, n: number): boolean {
    return packedCholesky(this.words, a, n);
  }

  solveLower(l: number, x: number, n: number): void {
    solvePackedLower(this.words, l, x, n);
  }

  solveLowerTransposed(l: number, x: number, n: number): void {
    solvePackedLowerTransposed(this.words, l, x, n);
  }

  deleteFactorRow(l: number, n: number, i: number, b: number, r: number): void {
    deletePackedFactorRow(this.words, l, n, i, b, r);
  }

  solveUnitLower(to: number, l: number, x: number, n: number, from: number): void {
    solvePackedUnitLower(this.words, to, l, x, n, from);
  }

  solveUnitLowerTransposed(to: number, order: number, l: number, x: number, n: number): void {
    solvePackedUnitLowerTransposed(this.words, l, x, n);
    const { bits, words } = this;
    for (let i = 0; i < n; i++) if (bits[order + i] < n) words[to + bits[order + i]] = words[x + i];
  }

  pivotProduct(out: number, l: number, x: number, n: number): void {
    packedPivotProduct(this.words, out, l, x, n);
  }

  deleteUnitFactorRow(l: number, n: number, p: number, b: number, s: number): number {
    return deletePackedUnitFactorRow(this.words, l, n, p, b, s);
  }

  exp(x: number): number {
    return this.elementary.exp(x);
  }

  /** The float32 log of `Elementary`. */
  log(x: number): number {
    return this.elementary.log(x);
  }

  /** The float32 cos of `Elementary`. */
  cos(x: number): number {
    return this.elementary.cos(x);
  }

  /** The float32 sin of `Elementary`. */
  sin(x: number): number {
    return this.elementary.sin(x);
  }
}
