import type { SweepResult } from "./result.ts";
import type { Axis } from "./statistics/axes.ts";
import { countText as count, type Extent, productText } from "./statistics/plan.ts";
import type { LearnerRanking } from "./statistics/ranking.ts";
import { alike } from "./statistics/statistics.ts";

const VALUES_SHOWN = 8;

function axisText(axis: Axis): string {
  if (!("values" in axis)) return `${axis.key} in ${axis.min}..${axis.max}${axis.log ? " (log)" : ""}`;
  const shown = axis.values.slice(0, VALUES_SHOWN).map(valueText).join(", ");
  return `${axis.key}: ${shown}${axis.values.length > VALUES_SHOWN ? ", ..." : ""}`;
}

export function valueText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** "6 points x 2 learners x 100 seeds = 1,200 runs" */
export function extentText(extent: Extent, decompose: boolean): string {
  const more = decompose ? ", each repeated without each set of the causes that its labels have" : "";
  return `${productText(extent)} = ${count(extent.runs, "run")}${more}`;
}

/** The sweep's settings in lines, totals first. */
export function totalLines({ runs, points, seeds, axes, method, tasks }: SweepResult): string[] {
  const learners = new Set(tasks.flatMap(({ learners }) => learners.map(({ learner }) => learner))).size;
  const repeated =
    runs.distinct < runs.planned ? ` (${count(runs.distinct, "network")}: equal ones are run once)` : "";
  return [
    `${count(runs.planned, "run")}${repeated}: ${count(points, "point")}, ${count(learners, "learner")}, ${count(seeds.length, "seed")}, the same at every point`,
    ...(axes.length > 0 ? [`${method}: ${axes.map(axisText).join("; ")}`] : []),
    ...(seeds.length > 1 && tasks.some(({ repeated }) => !repeated)
      ? ["in brackets: 95 % intervals over the seeds; those of differences hold for all learners at once"]
      : []),
  ];
}

/** The ranks' result in a sentence or two. */
export function rankingText(ranking: LearnerRanking): string {
  const { learners, over, blocks, chiSquare, p, criticalDifference } = ranking;
  const test = `Friedman over ${blocks} ${over}: chi-square ${chiSquare.toFixed(2)}, p ${p < 0.0001 ? "< 0.0001" : p.toFixed(4)}`;
  const critical = `Nemenyi's critical difference of mean ranks ${criticalDifference.toFixed(2)} at 5 %`;
  const groups = alike(ranking).map((places) => places.map((place) => learners[place]).join(", "));
  const same = groups.length > 0 ? `; no difference shown between ${groups.join("; between ")}` : "";
  return `${test}. ${critical}${same}.`;
}

export const BLOCKS_CAPTION: { readonly [over in LearnerRanking["over"]]: string } = {
  points:
    "Points of one sweep share their streams, so that they aren't independent sets: the test describes this sweep.",
  seeds: "Each seed draws streams of its own: the blocks are independent, and describe this scenario.",
};
