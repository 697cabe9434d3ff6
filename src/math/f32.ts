import { Crc32 } from "./crc32.ts";
import { Elementary } from "./elementary.ts";
import {
  invertPackedFactor,
  packedCholesky,
  solvePackedLower,
  solvePackedLowerTransposed,
} from "./packed.ts";
import { ceil4, LEAVING, type Primitives } from "./primitives.ts";

const round = Math.fround;
/** 2^-126: below it float32 loses precision, and a component counts as constant. */
const LEAST_VARIANCE = 1.1754943508222875e-38;
const LARGEST = 3.4028234663852886e38;

function isFinite32(v: number): boolean {
  return v >= -LARGEST && v <= LARGEST;
}

/** The primitives in portable TypeScript, on any ES2022 engine. What each does stands in `Primitives`. */
export class PortableF32 implements Primitives {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  private readonly elementary = new Elementary();
  private readonly crc = new Crc32();

  constructor(buffer: ArrayBufferLike) {
    this.words = new Float32Array(buffer);
    this.bits = new Uint32Array(buffer);
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

  storeRow(rows: number, i: number, x: number, d: number): void {
    const m = this.words;
    const r = rows + 4 * d * (i >> 2) + (i & 3);
    for (let j = 0; j < d; j++) m[r + 4 * j] = m[x + j];
  }

  fetchRow(x: number, rows: number, i: number, d: number): void {
    const m = this.words;
    const r = rows + 4 * d * (i >> 2) + (i & 3);
    for (let j = 0; j < d; j++) m[x + j] = m[r + 4 * j];
  }

  storeColumn(rows: number, j: number, x: number, n: number, d: number): void {
    const m = this.words;
    for (let i = 0; i < n; i++) m[rows + 4 * d * (i >> 2) + 4 * j + (i & 3)] = m[x + i];
  }

  dotRow(rows: number, i: number, x: number, d: number): number {
    const m = this.words;
    const r = rows + 4 * d * (i >> 2) + (i & 3);
    let s = 0;
    for (let j = 0; j < d; j++) s = round(s + round(m[r + 4 * j] * m[x + j]));
    return s;
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

  squaredDistances(out: number, rows: number, x: number, n: number, d: number): void {
    const m = this.words;
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
  ): number {
    if (!this.load(to, x, d)) return Number.NaN;
    const coefficients = set + d * ceil4(m);
    const n = this.bits[coefficients + 2 * m];
    const row = to + d;
    this.gaussianRow(row, set, to, n, d, gamma);
    const f = this.dot(coefficients, row, n);
    return f - f === 0 ? f : Number.NaN;
  }

  insertVector(set: number, m: number, d: number, x: number, a: number): void {
    const { bits } = this;
    const coefficients = set + d * ceil4(m);
    const births = coefficients + m;
    const i = bits[births + m]++;
    this.storeRow(set, i, x, d);
    this.words[coefficients + i] = a;
    bits[births + i] = bits[births + m + 1]++;
  }

  removeVector(set: number, m: number, d: number, i: number): void {
    const { bits } = this;
    const coefficients = set + d * ceil4(m);
    const births = coefficients + m;
    const last = --bits[births + m];
    const from = set + 4 * d * (last >> 2) + (last & 3);
    const to = set + 4 * d * (i >> 2) + (i & 3);
    for (let j = 0; j < 4 * d; j += 4) {
      bits[to + j] = bits[from + j];
      bits[from + j] = 0;
    }
    bits[coefficients + i] = bits[coefficients + last];
    bits[coefficients + last] = 0;
    bits[births + i] = bits[births + last];
    bits[births + last] = 0;
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
  ): void {
    const { words, bits } = this;
    const coefficients = set + d * ceil4(m);
    const count = coefficients + 2 * m;
    this.scale(coefficients, keep, bits[count]);
    if (a !== 0) this.take(set, m, d, x, a, leaving, counts);
    while (bits[count] > 0) {
      const least = this.argminMagnitude(coefficients, bits[count]);
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
  ): void {
    const { bits } = this;
    const coefficients = set + d * ceil4(m);
    const births = coefficients + m;
    const n = bits[births + m];
    if (!isFinite32(round(a))) {
      bits[counts]++;
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

  nearestRow(out: number, rows: number, x: number, n: number, d: number): number {
    this.squaredDistances(out, rows, x, n, d);
    return this.argmin(out, n);
  }

  mergePartner(
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
    const g = round(gamma);
    let best = -1;
    let least = 0;
    let bestShare = 0;
    let bestCoefficient = 0;
    this.squaredDistances(out, rows, x, n, d);
    for (let j = 0; j < n; j++) {
      const other = m[coefficients + j];
      const L = round(g * m[out + j]);
      const k = elementary.exp(-L);
      if (!(round(own * other) > 0 && k > 0)) continue;
      const h = this.mergeShare(round(own / round(own + other)), L);
      const rest = round(1 - h);
      const merged = round(
        round(own * elementary.exp(-round(L * round(rest * rest)))) +
          round(other * elementary.exp(-round(L * round(h * h)))),
      );
      const loss = round(
        round(round(own * own) + round(round(round(own + own) * other) * k)) +
          round(round(other - merged) * round(other + merged)),
      );
      if (best >= 0 && !(loss < least)) continue;
      best = j;
      least = loss;
      bestShare = h;
      bestCoefficient = merged;
    }
    if (best < 0) return -1;
    m[out] = bestShare;
    m[out + 1] = bestCoefficient;
    return best;
  }

  /** h of `mergePartner`. */
  private mergeShare(share: number, L: number): number {
    let low = 0;
    let high = 0.5;
    for (let step = 0; step < 20; step++) {
      const h = round(0.5 * round(low + high));
      const k = this.elementary.exp(-round(L * round(1 - round(h + h))));
      if (round(round(share * round(1 - h)) * k) > round(round(1 - share) * h)) low = h;
      else high = h;
    }
    return round(0.5 * round(low + high));
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
    let m = slot;
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
    let m = slot;
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

  localScores(
    out: number,
    w: number,
    to: number,
    rows: number,
    i: number,
    x: number,
    d: number,
    k: number,
  ): number {
    const u = to + k * d;
    this.copy(to, w, k * d);
    this.fetchRow(u, rows, i, k * d);
    for (let c = 0; c < k; c++) {
      this.words[out + c] = this.dot(w + c * d, x, d) + this.dot(u + c * d, x, d);
    }
    return this.words[out];
  }

  localStep(
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
    let at = place;
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

  observe(s: number, x: number, d: number, n: number): boolean {
    const { words } = this;
    for (let j = 0; j < d; j++) if (!isFinite32(round(this.varianceAfter(s, x, d, n, j)))) return false;
    for (let j = 0; j < d; j++) {
      const variance = this.varianceAfter(s, x, d, n, j);
      const mean = words[s + j] + words[s + d + j];
      const after = mean + (words[x + j] - mean) / n;
      words[s + j] = after;
      words[s + d + j] = after - words[s + j];
      words[s + 2 * d + j] = variance;
    }
    return true;
  }

  standardise(s: number, x: number, d: number): boolean {
    const { words } = this;
    for (let j = 0; j < d; j++) if (!isFinite32(round(this.standardised(s, x, d, j)))) return false;
    for (let j = 0; j < d; j++) words[x + j] = this.standardised(s, x, d, j);
    return true;
  }

  private varianceAfter(s: number, x: number, d: number, n: number, j: number): number {
    const { words } = this;
    const mean = words[s + j] + words[s + d + j];
    const variance = words[s + 2 * d + j];
    const delta = words[x + j] - mean;
    return variance + (delta * (words[x + j] - (mean + delta / n)) - variance) / n;
  }

  private standardised(s: number, x: number, d: number, j: number): number {
    const { words } = this;
    const variance = words[s + 2 * d + j];
    if (!(variance >= LEAST_VARIANCE)) return 0;
    return (words[x + j] - (words[s + j] + words[s + d + j])) / Math.sqrt(variance);
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

  invertFactor(l: number, n: number): void {
    invertPackedFactor(this.words, l, n);
  }

  exp(x: number): number {
    return this.elementary.exp(x);
  }

  log(x: number): number {
    return this.elementary.log(x);
  }

  cos(x: number): number {
    return this.elementary.cos(x);
  }

  sin(x: number): number {
    return this.elementary.sin(x);
  }
}
