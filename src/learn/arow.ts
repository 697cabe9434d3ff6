import { frozen } from "../memory/frozen.ts";
import { BeliefLearner, beliefLayout, beliefOptions } from "./belief.ts";
import type { Family } from "./family.ts";
import { type CorrectedTarget, makeCorrection, sources } from "./label-noise.ts";
import { COUNT } from "./learner.ts";
import type { ArowOptions } from "./learner-options.ts";
import { type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { SEARCHED } from "./traits.ts";

const AROW_OPTIONS = frozen({
  ...beliefOptions,
  noiseVariance: real(
    { default: 1, above: 0 },
    "r, variance of a margin's noise: the larger, the smaller the steps",
  ),
  forgetting: real(
    { default: 1, above: 0.5, max: 1 },
    "lambda, each label divides Sigma by it, as long as its trace is smaller than at the start; 1: no forgetting. With sources it divides by less, the more often labels are wrong, and the default is 0.997",
  ),
  initialVariance: real(
    { default: 1, above: 0 },
    "a, variance of each weight at the start, Sigma = a I. With sources the default is at most 10 / dimension",
  ),
  sources,
});

/** Default of lambda with `sources`: every corrected label shrinks Sigma; a hinge shrinks it only within the margin. */
const KEPT_WITH_SOURCES = 0.997;
/**
 * The most that the log-odds of a standardised sample vary before the first label, where labels are corrected. With more, each label of many
 * features is fitted whether it is right or wrong.
 */
const VARIANCE_WITH_SOURCES = 10;

/** The options, with the initial variance of weights that `sources` need. */
function resolveArow(options: ArowOptions): ResolvedOptions<typeof AROW_OPTIONS> {
  const all = resolveOptions("arow", AROW_OPTIONS, options);
  const most = VARIANCE_WITH_SOURCES / all.dimension;
  const isFree = all.sources.length > 0 && options.initialVariance === undefined;
  return isFree && most < all.initialVariance ? { ...all, initialVariance: most } : all;
}

/**
 * A belief over the weights. Each sample within the margin makes it surer, also one that was predicted right.
 *
 *     if m < 1: beta = 1 / (v + r);   alpha = (1 - m) beta   (Figure 1)
 *     w <- w + alpha y Sigma x;   Sigma <- Sigma - beta (Sigma x)(Sigma x)'
 *
 * When to use it: The first linear learner to try, with wrong labels above all. `forgetting` lets it follow what
 * changes; with `sources` it corrects for known rates of wrong labels.
 *
 * At each sample (w, Sigma) is the minimum of KL(N(w, Sigma) | N(w_t, Sigma_t)) + (max(0, 1 - y w.x)^2 + x' Sigma x) / (2r), so q = 1/r.
 *
 * With the option `sources` the likelihood of the received label replaces the hinge, on every label. f is then the log-odds of class +1. With slope g
 * and curvature h of `CorrectedTarget`:
 *
 *     w <- w + Sigma x g / (r + h v);   q = h/r
 *
 * That is a step of Newton's method for logistic regression, with Sigma^-1 the information so far. `forgetting` is then
 * 0.997 by default, and the weights begin with a variance of at most 10 / dimension.
 *
 * Sigma falls with every update, so w follows changes more and more slowly. With the option `forgetting`, lambda < 1, Sigma <- Sigma / lambda
 * after each label while Sigma's trace is below its first value. Then w depends on about the last 1 / (1 - lambda) labels. With the option
 * `sources`, a label that has D^2 of the information of a right one counts as D^2 labels: Sigma <- Sigma (1 + D^2 (1 / lambda - 1)). In
 * simulated drifts, a node with lambda = 0.9945 and the option `drift: "restart"` was within 0.015 of the best lambda
 * (`drift.full.test.ts`).
 *
 * @param options see `ArowOptions`. Throws an OptionError that names the invalid option.
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
export class Arow extends BeliefLearner {
  /** r. A caller that knows how sure each label is may set it before the label. */
  noiseVariance: number;
  /** Correction for wrong labels; undefined without the option `sources`. */
  private readonly correction: CorrectedTarget | undefined;
  /** 1 / lambda, and the trace of Sigma at which forgetting stops. */
  private readonly growth: number;
  private readonly mostTrace: number;

  constructor(options: ArowOptions) {
    const all = resolveArow(options);
    super(all, options.memory);
    this.noiseVariance = all.noiseVariance;
    this.correction = makeCorrection(all.sources);
    const forgets = this.correction && options.forgetting === undefined ? KEPT_WITH_SOURCES : all.forgetting;
    this.growth = 1 / forgets;
    this.mostTrace = all.initialVariance * this.width;
  }

  /** With `sources` a step on the likelihood of the received label; otherwise the step of the base class. */
  protected override take(y: number, decision: number): void {
    const { correction, growth } = this;
    if (!correction) {
      super.take(y, decision);
      this.forget(growth);
    } else if (correction.take(y, this.source, this.confidence)) {
      this.stepCorrected(correction, decision);
      this.forget(1 + correction.weight * (growth - 1));
    } else {
      this.increment(COUNT.passed);
    }
  }

  /** Sigma <- growth Sigma, while its trace is below that at the start. */
  private forget(growth: number): void {
    if (growth > 1 && this.trace() < this.mostTrace) this.grow(growth);
  }

  private trace(): number {
    let sum = 0;
    for (let j = 0; j < this.width; j++) sum += this.f32.words[this.varianceAt(j)];
    return sum;
  }

  private stepCorrected(correction: CorrectedTarget, decision: number): void {
    const v = this.variance();
    if (v <= 0) return;
    correction.likelihood(decision, this.f32.exp(decision > 0 ? -decision : decision));
    const { slope, curvature } = correction;
    const r = this.noiseVariance;
    this.revise(v < Infinity ? slope / (r + curvature * v) : Number.NaN, curvature / r, v);
  }

  protected step(m: number, v: number): number {
    return (1 - m) / (v + this.noiseVariance);
  }

  protected precision(): number {
    return 1 / this.noiseVariance;
  }
}

export const AROW: readonly Family[] = frozen([
  {
    name: "arow",
    task: "classification",
    title: "Adaptive regularization of weights, AROW, linear",
    paper: "Crammer, Kulesza, Dredze: Adaptive regularization of weight vectors. NIPS 22, 2009",
    options: AROW_OPTIONS,
    traits: {
      searched: [
        { option: "noiseVariance", values: [0.1, 1, 10, 100] },
        { option: "forgetting", values: [1, 0.995] },
        SEARCHED.covariance,
        SEARCHED.bias,
      ],
    },
    layout: (options) => beliefLayout(resolveOptions("arow", AROW_OPTIONS, options)),
    create: (options) => new Arow(options as ArowOptions),
  },
]);
