import { Usage } from "../dictionary/usage.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import { KernelExpansion } from "./expansion.ts";
import { type ExpansionOptions, expansionLayout, staleAfter } from "./expansion-layout.ts";
import { COUNT } from "./learner.ts";
import { real } from "./options.ts";
import { OutlierLimit, outlierLimit } from "./outlier-limit.ts";

/** Options of every regression whose step grows with the error. */
export const regression = frozen({ outlierLimit: outlierLimit("labels' magnitudes |y|"), staleAfter });

/** Options of a regression over a codebook. */
export const epsilon = frozen(
  real(
    { default: 0.4, min: 0 },
    "epsilon, quantization size: an input this near to a centre counts as that centre",
  ),
);
export const reach = frozen(
  real(
    { default: 8, min: 1 },
    "distance, in quantization sizes epsilon, up to which an input counts as its nearest centre while the codebook is full; a farther one is declined",
  ),
);

/** The options of a kernel regression. */
export interface RegressionOptions extends ExpansionOptions {
  readonly outlierLimit: number;
  readonly staleAfter: number;
}

/** Layout of a kernel regression: an expansion's, and the regions of its guards. */
export function regressionLayout(options: RegressionOptions, own: readonly Region[] = []): Layout {
  return expansionLayout(options, [
    ...own,
    ...Usage.regions(options.budget),
    OutlierLimit.region(),
    { name: "distances", kind: "scratch", words: ceil4(options.budget) },
  ]);
}

/**
 * A kernel regression whose step grows with the error. It clips the label: it learns y min(1, limit / |y|),
 * with the limit of `OutlierLimit`. So a wrong label, however large, does no more than a few ordinary ones.
 * If the limit itself came from labels out of all proportion, the learner restarts. A full dictionary drops a stale vector, see `Usage`,
 * for a sample that is worth storing.
 */
export abstract class KernelRegression extends KernelExpansion {
  private readonly limit: OutlierLimit;
  private readonly usage: Usage;
  private readonly distances = this.layout.at("distances", this.range);
  /** The vector nearest to the input, -1 for none, and its distance. */
  protected nearest = -1;
  protected gap = 0;

  constructor(options: RegressionOptions, layout: Layout, memory?: MemoryRange) {
    super("regression", options, layout, memory);
    this.limit = new OutlierLimit(this.f32, options.outlierLimit, layout, this.range);
    this.usage = new Usage(this.f32, layout, this.range, options.staleAfter);
  }

  /** Learns the target, possibly clipped; `decision` is f(x), and `row` holds the kernel row. */
  protected abstract take(y: number, decision: number): void;

  /** Removes vector i from the dictionary, and its part from f. Calls `remove` or `removeInOrder`. */
  protected abstract forget(i: number): void;

  protected update(target: number, decision: number): void {
    const y = this.limit.clipLabel(Math.fround(target));
    if (!this.startsAnew()) this.learnClipped(y, decision);
    else if (this.gathers) this.gather(target, 0);
    else this.learnClipped(y, 0);
  }

  private learnClipped(y: number, f: number): void {
    this.pass();
    const { bits } = this.f32;
    const inserted = this.counterAt(COUNT.inserted);
    const before = bits[inserted];
    this.take(y, f);
    if (bits[inserted] !== before) this.usage.begin(this.size - 1);
  }

  protected override outgrow(target: number): void {
    this.limit.clipLabel(Math.fround(target));
    this.startsAnew();
  }

  /** True if there is room for the input. If need be a stale vector leaves; then `row` is the kernel row without it. */
  protected makeRoom(): boolean {
    if (!this.dictionary.full) return true;
    const i = this.usage.stale(this.size);
    if (i < 0) return false;
    this.forget(i);
    this.increment(COUNT.evicted);
    this.valueAt(this.input);
    return true;
  }

  /** Vector i leaves, and the last takes its place. */
  protected remove(i: number): void {
    this.usage.remove(i, this.size);
    this.dictionary.remove(i);
  }

  /** Vector i leaves, and the vectors behind it move up. */
  protected removeInOrder(i: number): void {
    this.usage.removeInOrder(i, this.size);
    this.dictionary.removeInOrder(i);
  }

  /** Finds the nearest vector, and counts it as used. */
  private pass(): void {
    const { dictionary, f32, distances } = this;
    this.nearest = dictionary.size > 0 ? dictionary.nearest(this.input, distances) : -1;
    this.gap = Math.sqrt(f32.words[distances + this.nearest]);
    this.usage.pass(this.nearest, f32.words[this.row + this.nearest], this.kernel.self(this.input));
  }

  private startsAnew(): boolean {
    if (!this.limit.outgrown) return false;
    this.reset(false);
    return true;
  }
}

/** Options of a regression over a codebook. */
export interface CodebookOptions extends RegressionOptions {
  /** epsilon, quantization size. */
  readonly epsilon: number;
  readonly reach: number;
}

/**
 * A regression over a codebook. An input within epsilon of the nearest centre counts as that centre; any other becomes a centre. If the
 * codebook is full and has no stale centre, the input counts as the nearest (`forced`). A centre farther than `reach` epsilon says
 * nothing about the input, so then it is declined. epsilon = 0 quantizes nothing, and sets no such limit.
 */
export abstract class CodebookRegression extends KernelRegression {
  private readonly epsilon: number;
  private readonly farthest: number;
  /** True if the input is within epsilon of the centre that `place` found. */
  protected close = false;

  constructor(options: CodebookOptions, layout: Layout, memory?: MemoryRange) {
    super(options, layout, memory);
    this.epsilon = options.epsilon;
    this.farthest = options.epsilon > 0 ? options.reach * options.epsilon : Infinity;
  }

  /** The centre that the input counts as; the number of centres if it becomes a new one; -1 if it is declined. */
  protected place(): number {
    const { nearest, gap, unit } = this;
    this.close = nearest >= 0 && gap <= unit * this.epsilon;
    if (this.close) return nearest;
    if (this.makeRoom()) return this.size;
    if (gap <= unit * this.farthest) return nearest;
    this.increment(COUNT.declined);
    return -1;
  }

  /** Counts an input that counted as a centre. */
  protected tallyPlaced(): void {
    this.increment(this.close ? COUNT.quantized : COUNT.forced);
  }
}
