/**
 * The one arithmetic: what every implementation of the primitives does, to the bit.
 *
 * All work on one memory, by offsets counted in float32 words. `+ - *` in the formulas are float32
 * operations, each rounded to nearest even, never contracted; a double argument (`a`, `gamma`, ...) is
 * rounded to float32 first. A vector is n consecutive words. A matrix of stored rows lies in interleaved
 * blocks of four: component j of row i of d components at `4d*(i>>2) + 4j + (i&3)`, so the memory of n rows
 * is `d * ceil4(n)` words, and a primitive that writes one number a row writes ceil4(n) words of `out`.
 * A packed symmetric matrix holds its lower triangle row by row: (i, j), j <= i, at `i(i+1)/2 + j`.
 *
 * Errors against double precision, where stated, are the largest that `test/math/accuracy.test.ts` measures over
 * vectors of 64 normal numbers, in units u = 2^-24.
 *
 * A *guarded* primitive first computes all its results; if one isn't finite it writes nothing and returns false.
 */
export interface Primitives {
  /** The memory, as float32 and as 32-bit words: two views of the same bytes. */
  readonly words: Float32Array;
  readonly bits: Uint32Array;

  /** Copies n numbers of x, each rounded to float32, to `to`; true if all are finite. */
  load(to: number, x: ArrayLike<number>, n: number): boolean;
  /** True if the n words at a are all finite. */
  finite(a: number, n: number): boolean;

  /** sum a_j b_j in four accumulators, l_(j mod 4) = l_(j mod 4) + a_j * b_j, folded (l0+l2) + (l1+l3). Error 1.5 u sum |a_j b_j|. */
  dot(a: number, b: number, n: number): number;
  /** y_j = y_j + s * x_j. Guarded. */
  addScaled(y: number, s: number, x: number, n: number): boolean;
  /** x_j = s * x_j. Unguarded: meant for |s| <= 1. */
  scale(x: number, s: number, n: number): void;
  /** Copies n words; the ranges may overlap. */
  copy(to: number, from: number, n: number): void;
  /** Index of the least a_j, the lowest on ties; 0 if n = 0. */
  argmin(a: number, n: number): number;
  /** Index of the least |a_j|, the lowest on ties; 0 if n = 0. */
  argminMagnitude(a: number, n: number): number;
  /** Index of the largest (now - b_j) mod 2^32 over the n unsigned words at b, the lowest on ties; 0 if n = 0. */
  oldest(b: number, now: number, n: number): number;

  /** Row i of the interleaved matrix = the vector x of d components. */
  storeRow(rows: number, i: number, x: number, d: number): void;
  /** The vector x = row i. */
  fetchRow(x: number, rows: number, i: number, d: number): void;
  /** Component j of rows 0..n-1 = the n numbers of x. */
  storeColumn(rows: number, j: number, x: number, n: number, d: number): void;
  /** Row i . x in one accumulator, s = s + r_j * x_j, in the order j = 0, 1, ... */
  dotRow(rows: number, i: number, x: number, d: number): number;
  /** Row i: r_j = r_j + s * x_j. Guarded. */
  addScaledRow(rows: number, i: number, s: number, x: number, d: number): boolean;
  /** Row i moves towards x: r_j = r_j + s * (x_j - r_j). Guarded. */
  moveRowTowards(rows: number, i: number, s: number, x: number, d: number): boolean;

  /** out_i = sum_j r_ij * x_j, one accumulator a row, j = 0, 1, ... Error 4 u sum |r_ij x_j|. */
  innerProducts(out: number, rows: number, x: number, n: number, d: number): void;
  /** out_i = sum_j t * t, t = r_ij - x_j, one accumulator a row, j = 0, 1, ... Error 9 u of the sum. */
  squaredDistances(out: number, rows: number, x: number, n: number, d: number): void;
  /** out_i = exp(-(gamma * squaredDistance_i)). Error 4 u at gamma = 0.01. */
  gaussianRow(out: number, rows: number, x: number, n: number, d: number, gamma: number): void;
  /** out_i = b * b * ... (degree factors, from the left), b = offset + innerProduct_i. */
  polynomialRow(
    out: number,
    rows: number,
    x: number,
    n: number,
    d: number,
    offset: number,
    degree: number,
  ): void;

  /** out = S x, S packed symmetric n x n: out_i in one accumulator, j = 0, 1, ..., n-1. */
  symmetricProduct(out: number, s: number, x: number, n: number): void;
  /** S_ij = S_ij + b * (v_i * v_j), S packed symmetric n x n. Guarded. */
  symmetricRankOne(s: number, b: number, v: number, n: number): boolean;
  /**
   * In place, packed A -> its lower Cholesky factor L, A = L L'. Row by row: s = A_ij, s = s - L_ik * L_jk for
   * k = 0..j-1, L_ij = s / L_jj, L_ii = sqrt(s). False, with the factor unfinished, at the first s <= 0 or not finite.
   */
  cholesky(a: number, n: number): boolean;
  /** In place x = L^-1 x: s = x_i, s = s - L_ij * x_j for j = 0..i-1, x_i = s / L_ii. */
  solveLower(l: number, x: number, n: number): void;
  /** In place x = L'^-1 x: i = n-1..0, s = x_i, s = s - L_ji * x_j for j = i+1..n-1, x_i = s / L_ii. */
  solveLowerTransposed(l: number, x: number, n: number): void;
  /**
   * In place, packed L -> packed A^-1 = L'^-1 L^-1. First L^-1 =: M, column by column j = 0..n-1: M_jj = 1 / L_jj, then for
   * i = j+1..n-1: s = 0, s = s - L_ik * M_kj for k = j..i-1, M_ij = s / L_ii. Then (i, j), row by row:
   * s = 0, s = s + M_ki * M_kj for k = i..n-1. A times it is off the identity by 30 u (Gaussian kernel matrix of 16
   * points, 0.1 on the diagonal).
   */
  invertFactor(l: number, n: number): void;

  /** float32 elementary functions: see `Elementary`. */
  exp(x: number): number;
  log(x: number): number;
  cos(x: number): number;
  sin(x: number): number;
}

/** Rows come in blocks of four. */
export function ceil4(n: number): number {
  return (n + 3) & ~3;
}

/** Words of a packed symmetric n x n matrix. */
export function packedWords(n: number): number {
  return (n * (n + 1)) >> 1;
}
