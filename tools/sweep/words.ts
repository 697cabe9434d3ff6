import type { Axis } from "../../host-sim/sweep/axes.ts";
import { alike, type Difference, type Estimate } from "../../host-sim/sweep/statistics.ts";
import type { LearnerRanking, TaskSummary } from "../../host-sim/sweep/summary.ts";
import type { SweepResult } from "./result.ts";

const VALUES_SHOWN = 8;

export function figure(value: number): string {
  return value.toFixed(4);
}

/** "0.1234 [0.1200, 0.1268]"; of one seed the mean alone. */
export function estimateText({ mean, low, high }: Estimate): string {
  return low === null || high === null ? figure(mean) : `${figure(mean)} ${intervalText({ low, high })}`;
}

function intervalText({ low, high }: { readonly low: number; readonly high: number }): string {
  return `[${figure(low)}, ${figure(high)}]`;
}

/** What a difference to the best shows. */
export function behindText(behind: Difference | null): string {
  if (behind === null) return "least";
  const text = `+${estimateText(behind)}`;
  if (behind.low === null) return text;
  return behind.shown ? text : `no difference shown ${intervalText(behind as { low: number; high: number })}`;
}

function count(n: number, one: string): string {
  return `${n.toLocaleString("en-US")} ${n === 1 ? one : `${one}s`}`;
}

/** An axis in words. */
export function axisText(axis: Axis): string {
  if (!("values" in axis)) return `${axis.key} in ${axis.min}..${axis.max}${axis.log ? " (log)" : ""}`;
  const shown = axis.values.slice(0, VALUES_SHOWN).map(valueText).join(", ");
  return `${axis.key}: ${shown}${axis.values.length > VALUES_SHOWN ? ", ..." : ""}`;
}

export function valueText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** What was swept, in lines: totals first. */
export function totalLines({ runs, points, seeds, axes, method, tasks }: SweepResult): string[] {
  const learners = new Set(tasks.flatMap(({ learners }) => learners.map(({ learner }) => learner))).size;
  const repeated =
    runs.distinct < runs.planned ? ` (${count(runs.distinct, "network")}: equal ones are run once)` : "";
  return [
    `${count(runs.planned, "run")}${repeated}: ${count(points, "point")}, ${count(learners, "learner")}, ${count(seeds.length, "seed")}, the same at every point`,
    ...(axes.length > 0 ? [`${method}: ${axes.map(axisText).join("; ")}`] : []),
  ];
}

/** What the ranks show, in a sentence or two. */
export function rankingText(ranking: LearnerRanking): string {
  const { learners, blocks, chiSquare, p, criticalDifference } = ranking;
  const test = `Friedman over ${blocks} points: chi-square ${chiSquare.toFixed(2)}, p ${p < 0.0001 ? "< 0.0001" : p.toFixed(4)}`;
  const critical = `Nemenyi's critical difference of mean ranks ${criticalDifference.toFixed(2)} at 5 %`;
  const groups = alike(ranking).map((places) => places.map((place) => learners[place]).join(", "));
  const same = groups.length > 0 ? `; no difference shown between ${groups.join("; between ")}` : "";
  return `${test}. ${critical}${same}.`;
}

export const POINTS_CAPTION =
  "Points of one sweep share their streams, so that they aren't independent sets: the test describes this sweep.";

/** What the errors of a task are. */
export function measureText({ measure }: TaskSummary): string {
  return measure === "rmse" ? "RMSE" : "error, a share of 1";
}
