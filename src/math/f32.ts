import { Elementary } from "./elementary.ts";
import {
  invertPackedFactor,
  packedCholesky,
  solvePackedLower,
  solvePackedLowerTransposed,
} from "./packed.ts";
import type { Primitives } from "./primitives.ts";

const round = Math.fround;
const LARGEST = 3.4028234663852886e38;

function isFinite32(v: number): boolean {
  return v >= -LARGEST && v <= LARGEST;
}

/** The primitives in portable TypeScript, on any ES2022 engine. What each does stands in `Primitives`. */
export class PortableF32 implements Primitives {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  private readonly elementary = new Elementary();

  constructor(buffer: ArrayBufferLike) {
    this.words = new Float32Array(buffer);
    this.bits = new Uint32Array(buffer);
  }

  load(to: number, x: ArrayLike<number>, n: number): boolean {
    const m = this.words;
    for (let j = 0; j < n; j++) m[to + j] = x[j];
    return this.finite(to, n);
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
