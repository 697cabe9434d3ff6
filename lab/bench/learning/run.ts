import { ReusedMemory } from "../../../host/reused-memory.ts";
import { Catalogue } from "../../../host-sim/catalogue/catalogue.ts";
import { NodeLabels } from "../../../host-sim/network/node-labels.ts";
import { Scorer, truthClasses } from "../../../host-sim/scoring/scorer.ts";
import type { TrivialPredictor } from "../../../host-sim/scoring/trivial.ts";
import type { Family, GivenOptions } from "../../../src/learn/family.ts";
import type { Task } from "../../../src/learn/learner.ts";
import { nodeLayout, SensorNode } from "../../../src/node/node.ts";
import type { FeaturesOption } from "../../../src/signal/features.ts";
import { RESTORE } from "../../../src/store/checkpoint-store.ts";
import { numberOf } from "../../evaluation/one-pass.ts";
import { type Condition, labelOptions } from "./conditions.ts";

/** A stream in its running order. */
export interface Stream {
  /** With the seed, names the random draws of its labels: equal names give equal labels for every learner. */
  readonly place: string;
  readonly seed: number;
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

/** A predictor that learns. Samples have numbers from 0. */
interface Subject {
  /** The decision for the sample. */
  predict(sample: number): number;
  /** Takes a label of a predicted sample. */
  learn(sample: number, label: number): void;
}

/** Memory for this thread's nodes. */
const memory = new ReusedMemory();

/** A learner for a stream. */
interface LearnerSetup {
  readonly family: Family;
  readonly options: GivenOptions;
  readonly features?: FeaturesOption;
}

/**
 * The node itself, with no line between it and its labels: samples wait in its pending ring, and a label
 * teaches the stored sample.
 */
class NodeSubject implements Subject {
  readonly node: SensorNode;
  private number = 0;

  constructor(
    { family, options, features }: LearnerSetup,
    private readonly inputs: readonly Float32Array[],
    delay: number,
  ) {
    const { dimension: _, ...given } = options;
    const made = {
      sid: 1,
      channels: inputs[0].length,
      pending: delay + 1,
      labelWindow: 1,
      features,
      learner: family,
      options: given,
    };
    const link = { predicted() {}, acknowledge() {} };
    const storage = { save: () => false, load: () => RESTORE.fresh, rollback: () => RESTORE.fresh };
    this.node = new SensorNode(made, { now: () => 0 }, link, storage, memory.take(nodeLayout(made)));
  }

  predict(sample: number): number {
    return this.node.sample(this.inputs[sample]);
  }

  learn(sample: number, y: number): void {
    this.node.label({ number: ++this.number, sid: 1, seq: sample + 1, y });
  }
}

class TrivialSubject implements Subject {
  constructor(private readonly predictor: TrivialPredictor) {}

  predict(): number {
    return this.predictor.predict();
  }

  learn(_: number, label: number): void {
    this.predictor.learn(label);
  }
}

/** The received label of each sample; NaN where it never comes. */
function labelsOf(
  { place, seed, targets, task, classes: count }: Stream,
  condition: Condition,
  loss: number,
) {
  const options = labelOptions(condition, loss, count);
  const labels = new NodeLabels(Catalogue.shipped, options, truthClasses(task, count), 0, place, seed);
  return targets.map((truth) => {
    const said = labels.corrupt(truth);
    return Number.isNaN(labels.delay()) ? Number.NaN : said;
  });
}

/**
 * Predicts each sample, then learns the label that is due: sample k's after the prediction of sample k +
 * delay, as with the simulator's fusion centre and a lossless line. Labels under way at the end are learned,
 * too.
 */
function replay(subject: Subject, stream: Stream, condition: Condition, { loss, prefix }: Protocol): Outcome {
  const { targets, task, classes } = stream;
  const { delay } = condition;
  const { length: samples } = targets;
  const labels = labelsOf(stream, condition, loss);
  const scorer = new Scorer(task, truthClasses(task, classes));
  const lateFrom = prefix + Math.floor((2 * (samples - prefix)) / 3);
  let lateWrong = 0;
  for (let k = 0; k < samples + delay; k++) {
    if (k < samples) {
      const decision = subject.predict(k);
      const wrong = k >= prefix ? scorer.add(decision, targets[k]) : 0;
      if (k >= lateFrom) lateWrong += wrong;
    }
    const due = k - delay;
    if (due >= 0 && !Number.isNaN(labels[due])) subject.learn(due, labels[due]);
  }
  return {
    classes,
    error: numberOf(scorer.figure("error")) ?? Number.NaN,
    late: lateWrong / (samples - lateFrom),
    balancedAccuracy: numberOf(scorer.figure("balancedAccuracy")),
  };
}

/** A learner's outcome on a stream. Throws an OptionError for options that it refuses. */
export function runLearner(
  setup: LearnerSetup,
  stream: Stream,
  condition: Condition,
  protocol: Protocol,
): Outcome {
  const subject = new NodeSubject(setup, stream.inputs, condition.delay);
  const outcome = replay(subject, stream, condition, protocol);
  const { learner } = subject.node;
  return { ...outcome, bytes: learner.layout.bytes, stateHash: learner.stateHash() };
}

/** The outcome of a predictor that knows only the labels received. */
export function runTrivial(
  predictor: TrivialPredictor,
  stream: Stream,
  condition: Condition,
  protocol: Protocol,
): Outcome {
  return replay(new TrivialSubject(predictor), stream, condition, protocol);
}
