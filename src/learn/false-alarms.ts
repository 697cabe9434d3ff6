import { frozen } from "../memory/frozen.ts";
import { FINITE, Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { Around } from "./around.ts";
import type { Family, UserOptions } from "./family.ts";
import { TASK } from "./learner.ts";
import { checkGiven, choice, real } from "./options.ts";

/** Options that a novelty detector has beside those of its learner's class. */
export const ALARM_OPTIONS = frozen({
  falseAlarms: real(
    { default: 0, min: 0, below: 1 },
    "share of usual samples that raise an alarm; 0: the learner's own level stays",
  ),
  unlabelled: choice(
    ["usual", "ignored"],
    "usual",
    "what a sample counts as for `falseAlarms` until its label comes: usual; or ignored, so that only samples with a label move the level, when it comes",
  ),
});

const [, IGNORED] = ALARM_OPTIONS.unlabelled.words as readonly string[];
/** Samples over which the level's step shortens, and the number with which it begins. */
const HORIZON = 500;
const FIRST = 50;
/** Least share of the newest score in the mean score and the mean deviation. */
const RATE = 0.005;
/** Bound of a score and of the level: their differences stay within float32. */
const MOST = 1e30;
/** Stands for a score of 0 in a note, as a note of 0 is none. */
const MINUS_ZERO = 0x80000000;
/** Places of the words in region `alarms`. */
const LEVEL = 0;
const MEAN = 1;
const DEVIATION = 2;
const COUNT = 3;
const ALARMS: Region = frozen({
  name: "alarms",
  kind: "state",
  words: 4,
  holds: [FINITE, FINITE, POSITIVE, HORIZON],
});

/** The learner's regions, where they were, and behind them those of the level. */
function alarmLayout(inner: Layout): Layout {
  return new Layout([
    ...inner.regions,
    ALARMS,
    { name: "note", kind: "scratch", words: 1 },
    { name: "score", kind: "scratch", words: 1 },
  ]);
}

function clip(value: number): number {
  return value < -MOST ? -MOST : value > MOST ? MOST : value;
}

/**
 * A novelty detector whose alarms on usual samples come at a promised rate p. Its decision is s - q, with the inner learner's score s and a
 * level q, the p-quantile of usual samples' scores by stochastic approximation:
 *
 *     g = D max(1 / 500, 1 / (n + 50));   q <- q - g (1 - p) / p if s < q, else q + g
 *     m <- m + r (s - m);   D <- D + r (|s - m| - D);   r = max(.005, 1 / n)
 *
 * Each sample counts as usual as soon as it is predicted, so that no delay lies between a step and its effect. A label that says novelty
 * takes its sample's step back, which is noted with the sample. Novelties whose labels never come thus use up a part of the rate.
 * With `unlabelled` "ignored" a sample steps when its label comes, as usual, by its noted score and the level of then: the rate is that
 * of samples as old as their labels.
 *
 * Four words of state; a word for each sample that may wait.
 *
 * @see Robbins, Monro: A stochastic approximation method. Annals of Mathematical Statistics 22(3), 1951
 */
export class FalseAlarms extends Around {
  private readonly alarms: number;
  private readonly noteAt: number;
  private readonly score: number;

  constructor(
    family: Family,
    own: UserOptions,
    private readonly rate: number,
    private readonly waits: boolean,
  ) {
    const layout = alarmLayout(family.layout(own));
    super(TASK.novelty, family, own, layout);
    const range: MemoryRange = this.range;
    this.alarms = layout.at(ALARMS.name, range);
    this.noteAt = layout.at("note", range);
    this.score = layout.at("score", range);
  }

  /** -q; before the first sample minus its score, so that its decision is 0. */
  get offset(): number {
    const { f32, alarms, score } = this;
    return -f32.words[f32.bits[alarms + COUNT] > 0 ? alarms + LEVEL : score];
  }

  /** The decision by the level: negative is an alarm. Changes scratch only. */
  override predict(x: ArrayLike<number>): number {
    const s = this.inner.predict(x);
    this.f32.words[this.score] = clip(s);
    const decision = Math.fround(s + this.offset);
    return decision - decision === 0 ? decision : Number.NaN;
  }

  override note(): void {
    const { f32, noteAt, score, waits } = this;
    f32.words[noteAt] = waits ? f32.words[score] : this.step(f32.words[score]);
    if (waits && f32.bits[noteAt] === 0) f32.bits[noteAt] = MINUS_ZERO;
  }

  override learn(x: ArrayLike<number>, y: number): number {
    const decision = this.predict(x);
    const { f32, noteAt } = this;
    const isTaken = decision - decision === 0 && this.takesLabel(y);
    if (isTaken && !this.noted) this.note();
    const noted = f32.words[noteAt];
    this.pass(x, y);
    if (isTaken && f32.bits[noteAt] !== 0) this.applyLabel(noted, y);
    return decision;
  }

  /** Accounts for the label of a sample. */
  private applyLabel(noted: number, y: number): void {
    const { f32, alarms, waits } = this;
    if (waits && y >= 0) this.step(noted);
    if (!waits && y < 0) f32.words[alarms + LEVEL] = clip(f32.words[alarms + LEVEL] + noted);
  }

  /** Moves the level by a usual sample's score. Returns by how much it fell. */
  private step(s: number): number {
    const { words, bits } = this.f32;
    const { alarms, rate } = this;
    const n = bits[alarms + COUNT];
    if (n < HORIZON) bits[alarms + COUNT] = n + 1;
    if (n === 0) {
      words[alarms + LEVEL] = words[alarms + MEAN] = s;
      return 0;
    }
    const level = words[alarms + LEVEL];
    const gain = words[alarms + DEVIATION] / (n + FIRST < HORIZON ? n + FIRST : HORIZON);
    words[alarms + LEVEL] = clip(s < level ? level - (gain * (1 - rate)) / rate : level + gain);
    const fresh = RATE * (n + 1) < 1 ? 1 / (n + 1) : RATE;
    const off = s - words[alarms + MEAN];
    words[alarms + MEAN] += fresh * off;
    words[alarms + DEVIATION] += fresh * ((off < 0 ? -off : off) - words[alarms + DEVIATION]);
    return level - words[alarms + LEVEL];
  }
}

function offerAlarms(family: Family): Family {
  if (family.task !== TASK.novelty) return family;
  const options = { ...family.options, ...ALARM_OPTIONS };
  /** Throws an OptionError. */
  const takeOptions = (given: UserOptions) => {
    checkGiven(family.name, options, given);
    const { falseAlarms = 0, unlabelled, ...own } = given;
    return { falseAlarms, waits: unlabelled === IGNORED, own };
  };
  return frozen({
    ...family,
    options,
    layout(given) {
      const { falseAlarms, own } = takeOptions(given);
      return falseAlarms > 0 ? alarmLayout(family.layout(own)) : family.layout(own);
    },
    create(given) {
      const { falseAlarms, waits, own } = takeOptions(given);
      return falseAlarms > 0 ? new FalseAlarms(family, own, falseAlarms, waits) : family.create(own);
    },
  } satisfies Family);
}

/** The families, novelty detectors with the options `ALARM_OPTIONS`. */
export function withFalseAlarms(families: readonly Family[]): readonly Family[] {
  return frozen(families.map(offerAlarms));
}
