import type { Family, UserOptions } from "../learn/family.ts";
import { type Learner, noteWords, scoreWords, TASK, type Task } from "../learn/learner.ts";
import { choice, type ResolvedOptions, real, resolveOptions, whole } from "../learn/options.ts";
import { asksForRanges } from "../learn/storage.ts";
import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { hashWords } from "../memory/hash.ts";
import { ANY, faultIn, Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import {
  Features,
  type FeaturesOption,
  featureDimension,
  featureRanges,
  featureRegions,
  resolveFeatures,
} from "../signal/features.ts";
import type { CheckpointReader } from "../store/checkpoint-reader.ts";
import { RESTORE, type RestoreStatus, SAVE_STATUS, type SaveStatus } from "../store/checkpoint-store.ts";
import { checkClasses } from "./classes.ts";
import type { Coverage } from "./coverage.ts";
import { DriftAlarms } from "./drift-alarms.ts";
import { FleetModel } from "./fleet-model.ts";
import { LabelRequests } from "./label-requests.ts";
import { LEDGER, LEDGER_WORDS, type Ledger, type LedgerSource, OUT_OF_TURN } from "./ledger.ts";
import { Lesson } from "./lesson.ts";
import { PendingRing } from "./pending.ts";
import { PortableLedger } from "./portable-ledger.ts";
import {
  CERTAIN,
  type Clock,
  LABEL_STATUS,
  type Label,
  type LabelStatus,
  type Link,
  REMARK,
  SOURCE_UNTOLD,
  type Storage,
} from "./ports.ts";
import { PredictionIntervals } from "./prediction-intervals.ts";
import { type GivenFlips, PredictionSets, resolveFlips } from "./prediction-sets.ts";
import { checkLabelRange, checkRanges, inRange, inRanges, type Range, type Ranges } from "./ranges.ts";
import { ReorderBuffer } from "./reorder-buffer.ts";

/** A node's `fault` where the words of its learner's state don't fit one another. */
export const UNFIT = 0xffffffff;

/** What every node counts, each a 32-bit word that wraps. */
export const NODE_COUNTERS = frozen([
  /** samples predicted */
  "sampled",
  /** samples refused: a reading wasn't finite or outside its range, or too few or too many readings */
  "unreadable",
  /** samples that left the pending ring without a label */
  "unlabelled",
  /** labels by status, in the order of `LABEL_STATUS`; a held label counts again when its turn comes */
  "applied",
  "duplicate",
  "held",
  "expired",
  "session",
  "unknown",
  "refused",
  "ahead",
  "range",
  "forged",
  /** labels applied, not of a regression, that differ from the prediction made just before the node learned from them */
  "mistaken",
  /** checkpoints kept, and not kept */
  "saved",
  "unsaved",
] as const);

/** The name of one of `NODE_COUNTERS`. */
export type NodeCounter = (typeof NODE_COUNTERS)[number];

/** The place of each counter among them; no literals, see `COUNT` of the learners. */
const NODE_COUNT = Object.freeze(
  Object.fromEntries(NODE_COUNTERS.map((name, i) => [name, i])) as Record<NodeCounter, number>,
);
/** What coverage is a share of, unless it is of each class; no literals, too. */
const SAMPLES = "samples";
/** Of a learner that stores vectors of 16 bits. */
const Q15 = "q15";
/** True if decisions are classes by their sign, class indices, or estimates. */
const CLASS_SIGN = 0;
const CLASS_INDEX = 1;
const REGRESSION = 2;

function kindOf(task: Task): number {
  if (task === TASK.regression) return REGRESSION;
  return task === TASK.multiclass ? CLASS_INDEX : CLASS_SIGN;
}

/** The status of a label that was learned, without a look-up. */
const APPLIED = LABEL_STATUS.applied;

/** Options of a node. */
export interface NodeOptions {
  /** Session: labels name it. A whole number >= 1 and <= 4294967295. Required. */
  readonly sid: number;
  /** Readings in a sample; with `features.burst` those of a burst of each sensor. A whole number >= 1 and <= 4096. Required. */
  readonly channels: number;
  /** Predicted samples that may wait for a label at once. A whole number >= 1 and <= 65535. Default 64. */
  readonly pending?: number;
  /** Labels that the node holds back while an earlier one is missing. A whole number >= 1 and <= 1024. Default 16. */
  readonly labelWindow?: number;
  /** Labels between two checkpoints; 0: only when asked. A whole number >= 0 and <= 4294967295. Default 0. */
  readonly checkpointEvery?: number;
  /** The possible values of each reading, one range a channel. The node refuses and counts a sample with a reading outside. Default: any. */
  readonly ranges?: Ranges;
  /** The possible values of a regression's label. The node refuses one outside as `range` and counts it. Default: any. */
  readonly labelRange?: Range;
  /** The share of samples whose labels the node asks for, see `LabelRequests`; 0: none, as of a regression. A number >= 0 and < 1. Default 0. */
  readonly labelBudget?: number;
  /** The share of samples whose prediction set holds the true class, see `PredictionSets`, or of a regression the interval the true value, see `PredictionIntervals`; 0: none, as of several classes and novelties. A number >= 0 and < 1. Default 0. */
  readonly coverage?: number;
  /** What that share is of, with two classes. samples: of all samples together; classes: of the samples of each class by itself, which takes four words more. One of samples, classes. Default "samples". */
  readonly coverageBy?: "samples" | "classes";
  /** Flip rates of labels, for the prediction sets: [P(-1 said | +1), P(+1 said | -1)], or a list of such pairs for labels of source 0, 1, ... Default: the learner's `sources`, else [0, 0]. */
  readonly labelFlips?: GivenFlips;
  /** True if the node watches for drift, see `DriftAlarms`. watch: it reports alarms; restart: an alarm from labels also restarts the learner's confidence. Not for a regression. One of none, watch, restart. Default "none". */
  readonly drift?: "none" | "watch" | "restart";
  /** The share of a regression's labels that are far off, for those intervals. A number >= 0 and < 0.9. Default 0. */
  readonly grossLabels?: number;
  /** Vectors of the largest model that the fleet may install, see `FleetModel`: 0: a plane; -1: it takes none. Two classes only. A whole number >= -1 and <= 4096. Default -1. */
  readonly fleetBudget?: number;
  /** The features that the node computes from the readings. Default: the readings themselves. */
  readonly features?: FeaturesOption;
  /** The names of its classes: two, for the labels -1 and +1, or K > 2 for 0 to K-1, from which the learner's option `classes` follows. Not for a regression. Default: none. */
  readonly classes?: readonly string[];
  /** The learner's family: one of `FAMILIES`, `oneVsAllFamily(...)`, or one of `defineLearner()`. */
  readonly learner: Family;
  /** The learner's options, without `dimension`: that follows from channels and features. */
  readonly options: UserOptions;
}

export const NODE_OPTIONS = frozen({
  sid: whole({ min: 1, max: 0xffffffff }, "session"),
  channels: whole({ min: 1, max: 4096 }, "readings in a sample"),
  pending: whole({ default: 64, min: 1, max: 65535 }, "samples that may wait for a label"),
  labelWindow: whole({ default: 16, min: 1, max: 1024 }, "labels that may come before their turn"),
  checkpointEvery: whole({ default: 0, min: 0, max: 0xffffffff }, "labels between two checkpoints"),
  labelBudget: real({ default: 0, min: 0, below: 1 }, "share of samples whose labels are asked for"),
  coverage: real(
    { default: 0, min: 0, below: 1 },
    "share of samples whose prediction set or interval holds the truth",
  ),
  coverageBy: choice(["samples", "classes"], "samples", "what `coverage` is a share of, with two classes"),
  drift: choice(["none", "watch", "restart"], "none", "whether drift is watched for, and what an alarm does"),
  grossLabels: real({ default: 0, min: 0, below: 0.9 }, "share of a regression's labels that are far off"),
  fleetBudget: whole(
    { default: -1, min: -1, max: 4096 },
    "vectors of the largest model that the fleet may install; 0: a plane; -1: it takes none",
  ),
});

function resolveNode(options: NodeOptions) {
  const { sid, channels, pending, labelWindow, checkpointEvery, labelBudget } = options;
  const { coverage, coverageBy, drift, grossLabels, fleetBudget, ranges, labelRange, learner } = options;
  checkClasses(options.classes, learner, options.options);
  checkRanges(ranges, channels);
  checkLabelRange(labelRange, learner.name, learner.task);
  const words = { sid, channels, pending, labelWindow, checkpointEvery };
  const given = { ...words, labelBudget, coverage, coverageBy, drift, grossLabels, fleetBudget };
  const resolved = resolveOptions("node", NODE_OPTIONS, given);
  checkForTask(resolved, learner);
  return { ...resolved, labelFlips: resolveFlips(options.labelFlips, options.options.sources) };
}

/** Throws an OptionError for an option that this learner's task doesn't allow. */
export function checkForTask(
  { labelBudget, coverage, coverageBy, drift, fleetBudget }: ResolvedOptions<typeof NODE_OPTIONS>,
  learner: Pick<Family, "name" | "task">,
): void {
  if (labelBudget > 0 && learner.task === TASK.regression)
    throw new OptionError(
      "node",
      "labelBudget",
      labelBudget,
      `0 with ${learner.name}: an estimate has no margin`,
    );
  if (coverage > 0 && learner.task !== TASK.classification && learner.task !== TASK.regression)
    throw new OptionError(
      "node",
      "coverage",
      coverage,
      `0 with ${learner.name}: sets are of the classes -1 and +1, intervals of a regression`,
    );
  if (coverageBy !== SAMPLES && learner.task === TASK.regression)
    throw new OptionError(
      "node",
      "coverageBy",
      coverageBy,
      `"samples" with ${learner.name}: it has no classes`,
    );
  if (drift !== "none" && learner.task === TASK.regression)
    throw new OptionError(
      "node",
      "drift",
      drift,
      `"none" with ${learner.name}: an estimate isn't right or wrong`,
    );
  if (fleetBudget >= 0 && learner.task !== TASK.classification)
    throw new OptionError(
      "node",
      "fleetBudget",
      fleetBudget,
      `-1 with ${learner.name}: a fleet's model decides between the classes -1 and +1`,
    );
}

const NO_NAMES: readonly string[] = frozen([]);

/** The learner's options, completed with their number of named classes, the features' dimension and, for rows of 16 bits, their ranges. */
function learnerOptions({
  channels,
  features,
  ranges,
  classes = NO_NAMES,
  learner,
  options,
}: NodeOptions): UserOptions {
  const many = classes.length > 2 && { classes: classes.length };
  const given = { ...options, ...many, dimension: featureDimension(channels, features) };
  const known = asksForRanges(learner, options) && featureRanges(ranges, features);
  return known ? { ...given, ranges: known } : given;
}

/** Leaves out storage as float32, so that checkpoints from before vectors of 16 bits keep their schema. */
function withoutPlainStorage(resolved: UserOptions, table: Family["options"]): UserOptions {
  if (!table.storage || resolved.storage === Q15) return resolved;
  const { storage, ranges, ...rest } = resolved;
  return rest;
}

/** Every option that determines the meaning of a checkpoint's bytes, with defaults filled in: all but the session and how often it is saved. */
export function resolvedOptions(options: NodeOptions): object {
  const resolved = resolveNode(options);
  const { channels, pending, labelWindow, labelBudget, coverage, coverageBy } = resolved;
  const { drift, grossLabels, fleetBudget } = resolved;
  const labelFlips = resolved.labelFlips.length === 1 ? resolved.labelFlips[0] : resolved.labelFlips;
  const { name, options: table, task } = options.learner;
  const flips = task === TASK.regression ? { grossLabels } : { labelFlips };
  const learner = withoutPlainStorage(resolveOptions(name, table, learnerOptions(options)), table);
  const features = resolveFeatures(options.features);
  return {
    channels,
    pending,
    labelWindow,
    features,
    learner,
    ...(labelBudget > 0 && { labelBudget }),
    ...(coverage > 0 && { coverage, ...flips }),
    ...(coverage > 0 && coverageBy !== SAMPLES && { coverageBy }),
    ...(drift !== "none" && { drift, labelFlips }),
    ...(fleetBudget >= 0 && { fleetBudget }),
  };
}

/** The node's learner as a self-test takes it: its family, and all its options. */
export function nodeLearner(options: NodeOptions): { learner: Family; options: UserOptions } {
  return { learner: options.learner, options: learnerOptions(options) };
}

function coverageRegions(
  { task }: Family,
  { coverage, coverageBy, pending }: ReturnType<typeof resolveNode>,
): Region[] {
  if (coverage === 0) return [];
  return task === TASK.regression
    ? PredictionIntervals.regions(pending)
    : PredictionSets.regions(pending, coverageBy !== SAMPLES);
}

/** A node's memory, to the byte: its learner, features, pending ring, cursors and counters. */
export function nodeLayout(options: NodeOptions): Layout {
  const resolved = resolveNode(options);
  const { channels, pending, labelWindow, labelBudget, drift, fleetBudget } = resolved;
  const dimension = featureDimension(channels, options.features);
  const learner = options.learner.layout(learnerOptions(options));
  return new Layout([
    { name: "cursors", kind: "state", words: 4, holds: [ANY] },
    ...featureRegions(channels, options.features),
    ...PendingRing.regions(pending, dimension, noteWords(learner)),
    ...ReorderBuffer.regions(labelWindow),
    ...(labelBudget > 0 ? LabelRequests.regions() : []),
    ...coverageRegions(options.learner, resolved),
    ...(drift === "none" ? [] : DriftAlarms.regions()),
    ...(fleetBudget < 0 ? [] : [...FleetModel.regions(dimension, fleetBudget), ...Lesson.regions(dimension)]),
    ...learner.parts("learner"),
    { name: "node.counters", kind: "counters", words: NODE_COUNTERS.length },
    { name: "vector", kind: "scratch", words: dimension },
    { name: "ledger", kind: "scratch", words: LEDGER_WORDS },
  ]);
}

/**
 * The sensor-node loop: sample, features, predict, remember, report; then, when the label comes, learn.
 * Labels carry their own numbers 1, 2, ... and the node applies them in that order, each once. So the state doesn't depend
 * on when, how often or in which order they arrive. All state lies in one range; after construction the node allocates nothing.
 */
export class SensorNode {
  // XS searches properties in their order, so those used at each sample and label come first. Methods don't destructure `this`, which costs
  // more than the look-ups.
  private readonly features: Features;
  /** Its learner. Only the node predicts and learns with it. */
  readonly learner: Learner;
  private readonly ledger: Ledger;
  private readonly link: Link;
  /** The memory's words, and those of session, samples, labels, and of the first counter. */
  private readonly bits: Uint32Array;
  private readonly cursors: number;
  /** The feature vector that is predicted or learned: scratch, its word and a view of it. */
  private readonly vector: number;
  private readonly vectorView: Float32Array;
  private readonly clock: Clock;
  private readonly ranges: Ranges | undefined;
  /** Words of the learner's note of a sample, and the word at which it lies; 0 where it takes none. */
  private readonly noteLength: number;
  /** True if predictions carry remarks. */
  private readonly isRemarking: boolean;
  /** Word of the learner's count of labels that it took. */
  private readonly learned: number;
  /** Undefined: it issues no prediction sets, nor intervals. */
  private readonly coverage: Coverage | undefined;
  /** How labels are compared to decisions: one of the constants above. */
  private readonly kind: number;
  /** Undefined: it doesn't watch for drift. */
  private readonly alarms: DriftAlarms | undefined;
  /** Undefined: it takes no model of the fleet. */
  readonly fleet: FleetModel | undefined;
  /** The last label that it learned, for the fleet. */
  readonly lesson: Lesson | undefined;
  /** True if the label after the last processed one is held. */
  private follows = false;
  /** Labels between two checkpoints; 0: only when asked. It may change at any time. */
  checkpointEvery: number;
  private readonly held: ReorderBuffer;
  private readonly counts: number;
  private readonly note: number;
  /** Its predicted samples that wait for a label. */
  readonly pending: PendingRing;
  /** Undefined: it asks for no labels. */
  private readonly requests: LabelRequests | undefined;
  /** Sum of a regression's absolute errors at its labels, each from just before the label was learned. Whoever reads it resets it. */
  errorSum = 0;
  /** Number of the errors in `errorSum`. */
  errors = 0;
  /** Of several classes: how many, and the word of their decision values; else 0. */
  private readonly classes: number;
  private readonly scores: number;
  /** Where its memory lies. */
  readonly range: MemoryRange;
  private readonly f32: Primitives;
  /** As given. */
  readonly options: NodeOptions;
  private readonly storage: Storage;
  /** What a checkpoint keeps: state and counters, as they are. */
  readonly checkpointView: Uint8Array;
  private readonly stateWords: number;
  /** What the words of state hold: see `Layout.rules`. */
  private readonly rules: Uint32Array;
  /** True if it refused a state since whoever reads it reset it. */
  hasRefused = false;
  private readonly takes = () => {
    const isSound = this.fault < 0;
    if (!isSound) this.hasRefused = true;
    return isSound;
  };

  /** Throws an OptionError that names the option, what it got and what it takes. */
  constructor(options: NodeOptions, clock: Clock, link: Link, storage: Storage, memory?: MemoryRange) {
    this.options = options;
    this.clock = clock;
    this.link = link;
    this.storage = storage;
    this.ranges = options.ranges;
    // Few variables: each is a slot of XS's stack, which goes deepest in the constructors of learners.
    const resolved = resolveNode(options);
    const layout = nodeLayout(options);
    const range = memory ?? layout.ownRange();
    this.range = range;
    this.f32 = range.f32;
    this.bits = range.f32.bits;
    this.checkpointEvery = resolved.checkpointEvery;
    this.stateWords = layout.state;
    this.rules = layout.rules;
    this.cursors = layout.at("cursors", range);
    this.counts = layout.at("node.counters", range);
    this.features = new Features(layout, range, resolved.channels, options.features);
    this.held = new ReorderBuffer(layout, range, resolved.labelWindow);
    this.requests =
      resolved.labelBudget > 0 ? new LabelRequests(layout, range, resolved.labelBudget) : undefined;
    this.coverage = resolved.coverage > 0 ? this.makeCoverage(layout) : undefined;
    this.alarms =
      resolved.drift === "none"
        ? undefined
        : new DriftAlarms(layout, range, resolved.labelFlips[0], resolved.drift === "restart");
    this.vector = layout.at("vector", range);
    this.fleet =
      resolved.fleetBudget < 0
        ? undefined
        : new FleetModel(layout, range, this.features.dimension, resolved.fleetBudget, this.vector);
    this.lesson = this.fleet && new Lesson(layout, range, this.features.dimension);
    this.isRemarking =
      resolved.labelBudget > 0 || [this.coverage, this.alarms, this.fleet].some((each) => each !== undefined);
    this.learner = this.initialise(layout);
    this.kind = kindOf(this.learner.task);
    this.learned = layout.at("learner.counters", range);
    this.noteLength = noteWords(this.learner.layout);
    this.note = this.noteLength > 0 ? this.learner.layout.at("note", this.learner.range) : 0;
    this.learner.noted = this.noteLength > 0;
    this.classes = this.learner.task === TASK.multiclass ? scoreWords(this.learner.layout) : 0;
    this.scores = this.classes > 0 ? this.learner.layout.at("scores", this.learner.range) : 0;
    this.pending = new PendingRing(layout, range, resolved.pending, this.features.dimension, this.noteLength);
    this.ledger = this.makeLedger(layout);
    this.vectorView = this.f32.words.subarray(this.vector, this.vector + this.features.dimension);
    this.checkpointView = this.viewOf(layout.state + layout.counters);
  }

  /** So many words of the range, from its first, as bytes. */
  private viewOf(words: number): Uint8Array {
    const { buffer, byteOffset } = this.f32.words;
    return new Uint8Array(buffer, byteOffset + 4 * this.range.state, 4 * words);
  }

  /**
   * Takes a sample: one reading a channel. Returns the prediction, or NaN if a reading wasn't finite or lay outside its range. A refused
   * sample still gets a number, and no label can reach it.
   */
  sample(readings: ArrayLike<number>): number {
    const ranges = this.ranges;
    if ((ranges && !inRanges(ranges, readings)) || !this.features.extract(readings, this.vector))
      return this.refuse();
    const own = this.learner.predict(this.vectorView);
    if (this.noteLength > 0) this.takeNote(own);
    const decision = this.fleet ? this.fleet.decide(own) : own;
    const seq = this.ledger.push();
    const remarks = this.isRemarking ? this.remarks(seq, decision) : 0;
    this.link.predicted(seq, this.clock.now(), decision, remarks);
    return decision;
  }

  /** A refused sample still gets a number. */
  private refuse(): number {
    this.bits[this.cursors + 1]++;
    this.increment(NODE_COUNT.unreadable);
    return Number.NaN;
  }

  /**
   * Takes a label. Answers over the link, also for held labels whose turn has come with it. Returns the status of
   * this one.
   */
  label(label: Label): LabelStatus {
    const number = label.number;
    const source = label.source ?? SOURCE_UNTOLD;
    const confidence = label.confidence ?? CERTAIN;
    const y = label.y;
    const seq = label.seq;
    const found = this.ledger.take(number, label.sid, seq, y, source | (confidence << 8));
    if (found >= OUT_OF_TURN) return this.outOfTurn(number, (found - OUT_OF_TURN) as LabelStatus);
    const status = this.learnFrom(number, label.sid, seq, y, source, confidence, found as LabelStatus);
    for (let next = number + 1; this.follows; next++) this.takeHeld(next);
    return status;
  }

  private outOfTurn(number: number, status: LabelStatus): LabelStatus {
    this.link.acknowledge(number, status, this.bits[this.cursors + 3]);
    return status;
  }

  private takeHeld(number: number): void {
    const bits = this.bits;
    const slot = this.held.slot(number);
    const seq = bits[slot + 2];
    const y = this.f32.words[slot + 3];
    const origin = bits[slot + 4];
    const sid = bits[slot + 1];
    const found = this.ledger.take(number, sid, seq, y, origin);
    this.learnFrom(number, sid, seq, y, origin & 0xff, origin >>> 8, found as LabelStatus);
  }

  /**
   * Learns from the label whose turn it is, if its sample was found, and answers it. The sample of a refused label waits again: the right label
   * may still come.
   */
  private learnFrom(
    number: number,
    sid: number,
    seq: number,
    y: number,
    source: number,
    confidence: number,
    found: LabelStatus,
  ): LabelStatus {
    const learner = this.learner;
    const bits = this.bits;
    let status = found;
    let mistaken = false;
    if (status === APPLIED) {
      if (this.kind === REGRESSION && !inRange(this.options.labelRange, y)) status = LABEL_STATUS.range;
      else {
        const before = bits[this.learned];
        learner.source = source;
        learner.confidence = confidence;
        const own = learner.learn(this.vectorView, y);
        if (bits[this.learned] === before) status = LABEL_STATUS.refused;
        else {
          const decision = this.fleet ? this.learnTogether(this.fleet, number, sid, seq, own, y) : own;
          mistaken = this.kind === CLASS_SIGN ? decision < 0 !== y < 0 : this.score(decision, y);
          if (this.coverage) this.learnCoverage(seq, y, decision, source, confidence);
          if (this.alarms?.learn(mistaken) && this.alarms.restarts) this.learner.restartConfidence();
        }
      }
      if (status !== APPLIED) this.pending.putBack(sid, seq, this.vector, this.note);
    }
    this.follows = this.ledger.finish(number, status, mistaken); // before the checkpoint, which keeps the count
    return this.answer(number, status);
  }

  /** Answers a label or an install whose turn it was, after the checkpoint that is due by its number. */
  private answer(number: number, status: LabelStatus): LabelStatus {
    if (this.checkpointEvery > 0 && number % this.checkpointEvery === 0) this.checkpoint();
    this.link.acknowledge(number, status, this.bits[this.cursors + 3]);
    return status;
  }

  /** Judges learner and model by a label, and passes its sample's features to the fleet. Returns the decision before the label. */
  private learnTogether(
    fleet: FleetModel,
    number: number,
    sid: number,
    seq: number,
    own: number,
    y: number,
  ): number {
    (this.lesson as Lesson).keep(number, sid, seq, this.vectorView);
    this.link.learned?.(number, this.vectorView);
    return fleet.learn(own, y);
  }

  /**
   * Takes the order to install a model, which has a label's number: `bytes` and `crc` name the model that `fleet.stage` received. Answers over the
   * link. Undefined: it is this install's turn, and bytes of the model are still to come; nothing has changed, and the number is free. A model that
   * isn't one for this node is `refused`, and its number used.
   */
  install(number: number, bytes: number, crc: number): LabelStatus | undefined {
    const { fleet, held } = this;
    const turn = number - this.labelled;
    if (turn !== 1) return this.outOfTurn(number, turn < 1 ? LABEL_STATUS.duplicate : LABEL_STATUS.ahead);
    if (fleet?.awaits(bytes, crc)) return undefined;
    const status = fleet?.install() ? APPLIED : LABEL_STATUS.refused;
    held.release(number);
    this.bits[this.cursors + 2] = number;
    this.follows = held.holds(number + 1);
    this.answer(number, status);
    for (let next = number + 1; this.follows; next++) this.takeHeld(next);
    return status;
  }

  private learnCoverage(seq: number, y: number, decision: number, source: number, confidence: number): void {
    const coverage = this.coverage as Coverage;
    coverage.learn(coverage.take(seq, y), y, decision, this.seq - seq, source, confidence);
  }

  /** Prequential evaluation: compares the decision before learning to the label as received. Returns whether the class was mistaken. */
  private score(decision: number, y: number): boolean {
    if (this.kind === CLASS_INDEX) return decision !== y;
    this.errorSum += decision < y ? y - decision : decision - y;
    this.errors++;
    return false;
  }

  private makeLedger(layout: Layout): Ledger {
    const { bits, f32, held, pending, range } = this;
    const at = layout.at("ledger", range);
    bits[at + LEDGER.cursors] = this.cursors;
    bits[at + LEDGER.counts] = this.counts;
    bits[at + LEDGER.vector] = this.vector;
    bits[at + LEDGER.note] = this.note;
    bits[at + LEDGER.lag] = bits[at + LEDGER.lagMax] = 0;
    pending.bind(at);
    held.bind(at);
    const { ledger } = f32 as LedgerSource;
    return ledger ? ledger.call(f32, at) : new PortableLedger(f32, at);
  }

  /** Largest lag of an applied label, in samples, since its reader last set it to 0. */
  get lagMax(): number {
    return this.bits[this.ledger.at + LEDGER.lagMax];
  }

  set lagMax(lag: number) {
    this.bits[this.ledger.at + LEDGER.lagMax] = lag;
  }

  private increment(place: number): void {
    this.bits[this.counts + place]++;
  }

  private makeCoverage(layout: Layout): Coverage {
    const { options, range } = this;
    const { coverage, coverageBy, labelFlips, grossLabels, pending } = resolveNode(options);
    return options.learner.task === TASK.regression
      ? new PredictionIntervals(layout, range, coverage, pending, grossLabels)
      : new PredictionSets(layout, range, coverage, coverageBy !== SAMPLES, pending, labelFlips);
  }

  /** Gives state and counters their first values. All of a learner's state is in its memory, so any learner made there is the same. */
  private initialise(layout: Layout): Learner {
    const { bits, options, range } = this;
    bits.fill(0, range.state, range.state + layout.state);
    bits.fill(0, range.counters, range.counters + layout.counters);
    bits[this.cursors] = options.sid;
    if (this.requests) this.requests.begin();
    if (this.alarms) this.alarms.begin();
    return options.learner.create({ ...learnerOptions(options), memory: layout.within("learner", range) });
  }

  /** A new copy of its memory's layout. */
  get layout(): Layout {
    return nodeLayout(this.options);
  }

  /** Session. */
  get sid(): number {
    return this.bits[this.cursors];
  }

  /** Number of the last sample, from 1; 0 before the first. */
  get seq(): number {
    return this.bits[this.cursors + 1];
  }

  /** Number of the last label processed; 0 before the first. */
  get labelled(): number {
    return this.bits[this.cursors + 2];
  }

  /** Number of the last label in a checkpoint. */
  get durable(): number {
    return this.bits[this.cursors + 3];
  }

  /** The remarks on the decision on sample seq, see `Link.predicted`. */
  private remarks(seq: number, decision: number): number {
    let remarks = 0;
    if (this.requests?.asks(this.sid, seq, this.margin(decision))) remarks += REMARK.asked;
    if (this.coverage) remarks += this.coverage.issue(seq, decision);
    if (this.fleet?.judges) remarks += REMARK.fleet;
    return this.alarms ? remarks + this.alarmRemarks(this.alarms, decision) : remarks;
  }

  private alarmRemarks(alarms: DriftAlarms, decision: number): number {
    const shift = alarms.predicted(this.margin(decision)) ? REMARK.shift : 0;
    const drift = alarms.drifted ? REMARK.drift : 0;
    alarms.drifted = false;
    return shift + drift;
  }

  /** The margin of a decision: its magnitude, or the lead of the best class over the next. */
  private margin(decision: number): number {
    if (this.scores === 0) return decision < 0 ? -decision : decision;
    const { words } = this.f32;
    let best = Number.NEGATIVE_INFINITY;
    let next = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < this.classes; k++) {
      const score = words[this.scores + k];
      if (score > best) {
        next = best;
        best = score;
      } else if (score > next) {
        next = score;
      }
    }
    return best - next;
  }

  private takeNote(decision: number): void {
    if (decision - decision === 0) this.learner.note();
    else this.f32.bits.fill(0, this.note, this.note + this.noteLength);
  }

  /** Answers a label whose tag is wrong, and does nothing else. */
  refuseForged(number: number): void {
    this.increment(NODE_COUNT.forged);
    this.link.acknowledge(number, LABEL_STATUS.forged, this.durable);
  }

  /** Keeps state and counters in the storage; true if they were kept. `isForCopy`: the peer copies them next. */
  checkpoint(isForCopy = false): boolean {
    const before = this.durable;
    this.f32.bits[this.cursors + 3] = this.labelled;
    const saved = this.storage.save(this.checkpointView, isForCopy);
    if (!saved) this.f32.bits[this.cursors + 3] = before;
    this.increment(saved ? NODE_COUNT.saved : NODE_COUNT.unsaved);
    return saved;
  }

  /** The outcome of the last attempt to keep a checkpoint; `saved` is the result of `checkpoint`. */
  saveStatus(saved: boolean): SaveStatus {
    return this.storage.lastSave ?? (saved ? SAVE_STATUS.kept : SAVE_STATUS.failed);
  }

  /** Milliseconds until a checkpoint doesn't come too early. */
  get saveWaitMs(): number {
    return this.storage.waitMs ?? 0;
  }

  /** Labels that may come before their turn. */
  get labelWindow(): number {
    return this.held.capacity;
  }

  /** Resumes from the newest whole checkpoint, and returns which one; `fresh`: no checkpoint, and the node is as it was made. */
  restore(): RestoreStatus {
    return this.resumed(this.storage.load(this.checkpointView, this.takes));
  }

  /**
   * Discards the newest checkpoint and resumes from the one before it: `fallback`. Undefined: no checkpoint before it, and
   * nothing changed. `restored`: the one before is damaged, and the node resumes from the newest; `fresh`: both are damaged. Follow it
   * with `renew`.
   */
  rollback(): RestoreStatus | undefined {
    const status = this.storage.rollback(this.checkpointView, this.takes);
    return status === RESTORE.fresh ? undefined : this.replaced(status);
  }

  /** Resumes, as `restore` does, from a checkpoint that came while the node ran. Follow it with `renew` or `moveTo`. */
  resume(): RestoreStatus {
    return this.replaced(this.storage.load(this.checkpointView, this.takes));
  }

  /**
   * Where the state, which came from outside, is none that such a node can have: the first word that doesn't hold what its region says, or
   * `UNFIT` if the learner's don't fit one another. -1: nowhere. A node must not go on with another state.
   */
  get fault(): number {
    const word = faultIn(this.f32, this.range.state, this.rules);
    return word >= 0 || this.learner.isSound() ? word : UNFIT;
  }

  /**
   * Checks a state that was written to its memory in another way: see `fault`. Returns whether the node goes on with it; if not, it is as it
   * was made.
   */
  adopt(): boolean {
    if (this.takes()) return true;
    this.resumed(undefined);
    return false;
  }

  /** Discards what belongs to the previous state and lies in no checkpoint. */
  private replaced(status: RestoreStatus | undefined): RestoreStatus {
    this.lagMax = this.errorSum = this.errors = 0;
    if (this.alarms) this.alarms.drifted = false;
    return this.resumed(status);
  }

  private resumed(status: RestoreStatus | undefined): RestoreStatus {
    if (status !== undefined) return status;
    this.initialise(this.layout);
    return RESTORE.fresh;
  }

  /**
   * Begins session sid, 1..2^32-1, after a restore: the samples since the checkpoint are lost, and their numbers will be used again. Labels of
   * earlier sessions still reach the samples in the pending ring, and no others.
   */
  renew(sid: number): void {
    this.f32.bits[this.cursors] = sid;
  }

  /**
   * Begins session sid, and moves the samples of the pending ring into it: for a node that is fed, whose peer numbers samples the same in
   * every session.
   */
  moveTo(sid: number): void {
    this.renew(sid);
    this.pending.moveTo(sid);
  }

  /** Discards the labels that came before their turn: their sender will send them again. */
  releaseHeld(): void {
    this.held.clear();
  }

  /** The hash of the whole node's state: learner, features, pending ring, cursors. */
  stateHash(): string {
    return hashWords(this.f32.bits, this.range.state, this.stateWords);
  }

  /** Alarms so far of drift by labels, and by margins, mod 2^32; 0 where it doesn't watch. */
  get drifts(): number {
    return this.alarms ? this.alarms.drifts : 0;
  }

  /** Alarms by margins among them; 0 where it doesn't watch. */
  get shifts(): number {
    return this.alarms ? this.alarms.shifts : 0;
  }

  /** Reads its newest checkpoint; undefined: it keeps none that can be read. */
  get reader(): CheckpointReader | undefined {
    return this.storage.reader;
  }

  /** Words of a checkpoint: state, then counters. */
  get words(): number {
    return this.checkpointView.length / 4;
  }

  /** Word i of them. */
  word(i: number): number {
    return this.f32.bits[this.range.state + i];
  }

  /** How often `name` was counted. */
  count(name: NodeCounter): number {
    return this.counted(NODE_COUNTERS.indexOf(name));
  }

  /** The counter at that place of `NODE_COUNTERS`. */
  counted(place: number): number {
    return this.f32.bits[this.counts + place];
  }
}
