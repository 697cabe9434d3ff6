import type { Elementary } from "./elementary.ts";

const round = Math.fround;

const LEAST = -16384;
const LARGEST = 16383;
/** Components of an input at most. */
const COMPONENTS = 4096;

const ROUND = 12582912; // 0x1.8p+23: adding and subtracting it rounds to the nearest integer, ties to even
const LOG2E = 1.4426950216293335; // 0x1.715476p+0, as in exp
const LN2 = 0xb17217f8; // in parts of 2^32
const SIXTH = 0x2aaaaaab;
const WORD = 4294967296;

/** 2^(-j/64), in parts of 2^31. */
// biome-ignore format: long by nature
const HALVINGS = Object.freeze([
  0x80000000, 0x7e9f0606, 0x7d41d96e, 0x7be86fba, 0x7a92be8b, 0x7940bb9e, 0x77f25cce, 0x76a7980f,
  0x75606374, 0x741cb528, 0x72dc8374, 0x719fc4b9, 0x70666f76, 0x6f307a41, 0x6dfddbcc, 0x6cce8ae1,
  0x6ba27e65, 0x6a79ad56, 0x69540ec9, 0x683199ed, 0x6712460b, 0x65f60a7f, 0x64dcdec3, 0x63c6ba64,
  0x62b39509, 0x61a3666d, 0x60962665, 0x5f8bccdb, 0x5e8451d0, 0x5d7fad59, 0x5c7dd7a4, 0x5b7ec8f2,
  0x5a82799a, 0x5988e209, 0x5891fac1, 0x579dbc57, 0x56ac1f75, 0x55bd1cdb, 0x54d0ad5a, 0x53e6c9da,
  0x52ff6b55, 0x521a8ad7, 0x51382182, 0x50582888, 0x4f7a9930, 0x4e9f6cd4, 0x4dc69cdd, 0x4cf022ca,
  0x4c1bf829, 0x4b4a169c, 0x4a7a77d4, 0x49ad1598, 0x48e1e9ba, 0x4818ee22, 0x47521cc6, 0x468d6fae,
  0x45cae0f2, 0x450a6abb, 0x444c0740, 0x438fb0cb, 0x42d561b4, 0x421d1462, 0x4166c34c, 0x40b268fa,
]);

/** The upper word of a product of two words. */
function highProduct(a: number, b: number): number {
  return Math.floor(((a >>> 16) * b + Math.floor(((a & 0xffff) * b) / 65536)) / 65536);
}

/** Rows of 16 bits for `PortableF32`; `Primitives` states each function. n is the number of components. */
export class Q15Rows {
  private readonly shorts: Int16Array;
  /** The lanes of an input. */
  private readonly input = new Int16Array(COMPONENTS);
  private readonly sums = new Float64Array(4);

  constructor(
    private readonly words: Float32Array,
    private readonly elementary: Elementary,
  ) {
    this.shorts = new Int16Array(words.buffer, words.byteOffset, 2 * words.length);
  }

  store(rows: number, i: number, x: number, n: number): void {
    const m = this.words;
    const r = this.rowAt(rows, i, n);
    for (let j = 0; j < n; j++) this.shorts[r + laneAt(j)] = this.toLane(rows, n, j, m[x + j]);
    if (n & 1) this.shorts[r + laneAt(n)] = 0;
  }

  fetch(x: number, rows: number, i: number, n: number): void {
    const r = this.rowAt(rows, i, n);
    for (let j = 0; j < n; j++) this.words[x + j] = this.ofLane(rows, n, j, this.shorts[r + laneAt(j)]);
  }

  moveTowards(rows: number, i: number, t: number, x: number, n: number): boolean {
    const m = this.words;
    const r = this.rowAt(rows, i, n);
    for (let j = 0; j < n; j++) {
      const c = this.ofLane(rows, n, j, this.shorts[r + laneAt(j)]);
      const moved = round(c + round(t * round(m[x + j] - c)));
      if (moved - moved !== 0) return false;
    }
    for (let j = 0; j < n; j++) {
      const q = r + laneAt(j);
      const c = this.ofLane(rows, n, j, this.shorts[q]);
      this.shorts[q] = this.toLane(rows, n, j, round(c + round(t * round(m[x + j] - c))));
    }
    return true;
  }

  /** Row i moves the share h of the way to x, and x becomes the former row. */
  exchange(rows: number, i: number, x: number, n: number, h: number): void {
    const m = this.words;
    const r = this.rowAt(rows, i, n);
    for (let j = 0; j < n; j++) {
      const q = r + laneAt(j);
      const before = this.ofLane(rows, n, j, this.shorts[q]);
      this.shorts[q] = this.toLane(rows, n, j, round(before + round(h * round(m[x + j] - before))));
      m[x + j] = before;
    }
  }

  distances(out: number, rows: number, x: number, n: number, d: number): void {
    const m = this.words;
    const unit = round(this.unit(rows, d) * this.unit(rows, d));
    this.take(rows, x, d);
    for (let i = 0; i < n; i += 4) {
      this.sum(rows, i, d);
      for (let k = 0; k < 4; k++) m[out + i + k] = round(this.sums[k]) * unit;
    }
  }

  gaussian(out: number, rows: number, x: number, n: number, d: number, gamma: number): void {
    const m = this.words;
    const unit = this.unit(rows, d);
    const rate = this.elementary.toBits(round(round(gamma * round(unit * unit)) * LOG2E)) & 0x7fffffff;
    const factor = ((rate << 8) | 0x80000000) >>> 0;
    const shift = 102 - (rate >>> 23);
    this.take(rows, x, d);
    for (let i = 0; i < n; i += 4) {
      this.sum(rows, i, d);
      for (let k = 0; k < 4; k++) m[out + i + k] = this.quantizedGaussian(this.sums[k], factor, shift);
    }
  }

  private quantizedGaussian(sum: number, factor: number, shift: number): number {
    if (sum === 0) return 1;
    if (shift < -31) return 0;
    const s = shift < 43 ? Math.floor(sum / this.elementary.power(shift)) : 0;
    if (s >= WORD) return 0;
    const t = highProduct(s, factor);
    const whole = t >>> 24;
    if (whole >= 126) return 0;
    const z = highProduct((t & 0x3ffff) << 8, LN2);
    const square = highProduct(z, z);
    const falls = z - (square >>> 1) + highProduct(highProduct(square, z), SIXTH);
    const power = HALVINGS[(t >>> 18) & 63];
    const left = power - highProduct(power, falls);
    return this.elementary.toFloat(((126 - whole) << 23) + ((left + 64) >>> 7) - 0x800000);
  }

  /** The input's lanes. */
  private take(rows: number, x: number, n: number): void {
    for (let j = 0; j < n; j++) this.input[j] = this.toLane(rows, n, j, this.words[x + j]);
  }

  /** Squared distances of the rows i..i+3 from the input, in squared units: exact, for they are below 2^43. */
  private sum(rows: number, i: number, n: number): void {
    const { shorts, input, sums } = this;
    const r = this.rowAt(rows, i, n);
    for (let k = 0; k < 4; k++) {
      let s = 0;
      for (let j = 0; j < n; j++) {
        const t = shorts[r + 2 * k + laneAt(j)] - input[j];
        s += t * t;
      }
      sums[k] = s;
    }
  }

  /** Index of lane 0 of row i. */
  private rowAt(rows: number, i: number, n: number): number {
    return 2 * (rows + 4 * ((n + 1) >> 1) * (i >> 2) + (i & 3));
  }

  private unit(rows: number, n: number): number {
    return this.words[rows - n - 2];
  }

  private toLane(rows: number, n: number, j: number, x: number): number {
    const m = this.words;
    const q = round(round(x * m[rows - n - 1]) - m[rows - n + j]);
    if (!(q > LEAST)) return LEAST;
    return q >= LARGEST ? LARGEST : round(q + ROUND) - ROUND;
  }

  private ofLane(rows: number, n: number, j: number, q: number): number {
    return round(round(q + this.words[rows - n + j]) * this.unit(rows, n));
  }
}

/** Index of lane j from lane 0 of its row. */
function laneAt(j: number): number {
  return 8 * (j >> 1) + (j & 1);
}
