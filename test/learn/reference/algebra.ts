/** Vectors and matrices in double precision, written for reading: arrays, and no primitive of src/. */
export type Vector = number[];
export type Matrix = number[][];

export const dot = (u: readonly number[], v: readonly number[]) =>
  u.reduce((sum, value, i) => sum + value * v[i], 0);
export const squaredDistance = (u: readonly number[], v: readonly number[]) =>
  u.reduce((sum, value, i) => sum + (value - v[i]) ** 2, 0);
export const times = (m: Matrix, v: readonly number[]) => m.map((row) => dot(row, v));
export const clip = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
export const identity = (n: number, value = 1): Matrix =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? value : 0)));

/** The index of the least value, the lowest on ties. */
export const argmin = (values: readonly number[]) => values.indexOf(Math.min(...values));

/** w <- w + a x, in place. */
export function add(w: Vector, a: number, x: readonly number[]): void {
  for (let i = 0; i < w.length; i++) w[i] += a * x[i];
}

/** The inverse, by Gauss and Jordan with pivots. */
export function inverse(m: Matrix): Matrix {
  const n = m.length;
  const rows = m.map((row, i) => [...row, ...identity(n)[i]]);
  for (let i = 0; i < n; i++) {
    const pivot = rows
      .slice(i)
      .reduce((best, row, k) => (Math.abs(row[i]) > Math.abs(rows[best][i]) ? i + k : best), i);
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    const scale = rows[i][i];
    rows[i] = rows[i].map((value) => value / scale);
    for (let k = 0; k < n; k++) if (k !== i) add(rows[k], -rows[k][i], rows[i]);
  }
  return rows.map((row) => row.slice(n));
}

/** Eigenvalues and eigenvectors (columns of V) of a symmetric matrix, by Jacobi's rotations. */
export function eigen(m: Matrix): { readonly values: Vector; readonly vectors: Matrix } {
  const n = m.length;
  const a = m.map((row) => [...row]);
  const v = identity(n);
  for (let sweep = 0; sweep < 60; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (a[p][q] === 0) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        const turn = (x: number, y: number) => [c * x - s * y, s * x + c * y] as const;
        for (let i = 0; i < n; i++) [a[i][p], a[i][q]] = turn(a[i][p], a[i][q]);
        for (let i = 0; i < n; i++) [a[p][i], a[q][i]] = turn(a[p][i], a[q][i]);
        for (let i = 0; i < n; i++) [v[i][p], v[i][q]] = turn(v[i][p], v[i][q]);
      }
    }
  }
  return { values: a.map((row, i) => row[i]), vectors: v };
}
