import { levelBound } from "../../sweep/statistics/statistics.ts";
import type { Experiment, Findings, Row, Verdict } from "./experiment.ts";
import { isAbove, isBelow, type Statistic, type Summary, withInterval } from "./summary.ts";

/**
 * What the runs say of a claim. `shown`: it comes out. `open`: they show neither it nor its contrary. `reversed`: they show its contrary.
 * Of a published figure: `shown`: ours is level with it, or better where it is the paper's own method; `behind`: ours is worse, of the
 * paper's own method; `off`: ours is another, of a method that the paper compares with.
 */
export type ClaimOutcome = "shown" | "open" | "reversed" | "behind" | "off";

export interface Claim {
  /** In words, with the figures that decide. */
  readonly text: string;
  readonly found: ClaimOutcome;
  /** What the paper shows the figure or table for. Default false. */
  readonly headline?: boolean;
  /** That a figure is level with the published one. Default false. */
  readonly figure?: boolean;
}

/**
 * The verdict on all claims of an experiment. `fails`: a headline claim is reversed. `holds`: every claim comes out. `behind`: of what is left,
 * where a headline claim isn't shown, where a figure of the paper's own method is worse than published, or where fewer than two claims come
 * out. `partly`: the rest: two claims or more come out, headline claims among them. `measured`: there is no claim.
 */
export function judgeClaims(claims: readonly Claim[]): Verdict["outcome"] {
  if (claims.length === 0) return "measured";
  if (claims.some(({ headline, found }) => headline && found === "reversed")) return "fails";
  const shown = claims.filter(({ found }) => found === "shown");
  if (shown.length === claims.length) return "holds";
  const short = claims.some(({ headline, found }) => found === "behind" || (headline && found !== "shown"));
  return short || shown.length < 2 ? "behind" : "partly";
}

/** A claim that the runs' means decide, without a test. */
export function claim(holds: boolean, text: string, headline = false): Claim {
  return { found: holds ? "shown" : "open", text, headline };
}

/** How a comparison is told. */
export interface Comparison {
  /** What is claimed: "osKM is ahead of NORMA". */
  readonly text: string;
  readonly headline?: boolean;
  /** Decimals of the difference. Default 2. */
  readonly digits?: number;
  /** What the difference is multiplied by, to be told. Default 1. */
  readonly times?: number;
  /** That a isn't shown to be above b is enough. Default: it is to be shown to be below. */
  readonly level?: boolean;
  /** No seed changes the result: the sign of the difference decides. */
  readonly exact?: boolean;
}

/** The claim that the number `a` lies below the number `b`, by the 95 % interval of b - a on paired seeds, which is told. */
export function below(summary: Summary, a: string, b: string, comparison: Comparison): Claim {
  const { text, headline, digits = 2, times, level, exact } = comparison;
  const less = summary.difference(b, a);
  const [under, over] = exact ? [less.mean > 0, less.mean < 0] : [isAbove(less), isBelow(less)];
  const comesOut = under || (level && !over && (exact || less.count > 1));
  return {
    found: comesOut ? "shown" : over ? "reversed" : "open",
    text: `${text} (by ${withInterval(less, digits, times)})`,
    headline,
  };
}

/**
 * How many standard errors our mean lies above the published figure (z): both sides' standard errors count. A figure published without
 * its deviation is taken to vary as ours does. NaN where our runs have no deviation.
 */
export function zScore(
  ours: Statistic,
  published: number | { readonly mean: number; readonly deviation: number },
  runs: number,
): number {
  const { mean, deviation } =
    typeof published === "number" ? { mean: published, deviation: ours.deviation } : published;
  const apart = ours.mean - mean;
  const variance = (ours.deviation * ours.deviation) / ours.runs + (deviation * deviation) / runs;
  return variance === 0 && apart === 0 ? 0 : apart / Math.sqrt(variance);
}

/**
 * A claim for each published figure that the runs have, by a z test that errs in 5 % of all tables: each of its m figures is tested at 5 % / m.
 */
export function figureClaims(summary: Summary, rows: readonly Row[], publishedRuns: number): Claim[] {
  const tested = rows.flatMap(({ name, label, published, own, more }) => {
    if (typeof published === "string" || published === undefined || !summary.numbers[name]) return [];
    const z = zScore(summary.numbers[name], published, publishedRuns);
    return Number.isNaN(z) ? [] : [{ label, z, worse: more ? -z : z, own }];
  });
  const bound = levelBound(tested.length);
  return tested.map(({ label, z, worse, own }) => {
    const level = Math.abs(z) <= bound || (own && worse < 0);
    const found = level ? "shown" : own ? "behind" : "off";
    const zText = Number.isFinite(z) ? z.toFixed(1) : "no deviation";
    return { found, figure: true, text: level ? label : `${label} (z ${z > 0 ? "+" : ""}${zText})` };
  });
}

const SAID: readonly (readonly [found: ClaimOutcome, figure: boolean, words: string])[] = [
  ["shown", false, "Comes out"],
  ["open", false, "Isn't shown"],
  ["reversed", false, "Comes out the other way round"],
  ["shown", true, "Level with the published figure, or better"],
  ["behind", true, "Behind the published figure"],
  ["off", true, "Another figure than the published one"],
];

/** The claims in words, those that come out first. */
function claimWords(claims: readonly Claim[]): string[] {
  return SAID.flatMap(([found, isFigure, words]) => {
    const own = claims.filter(({ found: f, figure = false }) => f === found && figure === isFigure);
    return own.length === 0 ? [] : [`${words}: ${own.map(({ text }) => text).join("; ")}.`];
  });
}

/** The verdict of an experiment on its runs: one of several runs, which has no standard error, gives none. */
export function judge(
  { rows, runs, once, publishedRuns = runs, verdict }: Experiment,
  summary: Summary,
): Verdict {
  const { claims, note }: Findings = verdict(summary);
  const figures = claims.length > 0 ? figureClaims(summary, rows, publishedRuns) : [];
  const alone = summary.runs === 1 && runs > 1 && !once;
  const all = [...claims, ...figures];
  const text = alone ? ["One run has no standard error, and gives no verdict."] : claimWords(all);
  return {
    outcome: alone ? "measured" : judgeClaims(all),
    text: [...text, ...(note ? [note] : [])].join(" "),
  };
}
