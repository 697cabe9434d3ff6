import { UserError } from "../../host/errors.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { stateFault } from "../../host-sim/state/state-fault.ts";
import type { Family } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { LABEL_STATUS, type Label } from "../../src/node/ports.ts";
import type { Ranges } from "../../src/node/ranges.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import { type FleetMemory, fleetWords, putModel, resumeVote } from "./fleet-vote.ts";

/** A session that no node has: a label of it is refused, and its number is used up. */
const NO_SESSION = 0;

/** A label as the node learned it. */
export interface ReplayedLabel extends Required<Omit<Label, "tag">> {
  /** Who gave it, where that is known. */
  readonly by: string;
  /** When its sample came. */
  readonly time: number;
}

export function labelsAsRows(labels: readonly ReplayedLabel[]): DataSet {
  return {
    labels: Float64Array.from(labels, ({ y }) => y),
    provenance: { source: labels.map(({ source }) => source) },
    count: labels.length,
  } as unknown as DataSet;
}

export interface AnsweredLabel extends ReplayedLabel {
  /** True if the node didn't learn from it. */
  readonly isLost: boolean;
  /** The bytes of the model that the node took in the label's place. */
  readonly model?: Uint8Array;
  /** The sample after which the node answered it, of the session that is replayed; undefined: that isn't known. */
  readonly after?: number;
}

/** A sample that the node took, and its decision; null or undefined if unknown. */
export interface TakenSample {
  readonly seq: number;
  readonly x: Float32Array;
  readonly decision?: number | null;
}

/** A session's samples and labels in the node's order. */
export interface ReplayedSession {
  readonly samples: readonly TakenSample[];
  readonly labels: readonly AnsweredLabel[];
}

/** What is replayed: the node's options, as far as they matter. */
interface ReplayedNode {
  readonly hello: {
    readonly channels: number;
    readonly pending: number;
    readonly labelWindow: number;
  };
  readonly family: Family;
  readonly options: { readonly [name: string]: unknown };
  readonly features: FeaturesOption;
  /** Of its readings: it refuses a sample outside them. */
  readonly ranges?: Ranges;
  /** Vectors of the largest model of its fleet that it took; undefined: it took none. */
  readonly fleetBudget?: number;
}

/** A node's memory: its state's words, of which those from `from` are the learner's. */
interface ReplayedCopy {
  readonly words: Uint32Array;
  readonly from: number;
}

/** Called after each label that the replayed learner learned; `vector` is its sample as the learner saw it, where that was replayed. */
type OnLearned = (label: ReplayedLabel, vector: Float32Array | undefined) => void;

/** A node in this machine's memory that samples and learns what another node did, in the same order. */
export class NodeReplay {
  private readonly node: SensorNode;
  /** Its memory before the last sample. */
  private readonly before: Uint32Array;
  private readonly vectorAt: number;
  /** The samples as the learner saw them, by number. */
  private readonly vectors = new Map<number, Float32Array>();
  readonly session: number;
  /** The sample after which the replay begins. */
  readonly first: number;

  /**
   * @param sid the session that is replayed
   * @param copy of the node's memory in that session from which it resumes, or the state with which the session began; undefined: it began with nothing
   * @param model the bytes of the model that the node had then; undefined: none
   */
  constructor(replayed: ReplayedNode, sid: number, copy?: ReplayedCopy, model?: Uint8Array) {
    const { hello, family, options, features, ranges, fleetBudget } = replayed;
    const { channels, pending, labelWindow } = hello;
    this.node = loneNode({
      ...{ sid, channels, pending, labelWindow },
      ...{ learner: family, options, features, ranges, fleetBudget },
    });
    const { layout, range } = this.node;
    this.before = new Uint32Array(layout.state);
    this.vectorAt = layout.at("vector", range);
    const fault = copy && this.load(copy, model);
    if (fault) throw new UserError(`the copy of the node after sample ${this.node.seq} is refused: ${fault}`);
    this.node.renew(sid);
    this.session = sid;
    this.first = this.node.seq;
  }

  get learner(): Learner {
    return this.node.learner;
  }

  /** Its fleet's model, and its vote; undefined: it took none. */
  get fleet(): FleetMemory | undefined {
    const { fleet, layout, range } = this.node;
    return fleet && { fleet, layout, range };
  }

  /** The number of the last label that it answered. */
  get labelled(): number {
    return this.node.labelled;
  }

  /** What the copy has of the node before its learner, and the learner; what may lie in between has no effect on decisions, but the fleet's model. Returns why it is refused, if it is. */
  private load({ words, from }: ReplayedCopy, model?: Uint8Array): string | undefined {
    const { fleet, node } = this;
    const { range, layout, learner } = node;
    const { capacity, dimension } = fleet?.fleet.model ?? {};
    const ofFleet = capacity === undefined ? 0 : fleetWords(dimension as number, capacity);
    const ahead = learner.range.state - range.state - ofFleet;
    range.f32.bits.set(words.subarray(0, ahead), range.state);
    range.f32.bits.set(words.subarray(from, from + learner.layout.state), learner.range.state);
    if (fleet && model) {
      putModel(fleet.fleet, model);
      resumeVote(fleet, words, from);
    }
    return stateFault(learner, layout, range);
  }

  /**
   * Replays until the decision on sample `seq`; returns the sample as the learner sees it, and leaves the learner as it was before the sample. Undefined: these
   * samples and labels don't lead there.
   */
  until(
    { samples, labels: answered }: ReplayedSession,
    seq: number,
    learned: OnLearned,
  ): Float32Array | undefined {
    const { node, first } = this;
    const taken = samples.filter((sample) => sample.seq <= seq);
    if (taken.some((sample, i) => sample.seq !== first + i + 1)) return undefined;
    const labels = [...answered];
    for (const sample of taken) {
      while (labels.length > 0 && (labels[0].after ?? Number.POSITIVE_INFINITY) < sample.seq)
        this.learn(labels.shift() as AnsweredLabel, learned);
      while (!this.sampled(sample)) {
        // A label whose answer was lost came before the first sample that shows it.
        if (labels.length === 0 || labels[0].after !== undefined) return undefined;
        this.learn(labels.shift() as AnsweredLabel, learned);
      }
    }
    if (node.seq !== seq) return undefined;
    const { f32, state } = node.range;
    f32.bits.set(this.before, state);
    return this.vectors.get(seq);
  }

  /** Takes a sample; false, and nothing changed, if it decides otherwise than the node did. */
  private sampled({ seq, x, decision }: TakenSample): boolean {
    const { node, before, vectorAt } = this;
    const { f32, state } = node.range;
    before.set(f32.bits.subarray(state, state + before.length));
    const said = Math.fround(node.sample(x));
    if (decision === null || decision === undefined || Object.is(said, Math.fround(decision))) {
      this.vectors.set(seq, f32.words.slice(vectorAt, vectorAt + node.learner.dimension));
      return true;
    }
    f32.bits.set(before, state);
    return false;
  }

  private learn(label: AnsweredLabel, learned: OnLearned): void {
    const { number, seq, y, source, confidence, isLost, model } = label;
    if (model && !isLost) {
      installWhole(this.node, number, model);
      return;
    }
    const sid = isLost ? NO_SESSION : label.sid;
    const status = this.node.label({ number, sid, seq, y, source, confidence });
    if (status === LABEL_STATUS.applied)
      learned(label, sid === this.session ? this.vectors.get(seq) : undefined);
  }
}
