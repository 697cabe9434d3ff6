import { byNode, type DataSet, readTable } from "../../host-sim/streams/index.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { DueLabel } from "../../src/peer/labels.ts";
import { UserError } from "../cli/exit.ts";
import {
  classesOf,
  classTargets,
  noveltyRule,
  noveltyTargets,
  regressionTargets,
} from "../evaluation/targets.ts";
import { MemorySupply, type StoredSamples } from "./memory-supply.ts";
import { SESSION } from "./supply.ts";

/** How a recorded stream becomes labels. */
export interface FileOptions {
  /** The learner for its labels; `auto`: the one that the node reports. */
  readonly learner: string;
  /** The label of a novelty, for a novelty learner; default as in `evaluate`. */
  readonly novel?: string;
  /** How many samples may be fed beyond the last one whose label the node processed. */
  readonly ahead: number;
}

/**
 * A recorded stream's nodes, in the order of their first rows. Throws a StreamError that names file and line.
 */
export async function readRecording(file: string): Promise<ReadonlyMap<string, DataSet>> {
  return byNode(await readTable(file, { unlabelled: true, provenance: true }));
}

/**
 * Each row's label as that learner's target; NaN where a row has none. An unknown learner gets numbers
 * unchanged.
 */
function targetsOf(data: DataSet, { learner, novel }: FileOptions): Float64Array {
  const family = familyNamed(learner);
  if (!family || family.task === "regression") return regressionTargets(data);
  const rows = Array.from(data.labels, (label, row) => ({ label, row })).filter(
    ({ label }) => !Number.isNaN(label),
  );
  const labelled = { ...data, labels: Float64Array.from(rows, ({ label }) => label), count: rows.length };
  const known = classesOf(labelled);
  const targets =
    family.task === "novelty"
      ? noveltyTargets(labelled, noveltyRule(labelled, novel))
      : classTargets(labelled, known, known.count > 2 ? "multiclass" : family.task);
  const all = new Float64Array(data.count).fill(Number.NaN);
  rows.forEach(({ row }, i) => {
    all[row] = targets[i];
  });
  return all;
}

/** Throws a UserError if no row of that node has a label. */
export function checkLabelled(node: string, data: DataSet): void {
  if (!data.labels.every(Number.isNaN)) return;
  throw new UserError(`${data.source}: no row of ${node || "it"} has a label; give a stream with labels`);
}

/** A recorded stream as labels and samples: row i is sample i, and each label comes with its sample. */
export function fileSupply(node: string, data: DataSet, options: FileOptions): MemorySupply {
  const targets = targetsOf(data, options);
  const { source, confidence } = data.provenance ?? {};
  const labels: DueLabel[] = [];
  const upTo = new Uint32Array(data.count);
  targets.forEach((y, row) => {
    const seq = row + 1;
    const origin = { source: source?.[row], confidence: confidence?.[row] };
    if (!Number.isNaN(y))
      labels.push({ number: labels.length + 1, sid: SESSION, seq, y, due: seq, ...origin });
    upTo[row] = labels.length;
  });
  const after = upTo.map((_, row) => (row < options.ahead ? 0 : upTo[row - options.ahead]));
  const end = { labels: labels.length, samples: data.count };
  return new MemorySupply(node, labels, { channels: data.dimension, readings: data.rows, after }, end);
}

/** A recorded stream's samples alone, for a node with another source of labels. */
export function fileSamples(data: DataSet): StoredSamples {
  return { channels: data.dimension, readings: data.rows, after: new Uint32Array(data.count) };
}
