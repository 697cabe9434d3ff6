import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { CERTAIN, REMARK } from "./ports.ts";

/** The threshold's step for right labels, and its bound. */
const STEP = 0.04;
const END = 1;
/** The share of the newest error in the mean error. Beyond ALLOWED the mean adds to the step, by URGE; by half of it where sets are too large. */
const MEAN_RATE = 0.02;
const ALLOWED = 0.04;
const URGE = 1.2;
/** A label teaches nothing if 1 - rp - rm is below this. */
const LEAST = 0.1;
/** The bits of a set: class -1 is in it, class +1 is in it. */
const MINUS = 1;
const PLUS = 2;
/** Samples whose bits a word holds. */
const IN_A_WORD = 16;

/** How often labels are wrong: rp = P(-1 said | +1), rm = P(+1 said | -1). */
export type LabelFlips = readonly [plus: number, minus: number];

/** One pair of rates for all labels, or a list: for labels of source 0 (unknown or not listed), 1, ... */
export type GivenFlips = LabelFlips | readonly LabelFlips[];

const RIGHT: readonly LabelFlips[] = frozen([[0, 0]]);
const TAKES = `[rp, rm], each >= 0, together <= ${1 - LEAST}, or a list of such: of source 0, 1, ...`;

function isFlips(value: unknown): value is LabelFlips {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [plus, minus] = value;
  return plus >= 0 && minus >= 0 && plus + minus <= 1 - LEAST;
}

/**
 * The flip rates by source: the configured ones, else the learner's option `sources`, else none. Throws an OptionError unless each rate is
 * 0..1 and the two of a source sum to less than 1.
 */
export function resolveFlips(options: GivenFlips | undefined, learners: unknown): readonly LabelFlips[] {
  if (options === undefined) {
    const known = Array.isArray(learners) && learners.length > 0;
    return known ? learners : RIGHT;
  }
  const list = typeof options[0] === "number" ? [options] : options;
  if (list.length > 0 && list.every(isFlips)) return list;
  throw new OptionError("node", "labelFlips", options, TAKES);
}

/** Issues a set of classes, or an interval, with each decision; it holds the truth for a promised share of samples. */
export interface Coverage {
  /** Issues a set with the decision on sample seq, and keeps it until the sample's label comes. Returns the remark to send, see `REMARK`. */
  issue(seq: number, decision: number): number;
  /** Removes the set that was issued with sample seq. Returns what `learn` needs to know of it when the label is y. */
  take(seq: number, y: number): number;
  /** Learns from label y of a sample. `taken`: what `take` returned for it. */
  learn(taken: number, y: number, source: number, confidence: number): void;
}

/** What the mean error m adds to an error. */
function urge(m: number): number {
  return m > ALLOWED ? URGE * (m - ALLOWED) : m < -ALLOWED ? (URGE / 2) * (m + ALLOWED) : 0;
}

/**
 * Prediction sets of a classification by adaptive conformal inference. They hold the true class of a share 1 - alpha of samples, however
 * good the learner is. With the score a = f / (1 + |f|) and the threshold q, the set of a sample has
 *
 *     +1 if -a <= q,   -1 if a <= q
 *
 * Its two bits are kept with the sample that waits. When a label comes, own = 1 if the label's class lies outside the issued set, and other
 * = 1 if the other class does. For a label +1, here = rm and there = rp; for -1 the reverse:
 *
 *     e = (1 - here) own - there other - (1 - rp - rm) alpha;   m <- m + .02 (e - m)
 *     q <- clip(q + .04 (e + 1.2 max(0, m - .04) + .6 min(0, m + .04)), -1, 1)
 *
 * The mean of e / (1 - rp - rm) + alpha over the flips is the miss of the true class, so the sets cover the truth, not the label. The more often labels
 * are wrong, the more that quotient varies: without the division the steps are as short as they then must be. m hurries them where errors
 * last, as after a change of the classes that a learner doesn't notice at once. It does so less where sets are too large. The present threshold in place of
 * the stored bits would lose coverage where classes persist and labels are late. A set of both classes abstains; an empty one comes where
 * more than 1 - alpha of decisions are right.
 *
 * A certain label has its source's rates, from the node's option `labelFlips` or else the learner's `sources`. Any other label has the rates
 * that its confidence c implies: rp = rm = (1 - c/255) / 2. Each label thus counts by its own reliability, and coverage holds while
 * labellers of different quality take turns.
 * Two words of state, and two bits for each sample that may wait.
 *
 * @see This project's own in m. Gibbs, Candes: Adaptive conformal inference under distribution shift. NeurIPS 34, 2021
 */
export class PredictionSets implements Coverage {
  private readonly f32: Primitives;
  private readonly threshold: number;
  private readonly mean: number;
  private readonly bits: number;
  private readonly alpha: number;

  static regions(pending: number): Region[] {
    return [
      { name: "sets.threshold", kind: "state", words: 1 },
      { name: "sets.mean", kind: "state", words: 1 },
      { name: "sets.pending", kind: "state", words: Math.ceil(pending / IN_A_WORD), holds: [ANY] },
    ];
  }

  /** @param coverage 1 - alpha, 0..1. */
  constructor(
    layout: Layout,
    range: MemoryRange,
    coverage: number,
    private readonly pending: number,
    private readonly flips: readonly LabelFlips[],
  ) {
    this.f32 = range.f32;
    this.threshold = layout.at("sets.threshold", range);
    this.mean = layout.at("sets.mean", range);
    this.bits = layout.at("sets.pending", range);
    this.alpha = 1 - coverage;
  }

  /** The set of a NaN decision has both classes. */
  issue(seq: number, f: number): number {
    const q = this.f32.words[this.threshold];
    const a = f / (1 + (f < 0 ? -f : f));
    const set = (a > q ? 0 : MINUS) + (-a > q ? 0 : PLUS);
    this.keep(seq, set);
    return REMARK.set + REMARK.minus * set;
  }

  /** The set: the sum of `MINUS` and `PLUS`. */
  take(seq: number): number {
    const slot = seq % this.pending;
    const set = (this.f32.bits[this.bits + ((slot / IN_A_WORD) | 0)] >>> (2 * (slot % IN_A_WORD))) & 3;
    this.keep(seq, 0);
    return set;
  }

  learn(set: number, y: number, source: number, confidence: number): void {
    const { words } = this.f32;
    const flips = this.flips[source < this.flips.length ? source : 0];
    const guessed = (1 - confidence / CERTAIN) / 2;
    const plus = confidence < CERTAIN ? guessed : flips[0];
    const minus = confidence < CERTAIN ? guessed : flips[1];
    const left = 1 - plus - minus;
    if (left < LEAST) return;
    const own = (set & (y > 0 ? PLUS : MINUS)) === 0 ? 1 : 0;
    const other = (set & (y > 0 ? MINUS : PLUS)) === 0 ? 1 : 0;
    const here = y > 0 ? minus : plus;
    const there = y > 0 ? plus : minus;
    const error = (1 - here) * own - there * other - left * this.alpha;
    words[this.mean] += MEAN_RATE * (error - words[this.mean]);
    const q = words[this.threshold] + STEP * (error + urge(words[this.mean]));
    words[this.threshold] = q < -END ? -END : q > END ? END : q;
  }

  private keep(seq: number, set: number): void {
    const slot = seq % this.pending;
    const word = this.bits + ((slot / IN_A_WORD) | 0);
    const shift = 2 * (slot % IN_A_WORD);
    this.f32.bits[word] = (this.f32.bits[word] & ~(3 << shift)) | (set << shift);
  }
}
