import type { SweepPlan } from "../../host-sim/sweep/plan.ts";
import type { NetworkRows, NodeRow, Value } from "../../host-sim/sweep/rows.ts";
import type { IdentifiedRun } from "./jobs.ts";

/** A table: columns by name, rows of their values. No figure in it is of the machine or its clock. */
export interface Table {
  readonly columns: readonly string[];
  rows(): Iterable<readonly Value[]>;
}

function text(value: unknown): Value {
  return typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
}

/** What says which run a row is of. */
function placeOf(run: IdentifiedRun, { axes, decompose }: SweepPlan): NodeRow {
  const { point, task, kind, learner, choice, seed, without, id } = run;
  return {
    point: point.index,
    ...Object.fromEntries(axes.map(({ key }, i) => [key, text(point.values[i])])),
    task,
    kind,
    learner,
    options: JSON.stringify(choice.options),
    ...(decompose && { without: without.join("+") }),
    seed,
    run: id,
  };
}

/** A run and what was kept of it. */
export interface DoneRun {
  readonly run: IdentifiedRun;
  readonly rows: NetworkRows;
}

function tableOf(runs: readonly DoneRun[], rowsOf: (done: DoneRun) => Iterable<NodeRow>): Table {
  const columns = new Set<string>();
  for (const done of runs)
    for (const row of rowsOf(done)) for (const name of Object.keys(row)) columns.add(name);
  const names = [...columns];
  return {
    columns: names,
    *rows() {
      for (const done of runs) for (const row of rowsOf(done)) yield names.map((name) => row[name] ?? null);
    },
  };
}

/** A row a node of each run, in the runs' order: whatever order they were done in, and wherever. */
export function resultTable(plan: SweepPlan, runs: readonly DoneRun[]): Table {
  return tableOf(runs, ({ run, rows }) => rows.nodes.map((node) => ({ ...placeOf(run, plan), ...node })));
}

/** How each run's error went: a row a point of its curve, in the mean of its nodes. */
export function curveTable(plan: SweepPlan, runs: readonly DoneRun[]): Table {
  return tableOf(runs, function* ({ run, rows: { error } }) {
    const { kind: _, options: __, ...place } = placeOf(run, plan);
    for (const [i, sample] of error.at.entries()) yield { ...place, sample, error: error.value[i] };
  });
}
