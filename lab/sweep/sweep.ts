import { UserError } from "../../host/errors.ts";
import { canonical } from "../../host/identity.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import { type IdentifiedRun, identifyRuns } from "./jobs.ts";
import { Hashes, type HashTable, VERSION } from "./program-key.ts";
import { crossPoints, type SweepPlan, sweepRuns } from "./statistics/plan.ts";
import { RunStore, type StoreHead } from "./store.ts";
import type { DoneRun } from "./table.ts";

/** Everything that determines a sweep's runs, as in its stores and its bundle. */
export interface SweepHead extends StoreHead {
  readonly schema: "motelearn.sweep-runs/1";
  readonly plan: SweepPlan;
  readonly files: HashTable;
}

export interface Sweep {
  readonly head: SweepHead;
  readonly runs: readonly IdentifiedRun[];
}

/** The runs of a plan. `source` is the scenario's file; files of known hashes aren't read. */
export function makeSweep(
  plan: SweepPlan,
  program: string,
  source: string,
  known: HashTable = {},
  catalogue = Catalogue.shipped,
): Sweep {
  const hashes = new Hashes(source, known);
  const runs = identifyRuns(sweepRuns(plan, crossPoints(plan, catalogue)), hashes, program);
  const schema = "motelearn.sweep-runs/1" as const;
  const head = { schema, version: VERSION, program, plan, files: hashes.table };
  return { head, runs };
}

/** The runs that are done, in the order of tables. Each is read when its turn comes, so that memory holds one at a time. */
export function storedRuns(runs: readonly IdentifiedRun[], store: RunStore<NetworkRows>): Iterable<DoneRun> {
  return {
    *[Symbol.iterator]() {
      for (const run of runs) {
        const rows = store.find(run.id);
        if (rows) yield { run, rows };
      }
    },
  };
}

/** The keys whose values differ. */
function differences<T extends object>(a: T, b: T): (keyof T & string)[] {
  const keys = Object.keys({ ...a, ...b }) as (keyof T & string)[];
  return keys.filter((key) => canonical(a[key]) !== canonical(b[key]));
}

/** The runs of several stores, and the sweep that all of them are of. Throws a UserError of one line. */
export function mergedStores(paths: readonly string[]): { store: RunStore<NetworkRows>; head: SweepHead } {
  const store = new RunStore<NetworkRows>("");
  let first: SweepHead | undefined;
  for (const path of paths) {
    store.head = undefined;
    store.include(path);
    const head = store.head as SweepHead | undefined;
    if (head?.schema !== "motelearn.sweep-runs/1")
      throw new UserError(`sweep merge: ${path}: holds no runs of a sweep`);
    first ??= head;
    const [differs] = differences(first, head);
    if (differs === "program")
      throw new UserError(
        `sweep merge: ${path}: was run by another program than ${paths[0]}; run all parts with one version`,
      );
    const what = differs === "plan" ? differences(first.plan, head.plan).join(", ") : differs;
    if (what !== undefined)
      throw new UserError(`sweep merge: ${path}: is of another sweep than ${paths[0]}, with other ${what}`);
  }
  return { store, head: first as SweepHead };
}
