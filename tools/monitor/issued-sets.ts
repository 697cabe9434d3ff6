import { REMARK } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import type { Message } from "../../src/wire/messages.ts";

/** The prediction sets, or a regression's intervals, that a monitor saw. */
export interface IssuedCounts {
  readonly predictions: number;
  /** Sets of both classes, the node's abstentions, and of none. */
  readonly both: number;
  readonly none: number;
  /** The last interval's half width, and their mean; absent where none was issued. */
  readonly half?: number;
  readonly meanHalf?: number;
}

/** Counts sets or intervals with predictions. */
export class IssuedSets {
  private predictions = 0;
  private both = 0;
  private none = 0;
  private half: number | undefined;
  private halves = 0;

  take({ remarks, length }: Pick<Message<"prediction">, "remarks" | "length">): void {
    if (length === 0 || (remarks[0] & REMARK.set) === 0) return;
    this.predictions++;
    if (length > 1) {
      this.half = halfWidth(remarks[1]);
      this.halves += this.half;
      return;
    }
    const size = (remarks[0] & REMARK.minus ? 1 : 0) + (remarks[0] & REMARK.plus ? 1 : 0);
    if (size === 2) this.both++;
    if (size === 0) this.none++;
  }

  /** Undefined before anything was issued. */
  get all(): IssuedCounts | undefined {
    const { predictions, both, none, half, halves } = this;
    if (predictions === 0) return undefined;
    return { predictions, both, none, ...(half !== undefined && { half, meanHalf: halves / predictions }) };
  }
}
