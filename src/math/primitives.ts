import type { BoundArguments } from "./bound.ts";

/**
 * The one arithmetic: what every implementation of the primitives computes, to the bit.
 *
 * **Numbers.** `+ - *` in the formulas are float32 operations, each rounded to nearest even, never contracted. A double argument (`a`, `gamma`,
 * ...) is rounded to float32 first. Errors, where stated, are the largest against double precision that `test/math/accuracy.full.test.ts`
 * measures over vectors of 64 normal numbers, in units u = 2^-24. A *guarded* primitive computes all its results first; if one isn't
 * finite, it writes nothing and returns false.
 *
 * **Memory.** All primitives work on one memory, by offsets counted in float32 words:
 *
 *     vector               n consecutive words
 *     matrix of n rows     interleaved blocks of four rows: component j of row i of d components at 4d*(i>>2) + 4j + (i&3), in all
 *                          d * ceil4(n) words. A primitive that writes one number a row writes ceil4(n) words of `out`.
 *     packed symmetric     the lower triangle row by row: (i, j), j <= i, at i(i+1)/2 + j
 *     support set          of f(x) = sum_i a_i k(c_i, x) with capacity m: the matrix of m rows c_i, m coefficients a_i, m birth numbers,
 *                          the size n, the number of births so far. Rows 0..n-1 are in use, in arbitrary order; unused rows, and what
 *                          belongs to them, are zero.
 *     shared set           of k classes, f_c(x) = g sum_i a_ic k(c_i, x): a support set, whose a_i are the norms of the vectors (a_i0, ...,
 *                          a_i(k-1)); then a matrix of k rows c of m components a_ic, m labels, t and g. g = 0 stands for 1.
 *     local model          of m prototypes p_i and k binary problems: the matrix of m rows p_i, m counts n_i, the size n, the k vectors w_c,
 *                          the matrix of m rows u_i, each of k vectors u_ic
 *
 * Birth numbers, sizes, numbers of births, labels, t and counts are unsigned words, all else float32.
 *
 * What the memory says of places is taken within bounds, as it may come from outside: a size beyond m counts as m, so that a full set stores
 * nothing and no vector beyond it is removed; a place beyond a ring counts as 0; an index of `order` beyond its rows is left out.
 *
 * **Rows of 16 bits** (option `storage` "q15"): a negative `d` stands for rows of -d components of 16 bits, called lanes.
 *
 * - Place: two lanes share a word, the lower component in the lower half, so a row has w = ceil(-d / 2) words. Word p of row i lies at
 *   `4w(i>>2) + 4p + (i&3)`. If -d is odd, the second lane of the last word is 0.
 * - Value: a lane q, -2^14 <= q < 2^14, stands for (q + o_j) * u. The words before the first row are u (a power of two), 1/u, and the
 *   offsets o_j. The lane of a number x is x * (1/u) - o_j, rounded to the nearest, ties to even, and clipped; -2^14 if that is NaN.
 * - Squared distance: s * (u * u), with s the sum of the squared differences of two vectors' lanes, a whole number that is rounded to
 *   float32 once.
 * - Primitives that take such rows: storeRow, fetchRow, moveRowTowards, squaredDistances, gaussianRow, nearestRow, mergeNearest, and
 *   those of support sets and local models (there for the p_i alone). Vectors are float32 everywhere.
 */
export interface Primitives {
  /** The memory as float32 numbers: a view of the same bytes as `bits`. */
  readonly words: Float32Array;
  /** The memory as unsigned 32-bit words: a view of the same bytes as `words`. */
  readonly bits: Uint32Array;

  /**
   * Copies the n numbers of x, each rounded to float32, to `to`. Returns whether all are finite. If x hasn't n numbers, copies nothing
   * and returns false.
   */
  load(to: number, x: ArrayLike<number>, n: number): boolean;
  /**
   * CRC-32 of ISO 3309 (polynomial 0xedb88320, reflected, all ones before and after) of bytes `from` to `to` (exclusive). `before` is the
   * CRC of the bytes before them; 0 at the start.
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
   * Entry j of n was used `uses_j` times, the last time at `last_j`, both unsigned words. Its idle time is (now - last_j) mod 2^32. Returns
   * the index of the largest idle time among the entries whose idle time exceeds (after * uses_j) mod 2^32, the lowest on ties; -1 if
   * there is none.
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
   * out_vm = sum_j r_mj x_vj in block floating point, for the n rows m from `slot` downwards of a ring of `size` rows of d components, and for
   * k consecutive vectors x_v. The words of v begin at `out` + v size.
   *
   * A block is 32 components, j = 0, 1, ... With 2^e <= the largest magnitude of a block < 2^(e+1), e >= -126, its components are rounded
   * to whole multiples of u = 2^(e-23), halves away from 0. The multiples of row and vector are multiplied and summed exactly. The sum is
   * rounded to float32, and the product with u_row u_vector again. Blocks are added in order. NaN if a component isn't finite. Error 1.3 u
   * of the product of both norms.
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
   * For rows of 16 bits it computes in whole numbers: s as above, |gamma * (u * u) * LOG2E| = F 2^-(56 + h) with 2^31 <= F < 2^32, and
   * hi(a, b) = a b / 2^32 rounded down:
   *
   *     1 if s = 0;  0 if s 2^-h >= 2^32;  t = hi(floor(s 2^-h), F), the exponent of 1/2 in parts of 2^24;  0 if t >= 126 * 2^24
   *     z = hi(2^8 (t mod 2^18), L);  q = hi(z, z);  e = z - (q >> 1) + hi(hi(q, z), S)
   *     p = P_k, k = (t >> 18) mod 64;  p = p - hi(p, e);  p rounded to 24 bits, times 2^-(t >> 24)
   *
   * L is ln 2 and S is 1/6 in parts of 2^32; P_k is 2^(-k/64) in parts of 2^31. Error 3 u, 1.5 u at gamma = 0.01.
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
   * Loads x to `to`, and writes the set's Gaussian row behind it, at `to` + d. f(x) is s = dot(coefficients, row, n). Returns by `rule`, one of
   * `DECISION`, in double precision, with t the word `term`:
   *
   *     sum: s    plus: s + t    minus: s - t    level: (s - 1) - t
   *     mean: s / (scale * t)    root: s / (scale * sqrt(t))    with t unsigned; s if t = 0
   *
   * NaN if s isn't finite; NaN, with no row written, if `load` refuses x.
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
  /** Stores the vector x with coefficient a, born now. The set must have room. */
  insertVector(set: number, m: number, d: number, x: number, a: number): void;
  /** Removes vector i; the last one takes its place. */
  removeVector(set: number, m: number, d: number, i: number): void;
  /** Removes vector i; those behind it move up. */
  removeVectorInOrder(set: number, m: number, d: number, i: number): void;
  /**
   * f <- keep f + a k(x, .); then vectors whose coefficients have become small are removed:
   *
   *     scale(coefficients, keep)
   *     unless a = 0: insert x with coefficient a
   *     while the least |a_i| (the lowest row on ties) is below `threshold`: remove that vector
   *
   * x isn't inserted if a isn't finite as float32. In a full set, a `leaving` >= 0 names the vector that is removed first. A `leaving` of
   * `LEAVING` does: oldest or smallest (the least |a_i|) is removed first; refuse: x isn't inserted; merge: see below. Each of the five
   * words at `counts` is raised by how often it happened: a not finite, inserted, removed below the threshold, removed from the full set, not
   * inserted into the full set.
   *
   * `LEAVING.merge`: of the full set and x, the vector with the least |a_i| leaves, on ties a stored one before x. It is copied to
   * x + d + ceil4(m), behind the kernel row that lies behind x. Unless it is x, it is removed, and x inserted. Then it merges by
   * `mergeNearest`, whose `out` is x + d.
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
   * The k >= 1 nearest of n rows of w words, which follow one another, to the w words at x. Each word is four whole numbers, 0..255. D_i is the
   * sum of the squared differences, a whole number: w is 16,384 at most. Writes the indices of the rows to the first k words of `out`, by
   * rising D_i, the lowest index on ties, and their D_i to the next k: unsigned words. Returns how many it found, k at most. Words behind
   * those stay.
   */
  nearestBytes(out: number, rows: number, x: number, n: number, w: number, k: number): number;
  /**
   * Merges a phi(x) with the nearest of n vectors whose coefficient has the same sign, a_j phi(c_j), into a_z phi(z), where
   * phi(u).phi(v) = exp(-gamma |u-v|^2). z replaces c_j, and a_z replaces a_j. D are the squared distances, as above. Meant for
   * |a| <= |a_j|: then the h that makes |a_z| largest lies in [0, 1/2], and Newton's steps rise to it.
   *
   *     j = argmin D_j over a * a_j > 0, the lowest on ties;  L = gamma * D_j;  k = exp(-L)
   *     m = a / (a + a_j);  r = 1 - m;  e = m * k;  h = e / (e + r);  5 times:
   *       e = m * exp(-(L * (1 - (h + h))));  T = e / (e + r);  s = 1 - ((L + L) * T) * (1 - T)
   *       s > 0 ? h = h + (T - h) / s : h = T;  if h <= 0.5 doesn't hold, h = 0.5
   *     q = 1 - h;  a_z = a * exp(-(L * (q * q))) + a_j * exp(-(L * (h * h)));  z = c_j + h * (x - c_j)
   *
   * Returns j, and leaves the former c_j at x and the former a_j at out_0. Returns -1, with `out` alone written, if no coefficient has the
   * sign, k is 0 or a_z isn't finite. `out` takes ceil4(n) words.
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
   * Scores of a shared set: score_c = (sum_i a_ic * r_i) * (g * scale), i = 0, 1, ... in one accumulator. Returns the c of the largest score, the
   * lowest on ties; NaN if a score isn't finite. From `to` on lie: the vector x, the kernel values r_i (at to + |d|), a vector of scratch,
   * the ceil4(k) words of the scores, the scratch of `classStep`.
   */
  classScores(to: number, set: number, m: number, d: number, k: number, scale: number): number;
  /**
   * Learns the label y after `classScores`: each class c takes a binary learner's step, with y_c = +1 for c = y, else -1; `self` is k(x, x).
   *
   *     G = g * keep;  u = size / G;  gap_c = level - y_c * score_c
   *     a_c = y_c * u * min(gap_c / self, most), without the factor if most = 0; 0 unless gap_c > 0, or gap_c = 0 where ties isn't 0
   *
   * In this order: t = min(t + 1, 2^32 - 1) and g = G; unless N = sqrt(dot(a, a, k)) is 0, x is stored with norm N and label y; while the least
   * N_i * g (the lowest row on ties) is below `threshold`, that vector is removed; a g below 0.001 is multiplied into all coefficients and
   * norms. `counts` is raised as by `stepExpansion`; if an a_c or N isn't finite, nothing else is done.
   *
   * In a full set `leaving`, one of `LEAVING`, decides as in `stepExpansion`, by N_i in place of |a_i|. `LEAVING.merge`: of x and all stored
   * vectors, c_i with the least norm leaves, on ties a stored one before x. `mergeNearest` merges it, with the norm N_i, into the nearest c_j
   * of its label, which becomes z. Then a_jc = a_jc * exp(-(gamma * |c_j - z|^2)) + a_ic * exp(-(gamma * |c_i - z|^2)), with the
   * distances by `dot`, and N_j is the norm of these; if that isn't finite, c_j is removed, too.
   *
   * The a_c beyond k classes are 0. Operations on coefficients take ceil4(k) of them, except for N.
   * Scratch behind the scores: twice ceil4(k) words for the a_c and those of the leaving vector, ceil4(m) for norms, 2 |d| for vectors.
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
   * to_m = to_m + step * y_m where y_m * f_m < margin, for the n places m from `slot` downwards of a ring of `size` places: a step down
   * the hinge loss sum max(0, margin - y_m f_m).
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
  /** to_m = to_m - step * (p_i - v_i + u_i) for i = 0, 1, ..., n-1; the i-th place m of a ring is as in `hingeStep`. */
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
   * Consensus of `agents` rows of p and u, of `stride` words each, the first n used: v_i = sum_j (p_ji + u_ji) / agents, j = 0, 1, ...; then, with
   * the stored v_i, u_ji = u_ji + (p_ji - v_i).
   */
  agree(v: number, u: number, p: number, n: number, agents: number, stride: number): void;
  /**
   * The aggressiveness C at the label y, one of k classes, or one of -1 and 1 where k = 1, whose decision was f: see src/learn/aggressiveness.ts.
   * It counts the label in M, the number at `at`, and in n, the unsigned word behind it.
   *
   *     e = 1 where k = 1 and f < 0 differs from y < 0;  2 / k where k > 1 and f isn't y;  else 0
   *     n = min(n + 1, 3200);   M = (M - (n > 240 ? M * (1 / 240) : 0)) + e
   *     C = (0.05 * (min(n, 240) + 16)) / (M + 2.4);   at most 2; at least 0.4 to n = 200, 0.4 * sqrt(200 / n) to n = 3199, then 0.1
   *
   * Each operation is rounded to float32, and so is each constant. C is 2 if it is NaN.
   */
  aggressiveness(at: number, y: number, f: number, k: number): number;

  /**
   * Loads x to `to`. Scratch follows: k scores, ceil4(m) distances, the word i, k d words of w, k d words of u_i. i is the size of the
   * local model `set` while that is below m, then nearestRow(distances, prototypes, x, m, d). Copies u_i; score_c = dot(w_c, x) +
   * dot(u_ic, x). Returns the score if k = 1, else the c of the largest score, the lowest on ties; NaN if `load` refuses x, or a score
   * isn't finite.
   */
  localDecision(to: number, x: ArrayLike<number>, set: number, m: number, d: number, k: number): number;
  /**
   * Learns the label y after `localDecision`. With w copied to scratch, for c = 0, 1, ..., k-1, where y_c = y if k = 1, else +1 if y = c and -1
   * if not:
   *
   *     if 1 - y_c score_c > 0:  e = min(C, (1 - y_c score_c) / ((1 + share) * dot(x, x)))
   *                              addScaled(w_c, e * share * y_c, x);  addScaled(u_ic, e * y_c, x), both in scratch
   *
   * Then prototype i moves towards x by 1 / (n_i + before); if n_i = 0, it becomes x, and the size i + 1. n_i = min(n_i + 1, 2^32 - 1); w and
   * u_i are stored. Returns 2 if x became a prototype, else 1; 0, with scratch alone written, if a number isn't finite.
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
   * Writes four words at `to`: mean, root mean square, largest - least and changes of sign (a 0 has the sign before it) of the n >= 1
   * numbers from `place` upwards in a ring of `size` places. If largest - least overflows, writes nothing and returns false.
   */
  windowStatistics(to: number, ring: number, place: number, n: number, size: number): boolean;
  /**
   * Replaces each x_j by z_j, and updates the moments at s with x_j. The moments are, one after the other: d means, d rests (what float32
   * leaves out of each mean), d variances v, d counts n, d runs r. With m the mean and its rest, and delta = x - m, in this order:
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
   * If an x isn't finite, does nothing and returns false.
   */
  standardise(s: number, x: number, d: number, horizon: number, stepAfter: number): boolean;

  /**
   * x_i = x_i - mean of the n >= 1 numbers at x. Then writes three words at `to`: the largest |x_i|, the root mean square and the changes of
   * sign (a 0 has the sign before it). Returns false if one overflows: the numbers at x are then undefined.
   */
  centre(to: number, x: number, n: number): boolean;

  // Of float32 operations again.

  /**
   * x_i = x_i - x_i * C_i, with C_i the float32 nearest to cos(2 pi i / n), n = 4, 8, ..., 512: twice Hann's window, so that its mean is 1.
   */
  taper(x: number, n: number): void;
  /**
   * In place, X_k = sum_i x_i e^(-2 pi ik / n) of n = 4, 8, ..., 512 real numbers: the real X_0 and X_(n/2), then real and imaginary
   * part of X_1, ..., X_(n/2-1). C_k, S_k are the float32 nearest to cos, sin(2 pi k / n), and h = n / 2.
   *
   * First the transform Z of the pairs z_i = (x_2i, x_(2i+1)) as complex numbers, in bit-reversed order. Its butterflies take, for
   * w = 1, 2, ..., h/2, each pair a at a place j modulo 2w, j < w, and the pair b = (p, q) that lies w pairs behind it:
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
  /**
   * |sum_i x_i e^(-jwi)|^2 for c = 2 cos w: s = t = 0; for i = 0..n-1: (s, t) = (x_i + (c s - t), s); then s s + t t - (c s) t.
   * Goertzel: Am. Math. Monthly 65(1), 1958. In doubles: float32 would lose a line of low frequency.
   */
  goertzel(x: number, n: number, c: number): number;

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
   * k = 0..j-1, L_ij = s / L_jj, L_ii = sqrt(s). Returns false, with the factor unfinished, at the first s that isn't positive and finite.
   */
  cholesky(a: number, n: number): boolean;
  /** In place x = L^-1 x: s = x_i, s = s - L_ij * x_j for j = 0..i-1, x_i = s / L_ii. */
  solveLower(l: number, x: number, n: number): void;
  /** In place x = L'^-1 x: i = n-1..0 in turn, x_i = x_i / L_ii, x_j = x_j - L_ij * x_i for j = 0..i-1. */
  solveLowerTransposed(l: number, x: number, n: number): void;
  /**
   * In place, packed L of n rows -> the Cholesky factor, of n - 1 rows, of L L' without row and column i. Without row i, L has one row fewer
   * than columns: plane rotations of neighbouring columns make it triangular again. For k = i..n-2 in turn, with p = L_(k+1)k,
   * q = L_(k+1)(k+1) > 0:
   *
   *     |q| > |p|:  t = p / q, s = 1 / sqrt(1 + t * t), c = s * t;   else t = q / p, c = +-1 / sqrt(1 + t * t) with p's sign, s = c * t
   *     (L_mk, L_m(k+1)) <- (c * L_mk + s * L_m(k+1), c * L_m(k+1) - s * L_mk),  m = k+1..n-1
   *
   * Two operands in the basis of the columns are rotated likewise: the n numbers at b, if b >= 0, and the rows, then the columns, of the
   * packed symmetric n x n matrix at r, if r >= 0. The rows of L behind i move up. The last row of L, of b and of r becomes 0.
   * After Golub, Van Loan: Matrix Computations, 6.5.
   */
  deleteFactorRow(l: number, n: number, i: number, b: number, r: number): void;

  // P M P' = L D L', square-root free: L is unit lower triangular, packed, and the pivots D lie on its diagonal. P puts the rows of M in an order.

  /**
   * In place x = L^-1 x, and to = D^-1 x: i = from..n-1, s = x_i, s = s - L_ij * x_j for j = 0..i-1, x_i = s, to_i = s / D_i. The numbers
   * before `from` are solved already.
   */
  solveUnitLower(to: number, l: number, x: number, n: number, from: number): void;
  /**
   * In place x = L'^-1 x, then to = P' x: i = n-1..1 in turn, x_j = x_j - L_ij * x_i for j = 0..i-1; then to_o(i) = x_i, with o the n
   * unsigned words at `order`.
   */
  solveUnitLowerTransposed(to: number, order: number, l: number, x: number, n: number): void;
  /** out = D x: out_i = x_i * D_i. */
  pivotProduct(out: number, l: number, x: number, n: number): void;
  /**
   * In place, packed L and D of n rows -> L and D, of n - 1 rows, of the matrix without row and column p: a positive rank-one update of the
   * rows after p. b = D^-1 L^-1 y is updated likewise, as if it were one more row of L. With a = D_p, for i = p+1..n-1 in turn:
   *
   *     x = L_ip;   k = p+1..i-1: e = L_ik, x = x - x_k * e, L_i(k-1) <- e + w_k * x
   *     w = a * x;  g = D_i + w * x;  x_i = x, w_i = w / g, D_(i-1) <- g;  a = a * (D_i / g)
   *
   * It leaves x_i at s + i and w_i at s + n + i. Rows behind p move up; the last row and the last of b become 0. Returns a: the
   * pivot of row p as the last row, whose other entries are those that it had left of p, then w_(p+1)..w_(n-1).
   * After Gill, Golub, Murray, Saunders: Methods for modifying matrix factorizations. Math. Comp. 28, 1974, method C1.
   */
  deleteUnitFactorRow(l: number, n: number, p: number, b: number, s: number): number;

  /**
   * Makes a function of x (and y) of a whole call, with all other arguments bound once (`boundArguments`). Only XS has these, where a call costs
   * much more than its arithmetic. The bound calls are `gaussianExpansion`, `localDecision` and the prediction of a shared dictionary's
   * classes; each also with the learner's `learn` and the family's `update` after it, to the bit. Each has a name of its own, so
   * that a firmware links only those that its learner calls.
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
   * Where an engine has the self-test's calls in C: runs each primitive on the batch of vectors from `first` on, in the memory from word `at`, and
   * updates the primitive's hash with the result. The last of `hashes` stores the state of the random numbers. Batches follow each other
   * from 0.
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
export type Binding = (options: BoundArguments) => BoundCall;

/** The rules by which `gaussianExpansion` computes a decision from f(x). */
export const DECISION = Object.freeze({ sum: 0, plus: 1, minus: 2, level: 3, mean: 4, root: 5 } as const);

/** What happens to a full set where no vector is named to leave: see `stepExpansion`. */
export const LEAVING = Object.freeze({ oldest: -1, smallest: -2, refuse: -3, merge: -4 } as const);

/** A place of a ring of so many, 0 for one that it lacks. */
export function placeIn(place: number, size: number): number {
  return place >= 0 && place < size ? place : 0;
}

/** Rows come in blocks of four. */
export function ceil4(n: number): number {
  return (n + 3) & ~3;
}

/** Words of a packed symmetric n x n matrix. */
export function packedWords(n: number): number {
  return (n * (n + 1)) >> 1;
}

/** Components of rows of form d: negative for rows of 16 bits. */
export function components(d: number): number {
  return d < 0 ? -d : d;
}

/** Words of each row of form d. */
export function rowWords(d: number): number {
  return d < 0 ? (1 - d) >> 1 : d;
}

/** Words of the grid in front of rows of form d. */
export function gridWords(d: number): number {
  return d < 0 ? 2 - d : 0;
}
