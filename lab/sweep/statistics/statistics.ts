import jStat from "jstat";
import { average } from "../../../host/statistics.ts";
import { Elementary } from "../../../src/math/elementary.ts";

/** Confidence level of intervals and tests. */
export const CONFIDENCE = 0.95;

/** A mean of independent values; figures that need more than one value are null. */
export interface Estimate {
  readonly mean: number;
  readonly standardError: number | null;
  /** The 95 % interval, within the figure's range. */
  readonly low: number | null;
  readonly high: number | null;
  readonly count: number;
}

/** The values that a figure can have, ends included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const ANY: Range = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
export const NOT_NEGATIVE: Range = { min: 0, max: Number.POSITIVE_INFINITY };
/** Accuracy, AUC, error rate. */
export const SHARE: Range = { min: 0, max: 1 };
export const PERCENT: Range = { min: 0, max: 100 };

/** The values that a - b can have. */
export function differenceRange(a: Range, b = a): Range {
  return { min: a.min - b.max, max: a.max - b.min };
}

/** How intervals are made, for the explanation of a table. */
export const INTERVALS =
  "by Student's t; where a share's interval would leave 0 to 1, by Student's t on its logit; others are cut off at the end of their range, such as 0";

/** The place of an interval's upper end where it is one of `tests` that hold at once (Bonferroni). */
const upperEnd = (tests: number) => 1 - (1 - CONFIDENCE) / (2 * tests);

const quantiles = new Map<string, number>();

/** How many standard errors the interval reaches to either side. */
function studentsT(freedom: number, tests: number): number {
  const key = `${freedom}/${tests}`;
  const known = quantiles.get(key) ?? jStat.studentt.inv(upperEnd(tests), freedom);
  quantiles.set(key, known);
  return known;
}

/**
 * The largest |z| at which a figure still counts as equal to another, where `tests` figures are compared at once: with this bound for each,
 * one of them is taken for unequal by chance in at most 5 % of cases (Bonferroni).
 */
export function levelBound(tests: number): number {
  return jStat.normal.inv(upperEnd(tests), 0, 1);
}

const elementary = new Elementary();

/**
 * The interval around a mean. Where Student's t would leave a range with two ends, it is Student's t on the mean's logit, with the
 * half-width that the logit's slope gives (delta method): it holds the true mean more often than an interval cut off at the range. An
 * interval that leaves a range with one end is cut off there without loss: no true mean lies beyond.
 */
function clippedInterval(mean: number, half: number, range: Range): readonly [number, number] {
  const { min, max } = range;
  const [low, high] = [mean - half, mean + half];
  const fits = low >= min && high <= max;
  if (fits || max - min === Number.POSITIVE_INFINITY || mean <= min || mean >= max)
    return [cut(low, range), cut(high, range)];
  const [above, below] = [mean - min, max - mean];
  const times = elementary.exp((half * (max - min)) / (above * below));
  const oddsPlace = (odds: number) => min + (max - min) / (1 + 1 / odds);
  return [oddsPlace(above / below / times), oddsPlace((above / below) * times)];
}

function cut(value: number, { min, max }: Range): number {
  return Math.min(max, Math.max(min, value));
}

/** A mean and its standard error; null of one value. */
export interface MeanWithError {
  readonly mean: number;
  readonly standardError: number | null;
}

/** The mean of at least one value, and its standard error. */
export function meanWithError(values: readonly number[]): MeanWithError {
  const { length: count } = values;
  const mean = average(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, standardError: count > 1 ? Math.sqrt(squares / (count - 1) / count) : null };
}

/** The mean of at least one value, with its interval, which is one of `tests` that hold at once. */
export function estimateMean(values: readonly number[], range = ANY, tests = 1): Estimate {
  const { length: count } = values;
  const { mean, standardError } = meanWithError(values);
  if (standardError === null) return { mean, standardError, low: null, high: null, count };
  const [low, high] = clippedInterval(mean, studentsT(count - 1, tests) * standardError, range);
  return { mean, standardError, low, high, count };
}

/** A difference on paired seeds; `shown`: whether its interval leaves 0 out. */
export interface Difference extends Estimate {
  readonly shown: boolean;
}

/**
 * The mean of a - b, pair by pair, by Student's t; `range`: the values', beyond whose differences the interval is cut off; `tests`: the
 * differences that are compared at once.
 */
export function estimateDifference(
  a: readonly number[],
  b: readonly number[],
  range = ANY,
  tests = 1,
): Difference {
  return difference(
    a.map((value, i) => value - b[i]),
    differenceRange(range),
    tests,
  );
}

/** The mean of differences, within their range. */
export function difference(values: readonly number[], range: Range, tests = 1): Difference {
  const { low, high, ...estimate } = estimateMean(values, ANY, tests);
  if (low === null || high === null) return { ...estimate, low, high, shown: false };
  return { ...estimate, low: cut(low, range), high: cut(high, range), shown: low > 0 || high < 0 };
}

/** Ranks from 1, the least first; equal values share the mean of their ranks. */
export function averageRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

/** Friedman's test of k treatments in n blocks, and Nemenyi's critical difference of their mean ranks. */
export interface Ranking {
  readonly blocks: number;
  /** Mean ranks, in the order of the treatments. */
  readonly ranks: readonly number[];
  readonly chiSquare: number;
  /** The probability of at least this statistic if treatments don't differ. */
  readonly p: number;
  /** Mean ranks that differ by less don't differ significantly at 5 %. */
  readonly criticalDifference: number;
}

/** @param blocks the values of each block, one a treatment, two at least: less is better. Equal values are corrected for. */
export function rankBlocks(blocks: readonly (readonly number[])[]): Ranking {
  const { length: n } = blocks;
  const { length: k } = blocks[0];
  const all = blocks.map(averageRanks);
  const sums = blocks[0].map((_, i) => all.reduce((sum, ranks) => sum + ranks[i], 0));
  const middle = (n * (k + 1)) / 2;
  const between = sums.reduce((sum, each) => sum + (each - middle) * (each - middle), 0);
  const squares = all.flat().reduce((sum, rank) => sum + rank * rank, 0);
  const within = squares - (n * k * (k + 1) * (k + 1)) / 4;
  const chiSquare = within > 0 ? ((k - 1) * between) / within : 0;
  return {
    blocks: n,
    ranks: sums.map((sum) => sum / n),
    chiSquare,
    p: 1 - jStat.chisquare.cdf(chiSquare, k - 1),
    criticalDifference: nemenyi(k) * Math.sqrt((k * (k + 1)) / (6 * n)),
  };
}

/** The critical value of Nemenyi's test at 5 %: of the studentized range of k means, over the root of 2. */
export function nemenyi(k: number): number {
  return jStat.tukey.inv(CONFIDENCE, k, Number.POSITIVE_INFINITY) / Math.SQRT2;
}

/** The longest runs of treatments, by rising mean rank, within the critical difference: places of the ranks, at least two in each. */
export function alike({ ranks, criticalDifference }: Ranking): number[][] {
  const order = [...ranks.keys()].sort((i, j) => ranks[i] - ranks[j] || i - j);
  const runs = order.map((first, at) =>
    order.slice(at).filter((other) => ranks[other] - ranks[first] < criticalDifference),
  );
  return runs.filter((run, at) => run.length > 1 && (at === 0 || runs[at - 1].at(-1) !== run.at(-1)));
}

/** The Pareto front: places of the points that no other point dominates: none is smaller in one value and no larger in the others. Less is better. */
export function paretoPlaces(points: readonly (readonly number[])[]): number[] {
  const beats = (a: readonly number[], b: readonly number[]) =>
    a.every((value, i) => value <= b[i]) && a.some((value, i) => value < b[i]);
  return [...points.keys()].filter((i) => !points.some((other) => beats(other, points[i])));
}

/**
 * Shapley's shares of a cost that several causes have together: for each cause, the mean cost that its removal saves, over all orders of
 * removal. The shares add up to the whole cost.
 *
 * @param costs by the set of causes that are there, bit i for cause i: 2^n values.
 */
export function shapleyShares(causes: number, costs: readonly number[]): number[] {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  const bits = (set: number) =>
    Array.from({ length: causes }, (_, i) => (set >> i) & 1).reduce((a, b) => a + b, 0);
  return Array.from({ length: causes }, (_, cause) => {
    let share = 0;
    for (let set = 0; set < costs.length; set++) {
      if ((set >> cause) & 1) continue;
      const size = bits(set);
      const weight = (factorial(size) * factorial(causes - size - 1)) / factorial(causes);
      share += weight * (costs[set | (1 << cause)] - costs[set]);
    }
    return share;
  });
}

/** The estimate from the known values; null without any. */
export function estimateOfKnown(values: readonly number[], range = ANY): Estimate | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : estimateMean(known, range);
}

/** The mean difference of the pairs without a missing value; null if there is no such pair. */
export function differenceOfKnown(
  a: readonly number[],
  b: readonly number[],
  range: Range,
  tests: number,
): Difference | null {
  const known = [...a.keys()].filter((i) => !Number.isNaN(a[i]) && !Number.isNaN(b[i]));
  if (known.length === 0) return null;
  return estimateDifference(
    known.map((i) => a[i]),
    known.map((i) => b[i]),
    range,
    tests,
  );
}
