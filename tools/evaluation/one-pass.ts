import { Random } from "../../host-sim/random.ts";
import type { Figure } from "../../host-sim/result.ts";
import { Scorer, truthClasses, truthOf } from "../../host-sim/scoring/scorer.ts";
import type { DataSet } from "../../host-sim/streams/table.ts";
import { COUNTERS, type Counter, type Learner } from "../../src/learn/learner.ts";
import { type FoundWidth, foundWidths } from "./widths.ts";

/** Samples and their targets, as the learner is given them. */
export interface Samples {
  readonly classes: number;
  readonly inputs: readonly Float32Array[];
  readonly targets: Float64Array;
}

/** What a stream of predictions comes to; a figure that the task or the labels don't define is null. */
export interface Scored {
  readonly error: number | null;
  readonly balancedAccuracy: number | null;
  readonly mse: number | null;
}

/** What one pass came to. */
export interface Pass {
  /** Seed of the train set's permutation; null: in the order of the file. */
  readonly seed: number | null;
  /** Each sample predicted before it is learned: the prequential score. */
  readonly cumulative: Scored;
  readonly test: Scored | null;
  readonly supportVectors: number;
  /** Widths that the learner found for its kernel; see `foundWidths`. */
  readonly widths: readonly FoundWidth[];
  readonly counters: { readonly [name in Counter]: number };
  readonly stateHash: string;
}

export function samplesOf(data: DataSet, targets: Float64Array, classes: number): Samples {
  const { dimension, rows, count } = data;
  const inputs = Array.from({ length: count }, (_, i) => rows.subarray(i * dimension, (i + 1) * dimension));
  return { classes, inputs, targets };
}

/** The order of a pass: that of the file, or a permutation that follows from the seed. */
export function orderOf(count: number, seed: number | null): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  if (seed !== null) new Random(seed, "shuffle").shuffle(order);
  return order;
}

function countersOf(learner: Learner): Pass["counters"] {
  return Object.fromEntries(COUNTERS.map((name) => [name, learner.count(name)])) as Pass["counters"];
}

/** The figure, null where it isn't defined. */
export function numberOf(figure: Figure): number | null {
  return typeof figure === "number" ? figure : null;
}

function scoredOf(scorer: Scorer): Scored {
  return {
    error: numberOf(scorer.figure("error")),
    balancedAccuracy: numberOf(scorer.figure("balancedAccuracy")),
    mse: numberOf(scorer.figure("mse")),
  };
}

/** Is told each sample's loss, once it is learned: 0 or 1, or the squared error; `place` counts from 0. */
export type Watch = (place: number, loss: number) => void;

/** Learns the train samples once, in order, then predicts the test samples without learning. */
export function runPass(
  learner: Learner,
  train: Samples,
  order: Uint32Array,
  seed: number | null,
  test: Samples | undefined,
  watch?: Watch,
): Pass {
  const { task } = learner;
  const classes = truthClasses(task, train.classes);
  const cumulative = new Scorer(task, classes);
  order.forEach((row, place) => {
    const target = train.targets[row];
    const loss = cumulative.add(learner.learn(train.inputs[row], target), truthOf(task, target));
    watch?.(place, loss);
  });
  const tested = new Scorer(task, classes);
  test?.inputs.forEach((input, row) => {
    tested.add(learner.predict(input), truthOf(task, test.targets[row]));
  });
  return {
    seed,
    cumulative: scoredOf(cumulative),
    test: test ? scoredOf(tested) : null,
    supportVectors: learner.size,
    widths: foundWidths(learner),
    counters: countersOf(learner),
    stateHash: learner.stateHash(),
  };
}
