import type { Family, GivenOptions } from "../../src/learn/family.ts";
import { COUNTERS, type Learner, type Task } from "../../src/learn/learner.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { NODE_COUNTERS, type NodeOptions, nodeLayout } from "../../src/node/node.ts";
import { featureDimension } from "../../src/signal/features.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { FusionResult, LearnerResult } from "../result.ts";
import { type Scenario, ScenarioError, type TaskOptions } from "../scenario.ts";
import { Baselines } from "../scoring/baselines.ts";
import { CurveRecorder } from "../scoring/curve.ts";
import { Scorer, truthClasses } from "../scoring/scorer.ts";
import { FusionCentre } from "./centre.ts";
import { type MakeNode, nodeHere } from "./driven-node.ts";
import type { Journal, NodeReplay } from "./journal.ts";
import { chosenFamily } from "./learner.ts";
import { Mote } from "./mote.ts";
import { outagesOf } from "./outages.ts";
import { type Prepared, type PreparedStream, prepare } from "./prepare.ts";

export { type Prepared, prepare };

/** What a network came to: each node's result, and how good the fused labels were. */
export interface NetworkOutcome {
  readonly nodes: readonly { readonly node: string; readonly result: LearnerResult }[];
  readonly fusion?: FusionResult;
  /** What each node was given, if that was asked for. */
  readonly replays?: readonly NodeReplay[];
}

/** Points in a curve. */
const POINTS = 80;
/** Samples after the last one within which every label must have come: far more than any link takes. */
const FLUSH_MAX = 10_000_000;

/** The scenario as one network runs it: with the task's nodes and labels, or with labels that are right and come at once. */
function settled(given: Scenario, task: TaskOptions, ideal: boolean): Scenario {
  const labels = task.labels ?? given.labels;
  const node = task.node ?? given.node;
  if (!ideal) return { ...given, node, labels };
  const link = { ...given.link, loss: 0, duplicates: 0, reorder: 0, window: 1024 };
  const right = { ...labels, noise: {}, nodeRates: [], delayMean: 0, delaySpread: 0, loss: 0 };
  return { ...given, node, labels: right, link, fusion: { rule: "oracle" } };
}

/** A node, its scores and curves. */
interface Seat {
  readonly mote: Mote;
  readonly stream: PreparedStream;
  readonly options: NodeOptions;
  /** A learner as the node's, untaught: what it is whatever it learns. */
  readonly learner: Learner;
  readonly scorer: Scorer;
  readonly error: CurveRecorder;
  readonly size: CurveRecorder;
  readonly off: Uint8Array;
}

/**
 * Runs one network: every node with a learner of its own, one fusion centre, links between them. `keepJournals`: whether
 * what each node was given is kept, to be given to a real one.
 */
export function runNetwork(
  given: Scenario,
  prepared: Prepared,
  taskIndex: number,
  learnerIndex: number,
  ideal: boolean,
  keepJournals = false,
  makeNode: MakeNode = nodeHere,
  catalogue = Catalogue.shipped,
): NetworkOutcome {
  const task = given.tasks[taskIndex];
  const scenario = settled(given, task, ideal);
  const choice = chosenFamily(catalogue, task, task.learners[learnerIndex], prepared.classCount);
  const classes = truthClasses(choice.family.task, prepared.classCount);
  const seats: Seat[] = [];
  try {
    prepared.streams.forEach((stream, index) => {
      const options = nodeOptions(scenario, given.link.window, stream, index, choice);
      seats.push(seat(scenario, task.name, stream, options, classes, makeNode, keepJournals));
    });
    const motes = seats.map(({ mote }) => mote);
    const centre = new FusionCentre(
      scenario,
      catalogue,
      task.name,
      choice.family.task,
      classes,
      prepared,
      motes,
    );
    replay(seats, centre, choice.family.task);
    return {
      nodes: seats.map((place) => ({
        node: place.stream.node,
        result: resultOf(place, task.name, choice, classes),
      })),
      fusion: centre.result(),
      ...(keepJournals && { replays: motes.map(replayOf) }),
    };
  } finally {
    for (const { mote } of seats) mote.node.close();
  }
}

/** Every sample of every node in the order of time, then every label that is still under way. */
function replay(seats: readonly Seat[], centre: FusionCentre, task: Task): void {
  const end = Math.max(...seats.map(({ stream }) => stream.count));
  for (let now = 0; now < end; now++) {
    for (const place of seats) if (now < place.stream.count) step(place, now, task);
    centre.step(now);
  }
  for (const { mote } of seats) mote.off = false;
  let now = end;
  while (!centre.idle) {
    if (now - end > FLUSH_MAX) throw new ScenarioError("link: labels don't get through; lower link.loss");
    centre.step(now++);
  }
}

/** `window` is the node's: ideal labels come in order, so that a node needs no more room for them. */
function nodeOptions(
  { node }: Scenario,
  window: number,
  stream: PreparedStream,
  index: number,
  { family, options }: { family: Family; options: GivenOptions },
): NodeOptions {
  return {
    sid: index + 1,
    channels: stream.channels,
    pending: node.pending,
    labelWindow: window,
    checkpointEvery: node.checkpointEvery,
    features: { window: node.window, wavelet: node.wavelet, standardise: node.standardise },
    learner: family,
    options,
  };
}

function replayOf({ journal, node }: Mote): NodeReplay {
  const hashes = node.hashes();
  return (journal as Journal).finish(hashes.state, hashes.node);
}

function seat(
  scenario: Scenario,
  task: string,
  stream: PreparedStream,
  options: NodeOptions,
  classes: readonly number[],
  makeNode: MakeNode,
  keepJournal: boolean,
): Seat {
  const stride = Math.max(1, Math.floor(stream.count / POINTS));
  const place = `${task}/${stream.node}`;
  const dimension = featureDimension(options.channels, options.features);
  const learner = options.learner.create({ ...options.options, dimension });
  return {
    mote: new Mote(stream, options, scenario, place, stride, makeNode, keepJournal),
    stream,
    options,
    learner,
    scorer: new Scorer(options.learner.task, classes),
    error: new CurveRecorder(stride),
    size: new CurveRecorder(stride),
    off: outagesOf(scenario, place, stream.count),
  };
}

/** One sample of one node. */
function step({ mote, stream, scorer, error, size, off }: Seat, now: number, task: Task): void {
  mote.off = off[now] === 1;
  if (mote.off || mote.node.stop || stream.missing[now] === 1) return;
  const { channels, readings, truth } = stream;
  const decision = mote.sample(now, readings.subarray(now * channels, (now + 1) * channels));
  if (Number.isNaN(decision)) return;
  error.add(scorer.add(decision, truth[now]));
  size.add(mote.node.size);
  error.close(mote.node.seq, task === "regression" ? Math.sqrt : undefined);
  size.close(mote.node.seq);
  mote.lag.close(mote.node.seq);
}

function resultOf(
  { mote, stream, options: nodeOptions, learner, scorer, error, size }: Seat,
  task: string,
  { name, family, options }: ReturnType<typeof chosenFamily>,
  classes: readonly number[],
): LearnerResult {
  const { node } = mote;
  const hashes = node.hashes();
  const metrics = scorer.scores();
  const baselines = new Baselines(family.task, classes);
  for (const truth of stream.truth) {
    baselines.predicted(truth);
    baselines.received(truth);
  }
  return {
    name,
    task,
    kind: family.task,
    samples: node.seq,
    missed: stream.count - node.seq,
    labels: mote.tally(),
    metrics,
    ideal: metrics,
    trivial: baselines.scores(),
    bytes: learner.layout.bytes,
    bytesUsed: bytesUsed(family, { ...options, dimension: learner.dimension }, learner, node.size),
    nodeBytes: nodeLayout(nodeOptions).bytes,
    size: node.size,
    budget: learner.capacity,
    counters: counts(COUNTERS, (counter) => node.learnerCount(counter)),
    nodeCounters: counts(NODE_COUNTERS, (counter) => node.count(counter)),
    stateHash: hashes.state,
    nodeHash: hashes.node,
    curves: {
      error: { at: error.at, value: error.value },
      idealError: { at: error.at, value: error.value },
      size: { at: size.at, value: size.value },
      lag: { at: mote.lag.at, value: mote.lag.value },
    },
    ...(node.stop && { stop: node.stop }),
  };
}

function counts<Name extends string>(names: readonly Name[], count: (name: Name) => number) {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as { [name in Name]: number };
}

/** Bytes that the learner would take with room for just the vectors that it stores. */
function bytesUsed(
  family: Family,
  options: GivenOptions,
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
