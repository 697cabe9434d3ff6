import { Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { commonRegions, Learner } from "./learner.ts";

/** Layout of a linear classifier: w, and the family's own regions. */
export function linearLayout(dimension: number, own: readonly Region[]): Layout {
  return new Layout([{ name: "w", kind: "state", words: dimension }, ...own, ...commonRegions(dimension)]);
}

/**
 * f(x) = w.x with one w, from nought: what the linear classifiers share. They store no vectors. Where a family has no
 * option for an offset, a component of x that is always 1 makes one.
 */
export abstract class LinearClassifier extends Learner {
  protected readonly w: number;

  constructor(dimension: number, layout: Layout, memory?: MemoryRange) {
    super("classification", dimension, layout, memory ?? layout.ownRange());
    this.w = layout.at("w", this.range);
  }

  get size(): number {
    return 0;
  }

  get capacity(): number {
    return 0;
  }

  predict(x: ArrayLike<number>): number {
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const f = this.f32.dot(this.w, this.input, this.dimension);
    return f - f === 0 ? f : Number.NaN;
  }
}
