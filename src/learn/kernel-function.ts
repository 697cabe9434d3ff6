import { Dictionary } from "../dictionary/dictionary.ts";
import { leavingBy } from "../dictionary/eviction.ts";
import { FoundGaussian, findsWidth, Gaussian, type Kernel, makeKernel } from "../kernel/kernel.ts";
import { type Bound, type BoundArguments, boundArguments, CLASSES } from "../math/bound.ts";
import { DECISION } from "../math/primitives.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";
import { ownMethod } from "../memory/own-method.ts";
import { ERRORS } from "./aggressiveness.ts";
import { type DecisionRule, type ExpansionOptions, SUM } from "./expansion-layout.ts";
import { type CorrectedTarget, makeCorrection } from "./label-noise.ts";
import { COUNT, Learner, TASK, type Task } from "./learner.ts";
import { LinearPart } from "./linear-part.ts";
import { WidthProbe } from "./width-probe.ts";

/** Width found from the inputs, in median distances. With `sources` it is smaller by NARROWER / dimension, as wrong labels narrow it too late. */
const HALF = 0.5;
const NARROWER = 0.25;

/** f(x) = sum_i a_i k(c_i, x) over a dictionary of fixed capacity, its decisions and its steps. */
export abstract class KernelFunction extends Learner {
  /** The vectors of f, with their coefficients. */
  readonly dictionary: Dictionary;
  protected readonly kernel: Kernel;
  /** Word of k(c_i, x), i < size, behind the input, as `predict` left them: scratch. */
  protected readonly row: number;
  /** Word of `dimension` words of scratch. */
  protected readonly spare: number;
  /** gamma of a Gaussian kernel with a configured width: f(x) is one call then. 0 for other kernels. */
  protected readonly givenGamma: number;
  /** Finds the kernel's width; undefined where it is given. */
  readonly probe: WidthProbe | undefined;
  /** Word of `ERRORS`; 0 where the user sets the aggressiveness, or labels are corrected. */
  protected readonly errorsAt: number = 0;
  /** Correction for wrong labels; undefined without the option `sources`. */
  protected readonly correction: CorrectedTarget | undefined;
  /** The linear part of f, which a Gaussian expansion has with that option. */
  protected readonly linear: LinearPart | undefined;
  /** How decisions follow from f(x), by a word of the state, and a factor of it: see `gaussianExpansion`. */
  private readonly rule: number;
  private readonly term: number;
  private readonly scale: number;
  protected readonly set: number;
  /** The form of rows for the primitives, see `Dictionary`. */
  protected readonly rowForm: number;
  protected readonly budget: number;
  /** Which vector leaves the full dictionary: one of `LEAVING`. */
  protected readonly leaving: number;
  /** Word of the counters that `stepExpansion` raises. */
  protected readonly outcomes: number;

  constructor(
    task: Task,
    options: ExpansionOptions,
    layout: Layout,
    memory?: MemoryRange,
    decision: DecisionRule = SUM,
  ) {
    const range = memory ?? layout.ownRange();
    super(task, options.dimension, layout, range);
    this.rule = decision.rule;
    this.term = layout.at(decision.region, range);
    this.scale = decision.scale ?? 1;
    const { dimension, storage, ranges } = options;
    this.dictionary = new Dictionary(layout, range, options.budget, { dimension, storage, ranges });
    this.rowForm = this.dictionary.form;
    this.correction = makeCorrection(options.sources ?? []);
    if (options.aggressiveness === 0 && !this.correction) this.errorsAt = layout.at(ERRORS.name, range);
    this.gathers = findsWidth(options.kernel);
    if (this.gathers) {
      const classes = task === TASK.classification;
      const wary = this.correction !== undefined;
      const medians = wary ? HALF - NARROWER / options.dimension : (options.medians ?? HALF);
      this.probe = new WidthProbe(this.dictionary, layout, range, classes, medians, wary);
      this.kernel = new FoundGaussian(this.f32, this.rowForm, this.probe.at);
    } else {
      this.kernel = makeKernel(this.f32, this.rowForm, options.kernel);
    }
    this.givenGamma = this.kernel instanceof Gaussian ? this.kernel.gamma : 0;
    this.set = this.dictionary.rows;
    this.budget = options.budget;
    this.leaving = leavingBy(options.evict ?? "refuse", options.kernel.type === "gaussian");
    this.outcomes = this.counterAt(COUNT.overflowed);
    this.row = layout.at("row", range);
    this.spare = layout.at("spare", range);
    this.bindPrediction();
    if (this.correction && (this.givenGamma > 0 || this.probe)) this.linear = this.withLinearPart();
  }

  /** Adds the linear part to the family's prediction. */
  private withLinearPart(): LinearPart {
    const { predict, layout, range, input, dimension } = this;
    const linear = new LinearPart(layout, range, input, dimension);
    ownMethod(this, "predict", (x) => linear.addedTo(predict.call(this, x)));
    return linear;
  }

  /** Where the engine binds primitives, one call predicts, unless a family does more. */
  private bindPrediction(): void {
    const { f32, givenGamma, probe } = this;
    const { predict } = KernelFunction.prototype;
    if (!f32.bindExpansion || !(givenGamma > 0 || probe) || this.predict !== predict) return;
    ownMethod(this, "predict", f32.bindExpansion(this.boundTo({})));
  }

  /** Where the engine binds calls, one call does `learn` and the family's `update`, with the family's own numbers. */
  protected bindStep(own: Bound): void {
    const { f32, correction, probe } = this;
    if (!f32.bindExpansion || correction || !(this.givenGamma > 0 || probe)) return;
    const classes = this.task === TASK.classification ? CLASSES : 0;
    const options = this.boundTo({ ...own, flags: (own.flags ?? 0) + classes });
    ownMethod(this, "predict", f32.bindExpansion(options));
    ownMethod(this, "learn", f32.bindExpansionStep?.(options) as Learner["learn"]);
  }

  /** The arguments of a bound call, completed by the family's own; `methods`: those of a family that predicts and learns otherwise. */
  protected boundTo(own: Bound, methods: Learner = KernelFunction.prototype): BoundArguments {
    const { f32, givenGamma: gamma, input: x, set, budget: capacity, rowForm: d, rule, term } = this;
    const { scale, leaving, outcomes: counts, errorsAt: errors } = this;
    const width = this.probe?.at ?? 0;
    const options = { gamma, scale, x, set, capacity, d, rule, term, leaving, counts, width, errors, ...own };
    const { predict: otherwise, learn: otherwiseLearn } = methods;
    return boundArguments(f32, options, this.probe && { otherwise, otherwiseLearn });
  }

  get size(): number {
    return this.dictionary.size;
  }

  get capacity(): number {
    return this.dictionary.capacity;
  }

  // XS takes a destructuring of `this` for more than each property's look-up: none on the way of a prediction and a step.
  predict(x: ArrayLike<number>): number {
    const gamma = this.givenGamma > 0 ? this.givenGamma : this.foundGamma();
    if (gamma > 0) {
      return this.f32.gaussianExpansion(
        this.input,
        x,
        this.set,
        this.budget,
        this.rowForm,
        gamma,
        this.rule,
        this.term,
        this.scale,
      );
    }
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const value = this.probe ? this.guess() : this.valueAt(this.input);
    // Until a width is found, every input counts as normal.
    if (this.probe && this.rule === DECISION.level) return value;
    return value - value === 0 ? this.decide(value) : Number.NaN;
  }

  /** The decision that follows from f(x) = sum, as `gaussianExpansion` draws it. */
  protected decide(sum: number): number {
    const { rule, term, scale } = this;
    const { words, bits } = this.f32;
    if (rule === DECISION.plus) return sum + words[term];
    if (rule === DECISION.minus) return sum - words[term];
    if (rule === DECISION.level) return sum - 1 - words[term];
    const t = bits[term];
    if (rule === DECISION.sum || t === 0) return sum;
    return sum / (scale * (rule === DECISION.root ? Math.sqrt(t) : t));
  }

  /** sigma of a kernel whose width is found from the first inputs, 0 until it is; undefined for any other kernel. */
  get width(): number | undefined {
    return this.probe?.width;
  }

  /** The same in median distances between inputs. */
  get medians(): number | undefined {
    return this.probe?.share;
  }

  /** Unit of distances: the width, if it is found from the first inputs. */
  protected get unit(): number {
    return this.probe ? this.probe.width : 1;
  }

  /** gamma of a Gaussian kernel, configured or found; 0 for other kernels, and until it is found. */
  protected gamma(): number {
    return this.givenGamma > 0 ? this.givenGamma : this.foundGamma();
  }

  /** gamma of a found width; 0 until there is one. */
  protected foundGamma(): number {
    const { probe } = this;
    if (probe === undefined) return 0;
    const sigma = probe.width;
    return sigma > 0 ? 1 / (2 * sigma * sigma) : 0;
  }

  /**
   * The decision before there is a width: the label of the nearest held input; for novelty detection,
   * unknown.
   */
  protected guess(): number {
    return this.task === TASK.novelty ? 0 : (this.probe as WidthProbe).guess(this.input);
  }

  /** f of the vector at word x, leaving k(c_i, x) in `row`. */
  protected valueAt(x: number): number {
    const { coefficients, size } = this.dictionary;
    this.kernel.row(this.row, this.set, x, size);
    return this.f32.dot(coefficients, this.row, size);
  }

  /**
   * f <- keep f + a k(x, .), x the input, which is stored unless a = 0; then every vector with |coefficient|
   * < threshold is forgotten. At the full budget vector `leaving` goes, else the one that option `evict`
   * selects. |keep| <= 1. Refuses a coefficient that float32 can't hold, and counts what it did. Where
   * vectors merge, it is the one with the least |a_i| of stored and new:
   *
   *     a_i k(c_i, .) + a_j k(c_j, .) -> a_z k(z, .),   z = h c_i + (1-h) c_j,   h = argmax over [0, 1] of |a_z|
   *     a_z = a_i k(c_i, z) + a_j k(c_j, z)
   *
   * c_j, the nearest of its sign, keeps its row and birth. The vector is lost if none has its sign, or if the nearest is so far that k
   * rounds to 0. Either way it counts as evicted.
   */
  protected stepTo(keep: number, a: number, threshold: number, leaving = this.leaving): void {
    const gamma = this.givenGamma > 0 ? this.givenGamma : this.foundGamma();
    this.f32.stepExpansion(
      this.set,
      this.budget,
      this.rowForm,
      keep,
      this.input,
      a,
      leaving,
      threshold,
      this.outcomes,
      gamma,
    );
  }

  /**
   * Merges `spare`, with that coefficient, into the nearest of its sign. Returns the row; `spare` is that
   * vector as it was then, and word `row` its coefficient. -1 if it is lost.
   */
  protected mergeNearest(odd: number): number {
    const dictionary = this.dictionary;
    const n = dictionary.size;
    const rows = dictionary.rows;
    const spare = this.spare;
    const gamma = this.givenGamma > 0 ? this.givenGamma : this.foundGamma();
    return this.f32.mergeNearest(this.row, rows, dictionary.coefficients, n, this.rowForm, spare, odd, gamma);
  }
}
