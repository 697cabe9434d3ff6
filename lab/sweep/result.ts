import { planJobs } from "./jobs.ts";
import type { SweepPlan } from "./statistics/plan.ts";
import { type SweepSummary, summarise } from "./statistics/summary.ts";
import type { Sweep } from "./sweep.ts";
import type { DoneRun } from "./table.ts";

/** The form that `motelearn sweep --json` prints. No figure in it is of the machine or its clock. */
export interface SweepResult
  extends SweepSummary,
    Pick<SweepPlan, "name" | "axes" | "method" | "points" | "seeds"> {
  readonly schema: "motelearn.sweep-result/1";
  readonly title: string;
  readonly version: string;
  /** In the order of the axes. */
  readonly pointValues: readonly { readonly point: number; readonly values: readonly unknown[] }[];
  /** Rows of the plan, and networks that they took: equal ones are run once. */
  readonly runs: { readonly planned: number; readonly distinct: number };
}

export function makeResult({ head: { plan, version }, runs }: Sweep, done: Iterable<DoneRun>): SweepResult {
  const { name, scenario, axes, method, seeds } = plan;
  const points = new Map(runs.map(({ point }) => [point.index, point.values]));
  return {
    schema: "motelearn.sweep-result/1",
    name,
    title: scenario.title || scenario.name,
    version,
    axes,
    method,
    points: points.size,
    pointValues: [...points].map(([point, values]) => ({ point, values })),
    seeds,
    runs: { planned: runs.length, distinct: planJobs(runs).length },
    ...summarise(plan, done),
  };
}
