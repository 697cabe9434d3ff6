import { LABEL_STATUS } from "../../src/node/ports.ts";
import type { NodeReplay, ReplayedLabel, ReplayedSession } from "../../tools/explanation/node-replay.ts";
import { NEWEST_OF_NUMBER } from "../store/label-rows.ts";
import { readFloats } from "../store/tables.ts";
import type { ExplainStore } from "./explain-thread.ts";
import { SAMPLES_MAX } from "./sample-vectors.ts";

/** Labels that are replayed for one explanation: a committee learns slowly, and the gateway does nothing else meanwhile. */
const LABELS_MAX = 5000;

const SAMPLES = `
  SELECT s.seq, s.x, p.decision FROM sample s LEFT JOIN prediction p USING (node, sid, seq)
  WHERE s.node = ? AND s.sid = ? AND s.seq > ? AND s.seq <= ? ORDER BY s.seq LIMIT ${SAMPLES_MAX + 1}`;
const LABELS = `
  SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, l.status, s.time, a.at, a.after, m.bytes
  FROM label l LEFT JOIN sample s USING (node, sid, seq) LEFT JOIN label_after a USING (node, sid, seq)
    LEFT JOIN model m USING (node, sid, seq)
  WHERE l.node = ?1 AND l.number > ?2
    AND l.id = ${NEWEST_OF_NUMBER}
  ORDER BY l.number LIMIT ${LABELS_MAX + 1}`;

/** What the node did after the replay's beginning, as it is stored, until sample `seq`; undefined: there is too much. */
export function storedSession(
  store: ExplainStore,
  name: string,
  { session, first, labelled }: NodeReplay,
  seq: number,
): ReplayedSession | undefined {
  const rows = store.read(SAMPLES, [name, session, first, seq], name);
  const told = store.read(LABELS, [name, labelled], name);
  if (rows.length > SAMPLES_MAX || told.length > LABELS_MAX) return undefined;
  const gap = told.findIndex(({ number }, i) => Number(number) !== labelled + i + 1);
  const samples = rows.map(({ seq, x, decision }) => ({
    seq: Number(seq),
    x: readFloats(x),
    decision: decision as number | null,
  }));
  const labels = told.slice(0, gap < 0 ? told.length : gap).map(({ status, at, after, bytes, ...label }) => ({
    ...(label as unknown as ReplayedLabel),
    isLost: Number(status ?? 0) > LABEL_STATUS.applied,
    ...(bytes instanceof Uint8Array && { model: bytes.slice() }),
    ...(at === session && { after: Number(after) }),
  }));
  return { samples, labels };
}
