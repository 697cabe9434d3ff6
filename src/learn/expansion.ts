import { Dictionary, type Evict } from "../dictionary/dictionary.ts";
import { Gaussian, type Kernel, type KernelOption, makeKernel } from "../kernel/kernel.ts";
import { ceil4, LEAVING } from "../math/primitives.ts";
import { Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { COUNT, commonRegions, Learner, type Task } from "./learner.ts";
import { choice } from "./options.ts";

export const evict = choice<Evict>(
  ["oldest", "smallest", "refuse"],
  "oldest",
  "at the full budget: the oldest vector leaves, the one with the smallest coefficient, or the new one is declined",
);

/** What a kernel expansion is made from. */
export interface ExpansionOptions {
  readonly dimension: number;
  readonly budget: number;
  readonly kernel: KernelOption;
  /** Who leaves a full dictionary; "refuse" where the family has a rule of its own. */
  readonly evict?: Evict;
}

/** Layout of a kernel expansion: dictionary, the family's own regions, and the kernel row, which lies behind the input. */
export function expansionLayout(options: ExpansionOptions, own: readonly Region[] = []): Layout {
  return new Layout([
    ...Dictionary.regions(options.budget, options.dimension),
    ...own,
    ...commonRegions(options.dimension),
    { name: "row", kind: "scratch", words: ceil4(options.budget) },
    { name: "spare", kind: "scratch", words: options.dimension },
  ]);
}

/** f(x) = sum_i a_i k(c_i, x) over a dictionary of fixed capacity: what most kernel learners share. */
export abstract class KernelExpansion extends Learner {
  readonly dictionary: Dictionary;
  protected readonly kernel: Kernel;
  /** Word, that behind the input, of k(c_i, x), i < size, as `predict` left them: scratch. */
  protected readonly row: number;
  /** Word of `dimension` words of scratch. */
  protected readonly spare: number;
  /** gamma of a Gaussian kernel, of which f(x) takes one call; 0 for others. */
  protected readonly gamma: number;
  private readonly set: number;
  private readonly budget: number;
  private readonly leaving: number;
  /** Word of the counters that `stepExpansion` raises. */
  private readonly outcomes: number;

  constructor(task: Task, options: ExpansionOptions, layout: Layout, memory?: MemoryRange) {
    const range = memory ?? layout.ownRange();
    super(task, options.dimension, layout, range);
    this.dictionary = new Dictionary(layout, range, options.budget, options.dimension);
    this.kernel = makeKernel(this.f32, options.dimension, options.kernel);
    this.gamma = this.kernel instanceof Gaussian ? this.kernel.gamma : 0;
    this.set = this.dictionary.rows;
    this.budget = options.budget;
    this.leaving = LEAVING[options.evict ?? "refuse"];
    this.outcomes = this.counterAt(COUNT.overflowed);
    this.row = layout.at("row", range);
    this.spare = layout.at("spare", range);
  }

  get size(): number {
    return this.dictionary.size;
  }

  get capacity(): number {
    return this.dictionary.capacity;
  }

  // XS takes a destructuring of `this` for more than each property's look-up: none on the way of a prediction and a step.
  predict(x: ArrayLike<number>): number {
    if (this.gamma > 0) {
      return this.f32.gaussianExpansion(this.input, x, this.set, this.budget, this.dimension, this.gamma);
    }
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const value = this.valueAt(this.input);
    return value - value === 0 ? value : Number.NaN;
  }

  /** f of the vector at word x, leaving k(c_i, x) in `row`. */
  protected valueAt(x: number): number {
    const { coefficients, size } = this.dictionary;
    this.kernel.row(this.row, this.set, x, size);
    return this.f32.dot(coefficients, this.row, size);
  }

  /**
   * f <- keep f + a k(x, .), x the input, which is stored unless a = 0; then every vector with |coefficient| < threshold is
   * forgotten. At the full budget vector `leaving` goes, else who the option `evict` says. |keep| <= 1. Refuses
   * a coefficient that float32 can't hold, and counts what it did.
   */
  protected stepTo(keep: number, a: number, threshold: number, leaving = this.leaving): void {
    this.f32.stepExpansion(
      this.set,
      this.budget,
      this.dimension,
      keep,
      this.input,
      a,
      leaving,
      threshold,
      this.outcomes,
    );
  }
}
