import { REMARK_BYTE } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import type { Around, KeptLabel, LiveEvent, LiveRow, NodeHistory } from "../api/api.ts";
import { downsample } from "../api/downsample.ts";
import { usualRanges } from "../api/usual-range.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import { type Row, readFloats } from "../store/tables.ts";

/**
 * Most samples read for one answer; of more, every second, third, ... one, so that the gateway isn't blocked.
 */
const READ_MAX = 20_000;
const LABELS_MAX = 5000;
const EVENTS_MAX = 500;

const SAMPLES = `
  SELECT s.time, s.sid, s.seq, p.decision, p.remarks, s.x FROM sample s LEFT JOIN prediction p USING (node, sid, seq)
  WHERE s.node = ? AND s.time BETWEEN ? AND ? AND s.seq % ? = 0 ORDER BY s.time, s.seq`;
const LABELS = `
  SELECT l.time, l.sid, l.seq, l.y, l.by, l.status, p.decision, s.time AS sampled
  FROM sample s JOIN label l USING (node, sid, seq) LEFT JOIN prediction p USING (node, sid, seq)
  WHERE s.node = ? AND s.time BETWEEN ? AND ? ORDER BY l.id DESC LIMIT ${LABELS_MAX}`;
const EVENTS = `
  SELECT time, kind, text FROM event WHERE node = ? AND time BETWEEN ? AND ? ORDER BY id DESC LIMIT ${EVENTS_MAX}`;

/** Event kinds: an alarm went on; it went off. */
export const ALARM_ON = "alarm";
export const ALARM_OFF = "alarm-off";
const CHANGES = `
  SELECT node, time, kind, text FROM event WHERE kind IN ('${ALARM_ON}', '${ALARM_OFF}') ORDER BY id DESC LIMIT 100`;

export interface Span {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly from: number;
  readonly to: number;
  /** About the most rows wanted. */
  readonly points: number;
}

/** A row in the page's form. */
export function makeLiveRow({ time, sid, seq, decision, remarks, x }: Row): LiveRow {
  const readings = Array.from(readFloats(x));
  const said = remarks === null || remarks === undefined ? -1 : Number(remarks);
  const half = said >= REMARK_BYTE ? [halfWidth(Math.floor(said / REMARK_BYTE))] : [];
  const at = [Number(time), Number(sid), Number(seq)] as const;
  const its = decision === null || decision === undefined ? null : Number(decision);
  return [...at, its, said % REMARK_BYTE, readings, ...half] as LiveRow;
}

/** A node's stored rows between two times. */
export function readHistory(store: FleetStore, node: string, { from, to, points }: Span): NodeHistory {
  const now = Date.now();
  const count = store.read(
    "SELECT count(*) AS count FROM sample WHERE node = ? AND time BETWEEN ? AND ?",
    [node, from, to],
    node,
  )[0].count;
  const every = Math.max(1, Math.ceil(Number(count) / READ_MAX));
  const rows = store.read(SAMPLES, [node, from, to, every], node).map(makeLiveRow);
  const labels = store.read(LABELS, [node, from, to], node).reverse();
  const events = store.read(EVENTS, [node, from, to]).reverse();
  return {
    schema: "motelearn.history/1",
    node,
    from,
    to: Math.min(to, now),
    every,
    rows: downsample(rows, points),
    labels: labels.map((row) => ({ node, ...row }) as unknown as KeptLabel),
    events: events.map((row) => ({ node, ...row }) as unknown as LiveEvent),
  };
}

/** The last alarms that went on or off, the newest first. */
export function readAlarmChanges(store: FleetStore): LiveEvent[] {
  return store.read(CHANGES, []) as unknown as LiveEvent[];
}

/** Samples before and after one. */
const SIDE = 40;
/** The usual range follows from samples at so many moments of the last day, so many in a row at each. */
const MOMENTS = 40;
const SAMPLES_OF_MOMENT = 25;
const DAY_MS = 86_400_000;

const NEAR = `
  SELECT s.time, s.sid, s.seq, p.decision, p.remarks, s.x FROM sample s LEFT JOIN prediction p USING (node, sid, seq)
  WHERE s.node = ? AND s.sid = ? AND s.seq BETWEEN ? AND ? ORDER BY s.seq`;
const SPAN = "SELECT min(ran) AS first, max(ran) AS last FROM sample WHERE node = ?";
const MOMENT = `SELECT x FROM sample WHERE node = ? AND ran >= ? ORDER BY ran LIMIT ${SAMPLES_OF_MOMENT}`;

/** A node's sample among its neighbours in time, and the usual range of each reading. */
export function readAround(store: FleetStore, node: string, sid: number, seq: number): Around {
  const rows = store.read(NEAR, [node, sid, seq - SIDE, seq + SIDE], node).map(makeLiveRow);
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
