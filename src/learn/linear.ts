import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import type { Workspace } from "./define.ts";
import { commonRegions, Learner } from "./learner.ts";
import { flag } from "./options.ts";
import { OutlierLimit, outlierLimit } from "./outlier-limit.ts";

/** Option of a linear learner: an offset (bias term). Without it f(0) = 0 always. */
export const bias = frozen(
  flag(true, "b, offset of f (bias term): the weight of a constant 1 appended to x"),
);

/** Option of a linear learner whose step grows with |x|. */
export const inputLimit = frozen(outlierLimit("inputs' lengths |x|"));

/** The length of w: the components of x, and one for the offset. */
export function inputWidth({
  dimension,
  bias,
}: {
  readonly dimension: number;
  readonly bias: boolean;
}): number {
  return bias ? dimension + 1 : dimension;
}

/** Copies a defined learner's input to its scratch region `row`, with the 1 of the offset behind it. Returns that word. */
export function loadWithOffset(
  work: Workspace<{ readonly dimension: number; readonly bias: boolean }, "row">,
): number {
  const { f32, at, input, options } = work;
  f32.copy(at.row, input, options.dimension);
  if (options.bias) f32.words[at.row + options.dimension] = 1;
  return at.row;
}

/** The decision w.x + b of a defined linear learner. */
export function decide(
  work: Workspace<{ readonly dimension: number; readonly bias: boolean }, "w" | "row">,
): number {
  return work.f32.dot(work.at.w, loadWithOffset(work), inputWidth(work.options));
}

/** Layout of a linear classifier whose w has `width` components: w, and the family's own regions. */
export function linearLayout(width: number, own: readonly Region[]): Layout {
  return new Layout([{ name: "w", kind: "state", words: width }, ...own, ...commonRegions(width)]);
}

/**
 * The base of linear classifiers: f(x) = w.x with one w, zero at first. They store no vectors. If the region `w` has one
 * component more than x, a constant 1 is appended to x: w's last component is the offset, learned and regularised like
 * the others.
 */
export abstract class LinearClassifier extends Learner {
  protected readonly w = this.layout.at("w", this.range);
  /** Components of w and of the input: `dimension`, or one more. */
  protected readonly width: number;

  constructor(dimension: number, layout: Layout, memory?: MemoryRange) {
    super("classification", dimension, layout, memory ?? layout.ownRange());
    this.width = layout.regionWords("w");
  }

  get size(): number {
    return 0;
  }

  get capacity(): number {
    return 0;
  }

  predict(x: ArrayLike<number>): number {
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    if (this.width > this.dimension) this.f32.words[this.input + this.dimension] = 1;
    const f = this.f32.dot(this.w, this.input, this.width);
    return f - f === 0 ? f : Number.NaN;
  }
}

/**
 * A linear classifier whose step grows with |x|. It clips the input: it learns from x min(1, limit / |x|),
 * with |x| without the offset's 1 and the limit of `OutlierLimit`, in the layout's region `outliers`. Apart
 * from the offset the sign of w.x doesn't depend on |x|, so a clipped input still shows where its class lies.
 * If the limit itself came from inputs out of all proportion, the learner restarts.
 */
export abstract class ClippingClassifier extends LinearClassifier {
  private readonly limit: OutlierLimit;

  constructor(dimension: number, layout: Layout, factor: number, memory?: MemoryRange) {
    super(dimension, layout, memory);
    this.limit = new OutlierLimit(this.f32, factor, layout, this.range);
  }

  /** Sets the initial state where it isn't zero. */
  protected abstract begin(): void;

  /** Learns the label y of the input, possibly clipped; `decision` is w.x of the clipped input. */
  protected abstract take(y: number, decision: number): void;

  protected override update(y: number, decision: number): void {
    const whole = this.clip();
    if (this.limit.outgrown) this.startAnew();
    else if (whole) {
      this.take(y, decision);
      return;
    }
    this.take(y, this.decide());
  }

  protected override outgrow(): void {
    this.clip();
    if (this.limit.outgrown) this.startAnew();
  }

  /** The decision for the loaded input. */
  protected decide(): number {
    return this.f32.dot(this.w, this.input, this.width);
  }

  private startAnew(): void {
    this.limit.clear();
    this.begin();
  }

  /** Clips the input; true if it stayed whole. */
  private clip(): boolean {
    return this.limit.clipVector(this.input, this.dimension);
  }
}
