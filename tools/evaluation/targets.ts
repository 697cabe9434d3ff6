import { type Classes, classes } from "../../host-sim/streams/classes.ts";
import type { DataSet } from "../../host-sim/streams/table.ts";
import type { Task } from "../../src/learn/learner.ts";
import { UserError } from "../cli/exit.ts";

type Label = string | number;

/** Each row's label as the file has it. */
export function labelsOf({ labels, labelNames }: DataSet): Label[] {
  return Array.from(labels, (label) => (labelNames ? labelNames[label] : label));
}

/** The classes of a data set, as its file names them. */
export function classesOf(data: DataSet): Classes<Label> {
  return classes(labelsOf(data));
}

/** Labels as a learner for regression is given them. */
export function regressionTargets(data: DataSet): Float64Array {
  if (!data.labelNames) return data.labels;
  const shown = data.labelNames.slice(0, 3).join(", ");
  throw new UserError(`${data.source}: labels are words (${shown}); regression takes numbers, see --label`);
}

/** Labels as a classifier is given them: -1 and +1 (the larger of the two labels), or a class 0..K-1. */
export function classTargets(data: DataSet, known: Classes<Label>, task: Task): Float64Array {
  return Float64Array.from(labelsOf(data), (label) => {
    const index = known.indexOf(label);
    return task === "multiclass" ? index : 2 * index - 1;
  });
}

function toldNovelty(told: string, known: readonly Label[]): (label: Label) => boolean {
  const names = [...new Set(known.map(String))];
  if (names.includes(told)) return (label) => String(label) === told;
  const shown = names.slice(0, 8).join(", ");
  throw new UserError(
    `--novel ${told}: no sample has that label; there are ${shown}${names.length > 8 ? ", ..." : ""}`,
  );
}

/**
 * Which labels mean a novelty. As told; else -1 where train has it; else, where train has one label only, every
 * other; else the rarer of its two.
 */
export function noveltyRule(
  train: DataSet,
  told: string | undefined,
  test?: DataSet,
): (label: Label) => boolean {
  const labels = labelsOf(train);
  const known = classes(labels);
  if (told !== undefined)
    return toldNovelty(told, [...known.values, ...(test ? classesOf(test).values : [])]);
  if (known.count === 1) return (label) => label !== known.values[0];
  if (known.indexOf(-1) >= 0) return (label) => label === -1;
  if (known.count > 2) {
    const shown = known.values.slice(0, 8).join(", ");
    throw new UserError(
      `${train.source}: which of ${known.count} labels is the novelty? Give --novel, one of ${shown}`,
    );
  }
  const ones = labels.filter((label) => label === known.values[1]).length;
  const rarer = known.values[2 * ones <= labels.length ? 1 : 0];
  return (label) => label === rarer;
}

/** Labels as a novelty detector is given them: -1 for a novelty, +1 for a normal sample. */
export function noveltyTargets(data: DataSet, isNovel: (label: Label) => boolean): Float64Array {
  return Float64Array.from(labelsOf(data), (label) => (isNovel(label) ? -1 : 1));
}
