import { ReusedMemory } from "../../../host/reused-memory.ts";
import { Catalogue } from "../../../host-sim/catalogue/catalogue.ts";
import { NodeLabels } from "../../../host-sim/prequential/node-labels.ts";
import { Prequential } from "../../../host-sim/prequential/prequential.ts";
import { Scorer, truthClasses } from "../../../host-sim/scoring/scorer.ts";
import type { TrivialPredictor } from "../../../host-sim/scoring/trivial.ts";
import type { Family, GivenOptions } from "../../../src/learn/family.ts";
import type { Task } from "../../../src/learn/learner.ts";
import { numberOf } from "../../evaluation/one-pass.ts";
import { type Condition, labelOptions } from "./conditions.ts";

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
}

/** Memory for this thread's learners. */
const memory = new ReusedMemory();

/** A learner for a stream. */
interface LearnerSetup {
  readonly family: Family;
  readonly options: GivenOptions;
}

/** Predicts sample k, whose label comes `delay` samples later, NaN: never. Returns the decision. */
type Step = (k: number, label: number, delay: number) => number;

/** Scores the decision on each sample against its truth, under the condition's labels. */
function replay(step: Step, stream: Stream, condition: Condition, { loss, prefix }: Protocol): Outcome {
  const { place, seed, targets, task, classes } = stream;
  const { length: samples } = targets;
  const all = truthClasses(task, classes);
  const labels = new NodeLabels(
    Catalogue.shipped,
    labelOptions(condition, loss, classes),
    all,
    0,
    place,
    seed,
  );
  const scorer = new Scorer(task, all);
  const lateFrom = prefix + Math.floor((2 * (samples - prefix)) / 3);
  let lateWrong = 0;
  targets.forEach((truth, k) => {
    const decision = step(k, labels.corrupt(truth), labels.delay());
    const wrong = k >= prefix ? scorer.add(decision, truth) : 0;
    if (k >= lateFrom) lateWrong += wrong;
  });
  return {
    classes,
    error: numberOf(scorer.figure("error")) ?? Number.NaN,
    late: lateWrong / (samples - lateFrom),
    balancedAccuracy: numberOf(scorer.figure("balancedAccuracy")),
  };
}

/** A learner's outcome on a stream of features. Throws an OptionError for options that it refuses. */
export function runLearner(
  { family, options }: LearnerSetup,
  stream: Stream,
  condition: Condition,
  protocol: Protocol,
): Outcome {
  const learner = family.create({ ...options, memory: memory.take(family.layout(options)) });
  const run = new Prequential(learner);
  const step: Step = (k, label, delay) => run.sample(stream.inputs[k], label, delay);
  const outcome = replay(step, stream, condition, protocol);
  run.finish();
  return { ...outcome, bytes: learner.layout.bytes, stateHash: learner.stateHash() };
}

/** The outcome of a predictor that knows only the labels received. */
export function runTrivial(
  predictor: TrivialPredictor,
  stream: Stream,
  condition: Condition,
  protocol: Protocol,
): Outcome {
  const run = new Prequential(undefined, { received: (label) => predictor.learn(label) });
  const step: Step = (k, label, delay) => {
    const decision = predictor.predict();
    run.sample(stream.inputs[k], label, delay);
    return decision;
  };
  return replay(step, stream, condition, protocol);
}
