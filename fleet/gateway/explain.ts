import { UserError } from "../../host/errors.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { stateFault } from "../../host-sim/state/state-fault.ts";
import { type Family, takesBudget } from "../../src/learn/family.ts";
import { classOf, type Learner, noteWords } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { LABEL_STATUS, REMARK } from "../../src/node/ports.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import { Explainer, type Explanation } from "../../tools/explanation/explanation.ts";
import { featureNames, readingNames } from "../../tools/explanation/feature-names.ts";
import { labelsAsRows, NodeReplay, type ReplayedLabel } from "../../tools/explanation/node-replay.ts";
import type { Hello } from "../../tools/session/hello.ts";
import type { ExplainedDecision, ExplainedPart } from "../api/api.ts";
import type { NodeCopyRow } from "../store/fleet-store.ts";
import { MODELS, NEWEST_OF_NUMBER } from "../store/label-rows.ts";
import { floatsOf, type Row } from "../store/tables.ts";
import type { ExplainStore } from "./explain-thread.ts";
import { candidateFeatures, type Vectors, vectorsOf } from "./sample-vectors.ts";
import { storedSession } from "./stored-session.ts";

/** Most labels and samples replayed for one explanation. */
const LABELS_MAX = 20_000;

/** Rows of labels that have their number now: a node that lost its checkpoint restarts its count. */
const LABELS = `
  SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, l.status, l.ran, s.x, s.time
  FROM label l LEFT JOIN sample s USING (node, sid, seq)
  WHERE l.node = ?1 AND l.number > ?2
    AND l.id = ${NEWEST_OF_NUMBER}
  ORDER BY l.number LIMIT ${LABELS_MAX + 1}`;
/** The last earlier samples, whose vectors a copy may hold. */
const KNOWN = `
  SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, l.ran, s.x, s.time
  FROM label l JOIN sample s USING (node, sid, seq) WHERE l.node = ? AND l.ran <= ? ORDER BY l.id DESC LIMIT 5000`;
const COPIES = "SELECT id FROM copy WHERE node = ? AND learner = ? AND ran <= ? ORDER BY id DESC LIMIT 3";
const DECISION = `
  SELECT p.decision, p.remarks, p.time, p.ran, s.x FROM prediction p JOIN sample s USING (node, sid, seq)
  WHERE p.node = ? AND p.sid = ? AND p.seq = ?`;
const LAST = "SELECT max(seq) AS seq FROM prediction WHERE node = ? AND sid = ?";

/** The data of a node needed to follow its learner. */
export interface FollowedNode {
  readonly name: string;
  readonly hello: Hello;
  /** Its learner's budget in vectors, from its statistics. */
  readonly capacity: number;
  /** Its learner's options in the fleet file that aren't defaults. */
  readonly options?: { readonly [name: string]: unknown };
  /** What it makes of its readings, and their names, as the fleet file has them. */
  readonly features?: FeaturesOption;
  readonly channels?: readonly { readonly name: string }[];
  /** The names of its classes, in the order of their targets. */
  readonly classes?: readonly string[];
}

/** A label with its sample, as the node learned it. */
interface TaughtSample extends ReplayedLabel {
  readonly ran: number;
  readonly vector: Float32Array;
}

/** A decision in the gateway's store. */
interface AskedDecision {
  readonly sid: number;
  readonly seq: number;
  readonly decision: number;
  /** True if the model of its group made it, and not the node's learner. */
  readonly ofModel: boolean;
  readonly time: number;
  readonly ran: number;
  readonly x: Float32Array;
}

/** What the gateway shows of a decision besides its sample. */
type Shown = Omit<ExplainedDecision, "sid" | "seq" | "time">;

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
  store: ExplainStore,
  node: FollowedNode,
  sid: number,
  seq: number,
): ExplainedDecision {
  const { name, hello } = node;
  const asked = decisionOn(store, name, sid, seq);
  if (!asked) throw new Error(`there is no decision on sample ${seq} any more`);
  if (asked.ofModel)
    throw new Error(
      "the model of its group made this decision; only those of the node's own learner are explained",
    );
  const family = familyNamed(hello.learner);
  if (!family) throw new Error(`${hello.learner}: this gateway doesn't know that learner`);
  // Refuses a learner whose decision isn't one sum.
  const { layout } = explainerOf(learnerOf(family, node), family, node).learner;
  const explain = noteWords(layout) > 0 ? replayed : followed;
  const candidates = candidateFeatures(hello, node.features).map((features) => ({ ...node, features }));
  const refused: string[] = [];
  const leading = (asked: AskedDecision): CandidateExplanation[] =>
    candidates.flatMap((candidate) => {
      const shown = explain(store, candidate, family, asked, refused);
      return shown ? [{ candidate, shown }] : [];
    });
  const [led, other] = oneOf(leading(asked), () => {
    const last = lastDecision(store, name, sid);
    return last ? leading(last) : [];
  });
  if (other && led.shown.labels > 0)
    throw new Error(
      "the node's readings lead to this decision as they are, and standardised: give the node's features in the fleet file, or ask again once it has decided more",
    );
  if (led) return { sid, seq, time: asked.time, ...led.shown };
  if (refused.length > 0) throw new Error(refused[0]);
  if (explain === replayed)
    throw new Error(
      "the samples and labels that are stored don't lead to this decision: the node began before the gateway met it; have a copy made (Copy, or copyHours in the fleet file), and ask for a later decision",
    );
  throw new Error(
    "the labels that are stored don't lead to this decision: the node learned before the gateway met it, or has options that the fleet file doesn't name (options, features)",
  );
}

type Featured = FollowedNode & { readonly features: FeaturesOption };

/** What the node may make of its readings, and the explanation to which that leads. */
interface CandidateExplanation {
  readonly candidate: Featured;
  readonly shown: Shown;
}

/** Of several that lead to a decision the one that leads to the last one, too: a learner with few labels decides much alike on any inputs. */
function oneOf(
  found: readonly CandidateExplanation[],
  last: () => readonly CandidateExplanation[],
): readonly CandidateExplanation[] {
  const right = found.length > 1 ? last() : [];
  return right.length === 1 ? found.filter(({ candidate }) => candidate === right[0].candidate) : found;
}

function decisionOn(store: ExplainStore, name: string, sid: number, seq: number): AskedDecision | undefined {
  const [row] = store.read(DECISION, [name, sid, seq], name);
  if (!row || row.decision === null) return undefined;
  const decision = Math.fround(Number(row.decision));
  const ofModel = (Number(row.remarks) & REMARK.fleet) !== 0;
  return { sid, seq, decision, ofModel, time: Number(row.time), ran: Number(row.ran), x: floatsOf(row.x) };
}

function lastDecision(store: ExplainStore, name: string, sid: number): AskedDecision | undefined {
  const [row] = store.read(LAST, [name, sid], name);
  return decisionOn(store, name, sid, Number(row?.seq));
}

/** A copy that can be followed; undefined where its state is refused, which is noted. */
function unlessRefused<T>(follow: () => T, refused: string[]): T | undefined {
  try {
    return follow();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    refused.push(error.message);
    return undefined;
  }
}

/** Of a learner that depends on its labels alone, in their order. */
function followed(
  store: ExplainStore,
  node: Featured,
  family: Family,
  { sid, seq, decision, ran, x }: AskedDecision,
  refused: string[],
): Shown | undefined {
  const { name, hello, features } = node;
  const vectors = vectorsOf(store, { name, channels: hello.channels }, features, ran);
  const vector = vectors(sid, seq, x);
  if (!vector) return undefined;
  for (const beginning of beginningsOf(store, node, family, { ran, vectors })) {
    const labels = labelsOf(store, name, beginning.labelled, vectors);
    const learner = unlessRefused(() => begun(learnerOf(family, node), beginning), refused);
    const taken = learner && labelsBefore(learner, labels, { vector, decision, ran });
    if (taken !== undefined)
      return decomposed(family, node, { beginning, labels: labels.slice(0, taken) }, vector);
  }
  return undefined;
}

/** Of a learner that depends on which labels came before which sample, too: from the session's first sample, or from a copy. */
function replayed(
  store: ExplainStore,
  node: Featured,
  family: Family,
  { sid, seq, ran }: AskedDecision,
  refused: string[],
): Shown | undefined {
  const options = learnerOptions(family, node);
  for (const copy of [undefined, ...copiesOf(store, node.name, family, ran)]) {
    if (copy && !(copy.whole && copy.sid === sid && copy.seq < seq)) continue;
    const replay = unlessRefused(() => new NodeReplay({ ...node, family, options }, sid, copy), refused);
    if (!replay) continue;
    const explainer = explainerOf(replay.learner, family, node);
    const labels: ReplayedLabel[] = [];
    const session = storedSession(store, node.name, replay, seq);
    const vector =
      session &&
      replay.until(session, seq, (label, learned) => {
        labels.push(label);
        explainer.learned(learned, labels.length);
      });
    if (!vector) continue;
    const explained = explainer.explain(vector, labelsAsRows(labels));
    return shown(explained, family, { node, vector, labels, last: replay.labelled, copy: copy?.labelled });
  }
  return undefined;
}

/** From the start, then from the copies before the decision, the newest first. */
function* beginningsOf(
  store: ExplainStore,
  node: FollowedNode,
  family: Family,
  { ran, vectors }: { readonly ran: number; readonly vectors: Vectors },
): Generator<Beginning> {
  yield { labelled: 0, known: [] };
  const words = learnerOf(family, node).layout.state;
  for (const copy of copiesOf(store, node.name, family, ran)) {
    const state = copy.words.subarray(copy.from, copy.from + words);
    if (state.length !== words) continue;
    const rows = store.read(KNOWN, [node.name, ran], node.name).reverse();
    yield { labelled: copy.labelled, state, known: rows.flatMap((row) => taughtOf(row, vectors) ?? []) };
  }
}

/** The newest copies before that, the newest first. */
function* copiesOf(store: ExplainStore, name: string, family: Family, ran: number): Generator<NodeCopyRow> {
  for (const { id } of store.read(COPIES, [name, family.name, ran])) {
    const copy = store.copyOf(name, Number(id));
    if (copy) yield copy;
  }
}

/** Throws a UserError if no such learner can have the copy's state. */
function begun(learner: Learner, { labelled, state }: Beginning): Learner {
  const { range } = learner;
  if (!state) return learner;
  range.f32.bits.set(state, range.state);
  const fault = stateFault(learner);
  if (fault) throw new UserError(`the copy of the node after label ${labelled} is refused: ${fault}`);
  return learner;
}

function taughtOf({ x, status: _, ...row }: Row, vectors: Vectors): TaughtSample | undefined {
  const label = row as unknown as Omit<TaughtSample, "vector">;
  const vector = vectors(label.sid, label.seq, floatsOf(x));
  return vector && { ...label, vector };
}

/** The node's learner, as far as it is known. */
export function learnerOf(family: Family, node: FollowedNode): Learner {
  return family.create({ dimension: node.hello.dimension, ...learnerOptions(family, node) });
}

function learnerOptions(family: Family, { capacity, options }: FollowedNode) {
  return { ...(takesBudget(family) && { budget: capacity }), ...options };
}

function explainerOf(learner: Learner, family: Family, node: FollowedNode): Explainer {
  return new Explainer(learner, family, node.options ?? {}, inputNames(node));
}

/** What the learner's inputs are called. */
function inputNames({ hello, channels = [], features }: FollowedNode): string[] {
  const known = channels.map(({ name }) => name);
  return featureNames(readingNames(hello.channels, known), features);
}

/** The labels that the node learned after that one, as far as they are stored with their samples. */
function labelsOf(store: ExplainStore, name: string, after: number, vectors: Vectors): TaughtSample[] {
  const rows = store.read(LABELS, [name, after], name);
  if (rows.length > LABELS_MAX)
    throw new Error(`the node has more than ${LABELS_MAX} labels: that isn't explained`);
  // The learner learns nothing from a model in a label's place.
  const isLost = ({ sid, status }: Row) => sid === MODELS || Number(status ?? 0) > LABEL_STATUS.applied;
  const whole = rows.findIndex(
    (row, i) => Number(row.number) !== after + i + 1 || (row.x === null && !isLost(row)),
  );
  const applied = rows.slice(0, whole < 0 ? rows.length : whole).filter((row) => !isLost(row));
  const taught = applied.map((row) => taughtOf(row, vectors));
  const unknown = taught.indexOf(undefined);
  return taught.slice(0, unknown < 0 ? taught.length : unknown) as TaughtSample[];
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

function decomposed(
  family: Family,
  node: Featured,
  { beginning, labels }: Followed,
  vector: Float32Array,
): Shown {
  const { known, labelled, state } = beginning;
  const learner = begun(learnerOf(family, node), beginning);
  const explainer = explainerOf(learner, family, node);
  explainer.recognise(known.map(({ vector }) => vector));
  labels.forEach((label, i) => {
    learner.source = label.source;
    learner.confidence = label.confidence;
    explainer.learn(label.vector, label.y, known.length + i + 1);
  });
  const all = [...known, ...labels];
  const explained = explainer.explain(vector, labelsAsRows(all));
  const last = labels.at(-1)?.number ?? labelled;
  return shown(explained, family, { node, vector, labels: all, last, copy: state && labelled });
}

interface Learned {
  readonly node: Featured;
  readonly vector: Float32Array;
  readonly labels: readonly ReplayedLabel[];
  /** The numbers of the last label, and of the last in the copy from which the learner was followed. */
  readonly last: number;
  readonly copy?: number;
}

function shown(
  { decision, parts, sum, after, bits }: Explanation,
  family: Family,
  { node, vector, labels, last, copy }: Learned,
): Shown {
  const classes = node.classes && new ClassNames(node.classes);
  const named = (target: number) => classes && !classes.isNumbered && { class: classes.nameOf(target) };
  return {
    learner: family.name,
    labels: last,
    ...(copy !== undefined && { copy }),
    inputs: inputNames(node).map((name, i) => ({ name, value: vector[i] })),
    decision,
    ...named(classOf(family.task, decision)),
    parts: parts.map(({ sample, label, source, ...part }): ExplainedPart => {
      const its = sample === null ? undefined : labels[sample - 1];
      if (!its) return part;
      const { sid, seq, time, by, y } = its;
      return { ...part, from: { sid, seq, time, by, y, ...named(y), source: source ?? 0 } };
    }),
    sum,
    after,
    bits,
  };
}
