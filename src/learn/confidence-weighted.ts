import { normalQuantile } from "../math/normal-quantile.ts";
import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { BeliefLearner, beliefLayout, beliefOptions } from "./belief.ts";
import type { Family } from "./family.ts";
import { COUNT } from "./learner.ts";
import type { ConfidenceWeightedOptions, ConfidenceWeightedVarianceOptions } from "./learner-options.ts";
import { type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { SEARCHED } from "./traits.ts";

export const confidence = real(
  { default: 0.8, above: 0.5, below: 1 },
  "eta, least probability that a sample is classified correctly",
);

const CW_OPTIONS = frozen({ ...beliefOptions, confidence });

/** 2^-40: where the scale is free, variances below it are scaled up. */
const FAINT = 9.094947017729282e-13;

/** 2^40: if an update overflows and a weight is beyond it, the belief is at fault, not the sample. */
const MOST_WEIGHT = 1099511627776;

/** The exact (standard-deviation) form, which CW, SCW-I and SCW-II share: phi, the normal quantile of eta, and q. */
export abstract class DeviationForm extends BeliefLearner {
  protected readonly phi: number;

  constructor(resolved: ResolvedOptions<typeof CW_OPTIONS>, memory?: MemoryRange) {
    super(resolved, memory);
    this.phi = normalQuantile(resolved.confidence);
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
 * A belief N(w, Sigma) over the weights; each sample is to be classified right with probability eta.
 *
 *     alpha = (-m psi + sqrt(m^2 phi^4 / 4 + v phi^2 zeta)) / (v zeta), if phi sqrt(v) > m
 *     w <- w + alpha y Sigma x;   Sigma <- Sigma - beta (Sigma x)(Sigma x)'
 *
 * When to use it: Labels are right, and features differ in scale or are rare. With wrong labels take SCW or AROW.
 *
 * At each sample (w, Sigma) is the minimum of KL(N(w, Sigma) | N(w_t, Sigma_t)) under P(y w.x >= 0) >= eta, which is y w.x >= phi sqrt(x' Sigma x),
 * with phi the normal quantile of eta, psi = 1 + phi^2/2 and zeta = 1 + phi^2. After the step the margin has the variance u:
 *
 *     sqrt(u) = (-alpha v phi + sqrt(alpha^2 v^2 phi^2 + 4 v)) / 2;   beta = alpha phi / (sqrt(u) + v alpha phi)
 *
 * so q = alpha phi / sqrt(u). It learns a wrong label like any other, and with wrong labels Sigma falls without end: take SCW or AROW there.
 * Scaling w by c and Sigma by c^2 changes no decision. When no variance is above 2^-40, the learner scales by c = 2^20, which prevents
 * underflow. So the sign of f is comparable over time, its magnitude isn't. Under label noise w grows against Sigma beyond what float32
 * holds, or rounding leaves a variance that isn't positive: then the learner keeps the direction of w and resets Sigma.
 *
 * It has no option `sources`: it assumes each label to be right with probability eta. With the squared loss in place of that assumption it
 * would be AROW, which has the option.
 *
 * @param options see `ConfidenceWeightedOptions`. Throws an OptionError that names the invalid option.
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
    super(resolveOptions("cw", CW_OPTIONS, options), options.memory);
  }

  protected step(m: number, v: number): number {
    return this.exactStep(m, v);
  }

  /** The step of the base class; then guards w and Sigma against underflow and overflow. */
  protected override take(y: number, decision: number): void {
    const { bits } = this.f32;
    const overflowed = this.counterAt(COUNT.overflowed);
    const before = bits[overflowed];
    super.take(y, decision);
    const isLost = bits[overflowed] !== before && this.largest() > MOST_WEIGHT;
    if (isLost || (this.isFaint() && !this.rescale())) this.renew();
  }

  /** True if no variance is above 2^-40. */
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
 * The first form of confidence-weighted learning, with the variance in place of the deviation.
 *
 *     p = 1 + 2 phi m;   alpha = max(0, (-p + sqrt(p^2 - 8 phi (m - phi v))) / (4 phi v))
 *     beta = 2 alpha phi / (1 + 2 alpha phi v)
 *
 * When to use it: To compare with its paper. `cw` is exact.
 *
 * It asks y w.x >= phi x' Sigma x, so q = 2 alpha phi.
 *
 * It has no option `sources`, see `ConfidenceWeighted`.
 *
 * @param options see `ConfidenceWeightedVarianceOptions`. Throws an OptionError that names the invalid option.
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
export class ConfidenceWeightedVariance extends BeliefLearner {
  private readonly phi: number;

  constructor(options: ConfidenceWeightedVarianceOptions) {
    const resolved = resolveOptions("cw-var", CW_OPTIONS, options);
    super(resolved, options.memory);
    this.phi = normalQuantile(resolved.confidence);
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

export const CONFIDENCE_WEIGHTED: readonly Family[] = frozen([
  {
    name: "cw",
    task: "classification",
    title: "Confidence-weighted, exact, linear",
    paper: "Crammer, Dredze, Pereira: Exact convex confidence-weighted learning. NIPS 21, 2008",
    options: CW_OPTIONS,
    traits: {
      searched: [{ option: "confidence", values: [0.6, 0.8, 0.95] }, SEARCHED.covariance, SEARCHED.bias],
    },
    layout: (options) => beliefLayout(resolveOptions("cw", CW_OPTIONS, options)),
    create: (options) => new ConfidenceWeighted(options as ConfidenceWeightedOptions),
  },
  {
    name: "cw-var",
    task: "classification",
    title: "Confidence-weighted, variance form, linear",
    paper: "Dredze, Crammer, Pereira: Confidence-weighted linear classification. ICML 2008",
    options: CW_OPTIONS,
    traits: {
      searched: [{ option: "confidence", values: [0.6, 0.8, 0.95] }, SEARCHED.covariance, SEARCHED.bias],
    },
    layout: (options) => beliefLayout(resolveOptions("cw-var", CW_OPTIONS, options)),
    create: (options) => new ConfidenceWeightedVariance(options as ConfidenceWeightedVarianceOptions),
  },
]);
