import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { commonRegions, Learner } from "./learner.ts";
import { flag } from "./options.ts";
import { OutlierLimit, outlierLimit } from "./outlier-limit.ts";

/** Option of a linear learner: an offset, without which f(0) = 0 whatever was learned. */
export const bias = frozen(
  flag(true, "b, offset of f: a component of x more that is always 1, with a weight as the others have"),
);

/** Option of a linear learner whose step grows with |x|. */
export const inputLimit = frozen(outlierLimit("inputs' lengths |x|"));

/** The length of w: the components of x, and one for the offset. */
export function widthOf({ dimension, bias }: { readonly dimension: number; readonly bias: boolean }): number {
  return bias ? dimension + 1 : dimension;
}

/** Layout of a linear classifier whose w has `width` components: w, and the family's own regions. */
export function linearLayout(width: number, own: readonly Region[]): Layout {
  return new Layout([{ name: "w", kind: "state", words: width }, ...own, ...commonRegions(width)]);
}

/**
 * f(x) = w.x with one w, from nought: what the linear classifiers share. They store no vectors. Where the region `w` has a
 * component more than x, x has a component more too, which is always 1: w's last is the offset, learned and regularised as
 * the others are.
 */
export abstract class LinearClassifier extends Learner {
  protected readonly w: number;
  /** Components of w and of the input: `dimension`, or one more. */
  protected readonly width: number;

  constructor(dimension: number, layout: Layout, memory?: MemoryRange) {
    super("classification", dimension, layout, memory ?? layout.ownRange());
    this.w = layout.at("w", this.range);
    this.width = layout.wordsOf("w");
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
 * A linear classifier whose step grows with |x|, which it bounds: it learns from x min(1, limit / |x|), |x| being without the
 * offset's 1 and the limit that of `OutlierLimit`, in the layout's region `outliers`. The sign of w.x doesn't depend on |x|
 * but for the offset, so that a clipped input still says where its class lies. What was learned from inputs out
 * of all proportion is forgotten: the learner starts anew.
 */
export abstract class ClippingClassifier extends LinearClassifier {
  private readonly limit: OutlierLimit;

  constructor(dimension: number, layout: Layout, factor: number, memory?: MemoryRange) {
    super(dimension, layout, memory);
    this.limit = new OutlierLimit(this.f32, factor, layout, this.range);
  }

  /** Sets what of the state isn't nought at the start. */
  protected abstract begin(): void;

  /** Learns the label y of the input, which may be clipped; `decision` is w.x of that. */
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

  /** The decision for the input as it lies there. */
  protected decide(): number {
    return this.f32.dot(this.w, this.input, this.width);
  }

  private startAnew(): void {
    this.limit.clear();
    this.begin();
  }

  /** Clips the input; true if it is whole. */
  private clip(): boolean {
    return this.limit.clipVector(this.input, this.dimension);
  }
}
