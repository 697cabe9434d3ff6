import { readBounded } from "../../host/bounded-file.ts";
import { placed, UserError } from "../../host/errors.ts";
import { canonical, sha256 } from "../../host/identity.ts";
import { parseFiniteJson } from "../../host/json.ts";
import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import type { Format } from "./formats.ts";
import type { SweepResult } from "./result.ts";
import type { Sweep, SweepHead } from "./sweep.ts";
import type { DoneRun } from "./table.ts";

const BUNDLE_VERSION = "motelearn.sweep-bundle/1";
/** Bytes of a bundle: a text of more isn't possible. */
const BYTES_MAX = 500 << 20;

/** A network of a bundle: its identity, the hashes of its nodes' states, and of all that was measured. */
export interface BundledRun {
  readonly run: string;
  /** For each node in turn: the hashes of its learner's state and of the whole node's. */
  readonly states: readonly (readonly [string, string])[];
  readonly rows: string;
}

/** A sweep as a record to reproduce: plan, data, program and results. */
export interface Bundle extends Omit<SweepHead, "schema"> {
  readonly schema: typeof BUNDLE_VERSION;
  readonly table: { readonly name: string; readonly format: Format; readonly sha256: string };
  readonly runs: readonly BundledRun[];
  readonly results: SweepResult;
}

export function bundledRun(run: string, rows: NetworkRows): BundledRun {
  const states = rows.nodes.map(({ stateHash, nodeHash }) => [String(stateHash), String(nodeHash)] as const);
  return { run, states, rows: sha256(canonical(rows)) };
}

/** The lines of a whole sweep's bundle: one a run, made when its turn comes. */
export function* bundleLines(
  { head }: Sweep,
  done: Iterable<DoneRun>,
  results: SweepResult,
  table: Bundle["table"],
): Generator<string> {
  const rest: Omit<Bundle, "runs"> = { ...head, schema: BUNDLE_VERSION, table, results };
  const seen = new Set<string>();
  let line = `${JSON.stringify(rest).slice(0, -1)},"runs":[`;
  for (const { run, rows } of done) {
    if (seen.has(run.id)) continue;
    yield seen.size > 0 ? `${line},` : line;
    seen.add(run.id);
    line = JSON.stringify(bundledRun(run.id, rows));
  }
  yield line;
  yield "]}";
}

/** Reads a bundle. Throws a UserError of one line. */
export function readBundle(path: string): Bundle {
  const read = () => parseFiniteJson(readBounded(path, BYTES_MAX));
  const bundle = placed(path, read, "give a sweep's bundle");
  const { schema, plan, runs, files, program, table } = Object(bundle) as Partial<Bundle>;
  if (schema !== BUNDLE_VERSION)
    throw new UserError(`${path}: no bundle; give NAME.bundle.json, which sweep writes (${BUNDLE_VERSION})`);
  const isWhole = [plan, files, table].every((part) => typeof part === "object" && part !== null);
  if (!isWhole || !Array.isArray(runs) || typeof program !== "string")
    throw new UserError(`${path}: the bundle is incomplete; give the file that sweep wrote`);
  return bundle as Bundle;
}
