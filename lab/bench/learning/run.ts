import { ReusedMemory } from "../../../host/reused-memory.ts";
import { LabelledRun, type LabelPath } from "../../../host-sim/prequential/labelled-run.ts";
import { Scorer, truthClasses } from "../../../host-sim/scoring/scorer.ts";
import type { TrivialPredictor } from "../../../host-sim/scoring/trivial.ts";
import type { Family, UserOptions } from "../../../src/learn/family.ts";
import type { Task } from "../../../src/learn/learner.ts";
import { figureNumber } from "../../evaluation/one-pass.ts";
import { type Condition, labelOptions } from "./conditions.ts";
import type { Peer } from "./peers/peer.ts";

/** A stream in its running order. */
export interface Stream {
  /** With the seed, names the random draws of its labels: equal names give equal labels for every learner. */
  readonly place: string;
  readonly seed: number;
  /** As the learner takes them. */
  readonly inputs: readonly Float32Array[];
  /** -1 or +1, or 0..K-1. */
  readonly targets: Float64Array;
  readonly task: Task;
  readonly classes: number;
}

/** How a run is scored and labelled, besides its condition. */
export interface Protocol {
  /** Share of labels that never come. */
  readonly loss: number;
  /** First samples, which are learned but not scored: options may be chosen on their inputs. */
  readonly prefix: number;
  /** Share of the samples that get a label, from the first on; the others alone are scored. Default: all get one. */
  readonly until?: number;
}

/** A run's errors: shares of the scored samples with a wrong predicted class, against the truth, 0..1. */
export interface Outcome {
  /** Of the stream. */
  readonly classes: number;
  readonly error: number;
  /** The error on the last third of the scored samples. */
  readonly late: number;
  /** Null where a class has no scored sample. */
  readonly balancedAccuracy: number | null;
  /** Of a learner. */
  readonly bytes?: number;
  readonly stateHash?: string;
  /** True if it can't run: its least form is larger than the memory, or it takes two classes only. Its errors are 1. */
  readonly unfit?: boolean;
}

const memory = new ReusedMemory();

/** The stream's labels under the condition, with room for every sample that waits. */
function labelPath(stream: Stream, condition: Condition, { loss, until }: Protocol): LabelPath {
  const { place, seed, classes } = stream;
  const stops = until !== undefined && { until: labelledSamples(stream, until) };
  const labels = { ...labelOptions(condition, loss, classes), ...stops };
  return { labels, horizon: 0, pending: Number.POSITIVE_INFINITY, place, index: 0, seed };
}

const labelledSamples = ({ targets }: Stream, until: number) =>
  Math.max(1, Math.floor(until * targets.length));

/** Scores the decision on each sample against its truth. */
function score(decide: (k: number) => number, stream: Stream, { prefix, until = 0 }: Protocol): Outcome {
  const { targets, task, classes } = stream;
  const first = Math.max(prefix, until && labelledSamples(stream, until));
  const { length: samples } = targets;
  const scorer = new Scorer(task, truthClasses(task, classes));
  const lateFrom = first + Math.floor((2 * (samples - first)) / 3);
  let lateWrong = 0;
  targets.forEach((truth, k) => {
    const decision = decide(k);
    const wrong = k >= first ? scorer.add(decision, truth) : 0;
    if (k >= lateFrom) lateWrong += wrong;
  });
  return {
    classes,
    error: figureNumber(scorer.figure("error")) ?? Number.NaN,
    late: lateWrong / (samples - lateFrom),
    balancedAccuracy: figureNumber(scorer.figure("balancedAccuracy")),
  };
}

/** A learner's outcome on a stream of features. Throws an OptionError for options that it refuses. */
export function runLearner(
  family: Family,
  options: UserOptions,
  stream: Stream,
  condition: Condition,
  protocol: Protocol,
): Outcome {
  const { inputs, targets, task } = stream;
  const learner = family.create({ ...options, memory: memory.take(family.layout(options)) });
  const classes = truthClasses(task, stream.classes);
  const run = new LabelledRun({ learner, task, classes, path: labelPath(stream, condition, protocol) });
  const outcome = score((k) => run.sample(inputs[k], targets[k]), stream, protocol);
  run.finish();
  return { ...outcome, bytes: learner.layout.bytes, stateHash: learner.stateHash() };
}

/** The outcome of a method that isn't a learner. It gets each sample again with its label. */
export function runPeer(
  peer: Pick<Peer, "decide" | "learn">,
  stream: Stream,
  condition: Condition,
  protocol: Protocol,
): Outcome {
  const { inputs, targets, task } = stream;
  const path = labelPath(stream, condition, protocol);
  const received = (label: number, k: number) => peer.learn(inputs[k], label);
  const run = new LabelledRun({ task, classes: truthClasses(task, stream.classes), path, received });
  const decide = (k: number) => {
    const decision = peer.decide(inputs[k]);
    run.sample(inputs[k], targets[k]);
    return decision;
  };
  return score(decide, stream, protocol);
}

/** The outcome of a predictor that knows only the labels received. */
export function runTrivial(
  predictor: TrivialPredictor,
  stream: Stream,
  condition: Condition,
  protocol: Protocol,
): Outcome {
  const decide = () => predictor.predict();
  const learn = (_: Float32Array, y: number) => predictor.learn(y);
  return runPeer({ decide, learn }, stream, condition, protocol);
}

/** The outcome of an entrant that can't run. */
export function unfit(classes: number): Outcome {
  return { classes, error: 1, late: 1, balancedAccuracy: null, unfit: true };
}
