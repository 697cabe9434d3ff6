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
/** Places of t, b, m and n. */
const THRESHOLD = 0;
const OFFSET = 1;
const MEAN = 2;
const COUNT = 3;
const WORDS = 4;
const OF_PLUS = "sets.plus";
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
function boundedScore(decision: number): number {
  return decision / (1 + (decision < 0 ? -decision : decision));
}

/** The set of a score with the thresholds of class -1 and +1: the sum of `MINUS` and `PLUS`. That of NaN has both. */
function decideSet(a: number, minus: number, plus: number): number {
  return (a > minus ? 0 : MINUS) + (-a > plus ? 0 : PLUS);
}

function clip(q: number): number {
  return q < -END ? -END : q > END ? END : q;
}

/** 1 if the set lacks the class of that bit. */
function countMissed(set: number, bit: number): number {
  return (set & bit) === 0 ? 1 : 0;
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
 * abstains; an empty one comes where more than 1 - alpha of decisions are right.
 *
 * The share is that of all samples together: a rare class may be covered far less. With `byClass` each class c has t, b, m and n of its own,
 * and the set has c by those of c. The error e is then split: label y moves the threshold of its class by (1 - here) (own - alpha), and that
 * of the other by -there (other - alpha). So a share 1 - alpha of the samples of each class is covered, with larger sets.
 *
 * A certain label has its source's rates, from the node's option `labelFlips` or else the learner's `sources`. Any other label has the rates
 * that its confidence c implies: rp = rm = (1 - c/255) / 2. Each label thus counts by its own reliability, and coverage holds while
 * labellers of different quality take turns.
 * Four words of state, with `byClass` eight, and two bits for each sample that may wait.
 *
 * @see This project's own in m. Gibbs, Candes: Adaptive conformal inference under distribution shift. NeurIPS 34, 2021
 */
export class PredictionSets implements Coverage {
  private readonly f32: Primitives;
  /** Word of t, b, m and n, of class -1 or of both; and of class +1. */
  private readonly minus: number;
  private readonly plus: number;
  private readonly bits: number;
  private readonly alpha: number;

  static regions(pending: number, byClass: boolean): Region[] {
    const holds = [FINITE, FINITE, FINITE, COUNTED];
    return [
      { name: "sets.threshold", kind: "state", words: WORDS, holds },
      ...(byClass ? [{ name: OF_PLUS, kind: "state", words: WORDS, holds } as const] : []),
      { name: "sets.pending", kind: "state", words: Math.ceil(pending / IN_A_WORD), holds: [ANY] },
    ];
  }

  /** @param coverage 1 - alpha, 0..1, of all samples or, `byClass`, of those of each class. */
  constructor(
    layout: Layout,
    range: MemoryRange,
    coverage: number,
    private readonly byClass: boolean,
    private readonly pending: number,
    private readonly flips: readonly LabelFlips[],
  ) {
    this.f32 = range.f32;
    this.minus = layout.at("sets.threshold", range);
    this.plus = byClass ? layout.at(OF_PLUS, range) : this.minus;
    this.bits = layout.at("sets.pending", range);
    this.alpha = 1 - coverage;
  }

  issue(seq: number, f: number): number {
    const set = decideSet(boundedScore(f), this.level(this.minus), this.level(this.plus));
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
    const now = decideSet(boundedScore(decision), words[this.minus], words[this.plus]);
    const share = shareAt(lag);
    if (this.byClass) this.learnClasses(now, issued, y, plus, minus, share);
    else
      this.move(this.minus, this.setError(now, y, plus, minus), this.setError(issued, y, plus, minus), share);
  }

  /** How much a set errs at label y, in the mean over the flips; 0 in the mean where it covers the promised share. */
  private setError(set: number, y: number, plus: number, minus: number): number {
    const own = countMissed(set, y > 0 ? PLUS : MINUS);
    const other = countMissed(set, y > 0 ? MINUS : PLUS);
    const here = y > 0 ? minus : plus;
    const there = y > 0 ? plus : minus;
    return (1 - here) * own - there * other - (1 - plus - minus) * this.alpha;
  }

  /** The same error, split by class. */
  private learnClasses(
    now: number,
    issued: number,
    y: number,
    plus: number,
    minus: number,
    share: number,
  ): void {
    const ofPlus = y > 0 ? 1 - minus : -minus;
    const ofMinus = y > 0 ? -plus : 1 - plus;
    if (ofPlus !== 0)
      this.move(this.plus, this.part(now, PLUS, ofPlus), this.part(issued, PLUS, ofPlus), share);
    if (ofMinus === 0) return;
    this.move(this.minus, this.part(now, MINUS, ofMinus), this.part(issued, MINUS, ofMinus), share);
  }

  /** How much a set errs at one class, whose samples a label stands for by that weight; 0 in the mean where it covers the promised share. */
  private part(set: number, bit: number, weight: number): number {
    return weight * (countMissed(set, bit) - this.alpha);
  }

  /** q of the class whose words lie there. */
  private level(at: number): number {
    const { words } = this.f32;
    return clip(words[at + THRESHOLD] + words[at + OFFSET]);
  }

  /** Moves t by the present set's error, and b by the issued set's. */
  private move(at: number, now: number, issued: number, share: number): void {
    const { words, bits } = this.f32;
    const n = bits[at + COUNT];
    if (n < COUNTED) bits[at + COUNT] = n + 1;
    words[at + THRESHOLD] = clip(words[at + THRESHOLD] + (STEP + FIRST / (1 + n / FIRST_LABELS)) * now);
    words[at + MEAN] += MEAN_RATE * share * (issued - words[at + MEAN]);
    words[at + OFFSET] = clip(words[at + OFFSET] + STEP * share * (issued + urge(words[at + MEAN])));
  }

  private keep(seq: number, set: number): void {
    const slot = seq % this.pending;
    const word = this.bits + ((slot / IN_A_WORD) | 0);
    const shift = 2 * (slot % IN_A_WORD);
    this.f32.bits[word] = (this.f32.bits[word] & ~(3 << shift)) | (set << shift);
  }
}
