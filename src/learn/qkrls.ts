import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import type { Family } from "./family.ts";
import { CodebookRegression, reach, regression, regressionLayout } from "./kernel-regression.ts";
import { COUNT } from "./learner.ts";
import type { QkrlsOptions } from "./learner-options.ts";
import { budget, dimension, formerly, kernel, real, type Settled, settle, whole } from "./options.ts";

const QKRLS_OPTIONS = frozen({
  dimension,
  budget,
  kernel: kernel({ type: "gaussian", sigma: Math.SQRT1_2 }),
  epsilon: real(
    { default: 0.4, min: 0 },
    "epsilon, quantization size: an input this near to a centre is taken for it",
  ),
  regularization: formerly(
    "gamma",
    real(
      { default: 0.01, above: 0 },
      "gamma, weight of |f|^2, at least 10 budget 2^-24, which is what float32 resolves",
    ),
  ),
  refresh: whole(
    { default: 1000, min: 1, max: 2147483648 },
    "samples after which S and the coefficients are computed anew by a factorisation",
  ),
  reach,
  ...regression,
});

type QkrlsSettled = Settled<typeof QKRLS_OPTIONS>;

/** The least gamma / Lambda_j that float32 resolves beside a kernel matrix of m rows. */
function resolution(m: number): number {
  return (10 * m) / 16777216;
}

function settleQkrls(given: object): QkrlsSettled {
  const settled = settle("qkrls", QKRLS_OPTIONS, given);
  const least = resolution(settled.budget);
  if (settled.regularization < least) {
    throw new OptionError(
      "qkrls",
      "regularization",
      settled.regularization,
      `a number >= 10 budget 2^-24, which is ${least}`,
    );
  }
  return settled;
}

function qkrlsLayout(settled: QkrlsSettled): Layout {
  return regressionLayout(settled, [
    { name: "inverse", kind: "state", words: packedWords(settled.budget) },
    { name: "members", kind: "state", words: settled.budget },
    { name: "sums", kind: "state", words: settled.budget },
    { name: "most", kind: "state", words: 1 },
    { name: "age", kind: "state", words: 1 },
    // A kernel row is written in fours: up to three words more than the last row of the factor has.
    { name: "factor", kind: "scratch", words: packedWords(settled.budget) + 3 },
  ]);
}

/**
 * Quantized kernel recursive least squares. Over a codebook of centres c_j, with Lambda_j the samples that centre j
 * stands for and ybar_j the sum of their targets, f is at every sample the minimum of
 * sum_t (y_t - f(c_j(t)))^2 + gamma |f|^2, which is a = (Lambda K + gamma I)^-1 ybar (10).
 * The paper carries P = (Lambda K + gamma I)^-1, which isn't symmetric; this carries, packed,
 *
 *     S = P Lambda = (K + gamma Lambda^-1)^-1,   a = S mean,   mean_j = ybar_j / Lambda_j
 *
 * With j the nearest centre (the lowest on ties), n = Lambda_j and S_j the column j:
 *
 *     |x - c_j| <= epsilon:  D = -gamma / (n(n+1));   dm = (y - mean_j) / (n+1);   den = 1 + D S_jj
 *                            a += S_j (dm - D a_j) / den;   S -= S_j S_j' D / den;   Lambda_j += 1;   ybar_j += y
 *     else:                  x becomes a centre with Lambda = 1, ybar = y   (15)-(18)
 *
 * which equals (12)-(14), where the residual is that of the quantized input, y - f(c_j), and not y - f(x).
 * For a full codebook see `CodebookRegression`; y is clipped, see `OutlierLimit`.
 *
 * Both recursions diverge in float32 where the kernel is wide against epsilon, for the least eigenvalue of
 * K + gamma Lambda^-1 falls like gamma/Lambda. Hence S and a are computed anew from (K, Lambda, ybar), by Cholesky
 * factorisation, at every new centre and every `refresh` samples; and Lambda_j stops at the largest Lambda_max with
 * gamma / Lambda_max >= 10 budget 2^-24. From then on the centre's mean follows the targets with that memory:
 *
 *     dy = y - ybar_j / Lambda_max;   ybar_j += dy;   a += P_j dy,   P_j = S_j / Lambda_max
 *
 * That bound is meant for k(x,x) = 1. Under other kernels rounding may still swallow the regularization, which shows
 * in a pivot of the factorisation far below gamma / Lambda_j, its least value in exact arithmetic. Lambda_max then
 * falls to a quarter, for good, and larger Lambda_j with it, their means kept. An update for which Lambda_max = 1
 * isn't enough, or without a finite result, is refused whole (`overflowed`): gamma is too small for that kernel.
 *
 * @param options see `QkrlsOptions`. Throws an OptionError that names what can't be used.
 * @see Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013
 * @example
 * ```ts
 * import { Qkrls } from "motelearn";
 *
 * const learner = new Qkrls({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.525
 * ```
 */
export class Qkrls extends CodebookRegression {
  private readonly options: QkrlsSettled;
  /** Words of S packed, Lambda, ybar, Lambda_max, and the samples since S was factorised. */
  private readonly inverse: number;
  private readonly members: number;
  private readonly sums: number;
  private readonly most: number;
  private readonly age: number;
  /** Scratch for K, its factor, its inverse in turn; else for a column of S, and distances. */
  private readonly factor: number;

  constructor(options: QkrlsOptions) {
    const settled = settleQkrls(options);
    const layout = qkrlsLayout(settled);
    super(settled, layout, options.memory);
    this.options = settled;
    this.inverse = layout.at("inverse", this.range);
    this.members = layout.at("members", this.range);
    this.sums = layout.at("sums", this.range);
    this.most = layout.at("most", this.range);
    this.age = layout.at("age", this.range);
    this.factor = layout.at("factor", this.range);
    this.begin();
  }

  protected override begin(): void {
    const { regularization, budget } = this.options;
    // Beyond 2^24 a float32 count doesn't grow by one.
    this.f32.words[this.most] = Math.min(Math.floor(regularization / resolution(budget)), 16777216);
  }

  protected override widen(): void {
    this.startOver(this.unit);
  }

  protected take(y: number): void {
    const j = this.place();
    if (j < 0) return;
    if (j === this.size) this.tally(this.extend(y) ? COUNT.inserted : COUNT.overflowed);
    else if (this.absorb(j, y)) this.tallyPlaced();
    else this.tally(COUNT.overflowed);
  }

  protected forget(i: number): void {
    const { words } = this.f32;
    const last = this.size - 1;
    words[this.members + i] = words[this.members + last];
    words[this.sums + i] = words[this.sums + last];
    words[this.members + last] = 0;
    words[this.sums + last] = 0;
    this.remove(i);
  }

  /** Makes the input a centre; `row` holds its kernel values. False: refused. */
  private extend(y: number): boolean {
    const n = this.size;
    if (!this.recompute(n + 1, n, 1, y)) return false;
    this.dictionary.insert(this.input, 0);
    this.adopt(n + 1);
    return true;
  }

  /** Takes the input for centre j. False: refused. */
  private absorb(j: number, y: number): boolean {
    const { words, bits } = this.f32;
    const n = words[this.members + j];
    const sum = words[this.sums + j];
    const capped = n + 1 > words[this.most];
    const count = capped ? n : n + 1;
    const moved = Math.fround(capped ? sum + (y - sum / n) : sum + y);
    if (!Number.isFinite(moved)) return false;
    if (bits[this.age] + 1 < this.options.refresh && this.step(j, y, capped)) {
      words[this.members + j] = count;
      words[this.sums + j] = moved;
      bits[this.age]++;
      return true;
    }
    if (!this.recompute(this.size, j, count, moved)) return false;
    this.adopt(this.size);
    return true;
  }

  /** The recursion for one more sample of centre j. False, with nothing changed, if S can't carry it. */
  private step(j: number, y: number, capped: boolean): boolean {
    const { f32, factor, row, inverse, size } = this;
    const { coefficients } = this.dictionary;
    const n = f32.words[this.members + j];
    const mean = f32.words[this.sums + j] / n;
    this.column(j);
    if (capped) return f32.addScaled(coefficients, (y - mean) / n, factor, size);
    const change = -this.options.regularization / (n * (n + 1));
    const den = 1 + change * f32.words[factor + j];
    // In exact arithmetic n / (n+1) <= den < 1: below that S is spoilt.
    if (!(den > 0.25)) return false;
    f32.copy(row, coefficients, size);
    const gain = ((y - mean) / (n + 1) - change * f32.words[coefficients + j]) / den;
    if (!f32.addScaled(row, gain, factor, size)) return false;
    if (!f32.symmetricRankOne(inverse, -change / den, factor, size)) return false;
    f32.copy(coefficients, row, size);
    return true;
  }

  /**
   * S in `factor` and a in `row` from scratch, for n centres (of which the last may be the input), centre j having
   * `count` and `sum`. False, with the state unchanged, if there is none; else Lambda, ybar and Lambda_max are set.
   */
  private recompute(n: number, j: number, count: number, sum: number): boolean {
    const { f32, factor, row, members, sums } = this;
    const { words } = f32;
    let most = words[this.most];
    while (!this.factorise(n, j, count, most)) {
      if (most <= 1) return false;
      most = most > 4 ? most / 4 : 1;
    }
    for (let i = 0; i < n; i++) words[row + i] = i === j ? sum / count : words[sums + i] / words[members + i];
    f32.solveLower(factor, row, n);
    f32.solveLowerTransposed(factor, row, n);
    f32.invertFactor(factor, n);
    if (!f32.finite(row, n) || !f32.finite(factor, packedWords(n))) return false;
    words[members + j] = count;
    words[sums + j] = sum;
    words[this.most] = most;
    for (let i = 0; i < n; i++) {
      const excess = words[members + i] / most;
      if (!(excess > 1)) continue;
      words[sums + i] = words[sums + i] / excess;
      words[members + i] = most;
    }
    return true;
  }

  /**
   * Scratch `factor` = the Cholesky factor of K + gamma Lambda^-1, `count` being Lambda_j and none above `most`.
   * False if there is none, or rounding has swallowed gamma Lambda^-1. Leaves `row` as it is.
   */
  private factorise(n: number, j: number, count: number, most: number): boolean {
    const { f32, factor } = this;
    const { words } = f32;
    this.gram(n);
    for (let i = 0, diagonal = factor; i < n; i++, diagonal += i + 1) {
      words[diagonal] = words[diagonal] + this.ridge(i === j ? count : words[this.members + i], most);
    }
    if (!f32.cholesky(factor, n)) return false;
    for (let i = 0, diagonal = factor; i < n; i++, diagonal += i + 1) {
      const ridge = this.ridge(i === j ? count : words[this.members + i], most);
      if (!(2 * words[diagonal] * words[diagonal] >= ridge)) return false;
    }
    return true;
  }

  /** gamma / Lambda, no Lambda being above `most`. */
  private ridge(Lambda: number, most: number): number {
    const { regularization: gamma } = this.options;
    return Lambda > most ? gamma / most : gamma / Lambda;
  }

  /** Scratch `factor` = the kernel matrix of the centres, packed; where n is one more, with the input as the last. */
  private gram(n: number): void {
    const { f32, factor, row, spare, size } = this;
    const { rows } = this.dictionary;
    for (let i = 0; i < size; i++) {
      f32.fetchRow(spare, rows, i, this.dimension);
      this.kernel.row(factor + packedWords(i), rows, spare, i + 1);
    }
    if (n === size) return;
    const last = factor + packedWords(size);
    f32.copy(last, row, size);
    f32.words[last + size] = this.kernel.self(this.input);
  }

  /** Takes S and a of n centres over from scratch. */
  private adopt(n: number): void {
    const { f32 } = this;
    f32.copy(this.inverse, this.factor, packedWords(n));
    f32.copy(this.dictionary.coefficients, this.row, n);
    f32.bits[this.age] = 0;
  }

  /** Scratch `factor` = column j of S. */
  private column(j: number): void {
    const { f32, factor, inverse, size } = this;
    const { words } = f32;
    f32.copy(factor, inverse + packedWords(j), j + 1);
    for (let i = j + 1; i < size; i++) words[factor + i] = words[inverse + packedWords(i) + j];
  }
}

export const QKRLS: readonly Family[] = frozen([
  {
    name: "qkrls",
    task: "regression",
    title: "Quantized kernel recursive least squares",
    paper:
      "Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013",
    options: QKRLS_OPTIONS,
    layout: (given) => qkrlsLayout(settleQkrls(given)),
    create: (given) => new Qkrls(given as QkrlsOptions),
  },
]);
