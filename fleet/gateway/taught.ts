import type { Family } from "../../src/learn/family.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import type { ReplayedLabel } from "../../tools/explanation/node-replay.ts";
import type { NodeCopyRow } from "../store/fleet-store.ts";
import { MODELS, NEWEST_OF_NUMBER } from "../store/label-rows.ts";
import type { KeptModel } from "../store/lesson-rows.ts";
import { type Row, readFloats } from "../store/tables.ts";
import type { ExplainStore } from "./explain-thread.ts";
import type { Vectors } from "./sample-vectors.ts";

/** Most labels and samples replayed for one explanation. */
const LABELS_MAX = 20_000;

/** Rows of labels that have their number now: a node that lost its checkpoint restarts its count. */
const LABELS = `
  SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, l.status, l.ran, s.x, s.time, a.at, a.after
  FROM label l LEFT JOIN sample s USING (node, sid, seq) LEFT JOIN label_after a USING (node, sid, seq)
  WHERE l.node = ?1 AND l.number > ?2
    AND l.id = ${NEWEST_OF_NUMBER}
  ORDER BY l.number LIMIT ${LABELS_MAX + 1}`;
/** The models that the node has taken in places of labels. */
const MODELS_TAKEN = `
  SELECT l.number, l.ran, m.candidate, m.crc, m.bytes, a.at, a.after
  FROM label l JOIN model m USING (node, sid, seq) LEFT JOIN label_after a USING (node, sid, seq)
  WHERE l.node = ?1 AND l.sid = ${MODELS} AND l.status <= ${LABEL_STATUS.applied}
    AND l.id = ${NEWEST_OF_NUMBER}
  ORDER BY l.number`;
/** The last earlier samples, whose vectors a copy may hold. */
const KNOWN = `
  SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, l.ran, s.x, s.time
  FROM label l JOIN sample s USING (node, sid, seq) WHERE l.node = ? AND l.ran <= ? ORDER BY l.id DESC LIMIT 5000`;
const COPIES = "SELECT id FROM copy WHERE node = ? AND learner = ? AND ran <= ? ORDER BY id DESC LIMIT 3";

/** A place in a node's sequence of labels, and when the node got what is there. */
interface Numbered {
  readonly number: number;
  /** When the gateway took it. */
  readonly ran: number;
  /** The sample of session `at` after which the node answered; null: that isn't known. */
  readonly at?: number | null;
  readonly after?: number | null;
}

/** A label with its sample, as the node learned it. */
export interface TaughtSample extends ReplayedLabel, Numbered {
  readonly vector: Float32Array;
}

/** A model of its group that the node took. */
export type TakenModel = KeptModel & Numbered;

function makeTaught({ x, status: _, ...row }: Row, vectors: Vectors): TaughtSample | undefined {
  const label = row as unknown as Omit<TaughtSample, "vector">;
  const vector = vectors(label.sid, label.seq, readFloats(x));
  return vector && { ...label, vector };
}

/** What the node got in its sequence of labels. */
export interface Sequence {
  readonly labels: readonly TaughtSample[];
  readonly models: readonly TakenModel[];
}

/** What the node learned and took after that label, as far as all of it is stored, with the labels' samples. */
export function readSequence(
  store: ExplainStore,
  name: string,
  after: number,
  vectors: Vectors,
  models: readonly TakenModel[],
): Sequence {
  const rows = store.read(LABELS, [name, after], name);
  if (rows.length > LABELS_MAX)
    throw new Error(`the node has more than ${LABELS_MAX} labels: that isn't explained`);
  // The learner learns nothing from a model in a label's place.
  const isLost = ({ sid, status }: Row) => sid === MODELS || Number(status ?? 0) > LABEL_STATUS.applied;
  const labels: TaughtSample[] = [];
  let last = after;
  for (const row of rows) {
    if (Number(row.number) !== last + 1) break;
    const label = isLost(row) || row.x === null ? undefined : makeTaught(row, vectors);
    if (label) labels.push(label);
    else if (!isLost(row)) break;
    last++;
  }
  return { labels, models: models.filter(({ number }) => number > after && number <= last) };
}

/** The models that the node has taken, in the order of their numbers. */
export function readModels(store: ExplainStore, name: string): TakenModel[] {
  return store.read(MODELS_TAKEN, [name], name).map(({ bytes, candidate, crc, ...came }) => ({
    ...(came as unknown as Numbered),
    candidate: String(candidate),
    crc: Number(crc),
    bytes: (bytes as Uint8Array).slice(),
  }));
}

/** The model that a node had after that label. */
export function modelAfter(models: readonly TakenModel[], labelled: number): TakenModel | undefined {
  return models.filter(({ number }) => number <= labelled).at(-1);
}

/** The last samples that were labelled before, whose vectors a copy may hold. */
export function knownBefore(
  store: ExplainStore,
  name: string,
  ran: number,
  vectors: Vectors,
): TaughtSample[] {
  const rows = store.read(KNOWN, [name, ran], name).reverse();
  return rows.flatMap((row) => makeTaught(row, vectors) ?? []);
}

/** The newest copies before that, the newest first. */
export function* readCopies(
  store: ExplainStore,
  name: string,
  family: Family,
  ran: number,
): Generator<NodeCopyRow> {
  for (const { id } of store.read(COPIES, [name, family.name, ran])) {
    const copy = store.readCopy(name, Number(id));
    if (copy) yield copy;
  }
}
