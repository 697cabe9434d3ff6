import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { commonRegions, Learner } from "./learner.ts";
import { flag } from "./options.ts";

/** Option of a linear learner: an offset, without which f(0) = 0 whatever was learned. */
export const bias = frozen(
  flag(true, "b, offset of f: a component of x more that is always 1, with a weight as the others have"),
);

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
    this.width = layout.regions.find(({ name }) => name === "w")?.words ?? dimension;
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
