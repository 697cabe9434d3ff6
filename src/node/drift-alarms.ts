import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, type Layout, type MemoryRange, POSITIVE, type Region, TO_ONE } from "../memory/layout.ts";
import type { LabelFlips } from "./prediction-sets.ts";

/** Labels: errors and labels that the count begins with, at the start and after an alarm; least labels before an alarm; most labels that count. */
const ERRORS_FIRST = 3;
const LABELS_FIRST = 10;
const LABELS_LEAST = 100;
const LABELS_MOST = 2000;
/** Least and largest error rate p0; the rise that an alarm detects; the largest p1; the sum that raises an alarm. */
const RATE_LEAST = 0.03;
const RATE_MOST = 0.45;
const RISE = 0.2;
const RISEN_MOST = 0.6;
const ERROR_ALARM = 12;
/** Margins: samples of a block, blocks before the first test, most blocks that the running mean and variance count. */
const BLOCK = 32;
const BLOCKS_LEAST = 8;
const BLOCKS_MOST = 100;
const DEVIATIONS_MOST = 4;
const SLACK = 0.5;
const MARGIN_ALARM = 8;
/** Words of each, by their places. */
const ERRORS = 0;
const LABELS = 1;
const EVIDENCE = 2;
const ALARMS = 3;
const SUM = 4;
const COUNT = 5;
const MEAN = 6;
const VARIANCE = 7;
const BLOCKS = 8;
const UP = 9;
const DOWN = 10;
const SHIFTS = 11;
const WORDS = 12;
/** A block has a sum and a count up to 32; means of margins, and so their variance, are at most 1; blocks count up to 100. */
const BLOCK_BITS = 0x42000000;
const BLOCKS_BITS = 0x42c80000;
const HOLDS = frozen([
  ...[POSITIVE, POSITIVE, POSITIVE, ANY],
  ...[BLOCK_BITS, BLOCK_BITS, TO_ONE, TO_ONE, BLOCKS_BITS, POSITIVE, POSITIVE, ANY],
]);

/**
 * Two cumulative sums (CUSUM, Page 1954) that detect when the learned state no longer fits. They use only the
 * node's own data.
 *
 * On labels: wrong = 1 if the label differs from the prediction just before it was learned. With p0 = errors
 * / labels, clipped to .03...45, and p1 = min(.6, p0 + .2 (1 - rp - rm)), since wrong labels, at rates rp and rm, make errors less informative:
 *
 *     g <- max(0, g + log(p1 / p0) if wrong, log((1 - p1) / (1 - p0)) if not);   an alarm if g > 12
 *
 * from the 100th label on. An alarm restarts the count; beyond 2,000 labels old ones fade.
 *
 * On margins, without labels: z, the mean of 32 values |f| / (1 + |f|), less the running mean of such means, over their deviation,
 * clipped at 4; both sums u <- max(0, u + z - .5), v <- max(0, v - z - .5), and an alarm if one exceeds 8. It is slow, as it takes hundreds
 * of samples, and partial: classes that change places leave every margin as it was.
 *
 * Twelve words of state, the counts of both alarms among them.
 *
 * @see Page: Continuous inspection schemes. Biometrika 41, 1954
 */
export class DriftAlarms {
  private readonly f32: Primitives;
  private readonly at: number;
  private readonly rise: number;
  /** True if labels raised an alarm since the last prediction. */
  drifted = false;

  static regions(): Region[] {
    return [{ name: "drift", kind: "state", words: WORDS, holds: HOLDS }];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    [plus, minus]: LabelFlips,
    /** True if an alarm of labels restarts the learner's confidence. */
    readonly restarts: boolean,
  ) {
    this.f32 = range.f32;
    this.at = layout.at("drift", range);
    this.rise = RISE * (1 - plus - minus);
  }

  /** Gives the words their first values. */
  begin(): void {
    const { words } = this.f32;
    words[this.at + ERRORS] = ERRORS_FIRST;
    words[this.at + LABELS] = LABELS_FIRST;
    words[this.at + EVIDENCE] = 0;
  }

  /** Alarms so far of labels, and of margins, mod 2^32. */
  get drifts(): number {
    return this.f32.bits[this.at + ALARMS];
  }

  get shifts(): number {
    return this.f32.bits[this.at + SHIFTS];
  }

  /** Takes whether a label differed from the prediction; true: an alarm. */
  learn(wrong: boolean): boolean {
    const { f32, at } = this;
    const { words, bits } = f32;
    const labels = words[at + LABELS];
    if (labels >= LABELS_LEAST) words[at + EVIDENCE] = this.evidence(wrong);
    if (words[at + EVIDENCE] > ERROR_ALARM) {
      this.begin();
      bits[at + ALARMS]++;
      this.drifted = true;
      return true;
    }
    const faded = labels < LABELS_MOST ? 0 : words[at + ERRORS] / LABELS_MOST;
    words[at + ERRORS] += (wrong ? 1 : 0) - faded;
    if (labels < LABELS_MOST) words[at + LABELS] = labels + 1;
    return false;
  }

  private evidence(wrong: boolean): number {
    const { f32, at, rise } = this;
    const rate = f32.words[at + ERRORS] / f32.words[at + LABELS];
    const p0 = rate < RATE_LEAST ? RATE_LEAST : rate > RATE_MOST ? RATE_MOST : rate;
    const p1 = p0 + rise < RISEN_MOST ? p0 + rise : RISEN_MOST;
    const evidence = f32.words[at + EVIDENCE] + f32.log(wrong ? p1 / p0 : (1 - p1) / (1 - p0));
    return evidence > 0 ? evidence : 0;
  }

  /** Takes a prediction's margin |f|; true: an alarm. Ignores a NaN. */
  predicted(margin: number): boolean {
    const { at } = this;
    const { words } = this.f32;
    if (!(margin >= 0)) return false;
    words[at + SUM] += margin < Infinity ? margin / (1 + margin) : 1;
    if (++words[at + COUNT] < BLOCK) return false;
    const mean = words[at + SUM] / BLOCK;
    words[at + SUM] = 0;
    words[at + COUNT] = 0;
    const isAlarm = words[at + BLOCKS] >= BLOCKS_LEAST && this.test(mean);
    if (isAlarm) {
      words[at + BLOCKS] = 0;
      words[at + UP] = 0;
      words[at + DOWN] = 0;
      this.f32.bits[at + SHIFTS]++;
    }
    this.average(mean);
    return isAlarm;
  }

  private test(mean: number): boolean {
    const { at } = this;
    const { words } = this.f32;
    const variance = words[at + VARIANCE];
    const z = (mean - words[at + MEAN]) / Math.sqrt(variance > 1e-9 ? variance : 1e-9);
    const clipped = z > DEVIATIONS_MOST ? DEVIATIONS_MOST : z < -DEVIATIONS_MOST ? -DEVIATIONS_MOST : z;
    const up = words[at + UP] + clipped - SLACK;
    const down = words[at + DOWN] - clipped - SLACK;
    words[at + UP] = up > 0 ? up : 0;
    words[at + DOWN] = down > 0 ? down : 0;
    return up > MARGIN_ALARM || down > MARGIN_ALARM;
  }

  /** The running mean and variance of the blocks' means. */
  private average(mean: number): void {
    const { at } = this;
    const { words } = this.f32;
    if (words[at + BLOCKS] < BLOCKS_MOST) words[at + BLOCKS]++;
    const share = 1 / words[at + BLOCKS];
    const off = mean - words[at + MEAN];
    words[at + MEAN] += share * off;
    words[at + VARIANCE] += share * ((1 - share) * off * off - words[at + VARIANCE]);
  }
}
