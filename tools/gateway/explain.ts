import type { DataSet } from "../../host-sim/streams/table.ts";
import { type Family, takesBudget } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Layout } from "../../src/memory/layout.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { Features, featureRegions } from "../../src/signal/features.ts";
import { Explainer } from "../evaluation/explanation.ts";
import type { ExplainedDecision, ExplainedPart } from "../page/api.ts";
import type { Hello } from "../session/hello.ts";
import type { FleetStore, Row } from "./store.ts";

/** Most labels and samples replayed for one explanation, which blocks the gateway. */
const LABELS_MAX = 20_000;
const SAMPLES_MAX = 50_000;

/** Rows of labels that have their number now: a node that lost its checkpoint restarts its count. */
const LABELS = `
  SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, l.status, l.ran, s.x, s.time
  FROM label l LEFT JOIN sample s USING (node, sid, seq)
  WHERE l.node = ?1 AND l.number > ?2
    AND l.id = (SELECT max(id) FROM label o WHERE o.node = ?1 AND o.number = l.number)
  ORDER BY l.number LIMIT ${LABELS_MAX + 1}`;
/** The last earlier samples, whose vectors a copy may hold. */
const KNOWN = `
  SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, l.ran, s.x, s.time
  FROM label l JOIN sample s USING (node, sid, seq) WHERE l.node = ? AND l.ran <= ? ORDER BY l.id DESC LIMIT 5000`;
const COPIES = "SELECT id FROM copy WHERE node = ? AND learner = ? AND ran <= ? ORDER BY id DESC LIMIT 3";
const DECISION = `
  SELECT p.decision, p.time, p.ran, s.x FROM prediction p JOIN sample s USING (node, sid, seq)
  WHERE p.node = ? AND p.sid = ? AND p.seq = ?`;
const SAMPLES = `
  SELECT seq, x FROM sample WHERE node = ? AND sid = ? AND seq <= ? ORDER BY seq LIMIT ${SAMPLES_MAX + 1}`;

/** The data of a node needed to follow its learner. */
export interface FollowedNode {
  readonly name: string;
  readonly hello: Hello;
  /** Its learner's budget in vectors, from its statistics. */
  readonly capacity: number;
  /** Its learner's options in the fleet file that aren't defaults. */
  readonly options?: { readonly [name: string]: unknown };
}

/** A label with its sample, as the node learned it. */
interface TaughtSample {
  readonly number: number;
  readonly sid: number;
  readonly seq: number;
  readonly y: number;
  readonly source: number;
  readonly confidence: number;
  readonly by: string;
  readonly ran: number;
  /** When the sample came. */
  readonly time: number;
  readonly vector: Float32Array;
}

/** Vectors of samples, as the learner sees them. */
type Vectors = (sid: number, seq: number, x: Float32Array) => Float32Array;

/** A state of the node's learner from which it is followed. */
interface Beginning {
  /** The last label that it had learned. */
  readonly labelled: number;
  readonly state?: Uint32Array;
  /** Samples that were learned before, some of whose vectors it holds. */
  readonly known: readonly TaughtSample[];
}

/**
 * Explains a node's decision: replays its learner on the stored labels, from the first one or from a copy of
 * the node, to a state that gives the float32 decision that the node sent. Throws an Error with the reason if
 * it can't.
 */
export function explanationOf(
  store: FleetStore,
  node: FollowedNode,
  sid: number,
  seq: number,
): ExplainedDecision {
  const { name, hello } = node;
  const [asked] = store.read(DECISION, [name, sid, seq]);
  if (!asked || asked.decision === null) throw new Error(`there is no decision on sample ${seq} any more`);
  const family = familyNamed(hello.learner);
  if (!family) throw new Error(`${hello.learner}: this gateway doesn't know that learner`);
  // Refuses a learner whose decision isn't one sum.
  new Explainer(learnerOf(family, node), family.name, 1);
  const [decision, ran] = [Math.fround(Number(asked.decision)), Number(asked.ran)];
  for (const standardise of [false, true]) {
    const vectors = vectorsOf(store, node, { sid, seq, standardise });
    if (!vectors) continue;
    const vector = vectors(sid, seq, floatsOf(asked.x));
    for (const beginning of beginningsOf(store, node, family, { ran, vectors })) {
      const labels = labelsOf(store, name, beginning.labelled, vectors);
      const learner = begun(learnerOf(family, node), beginning);
      const taken = labelsBefore(learner, labels, { vector, decision, ran });
      if (taken === undefined) continue;
      const explained = takenApart(family, node, { beginning, labels: labels.slice(0, taken) }, vector);
      return { sid, seq, time: Number(asked.time), ...explained };
    }
  }
  throw new Error(
    "the labels that are stored don't lead to this decision: the node learned before the gateway met it, or has options that the fleet file doesn't name (options)",
  );
}

/** From the start, then from the copies before the decision, the newest first. */
function* beginningsOf(
  store: FleetStore,
  node: FollowedNode,
  family: Family,
  { ran, vectors }: { readonly ran: number; readonly vectors: Vectors },
): Generator<Beginning> {
  yield { labelled: 0, known: [] };
  const words = learnerOf(family, node).layout.state;
  for (const { id } of store.read(COPIES, [node.name, family.name, ran])) {
    const copy = store.copyOf(node.name, Number(id));
    const state = copy?.words.subarray(copy.from, copy.from + words);
    if (!copy || state?.length !== words) continue;
    const rows = store.read(KNOWN, [node.name, ran]).reverse();
    yield { labelled: copy.labelled, state, known: rows.map((row) => taughtOf(row, vectors)) };
  }
}

function begun(learner: Learner, { state }: Beginning): Learner {
  const { range } = learner;
  if (state) range.f32.bits.set(state, range.state);
  return learner;
}

function taughtOf({ x, status: _, ...row }: Row, vectors: Vectors): TaughtSample {
  const label = row as unknown as Omit<TaughtSample, "vector">;
  return { ...label, vector: vectors(label.sid, label.seq, floatsOf(x)) };
}

/** The node's learner, as far as it is known. */
export function learnerOf(family: Family, { hello, capacity, options }: FollowedNode): Learner {
  const budget = takesBudget(family) ? { budget: capacity } : {};
  return family.create({ dimension: hello.dimension, ...budget, ...options });
}

function floatsOf(x: unknown): Float32Array {
  return new Float32Array((x as Uint8Array).slice().buffer);
}

/** Undefined: samples that it needs aren't stored, or the node makes other features. */
function vectorsOf(
  store: FleetStore,
  { name, hello }: FollowedNode,
  { sid, seq, standardise }: { readonly sid: number; readonly seq: number; readonly standardise: boolean },
): Vectors | undefined {
  const { channels, dimension } = hello;
  if (channels !== dimension)
    throw new Error("the node's features aren't its readings: that isn't explained");
  if (!standardise) return (_sid, _seq, x) => x;
  const rows = store.read(SAMPLES, [name, sid, seq]);
  if (rows.length > SAMPLES_MAX || rows.some((row, i) => Number(row.seq) !== i + 1)) return undefined;
  const layout = new Layout([
    ...featureRegions(channels, { standardise }),
    { name: "vector", kind: "scratch", words: dimension },
  ]);
  const range = layout.ownRange();
  const features = new Features(layout, range, channels, { standardise });
  const at = layout.at("vector", range);
  const made = rows.map(({ x }) => {
    features.extract(floatsOf(x), at);
    return range.f32.words.slice(at, at + dimension);
  });
  return (its, number, x) => (its === sid ? made[number - 1] : undefined) ?? x;
}

/** The labels that the node learned after that one, as far as they are stored with their samples. */
function labelsOf(store: FleetStore, name: string, after: number, vectors: Vectors): TaughtSample[] {
  const rows = store.read(LABELS, [name, after]);
  if (rows.length > LABELS_MAX)
    throw new Error(`the node has more than ${LABELS_MAX} labels: that isn't explained`);
  const isLost = ({ status }: Row) => Number(status ?? 0) > LABEL_STATUS.applied;
  const whole = rows.findIndex(
    (row, i) => Number(row.number) !== after + i + 1 || (row.x === null && !isLost(row)),
  );
  const taught = rows.slice(0, whole < 0 ? rows.length : whole).filter((row) => !isLost(row));
  return taught.map((row) => taughtOf(row, vectors));
}

interface Wanted {
  readonly vector: Float32Array;
  readonly decision: number;
  readonly ran: number;
}

/** How many labels came before the decision: the most with which it has its bits, of those given before; else the fewest of all. */
function labelsBefore(
  learner: Learner,
  labels: readonly TaughtSample[],
  { vector, decision, ran }: Wanted,
): number | undefined {
  const isSo = () => Object.is(Math.fround(learner.predict(vector)), decision);
  let found = isSo() ? 0 : undefined;
  for (const [i, label] of labels.entries()) {
    if (label.ran >= ran && found !== undefined) return found;
    learner.source = label.source;
    learner.confidence = label.confidence;
    learner.learn(label.vector, label.y);
    if (isSo()) found = i + 1;
  }
  return found;
}

interface Followed {
  readonly beginning: Beginning;
  /** Those that came before the decision. */
  readonly labels: readonly TaughtSample[];
}

function takenApart(
  family: Family,
  node: FollowedNode,
  { beginning, labels }: Followed,
  vector: Float32Array,
): Omit<ExplainedDecision, "sid" | "seq" | "time"> {
  const { known, labelled } = beginning;
  const learner = begun(learnerOf(family, node), beginning);
  const lambda = Number(node.options?.lambda ?? family.options.lambda?.default ?? 1);
  const explainer = new Explainer(learner, family.name, lambda);
  explainer.recognise(known.map(({ vector }) => vector));
  labels.forEach((label, i) => {
    learner.source = label.source;
    learner.confidence = label.confidence;
    explainer.learn(label.vector, label.y, known.length + i + 1);
  });
  const all = [...known, ...labels];
  const taught = {
    labels: Float64Array.from(all, ({ y }) => y),
    provenance: { source: all.map(({ source }) => source) },
    count: all.length,
  } as unknown as DataSet;
  const { decision, parts, sum, after, bits } = explainer.explain(vector, taught);
  return {
    learner: family.name,
    labels: labels.at(-1)?.number ?? labelled,
    ...(beginning.state && { copy: labelled }),
    decision,
    parts: parts.map(({ sample, label, source, ...part }): ExplainedPart => {
      const its = sample === null ? undefined : all[sample - 1];
      if (!its) return part;
      const { sid, seq, time, by, y } = its;
      return { ...part, from: { sid, seq, time, by, y, source: source ?? 0 } };
    }),
    sum,
    after,
    bits,
  };
}
