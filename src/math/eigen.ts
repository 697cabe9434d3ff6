import { type Primitives, packedWords } from "./primitives.ts";

/** Bisections of an eigenvalue, rounds of inverse iteration. */
const BISECTIONS = 24;
const ROUNDS = 3;
/** In place of a pivot of 0. */
const TINY = 1e-7;

/** Words of scratch for a matrix of n rows: the tridiagonal matrix, and its factor. */
export function eigenScratch(n: number): number {
  return 5 * n;
}

function normalise(f32: Primitives, x: number, n: number): void {
  const { words } = f32;
  const norm = Math.sqrt(f32.dot(x, x, n));
  for (let i = 0; i < n; i++) words[x + i] = words[x + i] / norm;
}

/** An eigenvector of the tridiagonal matrix -> that of the matrix, whose rows hold Householder's vectors. */
function transformBack(f32: Primitives, a: number, n: number, x: number): void {
  for (let i = 2; i < n; i++) {
    const v = a + packedWords(i);
    const square = f32.dot(v, v, i);
    if (square > 0) f32.addScaled(x, (-2 * f32.dot(v, x, i)) / square, v, i);
  }
}

/**
 * The k largest eigenvalues and their eigenvectors of a symmetric n x n matrix, packed, none of whose
 * entries is much above 1. Householder's reduction to tridiagonal form (from the last row upwards),
 * bisection by Sturm's count, inverse iteration with each vector kept orthogonal to those before it. About
 * 4/3 n^3 + 2 k n^2 multiplications and 24 k n divisions, as many whatever the matrix. Allocates nothing
 * once made.
 */
export class SymmetricEigen {
  /**
   * Words of the tridiagonal matrix: its diagonal, what lies below (from index 1); then of a factor's three
   * diagonals.
   */
  private readonly diagonal: number;
  private readonly off: number;
  private readonly pivots: number;

  /** `scratch` takes `eigenScratch(n)` words. */
  constructor(
    private readonly f32: Primitives,
    private readonly n: number,
    scratch: number,
  ) {
    this.diagonal = scratch;
    this.off = scratch + n;
    this.pivots = scratch + 2 * n;
  }

  /**
   * Of the matrix at `a`, which is lost: k <= n eigenvalues to `values`, largest first; their vectors, of
   * length 1, to the k rows of n words at `vectors`. Eigenvalues below 0 count as 0.
   */
  largest(a: number, k: number, values: number, vectors: number): void {
    const { f32, n } = this;
    const { words } = f32;
    this.reduce(a);
    let high = this.bound();
    for (let r = 0, x = vectors; r < k; r++, x += n) {
      high = this.eigenvalue(n - 1 - r, high);
      for (let i = 0; i < n; i++) words[x + i] = ((((i + 1) * (r + 1) * 40503) & 1023) - 511.5) / 512;
      for (let round = 0; round < ROUNDS; round++) {
        this.solve(high, x);
        for (let before = vectors; before < x; before += n) {
          f32.addScaled(x, -f32.dot(before, x, n), before, n);
        }
        normalise(f32, x, n);
      }
      const value = this.quotient(x);
      words[values + r] = value > 0 ? value : 0;
    }
    for (let r = 0, x = vectors; r < k; r++, x += n) transformBack(f32, a, n, x);
  }

  /**
   * From the packed matrix, by A <- P A P, P = I - 2 v v' / v'v, for row i = n-1..2; its v is left in its
   * place.
   */
  private reduce(a: number): void {
    const { f32, n, diagonal, off, pivots: p } = this;
    const { words } = f32;
    words[off] = 0;
    for (let i = n - 1; i >= 0; i--) {
      const v = a + packedWords(i);
      words[diagonal + i] = words[v + i];
      if (i === 0) continue;
      const x = words[v + i - 1];
      if (!(f32.dot(v, v, i - 1) > 0)) {
        words[off + i] = x;
        for (let j = 0; j < i; j++) words[v + j] = 0;
        continue;
      }
      const norm = Math.sqrt(f32.dot(v, v, i));
      const left = x >= 0 ? -norm : norm;
      words[off + i] = left;
      words[v + i - 1] = x - left;
      const half = f32.dot(v, v, i) / 2;
      f32.symmetricProduct(p, a, v, i);
      const along = f32.dot(p, v, i) / (2 * half * half);
      f32.scale(p, 1 / half, i);
      f32.addScaled(p, -along, v, i);
      for (let j = 0, row = a; j < i; j++, row += j) {
        f32.addScaled(row, -words[v + j], p, j + 1);
        f32.addScaled(row, -words[p + j], v, j + 1);
      }
    }
  }

  /** What no eigenvalue exceeds (Gershgorin). */
  private bound(): number {
    const { n, diagonal, off } = this;
    const { words } = this.f32;
    let bound = 0;
    for (let i = 0; i < n; i++) {
      const radius = Math.abs(words[off + i]) + (i + 1 < n ? Math.abs(words[off + i + 1]) : 0);
      if (words[diagonal + i] + radius > bound) bound = words[diagonal + i] + radius;
    }
    return bound;
  }

  /** The eigenvalue below which `rank` others lie, from 0 to `high`. */
  private eigenvalue(rank: number, high: number): number {
    let low = 0;
    let top = high;
    for (let step = 0; step < BISECTIONS; step++) {
      const middle = (low + top) / 2;
      if (this.below(middle) > rank) top = middle;
      else low = middle;
    }
    return top;
  }

  /** Eigenvalues below lambda. */
  private below(lambda: number): number {
    const { n, diagonal, off } = this;
    const { words } = this.f32;
    let count = 0;
    let q = 1;
    for (let i = 0; i < n; i++) {
      const e = words[off + i];
      q = words[diagonal + i] - lambda - (e * e) / q;
      if (q === 0) q = TINY * TINY;
      if (q < 0) count++;
    }
    return count;
  }

  /** x <- (T - lambda I)^-1 x, by elimination with the larger of two pivots. */
  private solve(lambda: number, x: number): void {
    const { n, diagonal, off, pivots } = this;
    const { words } = this.f32;
    const second = pivots + n;
    const third = second + n;
    let pivot = words[diagonal] - lambda;
    let right = n > 1 ? words[off + 1] : 0;
    let value = words[x];
    for (let i = 0; i < n; i++) {
      const last = i === n - 1;
      const below = last ? 0 : words[off + i + 1];
      const swapped = Math.abs(below) > Math.abs(pivot);
      if (pivot === 0 && !swapped) pivot = TINY;
      const next = last ? 0 : words[diagonal + i + 1] - lambda;
      const nextRight = i + 2 < n ? words[off + i + 2] : 0;
      const nextValue = last ? 0 : words[x + i + 1];
      words[pivots + i] = swapped ? below : pivot;
      words[second + i] = swapped ? next : right;
      words[third + i] = swapped ? nextRight : 0;
      words[x + i] = swapped ? nextValue : value;
      const factor = swapped ? pivot / below : below / pivot;
      pivot = swapped ? right - factor * next : next - factor * right;
      right = swapped ? -factor * nextRight : nextRight;
      value = swapped ? value - factor * nextValue : nextValue - factor * value;
    }
    for (let i = n - 1; i >= 0; i--) {
      let rest = words[x + i];
      if (i + 1 < n) rest -= words[second + i] * words[x + i + 1];
      if (i + 2 < n) rest -= words[third + i] * words[x + i + 2];
      words[x + i] = rest / words[pivots + i];
    }
  }

  /** x' T x of a vector of length 1. */
  private quotient(x: number): number {
    const { n, diagonal, off } = this;
    const { words } = this.f32;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const u = words[x + i];
      sum += words[diagonal + i] * u * u;
      if (i > 0) sum += 2 * words[off + i] * u * words[x + i - 1];
    }
    return sum;
  }
}
