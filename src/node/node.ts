import type { Family, GivenOptions } from "../learn/family.ts";
import { COUNTERS, classOf, type Learner, TASK } from "../learn/learner.ts";
import { formerly, refuseFormerNames, settle, whole } from "../learn/options.ts";
import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { hashWords } from "../memory/hash.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";
import {
  Features,
  type FeaturesOption,
  featureDimension,
  featureRegions,
  settleFeatures,
} from "../signal/features.ts";
import type { RestoreStatus } from "../store/checkpoint-store.ts";
import { PendingRing } from "./pending.ts";
import { type Clock, LABEL_STATUS, type Label, type LabelStatus, type Link, type Storage } from "./ports.ts";
import { ReorderBuffer } from "./reorder-buffer.ts";

/** What every node counts, each a 32-bit word that wraps. */
export const NODE_COUNTERS = frozen([
  /** samples predicted */
  "sampled",
  /** samples refused: a reading wasn't finite, or too few or too many readings */
  "unreadable",
  /** samples that left the pending ring without a label */
  "unlabelled",
  /** labels by what became of them, in the order of `LABEL_STATUS`; a held label counts again when its turn comes */
  "applied",
  "duplicate",
  "held",
  "expired",
  "session",
  "unknown",
  "refused",
  "ahead",
  /** labels applied, not of a regression, that say otherwise than what was predicted just before they were learned */
  "mistaken",
  /** checkpoints kept, and not kept */
  "saved",
  "unsaved",
] as const);

export type NodeCounter = (typeof NODE_COUNTERS)[number];

/** The place of each counter among them; no literals, see `COUNT` of the learners. */
const NODE_COUNT = Object.freeze(
  Object.fromEntries(NODE_COUNTERS.map((name, i) => [name, i])) as Record<NodeCounter, number>,
);
const [LEARNED] = COUNTERS;

/** What a node is made from. */
export interface NodeOptions {
  /** Session: labels name it. A whole number >= 1 and <= 4294967295. Required. */
  readonly sid: number;
  /** Readings in a sample. A whole number >= 1 and <= 4096. Required. */
  readonly channels: number;
  /** Predicted samples that may wait for a label at once. A whole number >= 1 and <= 65536. Default 64. */
  readonly pending?: number;
  /** Labels that may be held because an earlier one is missing. A whole number >= 1 and <= 1024. Default 16. */
  readonly labelWindow?: number;
  /** Labels between two checkpoints; 0: only when asked. A whole number >= 0 and <= 4294967295. Default 0. */
  readonly checkpointEvery?: number;
  /** What the learner sees of the readings. Default: the readings themselves. */
  readonly features?: FeaturesOption;
  /** The learner's family: one of `FAMILIES`, `oneVsAllFamily(...)`, or one of `defineLearner()`. */
  readonly learner: Family;
  /** The learner's options, without `dimension`: that follows from channels and features. */
  readonly options: GivenOptions;
}

export const NODE_OPTIONS = frozen({
  sid: whole({ min: 1, max: 0xffffffff }, "session"),
  channels: whole({ min: 1, max: 4096 }, "readings in a sample"),
  pending: whole({ default: 64, min: 1, max: 65536 }, "samples that may wait for a label"),
  labelWindow: formerly(
    "window",
    whole({ default: 16, min: 1, max: 1024 }, "labels that may come before their turn"),
  ),
  checkpointEvery: whole({ default: 0, min: 0, max: 0xffffffff }, "labels between two checkpoints"),
});

function settleNode(options: NodeOptions) {
  refuseFormerNames("node", NODE_OPTIONS, options);
  const { sid, channels, pending, labelWindow, checkpointEvery } = options;
  return settle("node", NODE_OPTIONS, { sid, channels, pending, labelWindow, checkpointEvery });
}

/** The learner's options with the dimension that the node's features have. */
function learnerOptions({ channels, features, options }: NodeOptions): GivenOptions {
  return { ...options, dimension: featureDimension(channels, features) };
}

/** Every option that says what a checkpoint's bytes mean, defaults filled in: not the session, nor how often it's saved. */
export function settledOptions(options: NodeOptions): object {
  const { channels, pending, labelWindow } = settleNode(options);
  const { name, options: table } = options.learner;
  const learner = settle(name, table, learnerOptions(options));
  return { channels, pending, labelWindow, features: settleFeatures(options.features), learner };
}

/** The node's learner as a self-test takes it: its family, and all its options. */
export function nodeLearner(options: NodeOptions): { learner: Family; options: GivenOptions } {
  return { learner: options.learner, options: learnerOptions(options) };
}

/** A node's memory, to the byte: its learner, features, pending ring, cursors and counters. */
export function nodeLayout(options: NodeOptions): Layout {
  const { channels, pending, labelWindow } = settleNode(options);
  const dimension = featureDimension(channels, options.features);
  return new Layout([
    { name: "cursors", kind: "state", words: 4 },
    ...featureRegions(channels, options.features),
    ...PendingRing.regions(pending, dimension),
    ...ReorderBuffer.regions(labelWindow),
    ...options.learner.layout(learnerOptions(options)).parts("learner"),
    { name: "node.counters", kind: "counters", words: NODE_COUNTERS.length },
    { name: "vector", kind: "scratch", words: dimension },
  ]);
}

/**
 * The sensor-node loop: sample, features, predict, remember, report; then, when the label comes, learn.
 * Labels carry their own numbers 1, 2, ... and are applied in that order, each once: what they teach doesn't depend
 * on when, how often or in which order they arrive. All state lies in one range; after construction nothing is allocated.
 */
export class SensorNode {
  readonly layout: Layout;
  readonly range: MemoryRange;
  readonly learner: Learner;
  readonly pending: PendingRing;
  private readonly f32: Primitives;
  private readonly features: Features;
  private readonly held: ReorderBuffer;
  /** Labels between two checkpoints; 0: only when asked. It may change at any time. */
  checkpointEvery: number;
  /** Largest lag of an applied label, in samples, since whoever reads it last set it to 0. */
  lagMax = 0;
  /** Sum and number of a regression's absolute errors at its labels, just before they were learned, since set to 0. */
  errorSum = 0;
  errors = 0;
  /** The feature vector that is predicted or learned: scratch, its word and a view of it. */
  private readonly vector: number;
  private readonly vectorView: Float32Array;
  private readonly checkpointView: Uint8Array;
  private readonly cursors: number;
  private readonly counts: number;

  /** Throws an OptionError that names the option, what it got and what it takes. */
  constructor(
    options: NodeOptions,
    private readonly clock: Clock,
    private readonly link: Link,
    private readonly storage: Storage,
    memory?: MemoryRange,
  ) {
    const { sid, channels, pending, labelWindow, checkpointEvery } = settleNode(options);
    const layout = nodeLayout(options);
    const range = memory ?? layout.ownRange();
    const { f32 } = range;
    this.layout = layout;
    this.range = range;
    this.f32 = f32;
    this.checkpointEvery = checkpointEvery;
    f32.bits.fill(0, range.state, range.state + layout.state);
    f32.bits.fill(0, range.counters, range.counters + layout.counters);
    this.features = new Features(layout, range, channels, options.features);
    this.pending = new PendingRing(layout, range, pending, this.features.dimension);
    this.held = new ReorderBuffer(layout, range, labelWindow);
    this.learner = options.learner.create({
      ...learnerOptions(options),
      memory: layout.within("learner", range),
    });
    this.vector = layout.at("vector", range);
    this.vectorView = f32.words.subarray(this.vector, this.vector + this.features.dimension);
    const saved = 4 * (layout.state + layout.counters);
    this.checkpointView = new Uint8Array(f32.words.buffer, f32.words.byteOffset + 4 * range.state, saved);
    this.cursors = layout.at("cursors", range);
    this.counts = layout.at("node.counters", range);
    f32.bits[this.cursors] = sid;
  }

  /** Session. */
  get sid(): number {
    return this.f32.bits[this.cursors];
  }

  /** Number of the last sample, from 1; 0 before the first. */
  get seq(): number {
    return this.f32.bits[this.cursors + 1];
  }

  /** Number of the last label dealt with; 0 before the first. */
  get labelled(): number {
    return this.f32.bits[this.cursors + 2];
  }

  /** Number of the last label in a checkpoint. */
  get durable(): number {
    return this.f32.bits[this.cursors + 3];
  }

  /**
   * Takes a sample: one reading a channel. Returns the prediction, NaN if a reading wasn't finite; then the sample
   * has a number all the same, and no label can reach it.
   */
  sample(readings: ArrayLike<number>): number {
    const seq = ++this.f32.bits[this.cursors + 1];
    if (!this.features.extract(readings, this.vector)) {
      this.tally(NODE_COUNT.unreadable);
      return Number.NaN;
    }
    const decision = this.learner.predict(this.vectorView);
    this.tally(NODE_COUNT.sampled);
    if (this.pending.push(this.sid, seq, this.vector)) this.tally(NODE_COUNT.unlabelled);
    this.link.predicted(seq, this.clock.now(), decision);
    return decision;
  }

  /**
   * Takes a label. Answers over the link, also for labels held until now whose turn has come. Returns what became of
   * this one.
   */
  label(label: Label): LabelStatus {
    const { number } = label;
    if (number !== this.labelled + 1) return this.outOfTurn(label);
    const status = this.inTurn(label);
    for (let next = number + 1; this.held.has(next); next++) this.inTurn(this.held.at(next));
    return status;
  }

  private outOfTurn(label: Label): LabelStatus {
    const { number } = label;
    let status: LabelStatus = LABEL_STATUS.held;
    if (number <= this.labelled || this.held.has(number)) status = LABEL_STATUS.duplicate;
    else if (number > this.labelled + this.held.capacity) status = LABEL_STATUS.ahead;
    else this.held.hold(label);
    this.f32.bits[this.counts + NODE_COUNT.applied + status]++;
    this.link.acknowledge(number, status, this.durable);
    return status;
  }

  private inTurn(label: Label): LabelStatus {
    const { number } = label;
    const status = this.apply(label);
    this.held.release(number);
    this.f32.bits[this.cursors + 2] = number;
    this.f32.bits[this.counts + NODE_COUNT.applied + status]++; // before the checkpoint, which keeps the count
    if (this.checkpointEvery > 0 && number % this.checkpointEvery === 0) this.checkpoint();
    this.link.acknowledge(number, status, this.durable);
    return status;
  }

  private apply({ sid, seq, y }: Label): LabelStatus {
    if (!this.pending.take(sid, seq, this.vector)) {
      if (sid !== this.sid) return LABEL_STATUS.session;
      return seq === 0 || seq > this.seq ? LABEL_STATUS.unknown : LABEL_STATUS.expired;
    }
    this.lagMax = Math.max(this.lagMax, this.seq - seq);
    const before = this.learner.count(LEARNED);
    const decision = this.learner.learn(this.vectorView, y);
    if (this.learner.count(LEARNED) === before) return LABEL_STATUS.refused;
    this.score(decision, y);
    return LABEL_STATUS.applied;
  }

  /** Prequential: what was said before the label was learned, against the label as it came. */
  private score(decision: number, y: number): void {
    const { task } = this.learner;
    if (task === TASK.regression) {
      this.errorSum += decision < y ? y - decision : decision - y;
      this.errors++;
    } else if (classOf(task, decision) !== classOf(task, y)) {
      this.tally(NODE_COUNT.mistaken);
    }
  }

  /** Keeps state and counters in the storage; true if they were kept. */
  checkpoint(): boolean {
    const before = this.durable;
    this.f32.bits[this.cursors + 3] = this.labelled;
    const saved = this.storage.save(this.checkpointView);
    if (!saved) this.f32.bits[this.cursors + 3] = before;
    this.tally(saved ? NODE_COUNT.saved : NODE_COUNT.unsaved);
    return saved;
  }

  /** Goes on from the newest whole checkpoint, and says which that is; `fresh`, and nothing changed, if there is none. */
  restore(): RestoreStatus {
    return this.storage.load(this.checkpointView);
  }

  /**
   * Begins session sid, 1..2^32-1: after a restore, where the samples since the checkpoint are lost and their numbers will
   * be given again. Labels of earlier sessions still reach the samples in the pending ring, and none but those.
   */
  renew(sid: number): void {
    this.f32.bits[this.cursors] = sid;
  }

  /** Discards the labels that came before their turn: whoever sent them will send them again. */
  releaseHeld(): void {
    this.held.clear();
  }

  /** The hash of the whole node's state: learner, features, pending ring, cursors. */
  stateHash(): string {
    return hashWords(this.f32.bits, this.range.state, this.layout.state);
  }

  /** How often `name` was counted. */
  count(name: NodeCounter): number {
    return this.f32.bits[this.counts + NODE_COUNT[name]];
  }

  private tally(place: number): void {
    this.f32.bits[this.counts + place]++;
  }
}
