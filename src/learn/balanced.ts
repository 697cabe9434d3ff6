import { frozen } from "../memory/frozen.ts";
import { FINITE, Layout, POSITIVE, type Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { Around } from "./around.ts";
import type { Family, UserOptions } from "./family.ts";
import { noteWords, TASK } from "./learner.ts";
import { checkGiven, flag } from "./options.ts";

/** The option that a classifier has beside those of its learner's class. */
export const BALANCE_OPTIONS = frozen({
  balanced: flag(
    false,
    "decide so that the shares of errors on both classes count alike, however rare one class is; false: so that errors are few. Of two classes",
  ),
});

/** What `balanced` takes where there are more than two classes. */
export const FOR_TWO = "false for more than two classes";

/** Bins of scores, up to twice their mean magnitude on each side of 0. */
const BINS = 32;
const MIDDLE = BINS / 2;
const BINS_A_MEAN = BINS / 4;
/** What of a class's counts remains one label of the class later. */
const KEEP = 0.998;
/** Labels from which the mean magnitude follows them at the rate of the last. */
const HORIZON = 200;
/** Labels of each class before which the threshold is 0. */
const KNOWN = 8;
/** Bound of a score: the mean and the differences stay within float32. */
const MOST = 1e30;
/** Stands for a score of 0 in a note, as a note of 0 is none. */
const MINUS_ZERO = 0x80000000;
/** Places of the words in region `balance`: the threshold, the mean magnitude, labels that it is of, and the counts' sums, -1 before +1. */
const THRESHOLD = 0;
const MEAN = 1;
const LABELS = 2;
const SUMS = 3;
const BALANCE: Region = frozen({
  name: "balance",
  kind: "state",
  words: 5,
  holds: [FINITE, POSITIVE, HORIZON, POSITIVE, POSITIVE],
});
/** The counts of each bin, of -1 before those of +1. */
const BINNED: Region = frozen({ name: "binned", kind: "state", words: 2 * BINS, holds: [POSITIVE] });

/** The learner's regions, where they were, its note by another name; behind them those of the threshold, and a note of both. */
function balancedLayout(inner: Layout): Layout {
  const own = inner.regions.map((region) =>
    region.name === "note" ? { ...region, name: "its note" } : region,
  );
  return new Layout([
    ...own,
    BALANCE,
    BINNED,
    { name: "note", kind: "scratch", words: 1 + noteWords(inner) },
    { name: "score", kind: "scratch", words: 1 },
    { name: "gains", kind: "scratch", words: BINS },
  ]);
}

/**
 * A classifier whose threshold balances two classes: where one is rare, few errors mean that most of it is missed. Its decision is
 * s - t, with the inner learner's score s, and the threshold t at which the shares of the classes that lie right add up to the most:
 *
 *     J(t) = P(s < t | -1) - P(s < t | +1);   t = argmax J, if J(t) > J(0) + sqrt(1 / n+ + 1 / n-) / 2, else 0
 *
 * P and n are of the scores that the samples had when they were predicted, in 32 bins over twice their mean magnitude, discounted by .998
 * for each further label of a class. Labels that are wrong at random, at any rate of each class, lower J(t) - J(0) in proportion at each t,
 * so that the best t stays (Menon et al. 2015).
 *
 * 69 words of state, 34 of scratch; a word for each sample that may wait.
 *
 * @see Menon, van Rooyen, Ong, Williamson: Learning from corrupted binary labels via class-probability estimation. ICML 2015
 */
export class Balanced extends Around {
  private readonly balance: number;
  private readonly binned: number;
  private readonly noteAt: number;
  /** Words of the inner learner's note, and the first of them. */
  private readonly innerLength: number;
  private readonly innerNote: number = 0;
  private readonly score: number;
  /** Word of what J gains from each bin's lower edge to its upper. */
  private readonly gains: number;

  constructor(family: Family, own: UserOptions) {
    const inner = family.layout(own);
    const layout = balancedLayout(inner);
    super(TASK.classification, family, own, layout);
    this.balance = layout.at(BALANCE.name, this.range);
    this.binned = layout.at(BINNED.name, this.range);
    this.noteAt = layout.at("note", this.range);
    this.score = layout.at("score", this.range);
    this.gains = layout.at("gains", this.range);
    this.innerLength = noteWords(inner);
    if (this.innerLength > 0) this.innerNote = layout.at("its note", this.range);
  }

  /** -t. */
  get offset(): number {
    return -this.f32.words[this.balance + THRESHOLD];
  }

  /** The decision by the threshold. Changes scratch only. */
  override predict(x: ArrayLike<number>): number {
    const s = this.inner.predict(x);
    this.f32.words[this.score] = s;
    return this.decide(s);
  }

  private decide(s: number): number {
    const decision = Math.fround(s + this.offset);
    return decision - decision === 0 ? decision : Number.NaN;
  }

  override note(): void {
    const { f32, noteAt, score, innerNote, innerLength, inner } = this;
    f32.words[noteAt] = f32.words[score];
    if (f32.bits[noteAt] === 0) f32.bits[noteAt] = MINUS_ZERO;
    inner.note();
    if (innerLength > 0) f32.copy(noteAt + 1, innerNote, innerLength);
  }

  override learn(x: ArrayLike<number>, y: number): number {
    const { f32, noteAt, innerNote, innerLength, inner } = this;
    const noted = f32.words[noteAt];
    inner.noted = this.noted && f32.bits[noteAt] !== 0;
    if (innerLength > 0) f32.copy(innerNote, noteAt + 1, innerLength);
    const s = this.pass(x, y);
    const decision = this.decide(s);
    // A state from outside may hold any note.
    const score = inner.noted && noted - noted === 0 ? noted : s;
    if (decision - decision === 0 && this.takesLabel(y)) this.receive(score, y);
    return decision;
  }

  /** Counts the score of a sample with label y, and places the threshold. */
  private receive(score: number, y: number): void {
    const { f32, balance, binned } = this;
    const { words } = f32;
    const s = score < -MOST ? -MOST : score > MOST ? MOST : score;
    const unit = this.followMean(s < 0 ? -s : s) / BINS_A_MEAN;
    const bin = MIDDLE + (unit > 0 ? Math.floor(s / unit) : 0);
    const label = y > 0 ? 1 : 0;
    const counts = binned + label * BINS;
    f32.scale(counts, KEEP, BINS);
    words[counts + (bin < 0 ? 0 : bin < BINS ? bin : BINS - 1)]++;
    words[balance + SUMS + label] = KEEP * words[balance + SUMS + label] + 1;
    words[balance + THRESHOLD] = (this.bestEdge() - MIDDLE) * unit;
  }

  /** Follows the mean magnitude of the scores, and returns it. */
  private followMean(size: number): number {
    const { words, bits } = this.f32;
    const { balance } = this;
    if (bits[balance + LABELS] < HORIZON) bits[balance + LABELS]++;
    words[balance + MEAN] += (size - words[balance + MEAN]) / bits[balance + LABELS];
    return words[balance + MEAN];
  }

  /** The bin whose lower edge is the best threshold. */
  private bestEdge(): number {
    const { f32, balance, binned, gains } = this;
    const { words } = f32;
    const minus = words[balance + SUMS];
    const plus = words[balance + SUMS + 1];
    if (minus < KNOWN || plus < KNOWN) return MIDDLE;
    f32.copy(gains, binned, BINS);
    f32.scale(gains, 1 / minus, BINS);
    f32.addScaled(gains, -1 / plus, binned + BINS, BINS);
    let sum = 0;
    let middle = 0;
    let most = 0;
    let best = 0;
    for (let k = 0; k < BINS; k++) {
      if (k === MIDDLE) middle = sum;
      if (sum > most) {
        most = sum;
        best = k;
      }
      sum += words[gains + k];
    }
    return most > middle + Math.sqrt(1 / minus + 1 / plus) / 2 ? best : MIDDLE;
  }
}

/** The family, a classifier with the option `BALANCE_OPTIONS`. */
export function offerBalance(family: Family): Family {
  if (family.task !== TASK.classification) return family;
  const options = { ...family.options, ...BALANCE_OPTIONS };
  /** Throws an OptionError. */
  const takeOptions = (given: UserOptions) => {
    checkGiven(family.name, options, given);
    const { balanced = false, ...own } = given;
    if (balanced && own.classes > 2) throw new OptionError(family.name, "balanced", true, FOR_TWO);
    return { balanced, own };
  };
  return frozen({
    ...family,
    options,
    layout(given) {
      const { balanced, own } = takeOptions(given);
      return balanced ? balancedLayout(family.layout(own)) : family.layout(own);
    },
    create(given) {
      const { balanced, own } = takeOptions(given);
      return balanced ? new Balanced(family, own) : family.create(own);
    },
  } satisfies Family);
}
