/*
 * Positive definite matrices of n rows: of each the lower triangle counts, row by row in n * n numbers. Computed in double precision by operations that
 * every engine rounds alike.
 */

/** What a pivot is at least: smaller ones are rounding errors. */
const LEAST_PIVOT = 1e-12;

/** `from` less the inner product of two rows' first n numbers, which begin at those places. Four sums at once, as that is faster. */
function lessProduct(from: number, a: Float64Array, row: number, other: number, n: number): number {
  let [p, q, r, s] = [from, 0, 0, 0];
  let k = 0;
  for (; k + 3 < n; k += 4) {
    p -= a[row + k] * a[other + k];
    q += a[row + k + 1] * a[other + k + 1];
    r += a[row + k + 2] * a[other + k + 2];
    s += a[row + k + 3] * a[other + k + 3];
  }
  for (; k < n; k++) p -= a[row + k] * a[other + k];
  return p - (q + r + s);
}

/** L with A = L L', in A's place (Cholesky). */
export function factorise(a: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      const sum = lessProduct(a[row + j], a, row, other, j);
      a[row + j] = i === j ? Math.sqrt(Math.max(sum, LEAST_PIVOT)) : sum / a[other + j];
    }
  }
}

/** x <- L^-1 x. */
export function solveLower(l: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = x[i];
    for (let j = 0; j < i; j++) sum -= l[i * n + j] * x[j];
    x[i] = sum / l[i * n + i];
  }
}

/** x <- L'^-1 x. */
export function solveUpper(l: Float64Array, n: number, x: Float64Array): void {
  for (let i = n - 1; i >= 0; i--) {
    x[i] /= l[i * n + i];
    for (let j = 0; j < i; j++) x[j] -= l[i * n + j] * x[i];
  }
}

/** The inverse of A. */
export function inverse(a: Float64Array, n: number): Float64Array {
  const l = a.slice();
  factorise(l, n);
  const result = new Float64Array(n * n);
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    column.fill(0);
    column[j] = 1;
    solveLower(l, n, column);
    solveUpper(l, n, column);
    for (let i = j; i < n; i++) result[i * n + j] = column[i];
  }
  return result;
}

/** A <- A + sum_i c_i v_i v_i', four products at once. */
export function addSquares(
  a: Float64Array,
  n: number,
  vectors: readonly Float64Array[],
  factors: Float64Array,
): void {
  const none = new Float64Array(n);
  for (let i = 0; i < vectors.length; i += 4) {
    const u = vectors[i];
    const v = vectors[i + 1] ?? none;
    const w = vectors[i + 2] ?? none;
    const x = vectors[i + 3] ?? none;
    for (let j = 0; j < n; j++) {
      const p = factors[i] * u[j];
      const q = v === none ? 0 : factors[i + 1] * v[j];
      const r = w === none ? 0 : factors[i + 2] * w[j];
      const s = x === none ? 0 : factors[i + 3] * x[j];
      for (let k = 0, at = j * n; k <= j; k++, at++) a[at] += p * u[k] + q * v[k] + r * w[k] + s * x[k];
    }
  }
}
