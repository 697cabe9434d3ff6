import { UserError } from "../../host/errors.ts";
import { stateFault } from "../../host-sim/state/state-fault.ts";
import type { Family } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { FollowedVote, largestModel, putModel, resumeVote } from "../../tools/explanation/fleet-vote.ts";
import type { NodeCopyRow } from "../store/fleet-store.ts";
import { type FollowedNode, makeLearner } from "./followed-node.ts";
import { modelAfter, type Sequence, type TakenModel, type TaughtSample } from "./taught.ts";

/** A decision in the gateway's store. */
export interface AskedDecision {
  readonly sid: number;
  readonly seq: number;
  readonly decision: number;
  /** True if the model of its group made it, and not the node's learner. */
  readonly ofModel: boolean;
  readonly time: number;
  readonly ran: number;
  readonly x: Float32Array;
}

/** A state of the node's learner from which it is followed. */
export interface Beginning {
  /** The last label that it had learned. */
  readonly labelled: number;
  readonly state?: Uint32Array;
  /** The copy of the node that holds it. */
  readonly copy?: NodeCopyRow;
  /** Samples that were learned before, some of whose vectors it holds. */
  readonly known: readonly TaughtSample[];
}

/** A node's learner, and beside it the model of its group, if it has taken one. */
export interface Judges {
  readonly learner: Learner;
  readonly vote?: FollowedVote;
}

/** Throws a UserError if no such learner can have the copy's state. */
export function beginJudges(
  family: Family,
  node: FollowedNode,
  { copy, labelled, state }: Beginning,
  models: readonly TakenModel[],
): Judges {
  const learner = makeLearner(family, node);
  const { dimension, range } = learner;
  if (state) {
    range.f32.bits.set(state, range.state);
    const fault = stateFault(learner);
    if (fault) throw new UserError(`the copy of the node after label ${labelled} is refused: ${fault}`);
  }
  if (models.length === 0) return { learner };
  const sent = models.map(({ bytes }) => bytes);
  const vote = new FollowedVote(dimension, largestModel(sent, dimension));
  const model = modelAfter(models, labelled);
  if (copy && model) {
    putModel(vote.fleet, model.bytes);
    resumeVote(vote, copy.words, copy.from);
  }
  return { learner, vote };
}

/** What a node got in its sequence of labels. */
export type Came = TaughtSample | TakenModel;

export function inOrder({ labels, models }: Sequence): Came[] {
  return [...labels, ...models].sort((a, b) => a.number - b.number);
}

/** The node takes the next label, or model; `note` hears of a label that was learned. */
export function take(
  { learner, vote }: Judges,
  came: Came,
  note: (label: TaughtSample) => void = () => {},
): void {
  if ("bytes" in came) {
    if (vote) putModel(vote.fleet, came.bytes);
    return;
  }
  learner.source = came.source;
  learner.confidence = came.confidence;
  const own = learner.learn(came.vector, came.y);
  vote?.learn(own, came.vector, came.y);
  note(came);
}

/** True if the node surely took that after its decision. */
function isLater({ at, after, ran }: Came, asked: AskedDecision): boolean {
  return ran >= asked.ran || (at === asked.sid && (after ?? 0) >= asked.seq);
}

export interface DecisionRequest {
  readonly vector: Float32Array;
  readonly asked: AskedDecision;
}

/** How many labels and models the node had taken when it decided: the most that lead to its bits, of those given before; else the fewest of all. */
export function cameBefore(
  judges: Judges,
  all: readonly Came[],
  { vector, asked }: DecisionRequest,
): number | undefined {
  const { learner, vote } = judges;
  const decide = () => (asked.ofModel ? modelDecision(vote, vector) : learner.predict(vector));
  const isSo = () => Object.is(Math.fround(decide()), asked.decision);
  let found = isSo() ? 0 : undefined;
  for (const [i, came] of all.entries()) {
    if (isLater(came, asked) && found !== undefined) return found;
    take(judges, came);
    if (isSo()) found = i + 1;
  }
  return found;
}

/** What the model decides, if it judges. */
function modelDecision(vote: FollowedVote | undefined, vector: Float32Array): number {
  return vote?.fleet.judges ? vote.score(vector) : Number.NaN;
}
