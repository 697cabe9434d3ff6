import { normalQuantile } from "../math/normal-quantile.ts";
import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { type CorrectedTarget, correctionOf, sources } from "./label-noise.ts";
import { COUNT } from "./learner.ts";
import type {
  ArowOptions,
  ConfidenceWeightedOptions,
  ConfidenceWeightedVarianceOptions,
  Scw1Options,
  Scw2Options,
} from "./learner-options.ts";
import { bias, ClippingClassifier, inputLimit, linearLayout, widthOf } from "./linear.ts";
import { choice, dimension, formerly, real, type Settled, settle } from "./options.ts";
import { OutlierLimit } from "./outlier-limit.ts";

const shared = frozen({
  dimension,
  bias,
  outlierLimit: inputLimit,
  initialVariance: formerly(
    "a",
    real({ default: 1, above: 0 }, "a, variance of each weight at the start, Sigma = a I"),
  ),
  covariance: choice(
    ["full", "diagonal"],
    "full",
    "Sigma: d(d+1)/2 numbers, or the d of its diagonal, what lies beside it being dropped at every step",
  ),
});
const confidence = formerly(
  "eta",
  real(
    { default: 0.8, above: 0.5, below: 1 },
    "eta, probability with which each sample is to be classified rightly",
  ),
);
const C = real({ default: 1, above: 0 }, "C, weight of the loss");

const CW_OPTIONS = frozen({ ...shared, confidence });
const SCW_OPTIONS = frozen({ ...shared, confidence, C });
const AROW_OPTIONS = frozen({
  ...shared,
  noiseVariance: formerly(
    "r",
    real({ default: 1, above: 0 }, "r, variance of a margin's noise: the larger, the smaller the steps"),
  ),
  forgetting: real(
    { default: 1, above: 0.5, max: 1 },
    "lambda, Sigma is divided by it at each label, while its trace is below that at the start; 1: nothing is forgotten; with sources 0.9995 unless given",
  ),
  sources,
});

type Shared = Settled<typeof shared>;

function confidenceLayout(settled: Shared): Layout {
  const width = widthOf(settled);
  const words = settled.covariance === "full" ? packedWords(width) : width;
  return linearLayout(width, [
    { name: "sigma", kind: "state", words },
    OutlierLimit.region(),
    { name: "product", kind: "scratch", words: width },
    { name: "next", kind: "scratch", words: width },
  ]);
}

/** lambda where labels are corrected: each of them makes Sigma smaller, not those alone that a hinge would act on. */
const KEPT_WITH_SOURCES = 0.9995;
/** 2^-40: where the scale is free, variances below it are scaled up. */
const FAINT = 9.094947017729282e-13;
/** 2^40: if an update overflows and a weight is beyond it, the belief is at fault, not the sample. */
const MOST_WEIGHT = 1099511627776;
/** The largest q v: rounding could turn a variance negative that a step makes smaller still. */
const MOST_SHRUNK = 65536;

/**
 * The base of confidence-weighted learners: a belief N(w, Sigma) about the weights. With m = y w.x the margin and
 * v = x' Sigma x its variance, a sample moves w by alpha and adds q to the precision along x,
 *
 *     w <- w + alpha y Sigma x;   Sigma^-1 <- Sigma^-1 + q x x'
 *     that is, Sigma <- Sigma - beta (Sigma x)(Sigma x)',   beta = q / (1 + q v)
 *
 * both or none. A family says alpha (`step`) and q (`precision`). The papers have no offset; `bias` appends a constant 1
 * to x, and the belief covers its weight too.
 *
 * A full Sigma lies packed and so stays symmetric, and (Sigma x)(Sigma x)' is formed before beta is applied, without
 * which it doesn't stay positive in float32; nor if v fell by more than rounding leaves, so that q v is held to 2^16:
 * a larger q takes several samples. A diagonal Sigma is the diagonal of that step's result,
 * Sigma_jj <- Sigma_jj - beta (Sigma_jj x_j)^2.
 *
 * x is clipped, see `OutlierLimit`: Sigma shrinks by what one x adds for good, and a glitch would say more than all samples.
 *
 * Where v isn't positive (x = 0, underflow, rounding) the sample tells nothing, and nothing is learned.
 */
abstract class ConfidenceLearner extends ClippingClassifier {
  protected readonly sigma: number;
  protected readonly next: number;
  protected readonly full: boolean;
  private readonly product: number;
  private readonly initialVariance: number;

  constructor(settled: Shared, memory?: MemoryRange) {
    const layout = confidenceLayout(settled);
    super(settled.dimension, layout, settled.outlierLimit, memory);
    this.full = settled.covariance === "full";
    this.sigma = layout.at("sigma", this.range);
    this.next = layout.at("next", this.range);
    this.product = layout.at("product", this.range);
    this.initialVariance = settled.initialVariance;
    this.begin();
  }

  protected begin(): void {
    for (let j = 0; j < this.width; j++) this.f32.words[this.varianceAt(j)] = this.initialVariance;
  }

  /** Resets Sigma to its initial value. */
  override restartConfidence(): boolean {
    const { f32, sigma, width } = this;
    f32.bits.fill(0, sigma, sigma + (this.full ? packedWords(width) : width));
    this.begin();
    return true;
  }

  /** alpha, the step for margin m of variance v > 0; not positive: nothing is learned. */
  protected abstract step(m: number, v: number): number;

  /** q, the precision that the sample adds along x. */
  protected abstract precision(alpha: number, v: number): number;

  protected take(y: number, decision: number): void {
    const v = this.variance();
    if (v < 0) this.renew();
    if (v <= 0) return;
    // NaN passes, and is refused later.
    const alpha = v < Infinity ? this.step(y * decision, v) : Number.NaN;
    if (alpha <= 0) return;
    this.settle(y * alpha, this.precision(alpha, v), v);
  }

  /** w <- w + step Sigma x, and q along x more of precision. */
  protected settle(step: number, q: number, v: number): void {
    const beta = q * v > MOST_SHRUNK ? MOST_SHRUNK / (v * (1 + MOST_SHRUNK)) : q / (1 + q * v);
    if (!this.move(step, beta)) this.tally(COUNT.overflowed);
  }

  /** A negative variance shows that rounding has ruined Sigma. */
  protected renew(): void {}

  /** Sigma <- factor Sigma. */
  protected grow(factor: number): void {
    this.f32.scale(this.sigma, factor, this.full ? packedWords(this.width) : this.width);
  }

  /** Word of Sigma_jj. */
  protected varianceAt(j: number): number {
    return this.sigma + (this.full ? packedWords(j) + j : j);
  }

  /** x' Sigma x, leaving Sigma x in `product`. */
  protected variance(): number {
    const { f32, product, sigma, input, width } = this;
    if (this.full) f32.symmetricProduct(product, sigma, input, width);
    else f32.diagonalProduct(product, sigma, input, width);
    return f32.dot(product, input, width);
  }

  /** w and Sigma, both or none. False, with nothing changed, if float32 can't hold the result. */
  private move(step: number, beta: number): boolean {
    const { f32, w, next, product, sigma, width } = this;
    f32.copy(next, w, width);
    if (!f32.addScaled(next, step, product, width)) return false;
    const taken = this.full
      ? f32.symmetricRankOne(sigma, -beta, product, width)
      : f32.diagonalRankOne(sigma, -beta, product, width);
    if (taken) f32.copy(w, next, width);
    return taken;
  }
}

/**
 * AROW, adaptive regularization of weights: at each sample (w, Sigma) is the minimum of
 * KL(N(w, Sigma) | N(w_t, Sigma_t)) + (max(0, 1 - y w.x)^2 + x' Sigma x) / (2r). If m < 1:
 *
 *     beta = 1 / (v + r);   alpha = (1 - m) beta        so q = 1/r
 *
 * (Figure 1.) With the option `sources` the likelihood of the received label replaces the hinge, on every
 * label, f being the log-odds of class +1: with slope g and curvature h of `CorrectedTarget`, w <- w + Sigma
 * x g / (r + h v), q = h/r. That is a step of Newton's method for logistic regression, Sigma^-1 being the
 * information so far. On it `forgetting` is 0.9995 unless it is given.
 *
 * Sigma falls with every update, and w becomes the slower to follow what changes. With the option `forgetting`, lambda < 1, Sigma <- Sigma / lambda
 * after each label, unless its trace is that at the start or more: w is that of the last 1 / (1 - lambda) labels or so. Of what a node meets
 * 0.997, with its option `drift: "restart"`, was within 0.02 of the best lambda (`drift.full.test.ts`).
 *
 * @param options see `ArowOptions`. Throws an OptionError that names what can't be used.
 * @see Crammer, Kulesza, Dredze: Adaptive regularization of weight vectors. NIPS 22, 2009
 * @example
 * ```ts
 * import { Arow } from "motelearn";
 *
 * const learner = new Arow({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Arow extends ConfidenceLearner {
  /** r; whoever knows how sure each label is may set it before each. */
  noiseVariance: number;
  /** With the option `sources`: what the labels' flips call for. */
  private readonly correction: CorrectedTarget | undefined;
  /** 1 / lambda, and the trace of Sigma from which on nothing is forgotten. */
  private readonly growth: number;
  private readonly mostTrace: number;

  constructor(options: ArowOptions) {
    const settled = settle("arow", AROW_OPTIONS, options);
    super(settled, options.memory);
    this.noiseVariance = settled.noiseVariance;
    this.correction = correctionOf(settled.sources);
    const forgets =
      this.correction && options.forgetting === undefined ? KEPT_WITH_SOURCES : settled.forgetting;
    this.growth = 1 / forgets;
    this.mostTrace = settled.initialVariance * this.width;
  }

  /** Where `sources` are known, the squared loss on the corrected target; else as all of them. */
  protected override take(y: number, decision: number): void {
    const { correction } = this;
    if (!correction) super.take(y, decision);
    else if (correction.take(y, this.source, this.confidence)) this.approach(correction, decision);
    else this.tally(COUNT.passed);
    if (this.growth > 1 && this.trace() < this.mostTrace) this.grow(this.growth);
  }

  private trace(): number {
    let sum = 0;
    for (let j = 0; j < this.width; j++) sum += this.f32.words[this.varianceAt(j)];
    return sum;
  }

  private approach(correction: CorrectedTarget, decision: number): void {
    const v = this.variance();
    if (v <= 0) return;
    correction.likelihood(decision, this.f32.exp(decision > 0 ? -decision : decision));
    const { slope, curvature } = correction;
    const r = this.noiseVariance;
    this.settle(v < Infinity ? slope / (r + curvature * v) : Number.NaN, curvature / r, v);
  }

  protected step(m: number, v: number): number {
    return (1 - m) / (v + this.noiseVariance);
  }

  protected precision(): number {
    return 1 / this.noiseVariance;
  }
}

/** The exact (standard-deviation) form, which CW, SCW-I and SCW-II share: phi, the normal quantile of eta, and q. */
abstract class DeviationForm extends ConfidenceLearner {
  protected readonly phi: number;

  constructor(settled: Settled<typeof CW_OPTIONS>, memory?: MemoryRange) {
    super(settled, memory);
    this.phi = normalQuantile(settled.confidence);
  }

  /** CW's alpha, which makes phi sqrt(variance) = margin after the step. */
  protected exactStep(m: number, v: number): number {
    const squared = this.phi * this.phi;
    const psi = 1 + squared / 2;
    const zeta = 1 + squared;
    const root = Math.sqrt((m * m * squared * squared) / 4 + v * squared * zeta);
    return (root - m * psi) / (v * zeta);
  }

  /** alpha phi / sqrt(u), with u the variance of the margin after the step; sqrt(u) in the form that doesn't cancel. */
  protected precision(alpha: number, v: number): number {
    const b = alpha * v * this.phi;
    const deviation = (2 * v) / (b + Math.sqrt(b * b + 4 * v));
    return (alpha * this.phi) / deviation;
  }
}

/**
 * Confidence-weighted learning in its exact form: at each sample (w, Sigma) is the minimum of
 * KL(N(w, Sigma) | N(w_t, Sigma_t)) under P(y w.x >= 0) >= eta, which is y w.x >= phi sqrt(x' Sigma x) with phi the
 * normal quantile of eta. psi = 1 + phi^2/2, zeta = 1 + phi^2; if phi sqrt(v) > m:
 *
 *     alpha = (-m psi + sqrt(m^2 phi^4 / 4 + v phi^2 zeta)) / (v zeta)
 *     sqrt(u) = (-alpha v phi + sqrt(alpha^2 v^2 phi^2 + 4 v)) / 2;   beta = alpha phi / (sqrt(u) + v alpha phi)
 *
 * so q = alpha phi / sqrt(u). A wrong label is obeyed as any other, and under label noise Sigma falls without end; take
 * SCW or AROW there. None of this changes if w is multiplied by c and Sigma by c^2: when no variance is left above
 * 2^-40, c = 2^20 saves them from underflow. So f's sign has a meaning, its size none from one time to another. Under label
 * noise w grows against Sigma beyond what float32 holds, or rounding leaves a variance that isn't positive: then the direction of w is
 * kept, and the confidence in it begins anew.
 *
 * It has no option `sources`: it holds each label to be right with probability eta, and the squared loss in place of that makes it AROW. `arow` is the linear learner that has it.
 *
 * @param options see `ConfidenceWeightedOptions`. Throws an OptionError that names what can't be used.
 * @see Crammer, Dredze, Pereira: Exact convex confidence-weighted learning. NIPS 21, 2008
 * @example
 * ```ts
 * import { ConfidenceWeighted } from "motelearn";
 *
 * const learner = new ConfidenceWeighted({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class ConfidenceWeighted extends DeviationForm {
  constructor(options: ConfidenceWeightedOptions) {
    super(settle("cw", CW_OPTIONS, options), options.memory);
  }

  protected step(m: number, v: number): number {
    return this.exactStep(m, v);
  }

  /** As all of them; then guards w and Sigma against underflow and overflow. */
  protected override take(y: number, decision: number): void {
    const { bits } = this.f32;
    const overflowed = this.counterAt(COUNT.overflowed);
    const before = bits[overflowed];
    super.take(y, decision);
    const isLost = bits[overflowed] !== before && this.largest() > MOST_WEIGHT;
    if (isLost || (this.isFaint() && !this.rescale())) this.renew();
  }

  /** Whether no variance is above 2^-40. */
  private isFaint(): boolean {
    for (let j = 0; j < this.width; j++) if (this.f32.words[this.varianceAt(j)] >= FAINT) return false;
    return true;
  }

  /** w and Sigma, exact as powers of two are. False, with nothing changed, if float32 can't hold w or a variance isn't positive. */
  private rescale(): boolean {
    const { f32, w, next, sigma, full, width } = this;
    for (let j = 0; j < width; j++) if (!(f32.words[this.varianceAt(j)] > 0)) return false;
    f32.copy(next, w, width);
    f32.scale(next, Math.sqrt(1 / FAINT), width);
    if (!f32.finite(next, width)) return false;
    f32.copy(w, next, width);
    f32.scale(sigma, 1 / FAINT, full ? packedWords(width) : width);
    return true;
  }

  /** The largest magnitude in w. */
  private largest(): number {
    let largest = 0;
    for (let j = 0; j < this.width; j++) {
      const magnitude = Math.abs(this.f32.words[this.w + j]);
      if (magnitude > largest) largest = magnitude;
    }
    return largest;
  }

  /** Rescales w, whose size has no meaning of its own, to the size of an initial weight. */
  override restartConfidence(): boolean {
    this.renew();
    return true;
  }

  /** Restarts the belief's scale: w's largest component becomes the initial deviation, and Sigma its initial value. */
  protected override renew(): void {
    const { w, width } = this;
    const { words } = this.f32;
    const largest = this.largest();
    super.restartConfidence();
    if (largest === 0) return;
    const share = Math.sqrt(words[this.varianceAt(0)]) / largest;
    for (let j = 0; j < width; j++) words[w + j] = words[w + j] * share;
  }
}

/**
 * Confidence-weighted learning in its first form, which asks y w.x >= phi x' Sigma x, the variance in place of the
 * deviation:
 *
 *     p = 1 + 2 phi m;   alpha = max(0, (-p + sqrt(p^2 - 8 phi (m - phi v))) / (4 phi v))
 *     beta = 2 alpha phi / (1 + 2 alpha phi v)          so q = 2 alpha phi
 *
 *
 *
 * It has no option `sources`, see `ConfidenceWeighted`.
 *
 * @param options see `ConfidenceWeightedVarianceOptions`. Throws an OptionError that names what can't be used.
 * @see Dredze, Crammer, Pereira: Confidence-weighted linear classification. ICML 2008
 * @example
 * ```ts
 * import { ConfidenceWeightedVariance } from "motelearn";
 *
 * const learner = new ConfidenceWeightedVariance({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class ConfidenceWeightedVariance extends ConfidenceLearner {
  private readonly phi: number;

  constructor(options: ConfidenceWeightedVarianceOptions) {
    const settled = settle("cw-var", CW_OPTIONS, options);
    super(settled, options.memory);
    this.phi = normalQuantile(settled.confidence);
  }

  protected step(m: number, v: number): number {
    const { phi } = this;
    const p = 1 + 2 * phi * m;
    return (Math.sqrt(p * p - 8 * phi * (m - phi * v)) - p) / (4 * phi * v);
  }

  protected precision(alpha: number): number {
    return 2 * alpha * this.phi;
  }
}

/**
 * Soft confidence-weighted learning, SCW-I: CW with a slack, the minimum of KL(N(w, Sigma) | N(w_t, Sigma_t)) + C l,
 * l = max(0, phi sqrt(x' Sigma x) - y w.x). As CW, with
 *
 *     alpha <- min(alpha, C)
 *
 * (Proposition 1.)
 *
 * It has no option `sources`, see `ConfidenceWeighted`.
 *
 * @param options see `Scw1Options`. Throws an OptionError that names what can't be used.
 * @see Wang, Zhao, Hoi: Exact soft confidence-weighted learning. ICML 2012
 * @example
 * ```ts
 * import { Scw1 } from "motelearn";
 *
 * const learner = new Scw1({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Scw1 extends DeviationForm {
  private readonly C: number;

  constructor(options: Scw1Options) {
    const settled = settle("scw-1", SCW_OPTIONS, options);
    super(settled, options.memory);
    this.C = settled.C;
  }

  protected step(m: number, v: number): number {
    const alpha = this.exactStep(m, v);
    return alpha > this.C ? this.C : alpha;
  }
}

/**
 * Soft confidence-weighted learning, SCW-II: as SCW-I with the squared loss, C l^2. With n = v + 1/(2C):
 *
 *     g = phi sqrt(phi^2 m^2 v^2 + 4 n v (n + v phi^2))
 *     alpha = max(0, (-(2 m n + phi^2 m v) + g) / (2 (n^2 + n v phi^2)))
 *
 * (Proposition 2), beta as in CW. A widely used implementation has a 2 for two of the squares under the root, and so
 * takes other steps.
 *
 * It has no option `sources`, see `ConfidenceWeighted`.
 *
 * @param options see `Scw2Options`. Throws an OptionError that names what can't be used.
 * @see Wang, Zhao, Hoi: Exact soft confidence-weighted learning. ICML 2012
 * @example
 * ```ts
 * import { Scw2 } from "motelearn";
 *
 * const learner = new Scw2({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Scw2 extends DeviationForm {
  private readonly C: number;

  constructor(options: Scw2Options) {
    const settled = settle("scw-2", SCW_OPTIONS, options);
    super(settled, options.memory);
    this.C = settled.C;
  }

  protected step(m: number, v: number): number {
    const { phi } = this;
    const squared = phi * phi;
    const n = v + 1 / (2 * this.C);
    const g = phi * Math.sqrt(squared * m * m * v * v + 4 * n * v * (n + v * squared));
    return (g - (2 * m * n + squared * m * v)) / (2 * (n * n + n * v * squared));
  }
}

const SCW_PAPER = "Wang, Zhao, Hoi: Exact soft confidence-weighted learning. ICML 2012";

export const CONFIDENCE: readonly Family[] = frozen([
  /**
   * A belief N(w, Sigma) over the weights; each sample is to be classified right with probability eta.
   *
   *     alpha = (-m psi + sqrt(m^2 phi^4 / 4 + v phi^2 zeta)) / (v zeta), if phi sqrt(v) > m
   *     w <- w + alpha y Sigma x;   Sigma <- Sigma - beta (Sigma x)(Sigma x)'
   *
   * When to use it: Labels are right, and features differ in scale or are rare. With wrong labels take SCW or AROW.
   */
  {
    name: "cw",
    task: "classification",
    title: "Confidence-weighted, exact, linear",
    paper: "Crammer, Dredze, Pereira: Exact convex confidence-weighted learning. NIPS 21, 2008",
    options: CW_OPTIONS,
    layout: (given) => confidenceLayout(settle("cw", CW_OPTIONS, given)),
    create: (given) => new ConfidenceWeighted(given as ConfidenceWeightedOptions),
  },
  /**
   * The first form of confidence-weighted learning, with the variance in place of the deviation.
   *
   *     p = 1 + 2 phi m;   alpha = max(0, (-p + sqrt(p^2 - 8 phi (m - phi v))) / (4 phi v))
   *     beta = 2 alpha phi / (1 + 2 alpha phi v)
   *
   * When to use it: To compare with its paper. `cw` is exact.
   */
  {
    name: "cw-var",
    task: "classification",
    title: "Confidence-weighted, variance form, linear",
    paper: "Dredze, Crammer, Pereira: Confidence-weighted linear classification. ICML 2008",
    options: CW_OPTIONS,
    layout: (given) => confidenceLayout(settle("cw-var", CW_OPTIONS, given)),
    create: (given) => new ConfidenceWeightedVariance(given as ConfidenceWeightedVarianceOptions),
  },
  /**
   * Confidence-weighted learning with a linear slack: C bounds a step.
   *
   *     alpha <- min(alpha of cw, C)   (Proposition 1)
   *
   * When to use it: As `cw`, with some wrong labels.
   */
  {
    name: "scw-1",
    task: "classification",
    title: "Soft confidence-weighted, SCW-I, linear",
    paper: SCW_PAPER,
    options: SCW_OPTIONS,
    layout: (given) => confidenceLayout(settle("scw-1", SCW_OPTIONS, given)),
    create: (given) => new Scw1(given as Scw1Options),
  },
  /**
   * Confidence-weighted learning with a squared slack.
   *
   *     n = v + 1/(2C);   g = phi sqrt(phi^2 m^2 v^2 + 4 n v (n + v phi^2))
   *     alpha = max(0, (-(2 m n + phi^2 m v) + g) / (2 (n^2 + n v phi^2)))
   *
   * When to use it: As `scw-1`; the larger the loss, the larger the step.
   */
  {
    name: "scw-2",
    task: "classification",
    title: "Soft confidence-weighted, SCW-II, linear",
    paper: SCW_PAPER,
    options: SCW_OPTIONS,
    layout: (given) => confidenceLayout(settle("scw-2", SCW_OPTIONS, given)),
    create: (given) => new Scw2(given as Scw2Options),
  },
  /**
   * A belief over the weights that grows surer with each sample within the margin, whether the label was met or not.
   *
   *     if m < 1: beta = 1 / (v + r);   alpha = (1 - m) beta   (Figure 1)
   *     w <- w + alpha y Sigma x;   Sigma <- Sigma - beta (Sigma x)(Sigma x)'
   *
   * When to use it: The first linear learner to try, with wrong labels above all. `forgetting` lets it follow what
   * changes; with `sources` it corrects for known rates of wrong labels.
   */
  {
    name: "arow",
    task: "classification",
    title: "Adaptive regularization of weights, AROW, linear",
    paper: "Crammer, Kulesza, Dredze: Adaptive regularization of weight vectors. NIPS 22, 2009",
    options: AROW_OPTIONS,
    layout: (given) => confidenceLayout(settle("arow", AROW_OPTIONS, given)),
    create: (given) => new Arow(given as ArowOptions),
  },
]);
