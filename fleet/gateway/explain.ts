import { UserError } from "../../host/errors.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import type { Family } from "../../src/learn/family.ts";
import { decidedClass, noteWords } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { REMARK } from "../../src/node/ports.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Explanation } from "../../tools/explanation/explanation.ts";
import {
  explainModel,
  type FleetMemory,
  type FollowedVote,
  largestModel,
} from "../../tools/explanation/fleet-vote.ts";
import { labelsAsRows, NodeReplay, type ReplayedLabel } from "../../tools/explanation/node-replay.ts";
import type { ExplainedDecision, ExplainedPart, ExplainedVote } from "../api/api.ts";
import { readFloats } from "../store/tables.ts";
import type { ExplainStore } from "./explain-thread.ts";
import { lessonsBehind, voteShown } from "./explained-vote.ts";
import {
  type AskedDecision,
  type Beginning,
  beginJudges,
  type Came,
  cameBefore,
  type DecisionRequest,
  inOrder,
  type Judges,
  take,
} from "./followed-judges.ts";
import {
  type FollowedNode,
  inputNames,
  learnerLayout,
  learnerOptions,
  makeExplainer,
  makeLearner,
} from "./followed-node.ts";
import { candidateFeatures, computeVectors, type Vectors } from "./sample-vectors.ts";
import { storedSession } from "./stored-session.ts";
import { knownBefore, modelAfter, readCopies, readModels, readSequence, type TakenModel } from "./taught.ts";

const DECISION = `
  SELECT p.decision, p.remarks, p.time, p.ran, s.x FROM prediction p JOIN sample s USING (node, sid, seq)
  WHERE p.node = ? AND p.sid = ? AND p.seq = ?`;
const LAST = "SELECT max(seq) AS seq FROM prediction WHERE node = ? AND sid = ?";

/** Why a decision isn't explained where nothing else is wrong: by the learner's kind, see `explainReplayed`, `explainFollowed`. */
const NOT_REPLAYED =
  "the samples and labels that are stored don't lead to this decision: the node began before the gateway met it; have a copy made (Copy, or copyHours in the fleet file), and ask for a later decision";
const NOT_FOLLOWED =
  "the labels that are stored don't lead to this decision: the node learned before the gateway met it, or has options that the fleet file doesn't name (options, features)";

/** What the gateway shows of a decision besides its sample. */
type ShownDecision = Omit<ExplainedDecision, "sid" | "seq" | "time">;

/**
 * Explains a node's decision: replays its learner on the stored labels, from the first one or from a copy of
 * the node, to a state that gives the float32 decision that the node sent. Throws an Error with the reason if
 * it can't.
 */
export function explainSample(
  store: ExplainStore,
  node: FollowedNode,
  sid: number,
  seq: number,
): ExplainedDecision {
  const { name, hello } = node;
  const asked = decisionOn(store, name, sid, seq);
  if (!asked) throw new Error(`there is no decision on sample ${seq} any more`);
  const family = familyNamed(hello.learner);
  if (!family) throw new Error(`${hello.learner}: this gateway doesn't know that learner`);
  const learner = makeLearner(family, node);
  // Refuses a learner whose decision isn't one sum.
  if (!asked.ofModel) makeExplainer(learner, family, node);
  const { layout } = learner;
  const explain = noteWords(layout) > 0 ? explainReplayed : explainFollowed;
  const candidates = candidateFeatures(hello, node.features).map((features) => ({ ...node, features }));
  const refused: string[] = [];
  const leading = (asked: AskedDecision): CandidateExplanation[] =>
    candidates.flatMap((candidate) => {
      const shown = explain(store, candidate, family, asked, refused);
      return shown ? [{ candidate, shown }] : [];
    });
  const [led, other] = chooseOne(leading(asked), () => {
    const last = lastDecision(store, name, sid);
    return last ? leading(last) : [];
  });
  if (other && led.shown.labels > 0)
    throw new Error(
      "the node's readings lead to this decision as they are, and standardised: give the node's features in the fleet file, or ask again once it has decided more",
    );
  if (led) return { sid, seq, time: asked.time, ...led.shown };
  throw new Error(refused[0] ?? (explain === explainReplayed ? NOT_REPLAYED : NOT_FOLLOWED));
}

type FeaturedNode = FollowedNode & { readonly features: FeaturesOption };

/** What the node may make of its readings, and the explanation to which that leads. */
interface CandidateExplanation {
  readonly candidate: FeaturedNode;
  readonly shown: ShownDecision;
}

/** Where several lead to a decision, keeps the one that also leads to the session's last: a learner with few labels decides much alike on any inputs. */
function chooseOne(
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
  return { sid, seq, decision, ofModel, time: Number(row.time), ran: Number(row.ran), x: readFloats(row.x) };
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

/** For a learner whose state depends on its labels alone, in their order. */
function explainFollowed(
  store: ExplainStore,
  node: FeaturedNode,
  family: Family,
  asked: AskedDecision,
  refused: string[],
): ShownDecision | undefined {
  const { sid, seq, ran, x } = asked;
  const { name, hello, features } = node;
  const vectors = computeVectors(store, { name, channels: hello.channels }, features, ran);
  const vector = vectors(sid, seq, x);
  if (!vector) return undefined;
  const models = readModels(store, name);
  for (const beginning of listBeginnings(store, node, family, { ran, vectors })) {
    const came = inOrder(readSequence(store, name, beginning.labelled, vectors, models));
    const begin = () => beginJudges(family, node, beginning, models);
    const judges = unlessRefused(begin, refused);
    const taken = judges && cameBefore(judges, came, { vector, asked });
    if (taken !== undefined)
      return decompose(store, family, node, {
        beginning,
        judges: begin(),
        came: came.slice(0, taken),
        vector,
        asked,
      });
  }
  return undefined;
}

/** For a learner whose state also depends on which labels came before which sample: replays the session from its first sample, or from a copy. */
function explainReplayed(
  store: ExplainStore,
  node: FeaturedNode,
  family: Family,
  { sid, seq, ran, ofModel }: AskedDecision,
  refused: string[],
): ShownDecision | undefined {
  const models = readModels(store, node.name);
  const sent = models.map(({ bytes }) => bytes);
  const fleetBudget = sent.length > 0 ? largestModel(sent, node.hello.dimension) : undefined;
  const given = { ...node, family, options: learnerOptions(family, node), fleetBudget };
  for (const copy of [undefined, ...readCopies(store, node.name, family, ran)]) {
    // A first state was made before the session that begins with it.
    const isBefore = copy && copy.seq < seq && (copy.sid === sid || copy.seq === 0);
    if (copy && !(copy.whole && isBefore)) continue;
    const model = modelAfter(models, copy?.labelled ?? 0);
    const replay = unlessRefused(() => new NodeReplay(given, sid, copy, model?.bytes), refused);
    if (!replay) continue;
    const explainer = ofModel ? undefined : makeExplainer(replay.learner, family, node);
    const labels: ReplayedLabel[] = [];
    const session = storedSession(store, node.name, replay, seq);
    const vector =
      session &&
      replay.until(session, seq, (label, learned) => {
        labels.push(label);
        explainer?.learned(learned, labels.length);
      });
    if (!vector || (ofModel && !replay.fleet?.fleet.judges)) continue;
    const its = { node, vector, labels, last: replay.labelled, copy: copy?.labelled };
    if (explainer)
      return showExplanation(explainer.explain(vector, labelsAsRows(labels)), family, {
        ...its,
        ...explainVote(replay.fleet, models, false),
      });
    return modelShown(store, family, replay.fleet as FleetMemory, models, its);
  }
  return undefined;
}

/** From the start, then from the copies before the decision, the newest first. */
function* listBeginnings(
  store: ExplainStore,
  node: FollowedNode,
  family: Family,
  { ran, vectors }: { readonly ran: number; readonly vectors: Vectors },
): Generator<Beginning> {
  yield { labelled: 0, known: [] };
  const words = learnerLayout(family, node).state;
  for (const copy of readCopies(store, node.name, family, ran)) {
    const state = copy.words.subarray(copy.from, copy.from + words);
    if (state.length !== words) continue;
    yield { labelled: copy.labelled, state, copy, known: knownBefore(store, node.name, ran, vectors) };
  }
}

interface FollowedDecision extends DecisionRequest {
  readonly beginning: Beginning;
  /** As they were then. */
  readonly judges: Judges;
  /** What came before the decision. */
  readonly came: readonly Came[];
}

function decompose(
  store: ExplainStore,
  family: Family,
  node: FeaturedNode,
  { beginning, judges, came, vector, asked }: FollowedDecision,
): ShownDecision {
  const { known, labelled, state } = beginning;
  const explainer = asked.ofModel ? undefined : makeExplainer(judges.learner, family, node);
  explainer?.recognise(known.map(({ vector }) => vector));
  const labels = [...known];
  for (const each of came)
    take(judges, each, (label) => {
      labels.push(label);
      explainer?.learned(label.vector, labels.length);
    });
  const last = came.at(-1)?.number ?? labelled;
  const its = { node, vector, labels, last, copy: state && labelled };
  const models = readModels(store, node.name);
  if (!explainer) return modelShown(store, family, judges.vote as FollowedVote, models, its);
  const explained = explainer.explain(vector, labelsAsRows(labels));
  return showExplanation(explained, family, { ...its, ...explainVote(judges.vote, models, false) });
}

/** Of a decision of the model: its vectors are labelled samples of nodes of the group. */
function modelShown(
  store: ExplainStore,
  family: Family,
  memory: FleetMemory,
  models: readonly TakenModel[],
  its: TaughtVector,
): ShownDecision {
  const { node, vector } = its;
  const { labels, findSample } = lessonsBehind(store, memory);
  const { parts, ...explained } = explainModel(memory, vector, inputNames(node));
  const named = parts.map((part) => ({ ...part, sample: findSample(part.of) }));
  return showExplanation({ ...explained, parts: named }, family, {
    ...its,
    labels,
    ...explainVote(memory, models, true),
  });
}

/** The vote, if it is known who judged. */
function explainVote(
  memory: FleetMemory | undefined,
  models: readonly TakenModel[],
  ofModel: boolean,
): Pick<TaughtVector, "vote"> {
  if (!memory || memory.fleet.model.size < 0 || memory.fleet.judges !== ofModel) return {};
  return { vote: voteShown(memory.fleet, models) };
}

interface TaughtVector {
  readonly node: FeaturedNode;
  readonly vector: Float32Array;
  readonly labels: readonly (ReplayedLabel & { readonly node?: string })[];
  /** The numbers of the last label, and of the last in the copy from which the learner was followed. */
  readonly last: number;
  readonly copy?: number;
  readonly vote?: ExplainedVote;
}

function showExplanation(
  { decision, parts, sum, after, bits }: Explanation,
  family: Family,
  { node, vector, labels, last, copy, vote }: TaughtVector,
): ShownDecision {
  const classes = node.classes && new ClassNames(node.classes);
  const className = (target: number) =>
    classes && !classes.isNumbered && { class: classes.targetName(target) };
  return {
    learner: family.name,
    labels: last,
    ...(copy !== undefined && { copy }),
    ...(vote && { vote }),
    inputs: inputNames(node).map((name, i) => ({ name, value: vector[i] })),
    decision,
    ...className(decidedClass(family.task, decision)),
    parts: parts.map(({ sample, label, source, ...part }): ExplainedPart => {
      const its = sample === null ? undefined : labels[sample - 1];
      if (!its) return part;
      const { node, sid, seq, time, by, y } = its;
      return {
        ...part,
        from: {
          ...(node !== undefined && { node }),
          sid,
          seq,
          time,
          by,
          y,
          ...className(y),
          source: source ?? 0,
        },
      };
    }),
    sum,
    after,
    bits,
  };
}
