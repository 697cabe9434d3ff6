import { frozen } from "../memory/frozen.ts";
import type { Region } from "../memory/layout.ts";
import { type Defaulted, real } from "./options.ts";

/** The bounds of C: see `aggressiveness` of `Primitives`. */
const LEAST = 0.1;
const MOST = 2;

/** The largest C that follows from errors. */
export const MOST_AGGRESSIVE = MOST;

/** An option of the aggressiveness. */
export interface Aggressiveness extends Defaulted<number> {
  /** The divisor of the aggressiveness that follows from the errors: "d", "D", or "" for 1. */
  readonly per: string;
}

/** An option of the aggressiveness, which follows from the errors by default; `doc` describes it. */
export function aggressiveness(doc: string, per = ""): Aggressiveness {
  const unit = per && ` / ${per}`;
  const option = real(
    { default: 0, min: 0 },
    `${doc}; 0: from the errors, ${LEAST}${unit} to ${MOST}${unit}`,
  );
  return frozen({ ...option, per });
}

/**
 * The aggressiveness C of a learner, the most that a label may move it, from its errors on labels. Where labels are nearly always as it
 * decides, it can trust them; where they are wrong, or classes overlap, long steps learn noise. With e the share of
 * errors over the last 240 labels (M errors; 2.4 errors in 16 labels are assumed before), at label n
 *
 *     e = (M + 2.4) / (min(n, 240) + 16);   C = clip(0.05 / e, 0.4 min(1, sqrt(200 / n)), 2), at least 0.1
 *
 * The lower bound is for the first labels, at which a learner errs since it knows little, and must learn. An error is a decision of the
 * other class just before the label is learned. One wrong class of K stands for two wrong decisions of K binary ones, so it counts as
 * 2 / K. With late labels that repeat the class of those before, e is less than the error of predictions.
 *
 * The primitive `aggressiveness` computes it. State: M, which stays below 256, and the number of labels, up to 3200.
 */
export const ERRORS: Region = frozen({ name: "errors", kind: "state", words: 2, holds: [0x43800000, 3200] });

/** The region of a learner whose option has that value: none where the value is given. */
export function errorRegions(options: number): Region[] {
  return options > 0 ? [] : [ERRORS];
}
