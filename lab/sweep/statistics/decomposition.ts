import { average } from "../../../host/statistics.ts";
import { CAUSES, type Cause, listCauses } from "./plan.ts";
import { difference, differenceRange, type Estimate, estimateMean, shapleyShares } from "./statistics.ts";
import type { TaskRuns } from "./task-runs.ts";

/** The cost to a learner of late, lost, wrong and few labels: Shapley's shares, which with `clean` add up to `error`. */
export interface Decomposition {
  readonly learner: string;
  readonly error: Estimate;
  readonly clean: Estimate;
  readonly causes: { readonly [cause in Cause]?: Estimate };
}

/** The cost of each cause at a point and a seed, and the error that remains without causes; undefined where a run is missing. */
function costsAt(runs: TaskRuns, learner: string, point: number, seed: number) {
  const { scenario } = runs.findPoint(point);
  const causes = listCauses(scenario.tasks.find(({ name }) => name === runs.task)?.labels ?? scenario.labels);
  const costs = Array.from({ length: 1 << causes.length }, (_, there) => {
    const without = causes.filter((_, i) => !((there >> i) & 1));
    return runs.figure(learner, point, seed, runs.measure, without);
  });
  if (costs.some(Number.isNaN)) return undefined;
  const shares = shapleyShares(causes.length, costs);
  const own: { readonly [cause in Cause]?: number } = Object.fromEntries(
    causes.map((cause, i) => [cause, shares[i]]),
  );
  return { clean: costs[0], error: costs[costs.length - 1], causes: own };
}

export function decomposeCost(runs: TaskRuns, learner: string): Decomposition | undefined {
  const { range } = runs;
  const perSeed = runs.seeds
    .map((seed) => runs.points.flatMap((point) => costsAt(runs, learner, point, seed) ?? []))
    .filter((costs) => costs.length === runs.points.length);
  if (perSeed.length === 0) return undefined;
  const seedMeans = (value: (costs: (typeof perSeed)[number][number]) => number) =>
    perSeed.map((costs) => average(costs.map(value)));
  const estimate = (of: "error" | "clean") =>
    estimateMean(
      seedMeans((costs) => costs[of]),
      range,
    );
  const causeCost = (cause: Cause) =>
    difference(
      seedMeans(({ causes }) => causes[cause] ?? 0),
      differenceRange(range),
    );
  const there = CAUSES.filter((cause) =>
    perSeed.some((costs) => costs.some(({ causes }) => cause in causes)),
  );
  return {
    learner,
    error: estimate("error"),
    clean: estimate("clean"),
    causes: Object.fromEntries(there.map((cause) => [cause, causeCost(cause)])),
  };
}
