import type { Family } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { SensorNode } from "../../src/node/node.ts";
import { LABEL_STATUS, NO_STORAGE } from "../../src/node/ports.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Hello } from "../session/hello.ts";
import { SAMPLES_MAX } from "./sample-vectors.ts";
import { type FleetStore, floatsOf, NEWEST_OF_NUMBER, type NodeCopyRow, type Row } from "./store.ts";

/** Labels that are replayed for one explanation: a committee learns slowly, and the gateway does nothing else meanwhile. */
const LABELS_MAX = 5000;

const SAMPLES = `
  SELECT s.seq, s.x, p.decision FROM sample s LEFT JOIN prediction p USING (node, sid, seq)
  WHERE s.node = ? AND s.sid = ? AND s.seq > ? AND s.seq <= ? ORDER BY s.seq LIMIT ${SAMPLES_MAX + 1}`;
const LABELS = `
  SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, l.status, s.time, a.at, a.after
  FROM label l LEFT JOIN sample s USING (node, sid, seq) LEFT JOIN label_after a USING (node, sid, seq)
  WHERE l.node = ?1 AND l.number > ?2
    AND l.id = ${NEWEST_OF_NUMBER}
  ORDER BY l.number LIMIT ${LABELS_MAX + 1}`;
/** A session that no node has: a label of it is refused, and its number is used up. */
const NO_SESSION = 0;

/** A label as the node learned it. */
export interface ReplayedLabel {
  readonly number: number;
  readonly sid: number;
  readonly seq: number;
  readonly y: number;
  readonly source: number;
  readonly confidence: number;
  readonly by: string;
  /** When its sample came. */
  readonly time: number;
}

interface WaitingLabel extends ReplayedLabel {
  readonly isLost: boolean;
  /** The sample after which the node answered it, of the session that is replayed; undefined: that isn't known. */
  readonly after?: number;
}

/** What is replayed: the node's options, as far as they matter, and the decision that is wanted. */
export interface ReplayedNode {
  readonly name: string;
  readonly hello: Hello;
  readonly family: Family;
  readonly options: { readonly [name: string]: unknown };
  readonly features: FeaturesOption;
}

/** Called with each label that the replayed learner learned. */
type Learned = (label: ReplayedLabel) => void;

/**
 * A node in this machine's memory that samples and learns what the node did, in the same order. A learner that takes notes of samples, as
 * a committee does, depends on which labels came before which sample; others are followed by their labels alone.
 */
export class NodeReplay {
  private readonly node: SensorNode;
  /** Its memory before the last sample. */
  private readonly before: Uint32Array;
  private readonly vectorAt: number;
  private readonly session: number;
  private readonly first: number;

  /** @param copy of the node's memory from which it resumes; undefined: it begins with session `sid`. */
  constructor(replayed: ReplayedNode, sid: number, copy?: NodeCopyRow) {
    const { hello, family, options, features } = replayed;
    const { channels, pending, labelWindow } = hello;
    this.node = new SensorNode(
      { sid, channels, pending, labelWindow, learner: family, options, features },
      { now: () => 0 },
      { predicted() {}, acknowledge() {} },
      NO_STORAGE,
    );
    const { layout, range } = this.node;
    this.before = new Uint32Array(layout.state);
    this.vectorAt = layout.at("vector", range);
    if (copy) this.load(copy);
    this.session = this.node.sid;
    this.first = this.node.seq;
  }

  get learner(): Learner {
    return this.node.learner;
  }

  /** The number of the last label that it answered. */
  get labelled(): number {
    return this.node.labelled;
  }

  /** What the copy has of the node before its learner, and the learner; what may lie in between has no effect on decisions. */
  private load({ words, from }: NodeCopyRow): void {
    const { range, learner } = this.node;
    const ahead = learner.range.state - range.state;
    range.f32.bits.set(words.subarray(0, ahead), range.state);
    range.f32.bits.set(words.subarray(from, from + learner.layout.state), learner.range.state);
  }

  /**
   * Replays until the decision on sample `seq`; returns the sample as the learner sees it, the learner being as it was before. Undefined: what is
   * stored doesn't lead there.
   */
  until(store: FleetStore, name: string, seq: number, learned: Learned): Float32Array | undefined {
    const { node, session, first } = this;
    const rows = store.read(SAMPLES, [name, session, first, seq], name);
    if (rows.length > SAMPLES_MAX || rows.some((row, i) => Number(row.seq) !== first + i + 1))
      return undefined;
    const labels = this.labelsOf(store, name);
    if (!labels) return undefined;
    for (const row of rows) {
      while (labels.length > 0 && (labels[0].after ?? Number.POSITIVE_INFINITY) < Number(row.seq))
        this.learn(labels.shift() as WaitingLabel, learned);
      while (!this.sampled(row)) {
        // A label whose answer was lost came before the first sample that shows it.
        if (labels.length === 0 || labels[0].after !== undefined) return undefined;
        this.learn(labels.shift() as WaitingLabel, learned);
      }
    }
    if (node.seq !== seq) return undefined;
    const { f32, state } = node.range;
    const { vectorAt, before } = this;
    const vector = f32.words.slice(vectorAt, vectorAt + node.learner.dimension);
    f32.bits.set(before, state);
    return vector;
  }

  /** Takes a sample; false, and nothing changed, if it decides otherwise than the node did. */
  private sampled({ x, decision }: Row): boolean {
    const { node, before } = this;
    const { f32, state } = node.range;
    before.set(f32.bits.subarray(state, state + before.length));
    const said = Math.fround(node.sample(floatsOf(x)));
    if (decision === null || decision === undefined || Object.is(said, Math.fround(Number(decision))))
      return true;
    f32.bits.set(before, state);
    return false;
  }

  private learn(label: WaitingLabel, learned: Learned): void {
    const { number, seq, y, source, confidence, isLost } = label;
    const sid = isLost ? NO_SESSION : label.sid;
    const status = this.node.label({ number, sid, seq, y, source, confidence });
    if (status === LABEL_STATUS.applied) learned(label);
  }

  /** The labels that the node answered afterwards; undefined: there are too many. */
  private labelsOf(store: FleetStore, name: string): WaitingLabel[] | undefined {
    const { labelled, session } = this;
    const rows = store.read(LABELS, [name, labelled], name);
    if (rows.length > LABELS_MAX) return undefined;
    const gap = rows.findIndex(({ number }, i) => Number(number) !== labelled + i + 1);
    return rows.slice(0, gap < 0 ? rows.length : gap).map(({ status, at, after, ...label }) => ({
      ...(label as unknown as ReplayedLabel),
      isLost: Number(status ?? 0) > LABEL_STATUS.applied,
      ...(at === session && { after: Number(after) }),
    }));
  }
}
