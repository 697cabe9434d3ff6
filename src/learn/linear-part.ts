import type { Primitives } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/** The parts of a step that w and b take, where the vectors take all of it. */
const WEIGHTS = 0.25;
const OFFSET = 0.04;

/**
 * The linear part w.x + b of a Gaussian expansion whose labels are corrected for wrong ones. A wrong label moves a Gaussian's neighbourhood alone,
 * and few labels correct it there; w averages the labels of all inputs. With each step a k(x, .) of the vectors, gamma being the kernel's,
 *
 *     w <- w + a x gamma / (4 max(1, gamma |x|^2));   b <- b + a / 25
 *
 * so that w.x moves by a quarter of what the vectors' part moves at most, in any unit of x.
 */
export class LinearPart {
  private readonly f32: Primitives;
  /** Word of w; b lies behind it. */
  private readonly w: number;

  static regions(dimension: number): Region[] {
    return [{ name: "linear", kind: "state", words: dimension + 1 }];
  }

  /** @param input word of the input. */
  constructor(
    layout: Layout,
    range: MemoryRange,
    private readonly input: number,
    private readonly dimension: number,
  ) {
    this.f32 = range.f32;
    this.w = layout.at("linear", range);
  }

  /** f(x) of the input: `sum`, the vectors' part, and the linear one. */
  addedTo(sum: number): number {
    const { f32, w, dimension } = this;
    const f = sum + f32.dot(w, this.input, dimension) + f32.words[w + dimension];
    return f - f === 0 ? f : Number.NaN;
  }

  /** Takes its part of the step f <- keep f + a k(x, .). False, with nothing changed, where a result isn't finite. */
  step(keep: number, a: number, gamma: number): boolean {
    const { f32, w, input, dimension } = this;
    const squared = gamma * f32.dot(input, input, dimension);
    const share = (WEIGHTS * a * gamma) / (squared > 1 ? squared : 1);
    if (!f32.addScaled(w, share / keep, input, dimension)) return false;
    f32.words[w + dimension] += (OFFSET * a) / keep;
    f32.scale(w, keep, dimension + 1);
    return true;
  }
}
