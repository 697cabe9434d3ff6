import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { COUNT, type Counter, commonRegions, Learner, TASK, type Task } from "./learner.ts";
import { dimension, type OptionTable, type ResolvedOptions, resolveOptions } from "./options.ts";
import { OutlierLimit, outlierLimit } from "./outlier-limit.ts";
import type { Traits } from "./traits.ts";

/** A learner's options with defaults filled in, and `dimension`, which every learner has. */
export type DefinedOptions<T extends OptionTable> = ResolvedOptions<T> & {
  /** Components of an input. */
  readonly dimension: number;
};

/** Regions by name, each with its length in 32-bit words. */
export type RegionWords<R extends string> = { readonly [region in R]: number };

/** The context of a defined learner's functions. Everything lies in the memory of `f32`, by words. */
export interface Workspace<O, R extends string> {
  /** The primitives, over the learner's memory; `f32.words` has its words. */
  readonly f32: Primitives;
  /** The options, checked, with their defaults. */
  readonly options: O;
  /** Word of the input: `dimension` finite float32 numbers. */
  readonly input: number;
  /** Word at which each region begins. */
  readonly at: { readonly [region in R]: number };
  /** Counts the outcome of a sample for a learner that stores vectors: `inserted`, `evicted`, ... */
  tally(counter: Counter): void;
}

/** A learner as one record, which `defineLearner` turns into a family. */
export interface LearnerDefinition<T extends OptionTable, S extends string, C extends string> {
  /** The paper's name in lower case, words joined by hyphens: `adaline`. */
  readonly name: string;
  /** A classifier takes several classes one-vs-all. A learner that takes them by itself must be written as a class. */
  readonly task: Exclude<Task, "multiclass">;
  /** Its name for people, a few words. */
  readonly title: string;
  /** Where it was published. */
  readonly paper: string;
  /** Facts for tools beside its options; default: none. */
  readonly traits?: Traits;
  /** Its options besides `dimension`. */
  readonly options: T;
  /** Words of each region that is hashed and saved. They begin as zeros. */
  state(options: DefinedOptions<T>): RegionWords<S>;
  /** Words of each region that is neither hashed nor saved; no result may depend on its earlier content. Default: none. */
  scratch?(options: DefinedOptions<T>): RegionWords<C>;
  /**
   * True if |x|, and |y| of a regression, are clipped to ordinary values before `update`, see `OutlierLimit`. Set it for a learner whose
   * step grows with them, as one glitch would otherwise ruin it for good. It adds the option `outlierLimit`.
   */
  readonly bounded?: boolean;
  /** The values that a region's words of state hold where not all are finite numbers, see `Region.holds`. A state from outside with others is refused. */
  holds?(options: DefinedOptions<T>): { readonly [region in NoInfer<S>]?: readonly number[] };
  /** Writes the initial state where it isn't zero. */
  start?(work: Workspace<DefinedOptions<T>, NoInfer<S | C>>): void;
  /** Returns the decision value, estimate or novelty score for the input; NaN refuses it. It writes to scratch only. */
  predict(work: Workspace<DefinedOptions<T>, NoInfer<S | C>>): number;
  /**
   * Learns the label y of the input; `decision` is the result of the `predict` just before. Returns false, and leaves the state as it was,
   * if float32 can't hold the result; that counts as `overflowed`.
   */
  update(work: Workspace<DefinedOptions<T>, NoInfer<S | C>>, y: number, decision: number): boolean;
  /** The largest number of stored vectors. Default: the learner stores none. */
  capacity?(options: DefinedOptions<T>): number;
  /** Vectors stored now: inserted less dropped and evicted. */
  size?(work: Workspace<DefinedOptions<T>, NoInfer<S | C>>): number;
}

function makeRegions(
  kind: Region["kind"],
  words: RegionWords<string>,
  holds: { readonly [region in string]?: readonly number[] } = {},
): Region[] {
  return Object.entries(words).map(([name, length]) => ({ name, kind, words: length, holds: holds[name] }));
}

/** Regions of the limits: for inputs, then for a regression's labels; empty for an unbounded learner. */
function outlierRegions({ bounded, task }: { readonly bounded?: boolean; readonly task: Task }): Region[] {
  if (!bounded) return [];
  const inputs = OutlierLimit.region("inputOutliers");
  return task === TASK.regression ? [inputs, OutlierLimit.region("labelOutliers")] : [inputs];
}

/** The option that a bounded learner has in addition. */
function readBound(options: object): number {
  return (options as { readonly outlierLimit?: number }).outlierLimit ?? 1;
}

/** A learner that runs the functions of a definition. */
class DefinedLearner<T extends OptionTable, S extends string, C extends string> extends Learner {
  private readonly work: Workspace<DefinedOptions<T>, S | C>;
  private readonly inputLimit: OutlierLimit | undefined;
  private readonly labelLimit: OutlierLimit | undefined;

  constructor(
    private readonly definition: LearnerDefinition<T, S, C>,
    options: DefinedOptions<T>,
    layout: Layout,
    memory?: MemoryRange,
  ) {
    super(definition.task, options.dimension, layout, memory ?? layout.ownRange());
    const { f32, input, range } = this;
    const words = layout.regions.map(({ name, kind, offset }) => [name, range[kind] + offset] as const);
    const at = Object.freeze(Object.fromEntries(words)) as RegionWords<S | C>;
    const tally = (counter: Counter) => this.increment(COUNT[counter]);
    this.work = Object.freeze({ f32, options, input, at, tally });
    const makeLimit = ({ name }: Region) => new OutlierLimit(f32, readBound(options), layout, range, name);
    const [inputs, labels] = outlierRegions(definition);
    this.inputLimit = inputs && makeLimit(inputs);
    this.labelLimit = labels && makeLimit(labels);
    definition.start?.(this.work);
  }

  get size(): number {
    return this.definition.size?.(this.work) ?? 0;
  }

  get capacity(): number {
    return this.definition.capacity?.(this.work.options) ?? 0;
  }

  predict(x: ArrayLike<number>): number {
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const value = this.definition.predict(this.work);
    return value - value === 0 ? value : Number.NaN;
  }

  protected update(y: number, decision: number): void {
    const whole = this.clipInput();
    const label = this.labelLimit ? this.labelLimit.clipLabel(Math.fround(y)) : y;
    const f = this.startsAnew() || !whole ? this.definition.predict(this.work) : decision;
    if (!this.definition.update(this.work, label, f)) this.increment(COUNT.overflowed);
  }

  protected override outgrow(y: number): void {
    this.clipInput();
    this.labelLimit?.clipLabel(Math.fround(y));
    this.startsAnew();
  }

  private clipInput(): boolean {
    return this.inputLimit ? this.inputLimit.clipVector(this.input, this.dimension) : true;
  }

  private startsAnew(): boolean {
    const { inputLimit } = this;
    if (!inputLimit || !(inputLimit.outgrown || this.labelLimit?.outgrown)) return false;
    for (let left = this.size; left > 0; left--) this.increment(COUNT.evicted);
    inputLimit.clear();
    this.definition.start?.(this.work);
    return true;
  }
}

/**
 * Makes a family from one record: a learner's options, its regions, and its functions. The functions never get a refused
 * sample (a wrong length, a number that isn't finite, a y that is no label of the task).
 * The alternative is a class that extends `Learner`, `KernelExpansion` or `LinearClassifier`, listed as a `Family`: it may
 * take several classes by itself, and store vectors in a `Dictionary`.
 *
 * @param definition see `LearnerDefinition`.
 * @returns a family like the shipped ones: it lists, plans, makes and checks the learner.
 *
 * @example
 * ```ts
 * import { defineLearner, real } from "motelearn";
 *
 * const lms = defineLearner({
 *   name: "lms",
 *   task: "regression",
 *   title: "Least mean squares",
 *   paper: "Widrow, Hoff: Adaptive switching circuits. IRE WESCON Convention Record 4, 1960",
 *   options: { eta: real({ default: 0.5, above: 0 }, "eta, step size") },
 *   state: ({ dimension }) => ({ w: dimension }),
 *   predict: ({ f32, at, input, options }) => f32.dot(at.w, input, options.dimension),
 *   update: ({ f32, at, input, options }, y, decision) =>
 *     f32.addScaled(at.w, options.eta * (y - decision), input, options.dimension),
 * });
 * const learner = lms.create({ dimension: 2 });
 * console.log(learner.learn([1, 0], 1), learner.predict([1, 0]), learner.layout.bytes);
 * // 0 0.5 56
 * ```
 */
export function defineLearner<const T extends OptionTable, S extends string, C extends string = never>(
  definition: LearnerDefinition<T, S, C>,
): Family {
  const { name, task, title, paper } = definition;
  const limit = { outlierLimit: outlierLimit("lengths |x| or labels |y|") };
  const options = { dimension, ...definition.options, ...(definition.bounded && limit) };
  const resolve = (given: { readonly [option: string]: unknown }) =>
    resolveOptions(name, options, given) as unknown as DefinedOptions<T>;
  const makeLayout = (of: DefinedOptions<T>) =>
    new Layout([
      ...makeRegions("state", definition.state(of), definition.holds?.(of)),
      ...outlierRegions(definition),
      ...makeRegions("scratch", definition.scratch?.(of) ?? {}),
      ...commonRegions(of.dimension),
    ]);
  return frozen({
    name,
    task,
    title,
    paper,
    options,
    traits: definition.traits,
    layout: (given) => makeLayout(resolve(given)),
    create(options) {
      const of = resolve(options);
      return new DefinedLearner(definition, of, makeLayout(of), options.memory);
    },
  } satisfies Family);
}
