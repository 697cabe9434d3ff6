import type { Around } from "../api/api.ts";
import { usualRanges } from "../api/usual-range.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import { readFloats } from "../store/tables.ts";
import { makeLiveRow } from "./history.ts";

/** Samples before and after one. */
const SIDE = 40;
/** The usual range follows from samples at so many moments of the last day, so many in a row at each. */
const MOMENTS = 40;
const SAMPLES_OF_MOMENT = 25;
const DAY_MS = 86_400_000;

const ROWS = `
  SELECT s.time, s.sid, s.seq, p.decision, p.remarks, s.x FROM sample s LEFT JOIN prediction p USING (node, sid, seq)
  WHERE s.node = ? AND s.sid = ? AND s.seq BETWEEN ? AND ? ORDER BY s.seq`;
const SPAN = "SELECT min(ran) AS first, max(ran) AS last FROM sample WHERE node = ?";
const MOMENT = `SELECT x FROM sample WHERE node = ? AND ran >= ? ORDER BY ran LIMIT ${SAMPLES_OF_MOMENT}`;

/** A node's sample among its neighbours in time, and the usual range of each reading. */
export function readAround(store: FleetStore, node: string, sid: number, seq: number): Around {
  const rows = store.read(ROWS, [node, sid, seq - SIDE, seq + SIDE], node).map(makeLiveRow);
  const channels = rows[0]?.[5]?.length;
  return { rows, usual: usualRanges(spreadSamples(store, node).filter((x) => x.length === channels)) };
}

/** Some samples from all of the last day; few rows are read however many there are. */
function spreadSamples(store: FleetStore, node: string): Float32Array[] {
  const [{ first, last }] = store.read(SPAN, [node]);
  if (first === null || last === null) return [];
  const from = Math.max(Number(first), Number(last) - DAY_MS);
  return Array.from({ length: MOMENTS }, (_, i) => from + Math.floor((i * (Number(last) - from)) / MOMENTS))
    .flatMap((ran) => store.read(MOMENT, [node, ran]))
    .map(({ x }) => readFloats(x));
}
