import { Dictionary } from "../dictionary/dictionary.ts";
import { leavingBy } from "../dictionary/eviction.ts";
import { FoundGaussian, findsWidth, Gaussian, type Kernel, makeKernel } from "../kernel/kernel.ts";
import { type Bound, type BoundArguments, boundArguments, CLASSES } from "../math/bound.ts";
import { DECISION, LEAVING } from "../math/primitives.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";
import { ownMethod } from "../memory/own-method.ts";
import { ERRORS } from "./aggressiveness.ts";
import { type DecisionRule, type ExpansionOptions, INFORMATION, SUM } from "./expansion-layout.ts";
import { type CorrectedTarget, makeCorrection } from "./label-noise.ts";
import { COUNT, Learner, TASK, type Task } from "./learner.ts";
import { LinearPart } from "./linear-part.ts";
import { WidthProbe } from "./width-probe.ts";

/** Width found from the inputs, in median distances. With `sources` it is smaller by NARROWER / dimension, as wrong labels narrow it too late. */
const HALF = 0.5;
const NARROWER = 0.25;

/**
 * When a label determines the width, a learner with long steps leaves LEFT_WAITING inputs waiting, and learns FEW_WAITING of them with each
 * later label.
 */
export const LEFT_WAITING = 4;
const FEW_WAITING = 3;
/** Shift of the next waiting input's place, beside the number of inputs held. */
const NEXT_WAITING = 16;
const WAITING_END = 0xffff;

/** Least k(c, x) at which c takes over a corrected step at x. */
const NEAR = 0.8;

/** f(x) = sum_i a_i k(c_i, x) over a dictionary of fixed capacity: the base of most kernel learners. */
export abstract class KernelExpansion extends Learner {
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
  /** True if it restarted while learning the first inputs. */
  private isAnew = false;
  /**
   * Word that says which inputs wait to be learned after the width is found: the next one, and how many have waited. Only a learner with
   * long steps has one. 0 for any other: it learns all of them with the label that determines the width.
   */
  protected waiting = 0;
  /** The input, as `predict` takes it. */
  private readonly x: Float32Array | undefined;
  /** Word of `ERRORS`; 0 where the user sets the aggressiveness, or labels are corrected. */
  protected readonly errorsAt: number = 0;
  /** Correction for wrong labels; undefined without the option `sources`. */
  protected readonly correction: CorrectedTarget | undefined;
  /** Word of the sum of D^2 over the labels learned, with that option. */
  private readonly information: number;
  /** The linear part of f, which a Gaussian expansion has with that option. */
  private readonly linear: LinearPart | undefined;
  /** How decisions follow from f(x), by a word of the state, and a factor of it: see `gaussianExpansion`. */
  private readonly rule: number;
  private readonly term: number;
  private readonly scale: number;
  private readonly set: number;
  /** The form of rows for the primitives, see `Dictionary`. */
  protected readonly rowForm: number;
  private readonly budget: number;
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
    this.information = this.correction ? layout.at(INFORMATION.name, range) : 0;
    if (options.aggressiveness === 0 && !this.correction) this.errorsAt = layout.at(ERRORS.name, range);
    this.gathers = findsWidth(options.kernel);
    if (this.gathers) {
      const classes = task === TASK.classification;
      const wary = this.correction !== undefined;
      const medians = wary ? HALF - NARROWER / options.dimension : (options.medians ?? HALF);
      this.probe = new WidthProbe(this.dictionary, layout, range, classes, medians, wary);
      this.x = this.f32.words.subarray(this.input, this.input + options.dimension);
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
    const { predict } = KernelExpansion.prototype;
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
    ownMethod(this, "learn", f32.bindExpansionStep?.(options) as KernelExpansion["learn"]);
  }

  /** The arguments of a bound call, completed by the family's own; `methods`: those of a family that predicts and learns otherwise. */
  protected boundTo(own: Bound, methods: KernelExpansion = KernelExpansion.prototype): BoundArguments {
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

  override isSound(): boolean {
    const { budget, dictionary, f32, probe, waiting } = this;
    const word = waiting > 0 ? f32.bits[waiting] : 0;
    const [next, end] = [word >>> NEXT_WAITING, word & WAITING_END];
    if (word > 0 && !(next < end && end + (end - next) <= budget)) return false;
    return dictionary.isSound && (probe === undefined || probe.isSound);
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
  private foundGamma(): number {
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

  /** Sets the words of the state that don't begin as 0. */
  protected begin(): void {}

  /** The first samples wait until they give the width, and are then learned in order. */
  protected override gather(y: number, decision: number): void {
    const probe = this.probe as WidthProbe;
    // Clipped inputs lie no farther apart than their ranges, so a burst of them would give a wrong width.
    if (this.dictionary.isOutside(this.input)) {
      this.increment(COUNT.declined);
      return;
    }
    if (probe.width > 0) {
      if (this.waiting > 0 && this.f32.bits[this.waiting] > 0) {
        this.joinWaiting(y);
        return;
      }
      if (!probe.isLost(this.input)) {
        if (probe.isTrial && this.comparesWidths) this.tryNarrower(y, decision);
        this.update(y, decision);
        if (probe.changes()) this.rescale();
        return;
      }
      this.reset(false);
    }
    const { waiting, source, confidence } = this;
    const held = probe.meet(this.input, y, source, confidence);
    if (held === 0) return;
    const isLong = waiting > 0 && held > LEFT_WAITING && held + LEFT_WAITING <= this.budget;
    this.learnWaiting(0, held, isLong ? held - LEFT_WAITING : held, y);
  }

  /** Queues the input behind those that wait, and learns a few of these. */
  private joinWaiting(y: number): void {
    const probe = this.probe as WidthProbe;
    const { waiting, source, confidence } = this;
    const word = this.f32.bits[waiting];
    const [next, end] = [word >>> NEXT_WAITING, word & WAITING_END];
    probe.holdAs(end, this.input, y, source, confidence);
    const most = next + FEW_WAITING;
    this.learnWaiting(next, end + 1, most < end + 1 ? most : end + 1, y);
  }

  /** Learns the inputs `from` to `to` of those up to `end`, in their order. `y` is the label of one that has no place for it. */
  private learnWaiting(from: number, end: number, to: number, y: number): void {
    const probe = this.probe as WidthProbe;
    const { waiting, source, confidence } = this;
    this.isAnew = false;
    // A learner that restarts meanwhile forgets the waiting inputs.
    for (let i = from; i < to && !this.isAnew; i++) {
      const isHeld = probe.hasLabel(i);
      this.source = isHeld ? probe.storedSource(i) : source;
      this.confidence = isHeld ? probe.storedConfidence(i) : confidence;
      const label = isHeld ? probe.storedLabel(i) : y;
      probe.read(i, this.input);
      probe.clear(i);
      this.learnHeld(label);
    }
    this.source = source;
    this.confidence = confidence;
    if (waiting > 0) this.f32.bits[waiting] = to < end && !this.isAnew ? (to << NEXT_WAITING) | end : 0;
  }

  /** Also decides with a narrower kernel, then decides again to restore the scratch. */
  private tryNarrower(y: number, decision: number): void {
    const probe = this.probe as WidthProbe;
    const x = this.x as Float32Array;
    probe.tryNarrower();
    const narrow = this.predict(x);
    probe.endTrial();
    const { correction } = this;
    if (!correction) probe.compare(y * decision > 0, y * narrow > 0);
    else if (correction.take(y, this.source, this.confidence))
      probe.compareCorrected(y * decision > 0, y * narrow > 0, correction.target);
    this.predict(x);
  }

  /** True if its decision with a narrower kernel shows how well it would do with that kernel. */
  protected get comparesWidths(): boolean {
    return true;
  }

  private learnHeld(y: number): void {
    const decision = this.predict(this.x as Float32Array);
    if (decision - decision === 0) this.update(y, decision);
    else this.increment(COUNT.overflowed);
  }

  /** Called after the width changed. Coefficients stay; a family whose state depends on the width otherwise overrides this. */
  protected rescale(): void {}

  /** Resets the state behind the grid, if there is one. The width and what follows it stay if `keepsWidth`. */
  protected reset(keepsWidth: boolean): void {
    const { range, layout, probe } = this;
    const { bits } = this.f32;
    const end = range.state + layout.state;
    this.isAnew = true;
    bits[this.counterAt(COUNT.evicted)] += this.size;
    if (probe && keepsWidth) {
      bits.fill(0, this.set, probe.at);
      bits.fill(0, probe.at + probe.words, end);
    } else {
      bits.fill(0, this.set, end);
    }
    this.begin();
  }

  /** f of the vector at word x, leaving k(c_i, x) in `row`. */
  protected valueAt(x: number): number {
    const { coefficients, size } = this.dictionary;
    this.kernel.row(this.row, this.set, x, size);
    return this.f32.dot(coefficients, this.row, size);
  }

  /**
   * With the option `sources`, takes a step for the label y in place of the family's own, by the likelihood of the received label (see
   * `CorrectedTarget`), on every label: f <- (1 - 0.003 s) f + s g k(x, .), with the step s = 0.2 D^2, longer for the first
   * labels. Where k is Gaussian, f has a linear part, too, which takes a share of each step, see `LinearPart`. At the full budget, where
   * a Gaussian k(c, x) of the nearest c is 0.8 or more, c takes over the step: k(c, x) k(c, .) replaces k(x, .). Otherwise steps of both
   * signs would fill the dictionary with vectors that cancel each other. Any other x is stored. Without the option it returns false.
   */
  protected correct(y: number, decision: number): boolean {
    return this.correction !== undefined && this.learnCorrected(y, decision, this.correction);
  }

  private learnCorrected(y: number, decision: number, correction: CorrectedTarget): boolean {
    if (!correction.take(y, this.source, this.confidence)) {
      this.increment(COUNT.passed);
      return true;
    }
    const { words, bits } = this.f32;
    const overflows = bits[this.outcomes];
    correction.hasten(words[this.information]);
    const a = correction.coefficient(decision, this.f32);
    this.stepCorrected(correction.keep, a);
    if (bits[this.outcomes] !== overflows) return true;
    if (this.linear?.step(correction.keep, a, this.gamma()) === false) this.increment(COUNT.overflowed);
    words[this.information] += correction.weight;
    return true;
  }

  /** f <- keep f + a k(x, .), the corrected step, as the family keeps its f. */
  protected stepCorrected(keep: number, a: number): void {
    if (!this.dictionary.full) this.stepTo(keep, a, 0);
    else if (!this.projectOntoNearest(keep, a)) this.insertCorrected(keep, a);
  }

  /**
   * f <- keep f + a k(x, .) at the full budget. Where vectors merge, the stored one of least |a_i| merges even if |a| is less: a corrected
   * step is smaller than stored coefficients, so a region without vectors would otherwise never be learned.
   */
  private insertCorrected(keep: number, a: number): void {
    const { dictionary, f32, leaving } = this;
    const { coefficients, rows } = dictionary;
    const least = dictionary.smallest();
    const stored = Math.fround(keep * dictionary.coefficient(least));
    if (leaving !== LEAVING.merge || a === 0 || !(Math.abs(a) < Math.abs(stored))) {
      this.stepTo(keep, a, 0);
      return;
    }
    f32.fetchRow(this.spare, rows, least, this.rowForm);
    this.stepTo(keep, a, 0, least);
    f32.mergeNearest(
      this.row,
      rows,
      coefficients,
      this.budget,
      this.rowForm,
      this.spare,
      stored,
      this.gamma(),
    );
  }

  /** f <- keep f + a k(c, x) k(c, .), with c the vector nearest to the input. Unless c is near, does nothing and returns false. Writes distances to `out`. */
  protected projectOntoNearest(keep: number, a: number, out = this.row): boolean {
    const { dictionary, f32 } = this;
    const gamma = this.givenGamma > 0 ? this.givenGamma : this.foundGamma();
    if (!(gamma > 0) || dictionary.size === 0) return false;
    const { coefficients } = dictionary;
    const { words } = f32;
    const nearest = dictionary.nearest(this.input, out);
    const k = f32.exp(-gamma * words[out + nearest]);
    if (k < NEAR) return false;
    const taken = Math.fround(keep * words[coefficients + nearest] + a * k);
    if (taken - taken !== 0) {
      this.increment(COUNT.overflowed);
      return true;
    }
    f32.scale(coefficients, keep, this.budget);
    words[coefficients + nearest] = taken;
    this.increment(COUNT.quantized);
    return true;
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
