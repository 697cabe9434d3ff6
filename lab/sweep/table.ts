import type { NetworkRows, NodeRow, Value } from "../../host-sim/runs/rows.ts";
import type { IdentifiedRun } from "./jobs.ts";
import type { SweepPlan } from "./statistics/plan.ts";

/** A table: columns by name, rows of their values. No figure in it is of the machine or its clock. */
export interface Table {
  readonly columns: readonly string[];
  rows(): Iterable<readonly Value[]>;
}

function text(value: unknown): Value {
  return typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
}

function runPlace(run: IdentifiedRun, { axes, decompose }: SweepPlan): NodeRow {
  const { point, task, kind, learner, entry, seed, without, id } = run;
  return {
    point: point.index,
    ...Object.fromEntries(axes.map(({ key }, i) => [key, text(point.values[i])])),
    task,
    kind,
    learner,
    options: JSON.stringify(entry.choice.options),
    ...(decompose && { without: without.join("+") }),
    seed,
    run: id,
  };
}

export interface DoneRun {
  readonly run: IdentifiedRun;
  readonly rows: NetworkRows;
}

/** The rows of a run: the run's columns, then each row's own. */
interface RunRows {
  readonly place: NodeRow;
  readonly rows: Iterable<NodeRow>;
}

/** No object is made a row: of 20,000 rows with 150 columns that took most of the time. */
function makeTable(runs: Iterable<DoneRun>, rowsOf: (done: DoneRun) => RunRows): Table {
  const columns = new Set<string>();
  for (const done of runs) {
    const { place, rows } = rowsOf(done);
    for (const name in place) columns.add(name);
    for (const row of rows) for (const name in row) columns.add(name);
  }
  const names = [...columns];
  return {
    columns: names,
    *rows() {
      for (const done of runs) {
        const { place, rows } = rowsOf(done);
        for (const row of rows) yield names.map((name) => (name in row ? row[name] : place[name]) ?? null);
      }
    },
  };
}

/** A row a node of each run, in the runs' order: whatever order they were done in, and wherever. */
export function resultTable(plan: SweepPlan, runs: Iterable<DoneRun>): Table {
  return makeTable(runs, ({ run, rows }) => ({ place: runPlace(run, plan), rows: rows.nodes }));
}

/** Each run's error over time: a row a point of its curve, mean of its nodes. */
export function curveTable(plan: SweepPlan, runs: Iterable<DoneRun>): Table {
  return makeTable(runs, ({ run, rows: { error } }) => {
    const { kind: _, options: __, ...place } = runPlace(run, plan);
    return { place, rows: error.at.map((sample, i) => ({ sample, error: error.value[i] })) };
  });
}
