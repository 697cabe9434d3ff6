import { Dictionary, type Evict } from "../dictionary/dictionary.ts";
import { type Kernel, type KernelOption, makeKernel } from "../kernel/kernel.ts";
import { ceil4 } from "../math/primitives.ts";
import { Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { commonRegions, Learner, type Task } from "./learner.ts";
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
}

/** Layout of a kernel expansion: dictionary, kernel row, and the family's own regions. */
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
  /** Word of k(c_i, x), i < size, as `decide` left them: scratch. */
  protected readonly row: number;
  /** Word of `dimension` words of scratch. */
  protected readonly spare: number;

  constructor(task: Task, options: ExpansionOptions, layout: Layout, memory?: MemoryRange) {
    const range = memory ?? layout.ownRange();
    super(task, options.dimension, layout, range);
    this.dictionary = new Dictionary(layout, range, options.budget, options.dimension);
    this.kernel = makeKernel(this.f32, options.dimension, options.kernel);
    this.row = layout.at("row", range);
    this.spare = layout.at("spare", range);
  }

  get size(): number {
    return this.dictionary.size;
  }

  get capacity(): number {
    return this.dictionary.capacity;
  }

  protected decide(): number {
    const { rows, coefficients, size } = this.dictionary;
    this.kernel.row(this.row, rows, this.input, size);
    return this.f32.dot(coefficients, this.row, size);
  }

  /** Multiplies every coefficient by `factor`, |factor| <= 1. */
  protected shrink(factor: number): void {
    this.f32.scale(this.dictionary.coefficients, factor, this.dictionary.size);
  }

  /** Stores the input; at the full budget by the policy. Refuses a coefficient that float32 can't hold. */
  protected append(coefficient: number, policy: Evict): void {
    if (!Number.isFinite(Math.fround(coefficient))) {
      this.tally("overflowed");
      return;
    }
    if (this.dictionary.full) {
      if (policy === "refuse") {
        this.tally("declined");
        return;
      }
      this.dictionary.remove(this.dictionary.leaving(policy), this.spare);
      this.tally("evicted");
    }
    this.dictionary.insert(this.input, coefficient);
    this.tally("inserted");
  }

  /** Forgets every vector with |coefficient| < threshold. */
  protected dropBelow(threshold: number): void {
    const { dictionary, f32 } = this;
    while (dictionary.size > 0) {
      const least = f32.argminMagnitude(dictionary.coefficients, dictionary.size);
      if (!(Math.abs(dictionary.coefficient(least)) < threshold)) return;
      dictionary.remove(least, this.spare);
      this.tally("dropped");
    }
  }
}
