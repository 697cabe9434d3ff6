import { type Learner, noteWords, scoreWords, TASK, type Task } from "../learn/learner.ts";
import type { Primitives } from "../math/primitives.ts";
import { hashWords } from "../memory/hash.ts";
import { faultIn, type Layout, type MemoryRange } from "../memory/layout.ts";
import { Features } from "../signal/features.ts";
import type { CheckpointReader } from "../store/checkpoint-reader.ts";
import { RESTORE, type RestoreStatus, SAVE_STATUS, type SaveStatus } from "../store/checkpoint-store.ts";
import type { Coverage } from "./coverage.ts";
import { DriftAlarms } from "./drift-alarms.ts";
import { FleetModel } from "./fleet-model.ts";
import { LabelRequests } from "./label-requests.ts";
import { LEDGER, type Ledger, type LedgerSource, OUT_OF_TURN } from "./ledger.ts";
import { Lesson } from "./lesson.ts";
import { NODE_COUNT, NODE_COUNTERS, type NodeCounter } from "./node-counters.ts";
import { nodeLayout } from "./node-layout.ts";
import { learnerOptions, type NodeOptions, resolveNode, SAMPLES } from "./node-options.ts";
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
import { PredictionSets } from "./prediction-sets.ts";
import { inRange, inRanges, type Ranges } from "./ranges.ts";
import { ReorderBuffer } from "./reorder-buffer.ts";

/** A node's `fault` where the words of its learner's state don't fit one another. */
export const UNFIT = 0xffffffff;

/** The kind of a decision: a class by its sign, a class's index, or an estimate. */
const CLASS_SIGN = 0;
const CLASS_INDEX = 1;
const REGRESSION = 2;

function decisionKind(task: Task): number {
  if (task === TASK.regression) return REGRESSION;
  return task === TASK.multiclass ? CLASS_INDEX : CLASS_SIGN;
}

/** The status of a label that was learned, without a look-up. */
const APPLIED = LABEL_STATUS.applied;

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
  /** State and counters, which a checkpoint keeps as they are. */
  readonly checkpointView: Uint8Array;
  private readonly stateWords: number;
  /** The values of the words of state: see `Layout.rules`. */
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
    this.kind = decisionKind(this.learner.task);
    this.learned = layout.at("learner.counters", range);
    this.noteLength = noteWords(this.learner.layout);
    this.note = this.noteLength > 0 ? this.learner.layout.at("note", this.learner.range) : 0;
    this.learner.noted = this.noteLength > 0;
    this.classes = this.learner.task === TASK.multiclass ? scoreWords(this.learner.layout) : 0;
    this.scores = this.classes > 0 ? this.learner.layout.at("scores", this.learner.range) : 0;
    this.pending = new PendingRing(layout, range, resolved.pending, this.features.dimension, this.noteLength);
    this.ledger = this.makeLedger(layout);
    this.vectorView = this.f32.words.subarray(this.vector, this.vector + this.features.dimension);
    this.checkpointView = this.byteView(layout.state + layout.counters);
  }

  /** So many words of the range, from its first, as bytes. */
  private byteView(words: number): Uint8Array {
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
    (this.lesson as Lesson).keep(number, sid, seq, this.vector);
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
   * `UNFIT` if the learner's don't fit one another. -1: nowhere. A node must not continue with another state.
   */
  get fault(): number {
    const word = faultIn(this.f32, this.range.state, this.rules);
    return word >= 0 || this.learner.isSound() ? word : UNFIT;
  }

  /**
   * Checks a state that was written to its memory in another way: see `fault`. Returns whether the node continues with it; if not, it is as
   * it was made.
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
