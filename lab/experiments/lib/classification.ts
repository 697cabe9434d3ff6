import type { Random } from "../../../host/random.ts";
import { ClassNames, labelledRows } from "../../../host/streams/index.ts";
import { prequentialDecisions } from "../../../host-sim/prequential/prequential.ts";
import {
  decidedClass,
  type Family,
  familyNamed,
  type Learner,
  type UserOptions,
} from "../../../src/index.ts";
import type { PapersData } from "./data.ts";
import type { Curve } from "./experiment.ts";
import { makePublished } from "./learner.ts";

/** Points of a curve of cumulative error. */
const POINTS = 40;

/** Labelled rows, in an order of their own. */
export interface Rows {
  readonly inputs: readonly Float32Array[];
  /** -1 or +1 for two classes, else 0..K-1. */
  readonly labels: readonly number[];
}

export interface Split {
  readonly dimension: number;
  readonly classes: number;
  readonly train: Rows;
  readonly test: Rows;
}

/** `folder`/train.libsvm and test.libsvm of the data folder. */
export async function readSplit(data: PapersData, folder: string): Promise<Split> {
  const train = labelledRows(await data.table(`${folder}/train.libsvm`));
  const known = ClassNames.among(train.labels);
  const { dimension } = train;
  const knownLabels = known.names.map(Number);
  const test = labelledRows(await data.table(`${folder}/test.libsvm`, { dimension, knownLabels }));
  const splitRows = ({ rows, labels, count }: typeof train): Rows => ({
    inputs: Array.from({ length: count }, (_, i) => rows.subarray(i * dimension, (i + 1) * dimension)),
    labels: Array.from(labels, (label) => known.labelTarget(label)),
  });
  return { dimension, classes: known.count, train: splitRows(train), test: splitRows(test) };
}

/** The rows in an order drawn at random, or the first `most` of them. */
export function permute({ inputs, labels }: Rows, random: Random, most = inputs.length): Rows {
  const order = inputs.map((_, i) => i);
  random.shuffle(order);
  const kept = order.slice(0, most);
  return { inputs: kept.map((i) => inputs[i]), labels: kept.map((i) => labels[i]) };
}

/** Rows from..to-1. */
export function part({ inputs, labels }: Rows, from: number, to?: number): Rows {
  return { inputs: inputs.slice(from, to), labels: labels.slice(from, to) };
}

function tellsMany(family: Family | undefined): boolean {
  return family?.manyClasses === true;
}

/** A classifier for that many classes: by itself where it can, else one-vs-all. */
export function makeClassifier(name: string, split: Split, options: UserOptions): Learner {
  const { dimension, classes: K } = split;
  if (K <= 2) return makePublished(name, { dimension, ...options });
  return makePublished(tellsMany(familyNamed(name)) ? name : `ova:${name}`, {
    dimension,
    classes: K,
    ...options,
  });
}

function right(learner: Learner, decision: number, label: number): boolean {
  return decidedClass(learner.task, decision) === label;
}

/** One pass; the percentage of the samples so far that were classified wrongly before they were learned. */
export function onePass(learner: Learner, { inputs, labels }: Rows): Curve {
  const at: number[] = [];
  const value: number[] = [];
  const every = Math.ceil(inputs.length / POINTS);
  let wrong = 0;
  prequentialDecisions(learner, inputs, labels).forEach((decision, i) => {
    if (!right(learner, decision, labels[i])) wrong++;
    if ((i + 1) % every !== 0 && i + 1 < inputs.length) return;
    at.push(i + 1);
    value.push((100 * wrong) / (i + 1));
  });
  return { at, value };
}

/** The share (%) of the rows that the learner classifies wrongly. */
export function testError(learner: Learner, { inputs, labels }: Rows): number {
  const wrong = inputs.reduce(
    (sum, x, i) => sum + (right(learner, learner.predict(x), labels[i]) ? 0 : 1),
    0,
  );
  return (100 * wrong) / inputs.length;
}

/** Most rows of a half on which options are chosen: kernel methods would take most of the time otherwise. */
export const HALF_MOST = 1500;

/**
 * The options of the grid with the least error on one random half of the training set after one pass over the other, the first on
 * ties; halves of at most `HALF_MOST` rows.
 */
export function chooseOptions(
  name: string,
  split: Split,
  grid: readonly UserOptions[],
  random: Random,
): UserOptions {
  if (grid.length === 1) return grid[0];
  const half = Math.min(HALF_MOST, Math.floor(split.train.inputs.length / 2));
  const drawn = permute(split.train, random, 2 * half);
  const errors = grid.map((options) => {
    const learner = makeClassifier(name, split, options);
    onePass(learner, part(drawn, 0, half));
    return testError(learner, part(drawn, half));
  });
  return grid[errors.indexOf(Math.min(...errors))];
}
