import type { BoundArguments } from "./bound.ts";

/**
 * The one arithmetic: what every implementation of the primitives does, to the bit.
 *
 * All work on one memory, by offsets counted in float32 words. `+ - *` in the formulas are float32
 * operations, each rounded to nearest even, never contracted; a double argument (`a`, `gamma`, ...) is
 * rounded to float32 first. A vector is n consecutive words. A matrix of stored rows lies in interleaved
 * blocks of four: component j of row i of d components at `4d*(i>>2) + 4j + (i&3)`, so the memory of n rows
 * is `d * ceil4(n)` words, and a primitive that writes one number a row writes ceil4(n) words of `out`.
 *
 * Where `d` is negative, rows are of -d components of 16 bits (option `storage` "q15"): lanes, two a word, the lower
 * component in the lower half, in w = ceil(-d / 2) words. Word p of row i lies at `4w(i>>2) + 4p + (i&3)`; the second lane of the last word is 0 where -d is
 * odd. A lane q, -2^14 <= q < 2^14, stands for (q + o_j) * u; in front of the rows lie u, a power of two, 1/u, and the offsets o_j. A
 * number x has the lane that is nearest, of x * (1/u) - o_j, ties to even, clipped: so -2^14 if that is NaN. A squared
 * distance is s * (u * u), with s, the sum of the squared differences of two vectors' lanes, a whole number that is rounded to
 * float32 once. Those that take such rows: storeRow, fetchRow, moveRowTowards, squaredDistances, gaussianRow, nearestRow,
 * mergeNearest, and the primitives of support sets and local models, where only the p_i are such rows. A vector is still of float32.
 *
 * A support set of capacity m holds the vectors of f(x) = sum_i a_i k(c_i, x): from its word on lie the matrix of m rows c_i,
 * m coefficients a_i, m birth numbers, the size n and the births so far, the last three kinds unsigned words. Rows
 * 0..n-1 are in use, in no lasting order, the others and what belongs to them zero.
 * A shared set of k classes is a support set whose a_i are the norms of vectors of k coefficients a_ic, behind which lie: a matrix of k rows c
 * of m components a_ic, m labels, t and g. t and labels are unsigned words; g = 0 stands for 1. f_c(x) = g sum_i a_ic k(c_i, x).
 * A local model of m prototypes p_i and k binary problems holds, from its word on, the matrix of m rows p_i, m counts n_i, the size
 * n, unsigned words both, the k vectors w_c, and the matrix of m rows u_i, each of k vectors u_ic.
 * A packed symmetric matrix holds its lower triangle row by row: (i, j), j <= i, at `i(i+1)/2 + j`.
 *
 * Errors against double precision, where stated, are the largest that `test/math/accuracy.full.test.ts` measures over
 * vectors of 64 normal numbers, in units u = 2^-24.
 *
 * A *guarded* primitive first computes all its results; if one isn't finite it writes nothing and returns false.
 */
export interface Primitives {
  /** The memory as float32 numbers: a view of the same bytes as `bits`. */
  readonly words: Float32Array;
  /** The memory as unsigned 32-bit words: a view of the same bytes as `words`. */
  readonly bits: Uint32Array;

  /** Copies the n numbers of x, each rounded to float32, to `to`; true if all are finite. False, and nothing copied, if x hasn't n. */
  load(to: number, x: ArrayLike<number>, n: number): boolean;
  /**
   * CRC-32 of ISO 3309 (polynomial 0xedb88320, reflected, all ones before and after) of bytes `from` to `to` (exclusive),
   * after that of what went before them: 0 if nothing did.
   */
  crc32(bytes: Uint8Array, from: number, to: number, before: number): number;
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
  /**
   * Of n entries, each used `uses_j` times and last at `last_j`, unsigned words both: the index of the largest idle time
   * (now - last_j) mod 2^32 of those whose idle time exceeds (after * uses_j) mod 2^32, the lowest on ties; -1 if none does.
   */
  stalest(last: number, uses: number, now: number, after: number, n: number): number;

  /** Row i of the interleaved matrix = the vector x of d components. */
  storeRow(rows: number, i: number, x: number, d: number): void;
  /** The vector x = row i. */
  fetchRow(x: number, rows: number, i: number, d: number): void;
  /** Component j of rows 0..n-1 = the n numbers of x. */
  storeColumn(rows: number, j: number, x: number, n: number, d: number): void;
  /** Row i: r_j = r_j + s * x_j. Guarded. */
  addScaledRow(rows: number, i: number, s: number, x: number, d: number): boolean;
  /** Row i moves towards x: r_j = r_j + s * (x_j - r_j). Guarded. */
  moveRowTowards(rows: number, i: number, s: number, x: number, d: number): boolean;

  /** out_i = sum_j r_ij * x_j, one accumulator a row, j = 0, 1, ... Error 4 u sum |r_ij x_j|. */
  innerProducts(out: number, rows: number, x: number, n: number, d: number): void;
  /**
   * Of a ring of `size` rows of d components, n rows m from `slot` downwards, and k vectors x_v, one behind the other: out_vm = sum_j r_mj x_vj in block
   * floating point, the words of v beginning at `out` + v size. The 32 components of a block, j = 0, 1, ..., are rounded to whole multiples of
   * u = 2^(e-23), halves away from 0, 2^e <= their largest magnitude < 2^(e+1), e >= -126; a row's and a vector's multiples are multiplied
   * and summed up exactly; that is rounded to float32, times u_row u_vector again. Blocks are added in order. NaN if a component isn't finite.
   * Error 1.3 u of the product of both norms.
   */
  blockProducts(
    out: number,
    rows: number,
    x: number,
    slot: number,
    n: number,
    size: number,
    d: number,
    k: number,
  ): void;
  /** out_i = sum_j t * t, t = r_ij - x_j, one accumulator a row, j = 0, 1, ... Error 9 u of the sum. */
  squaredDistances(out: number, rows: number, x: number, n: number, d: number): void;
  /**
   * out_i = exp(-(gamma * squaredDistance_i)). Error 4 u at gamma = 0.01.
   *
   * Of rows of 16 bits in whole numbers, s as above, |gamma * (u * u) * LOG2E| = F 2^-(56 + h) with 2^31 <= F < 2^32, hi(a, b) being a b / 2^32 rounded down:
   *
   *     1 if s = 0;  0 if s 2^-h >= 2^32;  t = hi(floor(s 2^-h), F), the exponent of 1/2 in parts of 2^24;  0 if t >= 126 * 2^24
   *     z = hi(2^8 (t mod 2^18), L);  q = hi(z, z);  e = z - (q >> 1) + hi(hi(q, z), S)
   *     p = P_k, k = (t >> 18) mod 64;  p = p - hi(p, e);  p rounded to 24 bits, times 2^-(t >> 24)
   *
   * L, S and P_k being ln 2 and 1/6 in parts of 2^32 and 2^(-k/64) in parts of 2^31. Error 3 u, 1.5 u at gamma = 0.01.
   */
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

  /**
   * Loads x to `to`, and writes the set's Gaussian row there behind it, at `to` + d; s = dot(coefficients, row, n) is f(x).
   * Returns, by `DECISION`, in double precision, t being the word `term`: s, s + t, s - t, (s - 1) - t, or, t unsigned,
   * s / (scale * t) or s / (scale * sqrt(t)), s if t = 0. NaN, and no row written, if `load` refuses x; NaN, too, if s isn't finite.
   */
  gaussianExpansion(
    to: number,
    x: ArrayLike<number>,
    set: number,
    m: number,
    d: number,
    gamma: number,
    rule: number,
    term: number,
    scale: number,
  ): number;
  /** The set takes the vector x with coefficient a, born now. There must be room. */
  insertVector(set: number, m: number, d: number, x: number, a: number): void;
  /** Vector i leaves, and the last takes its place. */
  removeVector(set: number, m: number, d: number, i: number): void;
  /** Vector i leaves, and those behind it move up. */
  removeVectorInOrder(set: number, m: number, d: number, i: number): void;
  /**
   * f <- keep f + a k(x, .), then what has become small is forgotten. scale(coefficients, keep); unless a = 0, insert x with
   * coefficient a; then, while the least |a_i| (the lowest row on ties) is below `threshold`, remove it. At the full
   * set vector `leaving` >= 0 is removed first, or, by `LEAVING`, the oldest, that with the least |a_i|, or x isn't taken;
   * nor is it if a isn't finite as float32. Each of five words at `counts` is raised by what happened: a not finite,
   * inserted, removed below the threshold, removed at the full set, not taken at the full set.
   *
   * By `LEAVING.merge` of the full set and x the one with the least |a_i|, any stored one before x, is copied behind the row that lies behind
   * x, to x + d + ceil4(m); unless it is x, it is removed, and x inserted; then it merges: see `mergeNearest`, whose `out` is x + d.
   */
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
    gamma: number,
  ): void;
  /** Squared distances, as above, of rows 0..n-1 to x, written to `out`; returns argmin(out, n). */
  nearestRow(out: number, rows: number, x: number, n: number, d: number): number;
  /**
   * a phi(x) merges with the nearest a_j phi(c_j) of its sign of n, phi(u).phi(v) = exp(-gamma |u-v|^2), into a_z phi(z): z takes the
   * place of c_j, a_z of a_j. D are the squared distances, as above. Meant for |a| <= |a_j|, for then the h that makes |a_z| largest
   * lies in [0, 1/2], and Newton's steps rise to it.
   *
   *     j = argmin D_j over a * a_j > 0, the lowest on ties;  L = gamma * D_j;  k = exp(-L)
   *     m = a / (a + a_j);  r = 1 - m;  e = m * k;  h = e / (e + r);  5 times:
   *       e = m * exp(-(L * (1 - (h + h))));  T = e / (e + r);  s = 1 - ((L + L) * T) * (1 - T)
   *       s > 0 ? h = h + (T - h) / s : h = T;  if h <= 0.5 doesn't hold, h = 0.5
   *     q = 1 - h;  a_z = a * exp(-(L * (q * q))) + a_j * exp(-(L * (h * h)));  z = c_j + h * (x - c_j)
   *
   * Returns j; x then is c_j as it was, and out_0 is a_j as it was. -1, with only `out` written, if there is none of its sign, k is
   * 0 or a_z isn't finite. `out` takes ceil4(n) words.
   */
  mergeNearest(
    out: number,
    rows: number,
    coefficients: number,
    n: number,
    d: number,
    x: number,
    a: number,
    gamma: number,
  ): number;
  /**
   * Of a shared set behind whose vector at `to` lie its kernel values r_i, at to + |d|, then a vector of scratch and the scores:
   * score_c = (sum_i a_ic * r_i) * (g * scale), i = 0, 1, ... in one accumulator. Returns the c of the largest, the lowest on ties; NaN if
   * one isn't finite. Writes ceil4(k) words; behind those lies the scratch of `classStep`.
   */
  classScores(to: number, set: number, m: number, d: number, k: number, scale: number): number;
  /**
   * What follows `classScores` for the label y: each class c takes a binary learner's step, y_c = +1 for c = y, else -1, self being k(x, x).
   *
   *     G = g * keep;  u = size / G;  gap_c = level - y_c * score_c
   *     a_c = y_c * u * min(gap_c / self, most), without the factor if most = 0; 0 unless gap_c > 0, or gap_c = 0 where ties isn't 0
   *
   * Then t rises to 2^32 - 1 at most, and g = G; x is stored, with the norm N = sqrt(dot(a, a, k)) and label y, unless N = 0; while the least
   * N_i * g (the lowest row on ties) is below `threshold`, it is removed; below 0.001 g is multiplied into all coefficients and norms.
   * What happened is counted as by `stepExpansion`; nothing else is done if an a_c or N isn't finite.
   *
   * At the full set the oldest is removed first, or that of least N_i, or x isn't taken, by `leaving`, one of `LEAVING`. By
   * `LEAVING.merge` that of least norm of x and all stored, a stored one before x, leaves, and mergeNearest takes it, of the norm N_i, to the
   * nearest c_j of its label, z being what that becomes: a_jc = a_jc * exp(-(gamma * |c_j - z|^2)) + a_ic * exp(-(gamma * |c_i - z|^2)), the
   * distances by `dot`, and N_j their norm.
   *
   * Beyond k classes an a_c is 0; what is done to coefficients is done to ceil4(k) of them, but for N.
   * Scratch behind the scores: twice ceil4(k) words for the a_c and the leaving vector's, ceil4(m) for norms, 2 |d| for vectors.
   */
  classStep(
    to: number,
    set: number,
    m: number,
    d: number,
    k: number,
    y: number,
    gamma: number,
    self: number,
    keep: number,
    size: number,
    level: number,
    most: number,
    ties: number,
    leaving: number,
    threshold: number,
    counts: number,
  ): void;
  /** out_2i = cos(s_i), out_2i+1 = sin(s_i), s as in `innerProducts`; ceil4(2n) words. */
  fourierFeatures(out: number, rows: number, x: number, n: number, d: number): void;

  // Steps in double precision, in the order of the formulas, each result rounded once, when it is stored.

  /**
   * Of a ring of `size` places, n places from `slot` downwards: where y_m * f_m < margin, to_m = to_m + step * y_m. A step down the
   * hinge loss sum max(0, margin - y_m f_m).
   */
  hingeStep(
    to: number,
    y: number,
    f: number,
    slot: number,
    n: number,
    size: number,
    margin: number,
    step: number,
  ): void;
  /** Of a ring, places as in `hingeStep`: i = 0, 1, ..., n-1 in turn, to_m = to_m - step * (p_i - v_i + u_i). */
  agreementStep(
    to: number,
    p: number,
    v: number,
    u: number,
    slot: number,
    n: number,
    size: number,
    step: number,
  ): void;
  /**
   * Consensus of `agents` rows of p and u, `stride` words each, the first n used: v_i = sum_j (p_ji + u_ji) / agents, j = 0, 1, ..., the
   * stored v_i then used in u_ji = u_ji + (p_ji - v_i).
   */
  agree(v: number, u: number, p: number, n: number, agents: number, stride: number): void;

  /**
   * Loads x to `to`, where scratch follows: k scores, ceil4(m) distances, the word i, k d words of w, k d words of u_i. i is the size
   * of the local model `set` below m, else nearestRow(distances, prototypes, x, m, d); u_i is copied; score_c = dot(w_c, x) +
   * dot(u_ic, x). Returns the score of k = 1, else the c of the largest, the lowest on ties. NaN if `load` refuses x, or a score
   * isn't finite.
   */
  localDecision(to: number, x: ArrayLike<number>, set: number, m: number, d: number, k: number): number;
  /**
   * What follows `localDecision` for the label y. w is copied to scratch. For c = 0, 1, ..., k-1, its label y_c being y if k = 1, else +1 if y = c and -1
   * if not: e = min(C, (1 - y_c score_c) / ((1 + share) * dot(x, x))), nothing if 1 - y_c score_c isn't positive; addScaled(w_c, e *
   * share * y_c, x), addScaled(u_ic, e * y_c, x), both in scratch. Then prototype i moves towards x by 1 / (n_i + before); it is
   * x, and the size i + 1, if n_i = 0. n_i rises to 2^32 - 1 at most; w and u_i are stored. Returns 2 if x became a prototype, else 1;
   * 0, with nothing but scratch written, if a number isn't finite.
   */
  localStep(
    to: number,
    set: number,
    m: number,
    d: number,
    k: number,
    y: number,
    share: number,
    C: number,
    before: number,
  ): number;

  /**
   * Of n >= 1 numbers in a ring of `size` places from `place` upwards: mean, root mean square, largest - least and changes of
   * sign (a 0 has the sign before it), to the four words at `to`. False, and nothing written, if largest - least overflows.
   */
  windowStatistics(to: number, ring: number, place: number, n: number, size: number): boolean;
  /**
   * Each x_j becomes z_j, and the moments at s take x_j in: d means, what float32 leaves out of each, d variances v, counts n
   * and runs r, one after the other. With m the mean and its rest, delta = x - m, in this order:
   *
   *     v < 2^-126:                             z = 0; move
   *     n < 32, |delta| > 4 sqrt(v) (1 + 20/n): z = 0; r = max(r, 0) + 1; at r = 8 start again with r = 0
   *     n = 2, r = 0, .9 sqrt(v) < |delta| < 1.1 sqrt(v):   z = 0; start again with r = -1
   *     else:                                   z = clip(delta / sqrt(v), +-5)
   *       |delta| <= 4 sqrt(v) or n < 32:       r = 0; move
   *       else, with its sign s:                r = r + s, or s if r s <= 0; at |r| = stepAfter r = 0, m = x, delta = 0, n = 8;
   *                                             below it delta = 4 s sqrt(v); move
   *     move:  n = min(n + 1, horizon);  m = m + delta / n;  v = v + (delta (delta - delta / n) - v) / n,  with 1 / n as a
   *            factor; if v is below 2^-126 then, n = min(n, 3); if m or v overflows, start again with r = 0
   *     start again:  m = x, v = 0, n = 1
   *
   * False, with nothing done, if an x isn't finite.
   */
  standardise(s: number, x: number, d: number, horizon: number, stepAfter: number): boolean;

  /**
   * x_i = x_i - mean of the n numbers at x, n >= 1, and to the three words at `to`: the largest |x_i|, the root of the mean square
   * and the changes of sign (a 0 has the sign before it) of what they are then. False, and what is at x is of no use, if one overflows.
   */
  centre(to: number, x: number, n: number): boolean;
  /**
   * |sum_i x_i e^(-jwi)|^2 for c = 2 cos w: from s = t = 0 on, for i = 0..n-1 (s, t) = (x_i + (c s - t), s); then
   * s s + t t - (c s) t. Goertzel: Am. Math. Monthly 65(1), 1958. In doubles: in float32 it would lose a line of low frequency.
   */
  goertzel(x: number, n: number, c: number): number;

  // Of float32 operations again.

  /**
   * x_i = x_i - x_i * C_i, C_i being the float32 nearest to cos(2 pi i / n), n = 4, 8, ..., 512: twice Hann's window, whose mean is 1.
   */
  taper(x: number, n: number): void;
  /**
   * In place, X_k = sum_i x_i e^(-2 pi ik / n) of n = 4, 8, ..., 512 real numbers: the real X_0 and X_(n/2), then real and imaginary
   * part of X_1, ..., X_(n/2-1). With C_k, S_k the float32 nearest to cos, sin(2 pi k / n), and h = n / 2: first the transform Z of
   * the pairs z_i = (x_2i, x_(2i+1)) as complex numbers, in the order of their numbers' bits read backwards, by butterflies, for
   * w = 1, 2, ..., h/2 on each a and b = (p, q) that is w pairs behind it, a's place being j modulo 2w, j < w:
   *
   *     c = C_(jh/w), s = S_(jh/w):  t = (c p + s q, c q - s p);  b = a - t;  a = a + t
   *
   * Then X_0, X_h = re Z_0 +- im Z_0, and for k = 1..h/2, with Z_k = (a, b) and Z_(h-k) = (c, d):
   *
   *     p = a + c, q = b - d, u = b + d, v = c - a;   t = (C_k u + S_k v, C_k v - S_k u)
   *     X_(h-k) = ((p - re t) / 2, (im t - q) / 2);   X_k = ((p + re t) / 2, (q + im t) / 2)
   *
   * Cooley, Tukey: Math. Comp. 19(90), 1965. Off the exact sum by less than 2 u of the root of n times the sum of squares.
   */
  fourierTransform(x: number, n: number): void;

  /** out = S x, S packed symmetric n x n: out_i in one accumulator, j = 0, 1, ..., n-1. */
  symmetricProduct(out: number, s: number, x: number, n: number): void;
  /** S_ij = S_ij + b * (v_i * v_j), S packed symmetric n x n. Guarded. */
  symmetricRankOne(s: number, b: number, v: number, n: number): boolean;
  /** out = S x, S a diagonal of n words: out_i = s_i * x_i. */
  diagonalProduct(out: number, s: number, x: number, n: number): void;
  /** The diagonal's part of `symmetricRankOne`: s_i = s_i + b * (v_i * v_i). Guarded. */
  diagonalRankOne(s: number, b: number, v: number, n: number): boolean;
  /**
   * In place, packed A -> its lower Cholesky factor L, A = L L'. Row by row: s = A_ij, s = s - L_ik * L_jk for
   * k = 0..j-1, L_ij = s / L_jj, L_ii = sqrt(s). False, with the factor unfinished, at the first s <= 0 or not finite.
   */
  cholesky(a: number, n: number): boolean;
  /** In place x = L^-1 x: s = x_i, s = s - L_ij * x_j for j = 0..i-1, x_i = s / L_ii. */
  solveLower(l: number, x: number, n: number): void;
  /** In place x = L'^-1 x: i = n-1..0 in turn, x_i = x_i / L_ii, x_j = x_j - L_ij * x_i for j = 0..i-1. */
  solveLowerTransposed(l: number, x: number, n: number): void;
  /**
   * In place, packed L of n rows -> the Cholesky factor of L L' without row and column i, of n - 1 rows. Row i taken away leaves
   * a row too few for the columns: plane rotations of neighbouring columns make L triangular again. For k = i..n-2 in turn,
   * with p = L_(k+1)k, q = L_(k+1)(k+1) > 0:
   *
   *     |q| > |p|:  t = p / q, s = 1 / sqrt(1 + t * t), c = s * t;   else t = q / p, c = +-1 / sqrt(1 + t * t) with p's sign, s = c * t
   *     (L_mk, L_m(k+1)) <- (c * L_mk + s * L_m(k+1), c * L_m(k+1) - s * L_mk),  m = k+1..n-1
   *
   * What is held on the columns' basis is turned along: the n numbers at b, where b >= 0, and the rows, then the columns, of
   * the packed symmetric n x n matrix at r, where r >= 0. Rows behind i of L move up. The last row of L, of b and of r becomes 0.
   * After Golub, Van Loan: Matrix Computations, 6.5.
   */
  deleteFactorRow(l: number, n: number, i: number, b: number, r: number): void;

  // P M P' = L D L', square-root free: L is unit lower triangular, packed, and the pivots D lie on its diagonal. P puts the rows of M in an order.

  /** In place x = L^-1 x, and to = D^-1 x: i = from..n-1, s = x_i, s = s - L_ij * x_j for j = 0..i-1, x_i = s, to_i = s / D_i. What is before `from` is x already. */
  solveUnitLower(to: number, l: number, x: number, n: number, from: number): void;
  /**
   * In place x = L'^-1 x, then to = P' x: i = n-1..1 in turn, x_j = x_j - L_ij * x_i for j = 0..i-1; then to_o(i) = x_i, o being the n
   * unsigned words at `order`.
   */
  solveUnitLowerTransposed(to: number, order: number, l: number, x: number, n: number): void;
  /** out = D x: out_i = x_i * D_i. */
  pivotProduct(out: number, l: number, x: number, n: number): void;
  /**
   * In place, packed L and D of n rows -> L and D of the matrix without row and column p, of n - 1 rows: a positive rank-one update of what
   * comes after p. b = D^-1 L^-1 y follows, being to L what one more row is. With a = D_p, for i = p+1..n-1 in turn:
   *
   *     x = L_ip;   k = p+1..i-1: e = L_ik, x = x - x_k * e, L_i(k-1) <- e + w_k * x
   *     w = a * x;  g = D_i + w * x;  x_i = x, w_i = w / g, D_(i-1) <- g;  a = a * (D_i / g)
   *
   * x_i lies at s + i then, w_i at s + n + i. Rows behind p move up, the last one and the last of b become 0. Returns a, which is the pivot of row p
   * where it comes last: L then has the row that it had left of p, and w_(p+1)..w_(n-1).
   * After Gill, Golub, Murray, Saunders: Methods for modifying matrix factorizations. Math. Comp. 28, 1974, method C1.
   */
  deleteUnitFactorRow(l: number, n: number, p: number, b: number, s: number): number;

  /**
   * Functions of whole calls, all else being given: see `boundArguments`. There only where a call costs much more than its arithmetic, on
   * XS: `gaussianExpansion`, `localDecision`, and the prediction of a shared dictionary's classes; and what a learner's whole `learn`
   * and the family's `update` do after each of them, to the bit. A name for each, so that a firmware has those that its learner calls.
   */
  readonly bindExpansion?: Binding;
  /** See `bindExpansion`. */
  readonly bindExpansionStep?: Binding;
  /** See `bindExpansion`. */
  readonly bindLocal?: Binding;
  /** See `bindExpansion`. */
  readonly bindLocalStep?: Binding;
  /** See `bindExpansion`. */
  readonly bindClasses?: Binding;
  /** See `bindExpansion`. */
  readonly bindClassStep?: Binding;

  /**
   * Where an engine has the self-test's calls in C: runs each primitive on the batch of vectors from `first` on, in the memory from word `at`,
   * and takes what it leaves into its hash; the last of `hashes` keeps how far numbers are drawn. Batches follow each other from 0.
   */
  readonly testBatch?: (at: number, first: number, hashes: Uint32Array) => void;

  /** float32 elementary functions: see `Elementary`. */
  exp(x: number): number;
  /** See `exp`. */
  log(x: number): number;
  /** See `exp`. */
  cos(x: number): number;
  /** See `exp`. */
  sin(x: number): number;
}

/** A function of x and, of one that learns, of its label. It returns the decision. */
export type BoundCall = (x: ArrayLike<number>, y?: number) => number;

/** Makes a function of a whole call. */
export type Binding = (given: BoundArguments) => BoundCall;

/** How a decision follows from f(x): see `gaussianExpansion`. */
export const DECISION = Object.freeze({ sum: 0, plus: 1, minus: 2, level: 3, mean: 4, root: 5 } as const);

/** Which vector leaves a full set, where it isn't named. */
export const LEAVING = Object.freeze({ oldest: -1, smallest: -2, refuse: -3, merge: -4 } as const);

/** Rows come in blocks of four. */
export function ceil4(n: number): number {
  return (n + 3) & ~3;
}

/** Words of a packed symmetric n x n matrix. */
export function packedWords(n: number): number {
  return (n * (n + 1)) >> 1;
}

/** Of rows of form d: components, and words of each row. */
export function components(d: number): number {
  return d < 0 ? -d : d;
}

export function rowWords(d: number): number {
  return d < 0 ? (1 - d) >> 1 : d;
}

/** Words of the grid in front of rows of form d. */
export function gridWords(d: number): number {
  return d < 0 ? 2 - d : 0;
}
