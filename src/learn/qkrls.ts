import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import type { Family } from "./family.ts";
import { CodebookRegression, epsilon, reach, regression, regressionLayout } from "./kernel-regression.ts";
import { COUNT } from "./learner.ts";
import type { QkrlsOptions } from "./learner-options.ts";
import { type ResolvedOptions, real, resolveOptions, whole } from "./options.ts";
import { withResidual } from "./residual.ts";
import { storedExpansion } from "./storage.ts";
import { SEARCHED } from "./traits.ts";

const QKRLS_OPTIONS = frozen({
  ...storedExpansion,
  epsilon,
  regularization: real(
    { default: 0.01, above: 0 },
    "gamma, weight of |f|^2, at least 10 budget 2^-24, which is what float32 resolves",
  ),
  refresh: whole(
    { default: 16, min: 1, max: 2147483648 },
    "samples of a centre after which its row of the factor is recomputed",
  ),
  reach,
  ...regression,
});

type ResolvedQkrlsOptions = ResolvedOptions<typeof QKRLS_OPTIONS>;

/** The least regularization that float32 resolves beside a kernel matrix of m rows with k(x, x) = 1. */
function resolution(m: number): number {
  return (10 * m) / 16777216;
}

function resolveQkrls(options: object): ResolvedQkrlsOptions {
  const resolved = resolveOptions("qkrls", QKRLS_OPTIONS, options);
  const least = resolution(resolved.budget);
  if (resolved.regularization < least) {
    throw new OptionError(
      "qkrls",
      "regularization",
      resolved.regularization,
      `a number >= 10 budget 2^-24, which is ${least}`,
    );
  }
  return resolved;
}

function qkrlsLayout(resolved: ResolvedQkrlsOptions): Layout {
  return regressionLayout(resolved, [
    { name: "factor", kind: "state", words: packedWords(resolved.budget) },
    { name: "whitened", kind: "state", words: resolved.budget },
    { name: "order", kind: "state", words: resolved.budget, holds: [resolved.budget - 1] },
    { name: "members", kind: "state", words: resolved.budget },
    { name: "sums", kind: "state", words: resolved.budget },
    { name: "solution", kind: "scratch", words: resolved.budget },
    { name: "update", kind: "scratch", words: 2 * resolved.budget },
  ]);
}

/**
 * Regularised least squares over a codebook: an input near a centre updates that centre's mean in place of
 * becoming one.
 *
 *     a = (Lambda K + gamma I)^-1 ybar   (10), carried as a factor of K + gamma Lambda^-1
 *
 * When to use it: Accuracy matters more than bytes: it solves the least squares problem, and takes the square of
 * the number of centres in both bytes and instructions.
 *
 * Lambda_j counts the samples that centre c_j stands for, and ybar_j is the sum of their targets. f is at every sample the minimum of sum_t (y_t -
 * f(c_j(t)))^2 + gamma |f|^2. The paper stores P = (Lambda K + gamma I)^-1. Its recursions (12)-(18) diverge in float32 where the kernel is wide
 * against epsilon, because the least eigenvalue of K + gamma Lambda^-1 falls like gamma / Lambda. This learner stores the matrix itself, factored,
 * with its rows in the order of their centres' last samples. That gives the same f:
 *
 *     M = K + R = L D L',   R_j = gamma / Lambda_j,   mean_j = ybar_j / Lambda_j,   b = D^-1 L^-1 mean,   a = L'^-1 b
 *
 * With j the nearest centre (the lowest on ties), h the kernel row of a centre without its own entry, and n = Lambda_j:
 *
 *     |x - c_j| <= epsilon:  Lambda_j += 1;   ybar_j += y;   row j leaves L, D, b (`deleteUnitFactorRow`), and comes last:
 *                            l as that leaves it, d = its pivot - gamma / (n (n+1)); at every `refresh`-th sample of j both computed
 *     else:                  x becomes a centre with Lambda = 1, ybar = y, and comes last
 *     computed:              u = L^-1 h;   l = D^-1 u;   d = k(c, c) - u.l + R_j
 *     then:                  D <- (D, d);   b <- (b, (mean_j - u.b) / d);   a = L'^-1 b
 *
 * A row leaves by a positive update: no step subtracts from M. Between two samples of its own a row is updated at most once for each of the
 * others, so that errors don't accumulate. Rows of centres without samples lie in front, and stay unchanged. Each step is of order L^2.
 * For a full codebook see `CodebookRegression`; y is clipped, see `OutlierLimit`.
 *
 * Lambda_j stops at the largest Lambda_max with gamma / Lambda_max >= r = 10 budget 2^-24. From then on the centre's mean follows
 * the targets with that memory: ybar_j += y - ybar_j / Lambda_max. Where k(c_j, c_j) > 1, R_j is r k(c_j, c_j) at least: less would be lost
 * in rounding. In exact arithmetic d >= R_j; the learner enforces that bound.
 *
 * A sample without a finite result is refused whole (`overflowed`) if it would be a new centre, or its sum overflows. If a centre's
 * sample leaves no finite result, as labels of opposite signs near the largest float32 may, the learner restarts.
 *
 * @param options see `QkrlsOptions`. Throws an OptionError that names the invalid option.
 * @see Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013
 * @example
 * ```ts
 * import { Qkrls } from "motelearn";
 *
 * const learner = new Qkrls({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.499
 * ```
 */
export class Qkrls extends CodebookRegression {
  private readonly options: ResolvedQkrlsOptions;
  /** Lambda_max: beyond 2^24 a float32 count doesn't grow by one. */
  private readonly most: number;
  /** Words of L and D packed, b, the centre of each row, Lambda, ybar. */
  private readonly factor = this.layout.at("factor", this.range);
  private readonly whitened = this.layout.at("whitened", this.range);
  private readonly order = this.layout.at("order", this.range);
  private readonly members = this.layout.at("members", this.range);
  private readonly sums = this.layout.at("sums", this.range);
  /** Scratch: u, then b and a in the order of the rows; what `deleteUnitFactorRow` leaves. */
  private readonly solution = this.layout.at("solution", this.range);
  private readonly carried = this.layout.at("update", this.range);

  constructor(options: QkrlsOptions) {
    const resolved = resolveQkrls(options);
    super(resolved, qkrlsLayout(resolved), options.memory);
    this.options = resolved;
    this.most = Math.min(Math.floor(resolved.regularization / resolution(resolved.budget)), 16777216);
  }

  /** The rows' centres are all of them, each once. */
  override isSound(): boolean {
    const { f32, members, order, size } = this;
    const { bits, words } = f32;
    for (let p = 0; p < size; p++) {
      if (bits[order + p] >= size || !(words[members + p] > 0)) return false;
      for (let q = 0; q < p; q++) if (bits[order + q] === bits[order + p]) return false;
    }
    return super.isSound();
  }

  protected override rescale(): void {
    this.reset(true);
  }

  protected take(y: number): void {
    const j = this.place();
    if (j < 0) return;
    if (j === this.size) this.increment(this.extend(j, y) ? COUNT.inserted : COUNT.overflowed);
    else if (this.absorb(j, y)) this.tallyPlaced();
    else this.increment(COUNT.overflowed);
  }

  protected forget(i: number): void {
    const { words, bits } = this.f32;
    const { members, sums, size } = this;
    const last = size - 1;
    this.takeOut(this.position(i));
    if (i < last) bits[this.order + this.position(last)] = i;
    words[members + i] = words[members + last];
    words[sums + i] = words[sums + last];
    words[members + last] = 0;
    words[sums + last] = 0;
    this.remove(i);
    if (!this.solve(last)) this.reset(true);
  }

  /** Makes the input centre j, the last; `row` holds its kernel values. False, with the state unchanged: refused. */
  private extend(j: number, y: number): boolean {
    const { words, bits } = this.f32;
    words[this.members + j] = 1;
    words[this.sums + j] = y;
    const self = this.kernel.self(this.input);
    this.solveRow(j);
    if (this.append(j, j, this.pivotAnew(j, self, this.ridge(1, self)), this.ridge(1, self))) {
      this.dictionary.insert(this.input, words[this.dictionary.coefficients + j]);
      return true;
    }
    const last = this.factor + packedWords(j);
    bits.fill(0, last, last + j + 1);
    for (const region of [this.whitened, this.order, this.members, this.sums]) bits[region + j] = 0;
    return false;
  }

  /** Takes the input for centre j. False: refused, or the learner restarted. */
  private absorb(j: number, y: number): boolean {
    const { words } = this.f32;
    const n = words[this.members + j];
    const sum = words[this.sums + j];
    const capped = n + 1 > this.most;
    const moved = Math.fround(capped ? sum + (y - sum / n) : sum + y);
    if (!Number.isFinite(moved)) return false;
    words[this.sums + j] = moved;
    if (!capped) words[this.members + j] = n + 1;
    if (capped ? this.moveMean(this.position(j)) : this.moveLast(j, n)) return true;
    this.reset(true);
    return false;
  }

  /** The mean of the centre in row p has moved, and nothing else. False if a isn't finite. */
  private moveMean(p: number): boolean {
    const { f32, solution, factor, whitened, order, sums, members, size } = this;
    const { words, bits } = f32;
    f32.pivotProduct(solution, factor, whitened, p);
    for (let i = p; i < size; i++) {
      const j = bits[order + i];
      words[solution + i] = words[sums + j] / words[members + j];
    }
    f32.solveUnitLower(whitened, factor, solution, size, p);
    return this.solve(size);
  }

  /** Centre j, of n samples until now, has one more, and its row comes last. False if a isn't finite. */
  private moveLast(j: number, n: number): boolean {
    const { f32, factor, solution, carried, spare, size } = this;
    const { rows } = this.dictionary;
    const p = this.position(j);
    const last = size - 1;
    f32.fetchRow(spare, rows, j, this.rowForm);
    const self = this.kernel.self(spare);
    const ridge = this.ridge(n + 1, self);
    if ((n + 1) % this.options.refresh === 0) {
      this.takeOut(p);
      this.kernel.row(this.row, rows, spare, size);
      this.solveRow(last);
      return this.append(j, last, this.pivotAnew(last, self, ridge), ridge);
    }
    f32.copy(solution, factor + packedWords(p), p);
    const left = this.takeOut(p);
    const row = factor + packedWords(last);
    f32.copy(row, solution, p);
    f32.copy(row + p, carried + size + p + 1, last - p);
    f32.pivotProduct(solution, factor, row, last);
    return this.append(j, last, left - (this.ridge(n, self) - ridge), ridge);
  }

  /** The row of centre j, searched from the end, where recent centres lie; 0 if no other is. */
  private position(j: number): number {
    const { bits } = this.f32;
    let p = this.size - 1;
    while (p > 0 && bits[this.order + p] !== j) p--;
    return p;
  }

  /** R_j of a centre with this many samples; `self` is k(c_j, c_j). */
  private ridge(count: number, self: number): number {
    const resolved = resolution(this.options.budget) * self;
    const wanted = this.options.regularization / count;
    return wanted > resolved ? wanted : resolved;
  }

  /** Row p leaves the factor. Returns the pivot that it has where it comes last. */
  private takeOut(p: number): number {
    const { f32, order, size } = this;
    const pivot = f32.deleteUnitFactorRow(this.factor, size, p, this.whitened, this.carried);
    f32.copy(order + p, order + p + 1, size - 1 - p);
    f32.bits[order + size - 1] = 0;
    return pivot;
  }

  /** Row n of L, and u, of the centre whose kernel values `row` holds. */
  private solveRow(n: number): void {
    const { f32, solution, row, order, factor } = this;
    const { words, bits } = f32;
    for (let i = 0; i < n; i++) words[solution + i] = words[row + bits[order + i]];
    f32.solveUnitLower(factor + packedWords(n), factor, solution, n, 0);
  }

  /** The pivot of row n, as `solveRow` left it. */
  private pivotAnew(n: number, self: number, ridge: number): number {
    return self - this.f32.dot(this.solution, this.factor + packedWords(n), n) + ridge;
  }

  /** Completes row n, centre j's; `solution` holds u. False if a isn't finite. */
  private append(j: number, n: number, pivot: number, ridge: number): boolean {
    const { f32, whitened } = this;
    const { words } = f32;
    const d = Math.fround(pivot >= ridge ? pivot : ridge);
    const mean = words[this.sums + j] / words[this.members + j];
    words[this.factor + packedWords(n) + n] = d;
    words[whitened + n] = (mean - f32.dot(this.solution, whitened, n)) / d;
    f32.bits[this.order + n] = j;
    return d < Infinity && this.solve(n + 1);
  }

  /** a of n centres. False, with it as it was, if it isn't finite. */
  private solve(n: number): boolean {
    const { f32, solution, carried } = this;
    f32.copy(solution, this.whitened, n);
    f32.solveUnitLowerTransposed(carried, this.order, this.factor, solution, n);
    if (!f32.finite(carried, n) || !f32.finite(this.factor, packedWords(n))) return false;
    f32.copy(this.dictionary.coefficients, carried, n);
    return true;
  }
}

export const QKRLS: readonly Family[] = withResidual([
  {
    name: "qkrls",
    task: "regression",
    title: "Quantized kernel recursive least squares",
    paper:
      "Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013",
    options: QKRLS_OPTIONS,
    traits: { searched: [SEARCHED.quantization, SEARCHED.ridge] },
    layout: (options) => qkrlsLayout(resolveQkrls(options)),
    create: (options) => new Qkrls(options as QkrlsOptions),
  },
]);
