import type { Random } from "../../../host/random.ts";
import { ClassNames, labelledRows } from "../../../host/streams/index.ts";
import { prequentialDecisions } from "../../../host-sim/prequential/prequential.ts";
import { decidedClass, familyNamed, type Learner, type UserOptions } from "../../../src/index.ts";
import type { PapersData } from "./data.ts";
import type { Curve } from "./experiment.ts";
import { makePublished } from "./learner.ts";
import { asSamples, part, permute, type Samples, testError } from "./samples.ts";

/** Points of a curve of cumulative error. */
const POINTS = 40;

export interface Split {
  readonly dimension: number;
  readonly classes: number;
  readonly train: Samples;
  readonly test: Samples;
}

/** `folder`/train.libsvm and test.libsvm of the data folder. */
export async function readSplit(data: PapersData, folder: string): Promise<Split> {
  const train = labelledRows(await data.table(`${folder}/train.libsvm`));
  const known = ClassNames.among(train.labels);
  const { dimension } = train;
  const knownLabels = known.names.map(Number);
  const target = (label: number) => known.labelTarget(label);
  const test = labelledRows(await data.table(`${folder}/test.libsvm`, { dimension, knownLabels }));
  return { dimension, classes: known.count, train: asSamples(train, target), test: asSamples(test, target) };
}

/** A classifier for that many classes: by itself where it can, else one-vs-all. */
export function makeClassifier(name: string, split: Split, options: UserOptions): Learner {
  const { dimension, classes: K } = split;
  if (K <= 2) return makePublished(name, { dimension, ...options });
  const learner = familyNamed(name)?.manyClasses ? name : `ova:${name}`;
  return makePublished(learner, { dimension, classes: K, ...options });
}

/** One pass; the percentage of the samples so far that were classified wrongly before they were learned. */
export function onePass(learner: Learner, { inputs, labels }: Samples): Curve {
  const at: number[] = [];
  const value: number[] = [];
  const every = Math.ceil(inputs.length / POINTS);
  let wrong = 0;
  prequentialDecisions(learner, inputs, labels).forEach((decision, i) => {
    if (decidedClass(learner.task, decision) !== labels[i]) wrong++;
    if ((i + 1) % every !== 0 && i + 1 < inputs.length) return;
    at.push(i + 1);
    value.push((100 * wrong) / (i + 1));
  });
  return { at, value };
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
