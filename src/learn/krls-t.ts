import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { type Layout, POSITIVE } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { regression } from "./kernel-regression.ts";
import { Krls, krlsLayout } from "./krls.ts";
import { COUNT } from "./learner.ts";
import type { KrlsTOptions } from "./learner-options.ts";
import { budget, expansionOptions, type ResolvedOptions, real, resolveOptions, whole } from "./options.ts";
import { withResidual } from "./residual.ts";
import { SEARCHED } from "./traits.ts";

const KRLS_T_OPTIONS = frozen({
  ...expansionOptions,
  budget: { ...budget, default: 40 },
  ...regression,
  forgetting: real(
    { default: 0.998, above: 0.5, max: 1 },
    "lambda, share of what is known of f that a label later is still known; 1: no forgetting",
  ),
  rates: whole(
    { default: 3, min: 1, max: 3 },
    "models side by side, weighed by how well each predicts: 3: lambda is 1, `forgetting` and its tenth power; 2: without the last; 1: `forgetting` alone",
  ),
  noise: real({ default: 0.02, above: 0 }, "s, variance of a label's noise, as a share of f's variance"),
  nu: real(
    { default: 0.01, min: 0 },
    "nu, threshold on the squared residual delta: an input is stored if delta > nu",
  ),
});

type ResolvedKrlsTOptions = ResolvedOptions<typeof KRLS_T_OPTIONS>;

/** A width found from the first inputs, in median distances between them: least squares takes wide kernels well. */
const MEDIANS = 1;
/** Added to the diagonal of K, which keeps its factor regular. */
const JITTER = 1e-4;
/** The largest lambda: each label leaves R more than its rounding took. */
const MOST_KEPT = 1 - 1 / 1048576;
/** lambda of the fastest model is this power of `forgetting`. */
const FASTEST = 10;
/** The share of a model's log-likelihood that remains one label later. */
const KEEP = 0.95;
/** The step by which the variance of errors is averaged. */
const SCALE_STEP = 0.02;
/** The largest squared error that counts, in its variances: one wrong label tells little of a rate. */
const MOST_DEVIATION = 25;
const LEAST_SCALE = 1e-30;
/** A larger variance, in units of f's prior, comes from inputs whose kernel values overflow. */
const MOST_VARIANCE = 1e30;
/** The largest label: its step stays within float32. */
const LARGEST = 1e24;
/** The least share of a diagonal element of K^-1 that remains when a vector leaves: rounding could take all. */
const LEAST_LEFT = 1e-3;

function krlsTLayout(options: ResolvedKrlsTOptions): Layout {
  const { budget, rates } = options;
  const most = budget + 1;
  return krlsLayout(
    options,
    [
      { name: "covariance", kind: "state", words: rates * packedWords(most) },
      { name: "inverse", kind: "state", words: most, holds: [POSITIVE] },
      { name: "evidence", kind: "state", words: rates },
      { name: "scale", kind: "state", words: 1, holds: [POSITIVE] },
      { name: "weights", kind: "scratch", words: rates },
      { name: "gain", kind: "scratch", words: most },
      { name: "column", kind: "scratch", words: most },
      { name: "turned", kind: "scratch", words: rates > 1 ? packedWords(most) : 0 },
    ],
    most,
    rates,
  );
}

function forgettingFactors({ forgetting, rates }: ResolvedKrlsTOptions): readonly number[] {
  let fastest = 1;
  for (let i = 0; i < FASTEST; i++) fastest *= forgetting;
  const all = rates === 1 ? [forgetting] : [1, forgetting, fastest].slice(0, rates);
  return frozen(all.map((lambda) => (lambda < MOST_KEPT ? lambda : MOST_KEPT)));
}

/**
 * A Gaussian process over a dictionary that returns to its prior as time passes, so that it follows what changes. Models of three rates
 * run side by side, weighed by how well each predicts.
 *
 *     R <- lambda R + (1 - lambda) I;   b <- sqrt(lambda) b;   then the exact update
 *     beyond the budget the vector leaves that f needs least
 *
 * When to use it: The function changes, at once or slowly, and you don't know how fast. Where it stays, `krls-ald` is as good in
 * half the memory.
 *
 * On the orthonormal basis of the dictionary's span (see `Krls`) f has the coordinates N(b, R), with prior N(0, I), and no matrix is inverted. With h
 * the kernel row of x, s the noise:
 *
 *     R <- lambda R + (1 - lambda) I;   b <- sqrt(lambda) b                            (section IV, back to the prior)
 *     w = L^-1 h;   delta = k(x, x) - w.w;   g = R w;   den = s + delta + w.g;   e = y - w.b
 *     b <- b + g e / den;   R <- R - g g' / den
 *     delta > nu: x is stored:  a coordinate more, b_n = sqrt(delta) e / den;   R_n = [-sqrt(delta) g' / den, 1 - delta / den]
 *     beyond the budget the vector leaves that f needs least, argmin a_j^2 / [K^-1]_jj, a = L'^-1 b
 *
 * 0 < R <= I always, so that nothing grows, and float32 has the accuracy of double precision; the paper's K^-1 and Sigma lose it.
 *
 * Which lambda is right depends on the stream. So `rates` models share dictionary and L. Each has its own b_k and R_k, and they are
 * weighed by their discounted predictive likelihood, with A the running mean of e^2 / den:
 *
 *     l_k <- .95 l_k - (log den_k + min(25, e_k^2 / (A den_k))) / 2;   f(x) = w.(sum_k exp(l_k) b_k / sum_k exp(l_k))
 *
 * f is 0 far from all vectors: give it targets whose mean is near 0. y is clipped, see `OutlierLimit`. A stale vector leaves first.
 *
 * @param options see `KrlsTOptions`. Throws an OptionError that names the invalid option.
 * @see Van Vaerenbergh, Lazaro-Gredilla, Santamaria: Kernel recursive least-squares tracker for time-varying regression. IEEE TNNLS 23(8), 2012
 * @example
 * ```ts
 * import { KrlsT } from "motelearn";
 *
 * const learner = new KrlsT({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.499
 * ```
 */
export class KrlsT extends Krls {
  private readonly options: ResolvedKrlsTOptions;
  private readonly lambdas: readonly number[];
  private readonly covariance = this.layout.at("covariance", this.range);
  private readonly inverse = this.layout.at("inverse", this.range);
  private readonly evidence = this.layout.at("evidence", this.range);
  private readonly errorScale = this.layout.at("scale", this.range);
  private readonly weights = this.layout.at("weights", this.range);
  private readonly gain = this.layout.at("gain", this.range);
  private readonly column = this.layout.at("column", this.range);
  private readonly turned = this.layout.at("turned", this.range);
  /** Words of a model's b and R. */
  private readonly most: number;
  private readonly packed: number;

  constructor(options: KrlsTOptions) {
    const resolved = resolveOptions("krls-t", KRLS_T_OPTIONS, options);
    super({ ...resolved, medians: MEDIANS }, JITTER, krlsTLayout(resolved), options.memory);
    this.options = resolved;
    this.lambdas = forgettingFactors(resolved);
    this.most = resolved.budget + 1;
    this.packed = packedWords(this.most);
  }

  protected take(y: number): void {
    if (!(Math.abs(y) <= LARGEST)) {
      this.increment(COUNT.overflowed);
      return;
    }
    let delta = this.residual();
    if (this.isIndependent(delta) && this.dictionary.full && this.makeRoom()) delta = this.residual();
    const n = this.size;
    const isStored = this.isIndependent(delta);
    const root = isStored ? Math.fround(Math.sqrt(delta)) : 0;
    if (!this.learnEach(y, n, delta > 0 ? delta : 0, root)) {
      this.increment(COUNT.overflowed);
      return;
    }
    if (isStored) this.extendBasis(n, delta, root);
    if (this.mix(isStored ? n + 1 : n) && isStored) this.store(n);
  }

  private isIndependent(delta: number): boolean {
    return delta > this.options.nu && this.resolved(delta);
  }

  /** Each model learns y, and takes a coordinate more if `root` isn't 0. False, with nothing but time passed, if float32 can't hold it. */
  private learnEach(y: number, n: number, delta: number, root: number): boolean {
    const { words } = this.f32;
    let deviation = 0;
    this.weigh();
    for (let k = 0; k < this.lambdas.length; k++) {
      this.age(k, n);
      const e = y - this.f32.dot(this.row, this.whitened + k * this.most, n);
      this.f32.symmetricProduct(this.gain, this.covariance + k * this.packed, this.row, n);
      const den = this.options.noise + delta + this.f32.dot(this.row, this.gain, n);
      if (!(den > this.options.noise / 2 && den < MOST_VARIANCE) || !this.revise(k, n, e / den, 1 / den))
        return false;
      if (root > 0) this.addCoordinate(k, n, root, e / den, 1 / den);
      const square = (e * e) / den;
      deviation += words[this.weights + k] * square;
      this.judge(k, den, square);
    }
    this.follow(deviation);
    return true;
  }

  /** Model k returns a little to the prior. */
  private age(k: number, n: number): void {
    const { f32, covariance, packed, whitened, most, lambdas } = this;
    const lambda = lambdas[k];
    const R = covariance + k * packed;
    f32.scale(R, lambda, packedWords(n));
    for (let i = 0; i < n; i++) f32.words[R + packedWords(i) + i] += 1 - lambda;
    f32.scale(whitened + k * most, Math.sqrt(lambda), n);
  }

  /** R <- R - precision g g', b <- b + step g. */
  private revise(k: number, n: number, step: number, precision: number): boolean {
    const { f32, gain } = this;
    return (
      f32.symmetricRankOne(this.covariance + k * this.packed, -precision, gain, n) &&
      f32.addScaled(this.whitened + k * this.most, step, gain, n)
    );
  }

  private addCoordinate(k: number, n: number, root: number, step: number, precision: number): void {
    const { f32 } = this;
    const last = this.covariance + k * this.packed + packedWords(n);
    f32.copy(last, this.gain, n);
    f32.scale(last, -root * precision, n);
    f32.words[last + n] = 1 - root * root * precision;
    f32.words[this.whitened + k * this.most + n] = root * step;
  }

  private judge(k: number, den: number, square: number): void {
    const { f32, evidence } = this;
    const scale = f32.words[this.errorScale];
    const relative = scale > 0 ? square / scale : 1;
    const squares = relative < MOST_DEVIATION ? relative : MOST_DEVIATION;
    f32.words[evidence + k] = KEEP * f32.words[evidence + k] - (f32.log(den) + squares) / 2;
  }

  /** The running mean of squared errors, in units of their variances by the models. */
  private follow(deviation: number): void {
    const { words } = this.f32;
    const scale = words[this.errorScale];
    const most = MOST_DEVIATION * scale;
    const moved =
      scale > 0 ? scale + SCALE_STEP * ((deviation < most ? deviation : most) - scale) : deviation;
    words[this.errorScale] = moved > LEAST_SCALE ? moved : LEAST_SCALE;
  }

  /** Writes the weights of the models. */
  private weigh(): void {
    const { f32, evidence, weights } = this;
    const { words } = f32;
    const models = this.lambdas.length;
    let largest = words[evidence];
    for (let k = 1; k < models; k++) if (words[evidence + k] > largest) largest = words[evidence + k];
    let sum = 0;
    for (let k = 0; k < models; k++) {
      words[weights + k] = f32.exp(words[evidence + k] - largest);
      sum += words[weights + k];
    }
    f32.scale(weights, 1 / sum, models);
  }

  /**
   * The coefficients a of the mixture over n vectors, in `solution`; and in the dictionary, as far as it has them. Where float32 can't hold
   * them, the learner restarts, and it returns false.
   */
  private mix(n: number): boolean {
    const { f32, solution, whitened, weights, most } = this;
    this.weigh();
    f32.copy(solution, whitened, n);
    f32.scale(solution, f32.words[weights], n);
    for (let k = 1; k < this.lambdas.length; k++)
      f32.addScaled(solution, f32.words[weights + k], whitened + k * most, n);
    f32.solveLowerTransposed(this.factor, solution, n);
    if (f32.finite(solution, n)) {
      f32.copy(this.dictionary.coefficients, solution, this.size);
      return true;
    }
    this.reset(true);
    return false;
  }

  /** L and the diagonal of K^-1 with the input as vector n. */
  private extendBasis(n: number, delta: number, root: number): void {
    const { f32, factor, row, gain, inverse } = this;
    const { words } = f32;
    f32.copy(gain, row, n);
    f32.solveLowerTransposed(factor, gain, n);
    for (let i = 0; i < n; i++) words[inverse + i] += (words[gain + i] * words[gain + i]) / delta;
    words[inverse + n] = 1 / delta;
    f32.copy(factor + packedWords(n), row, n);
    words[factor + packedWords(n) + n] = root;
  }

  /** Stores the input as vector n, unless the budget is full and f loses least without it. `solution` holds a. */
  private store(n: number): void {
    const { f32, dictionary, solution } = this;
    if (!this.dictionary.full) {
      dictionary.insert(this.input, f32.words[solution + n]);
      this.increment(COUNT.inserted);
      return;
    }
    const j = this.least(n + 1);
    this.leave(j, n + 1);
    if (j === n) {
      this.increment(COUNT.declined);
    } else {
      this.removeInOrder(j);
      dictionary.insert(this.input, 0);
      this.increment(COUNT.evicted);
      this.increment(COUNT.inserted);
    }
    this.mix(n);
  }

  /** The vector without which f changes least: argmin a_j^2 / [K^-1]_jj of n. */
  private least(n: number): number {
    const { f32, solution, inverse, gain } = this;
    const { words } = f32;
    for (let j = 0; j < n; j++)
      words[gain + j] = (words[solution + j] / words[inverse + j]) * words[solution + j];
    return f32.argmin(gain, n);
  }

  /** Takes vector j out of L, of each model and of the diagonal of K^-1, n vectors before. */
  private leave(j: number, n: number): void {
    const { f32, factor, turned, whitened, covariance, most, packed } = this;
    this.shrinkInverse(j, n);
    for (let k = this.lambdas.length - 1; k > 0; k--) {
      f32.copy(turned, factor, packedWords(n));
      f32.deleteFactorRow(turned, n, j, whitened + k * most, covariance + k * packed);
    }
    f32.deleteFactorRow(factor, n, j, whitened, covariance);
  }

  private shrinkInverse(j: number, n: number): void {
    const { f32, factor, column, inverse } = this;
    const { words } = f32;
    words.fill(0, column, column + n);
    words[column + j] = 1;
    f32.solveLower(factor, column, n);
    f32.solveLowerTransposed(factor, column, n);
    const own = words[column + j];
    for (let i = 0; i < n; i++) {
      const left = words[inverse + i] - (words[column + i] * words[column + i]) / own;
      const least = LEAST_LEFT * words[inverse + i];
      words[inverse + i] = left > least ? left : least;
    }
    f32.copy(inverse + j, inverse + j + 1, n - 1 - j);
    words[inverse + n - 1] = 0;
  }

  /** Removes vector i from dictionary and basis, and from each model. */
  protected override forget(i: number): void {
    this.leave(i, this.size);
    this.removeInOrder(i);
    this.mix(this.size);
  }
}

export const KRLS_T: readonly Family[] = withResidual([
  {
    name: "krls-t",
    task: "regression",
    title: "Kernel recursive least-squares tracker",
    paper:
      "Van Vaerenbergh, Lazaro-Gredilla, Santamaria: Kernel recursive least-squares tracker for time-varying regression. IEEE TNNLS 23(8), 2012",
    options: KRLS_T_OPTIONS,
    traits: { searched: [{ option: "noise", values: [0.02, 0.2] }, SEARCHED.residual] },
    layout: (options) => krlsTLayout(resolveOptions("krls-t", KRLS_T_OPTIONS, options)),
    create: (options) => new KrlsT(options as KrlsTOptions),
  },
]);
