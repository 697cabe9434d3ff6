import { findsWidth, gaussianGamma } from "../kernel/kernel.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { aggressiveness, ERRORS, errorRegions } from "./aggressiveness.ts";
import { classes, isLabel, largestScore, problems } from "./classes.ts";
import type { Family } from "./family.ts";
import {
  drawFrequencies,
  fourierFeatures,
  frequencyBudget,
  frequencySeed,
  nameFourierFeature,
} from "./fourier-features.ts";
import { type CorrectedTarget, makeCorrection, refuseRates, sources } from "./label-noise.ts";
import { COUNT, commonRegions, Learner } from "./learner.ts";
import type { FogdOptions } from "./learner-options.ts";
import { dimension, kernel, type ResolvedOptions, resolveOptions } from "./options.ts";
import { type DecisionTerms, featureTerms } from "./terms.ts";
import { WidthProbe } from "./width-probe.ts";
import { distanceWords } from "./width-search.ts";

const FOGD_OPTIONS = frozen({
  dimension,
  budget: frequencyBudget,
  kernel,
  eta: aggressiveness("eta, step size; z has length sqrt(D)", "D"),
  seed: frequencySeed,
  classes,
  sources,
});

/** A found width, in median distances between inputs. */
const MEDIANS = 0.5;
/** gamma of frequencies of variance 1. */
const UNIT = 0.5;

function resolveFogd(options: object): ResolvedOptions<typeof FOGD_OPTIONS> {
  const resolved = resolveOptions("fogd", FOGD_OPTIONS, options);
  if (resolved.kernel.type !== "gaussian") {
    throw new OptionError("fogd", "kernel", resolved.kernel, "a Gaussian, whose frequencies can be drawn");
  }
  if (resolved.classes > 2) refuseRates("fogd", resolved.sources);
  return resolved;
}

function fogdLayout(resolved: ResolvedOptions<typeof FOGD_OPTIONS>): Layout {
  const { dimension, budget, kernel, classes, eta, sources } = resolved;
  const K = problems(classes);
  const finds = findsWidth(kernel);
  return new Layout([
    { name: "frequencies", kind: "state", words: ceil4(budget) * dimension },
    { name: "w", kind: "state", words: K * 2 * budget },
    ...(sources.length ? [] : errorRegions(eta)),
    ...(finds ? WidthProbe.regions(dimension) : []),
    ...commonRegions(dimension),
    { name: "scores", kind: "scratch", words: K },
    { name: "z", kind: "scratch", words: ceil4(2 * budget) },
    ...(finds
      ? ([
          { name: "row", kind: "scratch", words: ceil4(budget) },
          { name: "distances", kind: "scratch", words: distanceWords() },
          { name: "spare", kind: "scratch", words: dimension },
        ] as const)
      : []),
  ]);
}

/**
 * Random Fourier features stand in for the kernel. A linear rule learns on them; no sample is stored.
 *
 *     z(x) = [cos(u_1.x), sin(u_1.x), ..., cos(u_D.x), sin(u_D.x)]
 *     if y w.z(x) < 1: w <- w + eta y z(x)   (7)
 *
 * When to use it: Learning must take the same time at every sample, and nothing of the readings may be stored: give it a kernel
 * then, as the search for a width keeps up to 16 of them, and one for good. Several classes share the features.
 *
 * For the kernel exp(-gamma |u-v|^2) the frequencies u_i, i = 1..D, are drawn once from the normal distribution of variance 2 gamma, so that
 * z(u).z(v) / D is about the kernel.
 *
 * Unless the option `kernel` sets a width, the first inputs determine sigma, see `WidthProbe`. Until then they lie with their labels where the
 * first frequencies and w will, and a prediction is the nearest one's label; these labels aren't learned, but for the last. The
 * frequencies are then of variance 1, and x / sigma is in x's place. Where sigma changes later, w stays.
 *
 * There is no offset, as in the paper: as with the kernel that the features stand for, f near the samples is
 * free to be any constant.
 *
 * A feature is 0 if its phase exceeds float32's resolution, |u_i.x| > 8192. So f is 0 far from all samples, like an expansion of
 * Gaussians.
 *
 * With three classes or more there is a w_c for each, which learns +1 for class c and -1 for the others, all on one z(x):
 * predict gives argmax_c w_c.z(x), the lowest on ties, and region `scores` holds w_c.z(x). That is one-vs-all that
 * stores the frequencies, and computes the features, once. An update is all or nothing for each class alone.
 *
 * With the option `sources`, for two classes, the likelihood of the received label replaces this step, see `correct` of `KernelExpansion`, with
 * z(x) / D for k(x, .), and 0.2 D^2 for every step.
 *
 * @param options see `FogdOptions`. Throws an OptionError that names the invalid option.
 * @see Wang, Hoi, Zhao, Zhuang, Liu: Large scale online kernel classification. IJCAI 2013
 * @example
 * ```ts
 * import { Fogd } from "motelearn";
 *
 * const learner = new Fogd({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Fogd extends Learner {
  private readonly options: ResolvedOptions<typeof FOGD_OPTIONS>;
  private readonly frequencies = this.layout.at("frequencies", this.range);
  private readonly w = this.layout.at("w", this.range);
  private readonly scores = this.layout.at("scores", this.range);
  /** Word of z of the input: scratch. */
  private readonly z = this.layout.at("z", this.range);
  private eta: number;
  /** Word of `ERRORS`; 0 where eta is given, or labels are corrected. */
  private readonly errorsAt: number = 0;
  /** Vectors w: one, or one a class. */
  private readonly vectors: number;
  /** Correction for wrong labels; undefined without the option `sources`. */
  private readonly correction: CorrectedTarget | undefined;
  /** Finds the width; undefined where it is given. */
  readonly probe: WidthProbe | undefined;
  /** Word of x / sigma: scratch. */
  private scaled = 0;

  constructor(options: FogdOptions) {
    const resolved = resolveFogd(options);
    const layout = fogdLayout(resolved);
    const task = resolved.classes > 2 ? "multiclass" : "classification";
    super(task, resolved.dimension, layout, options.memory ?? layout.ownRange());
    this.options = resolved;
    this.eta = resolved.eta;
    this.vectors = problems(resolved.classes);
    this.correction = makeCorrection(resolved.sources);
    if (resolved.eta === 0 && !this.correction) this.errorsAt = layout.at(ERRORS.name, this.range);
    this.gathers = findsWidth(resolved.kernel);
    if (this.gathers) this.probe = this.makeProbe(resolved);
    else this.draw(gaussianGamma(resolved.kernel as { p?: number }), 0, resolved.budget);
  }

  /** Until there is a width, inputs wait in place of the first frequencies, and their labels in w. */
  private makeProbe({ budget, dimension, sources }: ResolvedOptions<typeof FOGD_OPTIONS>): WidthProbe {
    const { frequencies, w, layout, range } = this;
    const distances = layout.at("distances", range);
    const rows = { rows: frequencies, coefficients: w, births: w + budget, distances };
    const waiting = { capacity: budget, form: dimension, ...rows };
    const probe = new WidthProbe(waiting, layout, range, true, MEDIANS, sources.length > 0);
    this.scaled = layout.at("spare", range);
    this.draw(UNIT, ceil4(probe.inputs), budget);
    return probe;
  }

  get size(): number {
    return 0;
  }

  get capacity(): number {
    return 0;
  }

  /** sigma where it is found from the first inputs, 0 until it is; undefined where it is given. */
  get width(): number | undefined {
    return this.probe?.width;
  }

  override isSound(): boolean {
    const { probe } = this;
    return probe === undefined || probe.isSound;
  }

  /** Draws the frequencies from the one place to the other. */
  private draw(gamma: number, from: number, to: number): void {
    const { f32, frequencies, dimension, options } = this;
    drawFrequencies(f32, frequencies, dimension, options.seed, Math.sqrt(2 * gamma), from, to);
  }

  protected override takesLabel(y: number): boolean {
    return isLabel(y, this.vectors);
  }

  predict(x: ArrayLike<number>): number {
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const { probe } = this;
    return probe && probe.width === 0 ? probe.guess(this.input) : this.decide();
  }

  /** The decision about the input. */
  private decide(): number {
    const { f32, scores, z, vectors } = this;
    const { budget } = this.options;
    fourierFeatures(f32, z, this.frequencies, this.scaledInput(), budget, this.dimension);
    for (let c = 0; c < vectors; c++) {
      f32.words[scores + c] = f32.dot(this.w + 2 * budget * c, z, 2 * budget);
    }
    const f = f32.words[scores];
    if (vectors === 1) return f - f === 0 ? f : Number.NaN;
    return f32.finite(scores, vectors) ? largestScore(f32.words, scores, vectors) : Number.NaN;
  }

  /** Word of x: divided by sigma where that is found. */
  private scaledInput(): number {
    const { f32, input, dimension, scaled, probe } = this;
    if (!probe) return input;
    f32.copy(scaled, input, dimension);
    f32.scale(scaled, 1 / probe.width, dimension);
    return scaled;
  }

  /** The first inputs wait until they give the width. Then frequencies take their place, and the learner begins with the input at hand. */
  protected override gather(y: number, decision: number): void {
    const probe = this.probe as WidthProbe;
    const { bits } = this.f32;
    const { budget } = this.options;
    const waiting = ceil4(probe.inputs);
    if (probe.width > 0) {
      if (!probe.isLost(this.input)) {
        this.update(y, decision);
        probe.changes();
        return;
      }
      bits.fill(0, this.frequencies, this.frequencies + waiting * this.dimension);
      bits.fill(0, this.w, this.range.state + this.layout.state);
    }
    if (probe.meet(this.input, y, this.source, this.confidence) === 0) return;
    bits.fill(0, this.frequencies, this.frequencies + waiting * this.dimension);
    bits.fill(0, this.w, this.w + 2 * budget);
    this.draw(UNIT, 0, waiting < budget ? waiting : budget);
    this.update(y, this.decide());
  }

  protected update(y: number, decision: number): void {
    const { vectors, correction, errorsAt, f32 } = this;
    if (errorsAt) this.eta = f32.aggressiveness(errorsAt, y, decision, vectors) / this.options.budget;
    if (correction) this.correct(correction, y);
    else if (vectors === 1) this.step(0, y);
    else for (let c = 0; c < vectors; c++) this.step(c, c === y ? 1 : -1);
  }

  /**
   * As `correct` of `KernelExpansion`, with z(x) / D for k(x, .): f <- keep f + a k(x, .). There is no linear part: each feature reaches over
   * all inputs, as a weight does.
   */
  private correct(correction: CorrectedTarget, y: number): void {
    const { f32, scores, w, z } = this;
    const { budget } = this.options;
    if (!correction.take(y, this.source, this.confidence)) {
      this.increment(COUNT.passed);
      return;
    }
    const { keep } = correction;
    const a = correction.coefficient(f32.words[scores], f32);
    if (f32.addScaled(w, a / (keep * budget), z, 2 * budget)) f32.scale(w, keep, 2 * budget);
    else this.increment(COUNT.overflowed);
  }

  /** The update of w_c by its own label, -1 or +1. */
  private step(c: number, label: number): void {
    const { f32, scores, z, eta } = this;
    const { budget } = this.options;
    if (label * f32.words[scores + c] >= 1) return;
    if (!f32.addScaled(this.w + 2 * budget * c, eta * label, z, 2 * budget)) this.increment(COUNT.overflowed);
  }
}

const FOURIER_TERMS: DecisionTerms = frozen({
  weights: ["w"],
  terms: (learner, c) => [featureTerms(learner, nameFourierFeature, c)],
  waiting: { inputs: "frequencies", labels: "w" },
});

export const FOGD: readonly Family[] = frozen([
  {
    name: "fogd",
    task: "classification",
    title: "Fourier online gradient descent",
    paper: "Wang, Hoi, Zhao, Zhuang, Liu: Large scale online kernel classification. IJCAI 2013",
    options: FOGD_OPTIONS,
    manyClasses: true,
    traits: {
      searched: [{ option: "eta", values: [0, 0.002, 0.02] }],
      decision: FOURIER_TERMS,
      costs: { findsByBudget: true },
    },
    layout: (options) => fogdLayout(resolveFogd(options)),
    create: (options) => new Fogd(options as FogdOptions),
  },
]);
