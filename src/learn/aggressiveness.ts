import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Region } from "../memory/layout.ts";
import { real } from "./options.ts";

/** C times the share of errors. */
const SCALE = 0.05;
const LEAST = 0.1;
const MOST = 2;
/** C is at least FIRST up to label EARLY, while errors are those of a learner that knows little; from label SETTLED on, LEAST. */
const FIRST = 0.4;
const EARLY = 200;
const SETTLED = 3200;
/** Errors are counted over about so many labels, and begin as 15 % of 16 labels. */
const HORIZON = 240;
const FADE = 1 / HORIZON;
const PRIOR_LABELS = 16;
const PRIOR_ERRORS = 2.4;

/** The largest C that follows from errors. */
export const MOST_AGGRESSIVE = MOST;

/** An option of the aggressiveness, which follows from the errors by default: `doc` says what it is, `unit` what the found one is divided by. */
export const aggressiveness = (doc: string, unit = "") =>
  real({ default: 0, min: 0 }, `${doc}; 0: from the errors, ${LEAST}${unit} to ${MOST}${unit}`);

/** Its region. */
export const ERRORS: Region = frozen({ name: "errors", kind: "state", words: 2 });

/** The region of a learner whose option has that value: none where the value is given. */
export function errorRegions(given: number): Region[] {
  return given > 0 ? [] : [ERRORS];
}

/**
 * The aggressiveness C of a learner, the most that a label may move it, from its errors on labels. Where labels are nearly always as it
 * decides, it can trust them; where they are wrong, or classes overlap, long steps learn what is no more than noise. With e the share of
 * errors over the last 240 labels (M errors; 2.4 errors in 16 labels are assumed before), at label n
 *
 *     e = (M + 2.4) / (min(n, 240) + 16);   C = clip(0.05 / e, 0.4 min(1, sqrt(200 / n)), 2), at least 0.1
 *
 * The lower bound is for the first labels, at which a learner errs since it knows little, and must learn. An error is a decision of the
 * other class just before the label is learned. One wrong class of K stands for two wrong decisions of K binary ones, so it counts as
 * 2 / K. With late labels that repeat the class of those before, e is less than the error of predictions.
 *
 * State: M, and the number of labels, up to 3200.
 */
export class Aggressiveness {
  private readonly count: number;

  /** @param at word of its region. */
  constructor(
    private readonly f32: Primitives,
    readonly at: number,
    /** Classes that a decision chooses from. */
    classes = 2,
  ) {
    this.count = 2 / classes;
  }

  /** Counts a decision, wrong or right, and returns C for its label. */
  after(isWrong: boolean): number {
    const { words, bits } = this.f32;
    const { at } = this;
    const labels = bits[at + 1] < SETTLED ? ++bits[at + 1] : SETTLED;
    const before = words[at];
    words[at] = before - (labels > HORIZON ? before * FADE : 0) + (isWrong ? this.count : 0);
    const C = (SCALE * ((labels < HORIZON ? labels : HORIZON) + PRIOR_LABELS)) / (words[at] + PRIOR_ERRORS);
    const least = leastAfter(labels);
    return C < least ? least : C < MOST ? C : MOST;
  }
}

/** The lower bound of C. Settled learners take no square root, which is dear where there is no floating-point unit. */
function leastAfter(labels: number): number {
  if (labels <= EARLY) return FIRST;
  return labels < SETTLED ? FIRST * Math.sqrt(EARLY / labels) : LEAST;
}
