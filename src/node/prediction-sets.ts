import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, FINITE, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { type Coverage, shareAt } from "./coverage.ts";
import { CERTAIN, REMARK } from "./ports.ts";

/** Steps of the threshold and of its offset for right labels; bound of both. Over the first labels the threshold's are longer: .2 / (1 + n / 20) more. */
const STEP = 0.04;
const FIRST = 0.2;
const FIRST_LABELS = 20;
/** Labels are counted up to here, where they no longer change a step. */
const COUNTED = 0xffff;
const END = 1;
/** The share of the newest error in the mean error. Beyond ALLOWED the mean adds to the offset's step, by URGE; by half of it where sets are too large. */
const MEAN_RATE = 0.02;
const ALLOWED = 0.04;
const URGE = 0.8;
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

/** A decision as a score in -1..1. */
function scoreOf(decision: number): number {
  return decision / (1 + (decision < 0 ? -decision : decision));
}

/** The set of a score with threshold q: the sum of `MINUS` and `PLUS`. That of NaN has both. */
function setOf(a: number, q: number): number {
  return (a > q ? 0 : MINUS) + (-a > q ? 0 : PLUS);
}

function clip(q: number): number {
  return q < -END ? -END : q > END ? END : q;
}

/** What the mean error m adds to an error. */
function urge(m: number): number {
  return m > ALLOWED ? URGE * (m - ALLOWED) : m < -ALLOWED ? (URGE / 2) * (m + ALLOWED) : 0;
}

/**
 * Prediction sets of a classification by adaptive conformal inference. They hold the true class of a share 1 - alpha of samples, however
 * good the learner is. With the score a = f / (1 + |f|), the threshold t and its offset b, q = clip(t + b, -1, 1), the set of a sample has
 *
 *     +1 if -a <= q,   -1 if a <= q
 *
 * Its two bits are kept with the sample that waits. When a label comes, own = 1 if the label's class lies outside a set, and other
 * = 1 if the other class does. For a label +1, here = rm and there = rp; for -1 the reverse:
 *
 *     e(set) = (1 - here) own - there other - (1 - rp - rm) alpha
 *
 * The n-th label moves t by the set that the learner would issue for its sample now, with threshold t, before it learns the label: no delay lies
 * between this step and its effect. It moves b by the set that was issued, and by the less the later it comes:
 *
 *     t <- clip(t + (.04 + .2 / (1 + n / 20)) e(set now), -1, 1)
 *     k = 1 / (1 + (lag / 30)^2);   m <- m + .02 k (e(issued) - m)
 *     b <- clip(b + .04 k (e(issued) + .8 max(0, m - .04) + .4 min(0, m + .04)), -1, 1)
 *
 * t finds the threshold wherever the samples of the labels are like those to come. b corrects it where they aren't: where classes persist, a learner
 * knows more of a sample when its label comes than it knew at first. Alone, b with full steps swings under a delay: coverage was .76 at 200 samples.
 * The mean of e / (1 - rp - rm) + alpha over the flips is the miss of the true class, so the sets cover the truth, not the label. The more often labels
 * are wrong, the more that quotient varies: without the division the steps are as short as they then must be. m hurries them where errors
 * last, as after a change of the classes that a learner doesn't notice at once. It does so less where sets are too large. A set of both classes
 * abstains; an empty one comes where more than 1 - alpha of decisions are right. The share is that of all samples together, not that of each class.
 *
 * A certain label has its source's rates, from the node's option `labelFlips` or else the learner's `sources`. Any other label has the rates
 * that its confidence c implies: rp = rm = (1 - c/255) / 2. Each label thus counts by its own reliability, and coverage holds while
 * labellers of different quality take turns.
 * Four words of state, and two bits for each sample that may wait.
 *
 * @see This project's own in m. Gibbs, Candes: Adaptive conformal inference under distribution shift. NeurIPS 34, 2021
 */
export class PredictionSets implements Coverage {
  private readonly f32: Primitives;
  private readonly threshold: number;
  private readonly offset: number;
  private readonly mean: number;
  private readonly count: number;
  private readonly bits: number;
  private readonly alpha: number;

  static regions(pending: number): Region[] {
    return [
      { name: "sets.threshold", kind: "state", words: 4, holds: [FINITE, FINITE, FINITE, COUNTED] },
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
    this.offset = this.threshold + 1;
    this.mean = this.threshold + 2;
    this.count = this.threshold + 3;
    this.bits = layout.at("sets.pending", range);
    this.alpha = 1 - coverage;
  }

  issue(seq: number, f: number): number {
    const { words } = this.f32;
    const set = setOf(scoreOf(f), clip(words[this.threshold] + words[this.offset]));
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

  learn(issued: number, y: number, decision: number, lag: number, source: number, confidence: number): void {
    const flips = this.flips[source < this.flips.length ? source : 0];
    const guessed = (1 - confidence / CERTAIN) / 2;
    const plus = confidence < CERTAIN ? guessed : flips[0];
    const minus = confidence < CERTAIN ? guessed : flips[1];
    if (1 - plus - minus < LEAST) return;
    const { words } = this.f32;
    this.track(this.errorOf(setOf(scoreOf(decision), words[this.threshold]), y, plus, minus));
    this.correct(this.errorOf(issued, y, plus, minus), shareAt(lag));
  }

  /** How much a set errs at label y, in the mean over the flips; 0 in the mean where it covers the promised share. */
  private errorOf(set: number, y: number, plus: number, minus: number): number {
    const own = (set & (y > 0 ? PLUS : MINUS)) === 0 ? 1 : 0;
    const other = (set & (y > 0 ? MINUS : PLUS)) === 0 ? 1 : 0;
    const here = y > 0 ? minus : plus;
    const there = y > 0 ? plus : minus;
    return (1 - here) * own - there * other - (1 - plus - minus) * this.alpha;
  }

  private track(error: number): void {
    const { words, bits } = this.f32;
    const n = bits[this.count];
    if (n < COUNTED) bits[this.count] = n + 1;
    words[this.threshold] = clip(words[this.threshold] + (STEP + FIRST / (1 + n / FIRST_LABELS)) * error);
  }

  private correct(error: number, share: number): void {
    const { words } = this.f32;
    words[this.mean] += MEAN_RATE * share * (error - words[this.mean]);
    words[this.offset] = clip(words[this.offset] + STEP * share * (error + urge(words[this.mean])));
  }

  private keep(seq: number, set: number): void {
    const slot = seq % this.pending;
    const word = this.bits + ((slot / IN_A_WORD) | 0);
    const shift = 2 * (slot % IN_A_WORD);
    this.f32.bits[word] = (this.f32.bits[word] & ~(3 << shift)) | (set << shift);
  }
}
