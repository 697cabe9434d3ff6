import { Crc32 } from "./crc32.ts";
import { Elementary } from "./elementary.ts";

const round = Math.fround;
const LARGEST = 3.4028234663852886e38;

/** True if float32 holds the number as a finite one. */
export function isFinite32(v: number): boolean {
  return v >= -LARGEST && v <= LARGEST;
}

/** The memory, and the primitives on vectors and numbers. */
export class Vectors {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  protected readonly elementary = new Elementary();
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
