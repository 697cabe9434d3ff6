import { Elementary } from "../../src/math/elementary.ts";
import type { Primitives } from "../../src/math/primitives.ts";

/**
 * The primitives stated a second time, from `Primitives`' docstrings alone: slow, one operation after the other, each
 * index worked out anew. What an implementation does is held against this.
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
    for (const j of upTo(n)) this.words[to + j] = r(x[j]);
    return this.finite(to, n);
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
    const values = upTo(n).map((j) => this.at(a + j));
    return n === 0 ? 0 : values.findIndex((value) => values.every((other) => value <= other));
  }

  argminMagnitude(a: number, n: number): number {
    const values = upTo(n).map((j) => Math.abs(this.at(a + j)));
    return n === 0 ? 0 : values.findIndex((value) => values.every((other) => value <= other));
  }

  oldest(b: number, now: number, n: number): number {
    const ages = upTo(n).map((j) => (now - this.bits[b + j] + 2 ** 32) % 2 ** 32);
    return n === 0 ? 0 : ages.indexOf(Math.max(...ages));
  }

  storeRow(rows: number, i: number, x: number, d: number): void {
    for (const j of upTo(d)) this.words[rowAt(rows, d, i, j)] = this.at(x + j);
  }

  fetchRow(x: number, rows: number, i: number, d: number): void {
    for (const j of upTo(d)) this.words[x + j] = this.at(rowAt(rows, d, i, j));
  }

  storeColumn(rows: number, j: number, x: number, n: number, d: number): void {
    for (const i of upTo(n)) this.words[rowAt(rows, d, i, j)] = this.at(x + i);
  }

  dotRow(rows: number, i: number, x: number, d: number): number {
    return upTo(d).reduce((s, j) => add(s, mul(this.at(rowAt(rows, d, i, j)), this.at(x + j))), 0);
  }

  addScaledRow(rows: number, i: number, s: number, x: number, d: number): boolean {
    const at = (j: number) => rowAt(rows, d, i, j);
    return this.guarded(upTo(d).map((j) => [at(j), add(this.at(at(j)), mul(s, this.at(x + j)))]));
  }

  moveRowTowards(rows: number, i: number, s: number, x: number, d: number): boolean {
    const at = (j: number) => rowAt(rows, d, i, j);
    const moved = (j: number) => add(this.at(at(j)), mul(s, sub(this.at(x + j), this.at(at(j)))));
    return this.guarded(upTo(d).map((j) => [at(j), moved(j)]));
  }

  innerProducts(out: number, rows: number, x: number, n: number, d: number): void {
    for (const i of upTo(wholeBlocks(n))) this.words[out + i] = this.dotRow(rows, i, x, d);
  }

  squaredDistances(out: number, rows: number, x: number, n: number, d: number): void {
    for (const i of upTo(wholeBlocks(n))) {
      const t = (j: number) => sub(this.at(rowAt(rows, d, i, j)), this.at(x + j));
      this.words[out + i] = upTo(d).reduce((s, j) => add(s, mul(t(j), t(j))), 0);
    }
  }

  gaussianRow(out: number, rows: number, x: number, n: number, d: number, gamma: number): void {
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
        .filter((j) => j > i)
        .reduce((rest, j) => sub(rest, mul(this.at(packedAt(l, j, i)), this.at(x + j))), this.at(x + i));
      this.words[x + i] = div(s, this.at(packedAt(l, i, i)));
    }
  }

  invertFactor(l: number, n: number): void {
    const L = upTo(n).map((i) => upTo(i + 1).map((j) => this.at(packedAt(l, i, j))));
    const M = L.map((row) => row.map(() => 0));
    for (const j of upTo(n)) {
      M[j][j] = div(1, L[j][j]);
      for (const i of upTo(n).filter((i) => i > j)) {
        let s = 0;
        for (let k = j; k < i; k++) s = sub(s, mul(L[i][k], M[k][j]));
        M[i][j] = div(s, L[i][i]);
      }
    }
    for (const i of upTo(n)) {
      for (const j of upTo(i + 1)) {
        let s = 0;
        for (let k = i; k < n; k++) s = add(s, mul(M[k][i], M[k][j]));
        this.words[packedAt(l, i, j)] = s;
      }
    }
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
