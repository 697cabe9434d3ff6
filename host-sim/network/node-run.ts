import { byName } from "../../host/by-name.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import { COUNTERS, type Learner, type Task } from "../../src/learn/learner.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { NODE_COUNTERS } from "../../src/node/node-counters.ts";
import { type NodeOptions, nodeLearner } from "../../src/node/node-options.ts";
import type { LabelFlips } from "../../src/node/prediction-sets.ts";
import type { Range } from "../../src/node/ranges.ts";
import { choosePending } from "../scenario/pending.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { Baselines } from "../scoring/baselines.ts";
import { CoverageScorer } from "../scoring/coverage.ts";
import { CurveRecorder } from "../scoring/curve.ts";
import type { LearnerResult, TogetherResult } from "../scoring/result.ts";
import { Scorer, scoredTruth } from "../scoring/scorer.ts";
import { StreamRecorder } from "../scoring/stream-view.ts";
import type { Member } from "./groups.ts";
import { IdealReference } from "./ideal-reference.ts";
import type { ChosenFamily } from "./learner.ts";
import { Mote } from "./mote.ts";
import type { MoteParts } from "./mote-parts.ts";
import { Outages } from "./outages.ts";
import type { SampleReader } from "./stream.ts";

/** Points of a curve; fewer in large networks, where curves would be most of the result. */
const POINTS = 80;
const POINTS_OF_MANY = 16;
const MANY_NODES = 500;
/** Nodes up to which readings and events are recorded for a plot: larger networks are shown by totals. */
const FEW_NODES = 12;

export interface NodeRunParts extends Omit<MoteParts, "options" | "place" | "stride" | "listener"> {
  readonly task: string;
  /** The stream's index, from 0, and the number of streams. */
  readonly index: number;
  readonly nodes: number;
  readonly choice: ChosenFamily;
  readonly classes: readonly number[];
  /** Their names, where they have some. */
  readonly classNames?: readonly string[];
  /** What it is to its group, if the network's nodes learn together. */
  readonly member?: Member;
}

/** The options of a node, once the task's own labels and nodes have replaced the scenario's. */
export function nodeOptions(
  { node, link, labels, together }: Scenario,
  choice: ChosenFamily,
  channels: number,
  index: number,
): NodeOptions {
  const { window, wavelet, bands, lines, burst, standardise, horizon, stepAfter } = node;
  const fleetBudget = node.fleetBudget < 0 ? together?.vectors : node.fleetBudget;
  return {
    sid: index + 1,
    channels,
    pending: choosePending({ node, labels }).samples,
    labelWindow: link.window,
    checkpointEvery: node.checkpointEvery,
    features: { window, wavelet, bands, lines, burst, standardise, horizon, stepAfter },
    ...(node.ranges.length > 0 && { ranges: node.ranges }),
    ...(node.labelRange.length > 0 && { labelRange: node.labelRange as unknown as Range }),
    ...(labels.budget < 1 && { labelBudget: labels.budget }),
    ...(node.coverage > 0 && { coverage: node.coverage }),
    ...(node.coverageBy !== "samples" && { coverageBy: node.coverageBy }),
    ...(node.labelFlips.length > 0 && { labelFlips: node.labelFlips as unknown as LabelFlips }),
    ...(node.drift !== "none" && { drift: node.drift }),
    ...(node.grossLabels > 0 && { grossLabels: node.grossLabels }),
    ...(fleetBudget !== undefined && { fleetBudget }),
    learner: choice.family,
    options: choice.options,
  };
}

/** A node of the network and its shadow, their scores and curves. */
export class NodeRun {
  readonly mote: Mote;
  private readonly options: NodeOptions;
  private readonly shadow: IdealReference;
  private readonly scorer: Scorer;
  private readonly baselines: Baselines;
  private readonly coverage: CoverageScorer | undefined;
  private readonly error: CurveRecorder;
  private readonly size: CurveRecorder;
  private readonly view: StreamRecorder | undefined;
  private readonly off: Outages;
  private readonly reader: SampleReader;
  private readonly task: Task;
  /** The readings of the present sample. */
  private readonly x: Float32Array;
  private readonly shape: ((mean: number) => number) | undefined;
  /**
   * The truth of the samples that are recorded for a fed node, and how many of their predictions are scored.
   */
  private readonly recorded: number[] = [];
  private scored = 0;

  constructor(private readonly parts: NodeRunParts) {
    const { scenario, task, stream, index, nodes, start, classes } = parts;
    const options = nodeOptions(scenario, parts.choice, stream.channels, index);
    const { family } = parts.choice;
    const points = nodes > MANY_NODES ? POINTS_OF_MANY : POINTS;
    const stride = Math.max(1, Math.floor(stream.count / points));
    const place = { name: `${task}/${stream.node}`, index, nodes };
    const listener = {
      predicted: (seq: number, decision: number) => this.predicted(seq, decision),
      received: (y: number) => this.baselines.addLabel(scoredTruth(family.task, y)),
      taught: (y: number, x: Float32Array) => parts.member?.taught(y, x),
    };
    this.options = options;
    this.task = family.task;
    this.shape = family.task === "regression" ? Math.sqrt : undefined;
    this.x = new Float32Array(stream.channels);
    this.scorer = new Scorer(family.task, classes);
    this.baselines = new Baselines(family.task, classes);
    this.coverage = options.coverage ? new CoverageScorer(options.coverage) : undefined;
    this.error = new CurveRecorder(stride);
    this.size = new CurveRecorder(stride);
    this.view = nodes > FEW_NODES ? undefined : new StreamRecorder(family.task, stream.channels, stride);
    this.off = new Outages(scenario, place.name, stream.count);
    this.reader = stream.open();
    for (let k = 1; k < (parts.member?.joins ?? 0); k++) this.reader.next(this.x);
    this.shadow = new IdealReference(options, parts.kind, classes, stride, this.shape, start);
    this.mote = new Mote({ ...parts, options, place, stride, listener });
  }

  /**
   * Runs to the time of sample k, and takes it if the stream has it. Returns its truth; NaN after the
   * stream's end.
   */
  advance(k: number): number {
    const { mote, off, reader, x } = this;
    mote.advance(k, off.at(k));
    if (k >= this.parts.stream.count) return Number.NaN;
    const isThere = reader.next(x);
    if (isThere) this.take(x, reader.truth);
    return reader.truth;
  }

  private take(x: Float32Array, truth: number): void {
    const { mote, shadow, recorded } = this;
    const { fed } = this.parts.scenario.node;
    if (fed || mote.awake) shadow.sample(x, truth, scoredTruth(this.task, truth));
    if (fed) {
      recorded.push(truth);
      this.view?.sample(recorded.length, x);
      mote.record(x.slice());
    } else if (mote.awake) {
      const decision = mote.sample(x);
      this.view?.sample(mote.taken, x);
      this.score(decision, truth, mote.node.seq, mote.taken);
    }
  }

  /** A fed node predicts: at its first prediction, a sample is scored. */
  private predicted(seq: number, decision: number): void {
    if (seq <= this.scored) return;
    this.scored = seq;
    this.score(decision, this.recorded[seq - 1], seq, seq);
  }

  /** @param seq the sample's number at the node. @param number its number among all that the node took. */
  private score(decision: number, truth: number, seq: number, number: number): void {
    if (Number.isNaN(decision)) return;
    const { mote, error, size, shape } = this;
    if (!Number.isNaN(truth)) {
      this.baselines.score(truth);
      error.add(this.scorer.add(decision, truth));
      this.coverage?.add(mote.remarks.on(seq), decision, truth);
      this.view?.decided(number, decision, truth);
    }
    size.add(mote.node.size);
    error.close(number, shape);
    size.close(number);
    mote.lag.close(number);
  }

  /** What became of it in its group. */
  private get together(): TogetherResult | undefined {
    const standing = this.parts.member?.standing();
    return standing && { ...standing, ...this.mote.installed };
  }

  result(): LearnerResult {
    const { mote, options, error, size, shadow } = this;
    const { stream, task, choice, kind } = this.parts;
    const { learner } = kind;
    const { name, family } = choice;
    const { node } = mote;
    const hashes = node.hashes();
    return {
      name,
      task,
      kind: family.task,
      channels: stream.channels,
      classes: this.parts.classes.length,
      samples: mote.samples,
      missed: stream.count - mote.samples,
      ...(stream.missing && { missing: stream.missing }),
      ...(stream.columns && { columns: stream.columns }),
      ...(stream.badRows && { badRows: stream.badRows }),
      ...(this.parts.classNames && { classNames: this.parts.classNames, recalls: this.scorer.recalls() }),
      ...(stream.unlabelled && { unlabelled: stream.unlabelled }),
      ...mote.tallies(),
      metrics: this.scorer.scores(),
      ...(options.drift && { drift: mote.remarks.alarms }),
      ...(this.coverage && { sets: this.coverage.result() }),
      ideal: shadow.scores(),
      trivial: this.baselines.scores(),
      bytes: learner.layout.bytes,
      bytesUsed: bytesUsed(family, nodeLearner(options).options, learner, node.size),
      nodeBytes: kind.layout.bytes,
      pending: choosePending(this.parts.scenario),
      size: node.size,
      budget: learner.capacity,
      counters: byName(COUNTERS, (counter) => node.learnerCount(counter)),
      nodeCounters: byName(NODE_COUNTERS, (counter) => node.count(counter)),
      stateHash: hashes.state,
      nodeHash: hashes.node,
      curves: {
        error: { at: error.at, value: error.value },
        idealError: { at: shadow.error.at, value: shadow.error.value },
        size: { at: size.at, value: size.value },
        lag: { at: mote.lag.at, value: mote.lag.value },
      },
      ...(this.view && { readings: this.view.readings, runs: this.view.runs() }),
      ...(this.together && { together: this.together }),
      ...(node.stop && { stop: node.stop }),
    };
  }
}

/** Bytes that the learner would take with a budget of exactly the vectors that it stores. */
function bytesUsed(
  family: Family,
  options: UserOptions,
  { capacity, layout }: Learner,
  size: number,
): number {
  if (size === capacity) return layout.bytes;
  const given = options.budget ?? family.options.budget.default;
  try {
    return family.layout({ ...options, budget: Math.max(1, Math.ceil((given * size) / capacity)) }).bytes;
  } catch (error) {
    if (error instanceof OptionError) return layout.bytes; // its other options need all the room it has
    throw error;
  }
}
