import type { Random } from "../../../host/random.ts";
import type { DataSet } from "../../../host/streams/index.ts";
import { prequentialDecisions } from "../../../host-sim/prequential/prequential.ts";
import { decidedClass, type Learner, type Task } from "../../../src/index.ts";

/** Samples in the order in which they come. */
export interface Samples {
  readonly inputs: readonly Float32Array[];
  /** -1 or +1 for two classes, 0..K-1 for more; of a regression the values. */
  readonly labels: readonly number[];
}

/** What predicts: a learner, or a batch machine, which tells two classes or a value. */
type Machine = Pick<Learner, "predict"> & Partial<Pick<Learner, "task">>;

/** A data set's samples, each label by `label`; inputs share the set's memory. */
export function asSamples(
  { rows, labels, count, dimension }: DataSet,
  label: (value: number) => number = (value) => value,
): Samples {
  return {
    inputs: Array.from({ length: count }, (_, i) => rows.subarray(i * dimension, (i + 1) * dimension)),
    labels: Array.from(labels, label),
  };
}

/** The samples in an order drawn at random, or the first `most` of them. */
export function permute({ inputs, labels }: Samples, random: Random, most = inputs.length): Samples {
  const order = inputs.map((_, i) => i);
  random.shuffle(order);
  const kept = order.slice(0, most);
  return { inputs: kept.map((i) => inputs[i]), labels: kept.map((i) => labels[i]) };
}

export function part({ inputs, labels }: Samples, from: number, to?: number): Samples {
  return { inputs: inputs.slice(from, to), labels: labels.slice(from, to) };
}

/** How many decisions are for another class than the label. */
export function countWrong(task: Task, decisions: readonly number[], labels: readonly number[]): number {
  return decisions.filter((decision, i) => decidedClass(task, decision) !== labels[i]).length;
}

/** Per cent of the samples that it classifies wrongly. */
export function testError(machine: Machine, { inputs, labels }: Samples): number {
  const decisions = inputs.map((x) => machine.predict(x));
  return (100 * countWrong(machine.task ?? "classification", decisions, labels)) / inputs.length;
}

/** Per cent of the samples that were classified wrongly before they were learned. */
export function onlineError(learner: Learner, { inputs, labels }: Samples): number {
  const decisions = prequentialDecisions(learner, inputs, labels);
  return (100 * countWrong(learner.task, decisions, labels)) / inputs.length;
}

export function meanSquaredError(machine: Machine, { inputs, labels }: Samples): number {
  let sum = 0;
  inputs.forEach((x, i) => {
    const error = labels[i] - machine.predict(x);
    sum += error * error;
  });
  return sum / inputs.length;
}
