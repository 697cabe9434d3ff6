import type { ArrivalRows } from "./arrival-rows.ts";
import type { DatabaseFile } from "./database-file.ts";
import { type Row, readFloats } from "./tables.ts";

/** A sample with its prediction and label. */
export interface ExportedSample {
  readonly node: string;
  readonly sid: number;
  readonly seq: number;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number;
  readonly x: Float32Array;
  readonly decision?: number;
  readonly label?: number;
  readonly source?: number;
  readonly confidence?: number;
  readonly by?: string;
  /** Its number at the node, and the node's answer; undefined: none yet. */
  readonly number?: number;
  readonly status?: number;
}

const EXPORT = `
  SELECT s.node, s.sid, s.seq, s.time, s.x, p.decision, l.y AS label, l.source, l.confidence, l.by, l.number, l.status
  FROM sample s LEFT JOIN prediction p USING (node, sid, seq) LEFT JOIN label l USING (node, sid, seq)`;
const EXPORT_NODE = `${EXPORT} WHERE s.node = ? ORDER BY s.ran, s.sid, s.seq`;
const EXPORT_SPAN = `${EXPORT}
  WHERE s.node IN (SELECT value FROM json_each(?)) AND s.ran >= ? AND s.ran < ? ORDER BY s.ran, s.node, s.sid, s.seq`;
/** The first span of an export, and about how many samples the others have. */
const EXPORT_MS = 10_000;
const EXPORT_ROWS = 20_000;

function exportSample({ x, ...row }: Row): ExportedSample {
  const known = Object.entries(row).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(known), x: readFloats(x) } as unknown as ExportedSample;
}

/** The samples of a node, or of all, in the order in which they came. */
export function* exportedSamples(
  file: DatabaseFile,
  arrivals: ArrivalRows,
  node?: string,
): Generator<ExportedSample> {
  for (const row of node === undefined ? samplesOfAll(file, arrivals) : file.each(EXPORT_NODE, [node]))
    yield exportSample(row);
}

/**
 * Index `ran` is by node, so all nodes' samples are read by spans of time. SQLite sorts each span. A span's
 * length follows from the number of samples in the one before.
 */
function* samplesOfAll(file: DatabaseFile, arrivals: ArrivalRows): Generator<Row> {
  const names = arrivals.nodesIn("sample");
  let length = EXPORT_MS;
  for (let from = firstSample(file, names, 0); from !== undefined; ) {
    let count = 0;
    for (const row of file.each(EXPORT_SPAN, [JSON.stringify(names), from, from + length])) {
      count++;
      yield row;
    }
    from = firstSample(file, names, from + length);
    if (count > EXPORT_ROWS) length = Math.max(1, Math.ceil(length / 2));
    else length *= 2;
  }
}

/** When the nodes' first sample from `from` on came; undefined: there is none. */
function firstSample(file: DatabaseFile, nodes: readonly string[], from: number): number | undefined {
  const sql = "SELECT min(ran) AS first FROM sample WHERE node = ? AND ran >= ?";
  const firsts = nodes.flatMap((node) => file.read(sql, [node, from])[0].first ?? []);
  return firsts.length === 0 ? undefined : Math.min(...firsts.map(Number));
}
