import { BlockProducts } from "./block-products.ts";
import { isFinite32, Vectors } from "./f32-vectors.ts";
import { Q15Rows } from "./q15.ts";

const round = Math.fround;

/** The primitives on the rows of a matrix. */
export class Rows extends Vectors {
  protected readonly q15 = new Q15Rows(this.words, this.elementary);
  private readonly blocks = new BlockProducts(this.words, this.bits);

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

  fourierFeatures(out: number, rows: number, x: number, n: number, d: number): void {
    const m = this.words;
    this.innerProducts(out, rows, x, n, d);
    for (let i = n - 1; i >= 0; i--) {
      const s = m[out + i];
      m[out + 2 * i + 1] = this.elementary.sin(s);
      m[out + 2 * i] = this.elementary.cos(s);
    }
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
}
