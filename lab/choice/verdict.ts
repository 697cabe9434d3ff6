import type { Trivial } from "../evaluation/trivial.ts";
import { estimateLoss, type Losses, tailLosses } from "./noise.ts";
import type { Choice } from "./result.ts";

/** Standard errors that a lead must exceed. */
export const NOISE = 2;

/** The best choice beside predictors that know only the labels received. */
export interface Verdict {
  /** How much less it loses than each. */
  readonly ahead: Trivial;
  readonly standardError: number;
  /** True if it leads both by more than noise. */
  readonly isAhead: boolean;
}

/** Null where the best choice has no finite loss. */
export function judgeBest(best: Choice | undefined, trivial: Trivial): Verdict | null {
  if (!best?.loss) return null;
  const { mean } = best.loss;
  const standardError = best.standardError ?? 0;
  const ahead = { majority: trivial.majority - mean, last: trivial.last - mean };
  return { ahead, standardError, isAhead: Math.min(ahead.majority, ahead.last) > NOISE * standardError };
}

/** How the best choice's loss falls with the labels that it has learned. */
export interface LearningCurve {
  /** Labels learned by the end of each part of the stream, rising. */
  readonly labels: readonly number[];
  /** Its mean loss in each part. */
  readonly loss: readonly number[];
  /** Labels after which its loss has fallen to the level of the stream's second half, within noise. */
  readonly needed: number;
  /** True if it falls until the end by more than noise: further labels help. */
  readonly isFalling: boolean;
}

/** The first stretches of the curve's parts: each about twice as long as the one before. */
const PARTS = [0, 1, 2, 4, 8, 16, 32];
/** Standard errors by which a loss must fall late in the stream before it counts as falling. */
const FALLS = 3;
/** Fewest stretches of a quarter whose noise is known. */
const STRETCHES_MIN = 2;
/** Stretches over which a loss is averaged before it is compared. */
const WINDOW = 5;

/** The stretches `from`..`to` - 1. */
function between({ sums, counts }: Losses, from: number, to: number): Losses {
  return { sums: sums.subarray(from, to), counts: counts.subarray(from, to) };
}

/** The mean of the passes' losses, stretch by stretch. */
function meanLosses(all: readonly Losses[]): Losses {
  const [first, ...others] = all;
  const sums = first.sums.map((sum, i) => others.reduce((total, each) => total + each.sums[i], sum));
  return { sums: sums.map((sum) => sum / all.length), counts: first.counts };
}

/** @param learned labels learned by the end of each stretch. */
export function learningCurve(passes: readonly Losses[], learned: readonly number[]): LearningCurve {
  const losses = meanLosses(passes);
  const { length } = learned;
  const starts = PARTS.filter((start) => start < length);
  const ends = [...starts.slice(1), length];
  const late = estimateLoss(tailLosses(losses, 0.5));
  const level = (i: number) => estimateLoss(between(losses, i, i + WINDOW)).mean;
  const resolved = Array.from({ length }, (_, i) => i).find(
    (i) => level(i) <= late.mean + NOISE * late.standardError,
  );
  const quarters = [0.5, 0.75].map((from) =>
    estimateLoss(between(losses, Math.floor(from * length), Math.floor((from + 0.25) * length))),
  );
  const [third, last] = quarters;
  const noise = Math.sqrt(third.standardError ** 2 + last.standardError ** 2);
  return {
    labels: ends.map((end) => learned[end - 1]),
    loss: starts.map((start, part) => estimateLoss(between(losses, start, ends[part])).mean),
    needed: resolved ? learned[resolved - 1] : 0,
    isFalling: length >= 4 * STRETCHES_MIN && third.mean - last.mean > FALLS * noise,
  };
}
