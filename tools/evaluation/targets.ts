import { type Classes, classes } from "../../host-sim/streams/classes.ts";
import type { DataSet } from "../../host-sim/streams/table.ts";
import type { Task } from "../../src/learn/learner.ts";
import { UserError } from "../cli/exit.ts";

type Label = string | number;

/** A file's labels: each row's, a number or an index into the names. */
export interface Labelled {
  readonly source: string;
  readonly labelNames?: string[];
  readonly labels: Iterable<number>;
}

/** The learner's target for a stored label. */
export type TargetRule = (label: number) => number;

/** Each row's stored label. */
export function labelsOf({ labels, labelNames }: DataSet): Label[] {
  return Array.from(labels, (label) => (labelNames ? labelNames[label] : label));
}

/** How many rows have each label. */
function tally({ labels, labelNames }: Labelled): Map<Label, number> {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return new Map(Array.from(counts, ([label, count]) => [labelNames ? labelNames[label] : label, count]));
}

/** The classes of the data sets that were asked for. */
const found = new WeakMap<Labelled, Classes<Label>>();

/**
 * The classes of a data set, by the file's names. Each set is read once: a search prepares hundreds of learners
 * for the same one.
 */
export function classesOf(data: Labelled): Classes<Label> {
  const known = found.get(data) ?? classes([...tally(data).keys()]);
  found.set(data, known);
  return known;
}

/** The labels themselves, the targets of a regression. */
export function regressionRule({ source, labelNames }: Labelled): TargetRule {
  if (!labelNames) return (label) => label;
  const shown = labelNames.slice(0, 3).join(", ");
  throw new UserError(`${source}: labels are words (${shown}); regression takes numbers, see --label`);
}

/** The rule for a regression's targets. */
export function regressionTargets(data: DataSet): Float64Array {
  regressionRule(data);
  return data.labels;
}

/** A target for each distinct label, computed once. */
function byLabel({ labelNames }: Labelled, targetOf: (label: Label) => number): TargetRule {
  const known = new Map<number, number>();
  return (label) => {
    let target = known.get(label);
    if (target === undefined) {
      target = targetOf(labelNames ? labelNames[label] : label);
      known.set(label, target);
    }
    return target;
  };
}

/** The rule for a classifier's targets: -1 and +1 (the larger of the two labels), or a class 0..K-1. */
export function classRule(data: Labelled, known: Classes<Label>, task: Task): TargetRule {
  return byLabel(data, (label) => {
    const index = known.indexOf(label);
    return task === "multiclass" ? index : 2 * index - 1;
  });
}

/** Each row's target by `classRule`. */
export function classTargets(data: DataSet, known: Classes<Label>, task: Task): Float64Array {
  return Float64Array.from(data.labels, classRule(data, known, task));
}

function toldNovelty(told: string, known: readonly Label[]): (label: Label) => boolean {
  const names = [...new Set(known.map(String))];
  if (names.includes(told)) return (label) => String(label) === told;
  const shown = names.slice(0, 8).join(", ");
  throw new UserError(
    `--novel ${told}: no sample has that label; the labels are ${shown}${names.length > 8 ? ", ..." : ""}`,
  );
}

/**
 * The labels that mean a novelty: --novel's; else -1 if train has it; else, if train has one label only,
 * every other; else the rarer of its two.
 */
export function noveltyRule(
  train: Labelled,
  told: string | undefined,
  test?: Labelled,
): (label: Label) => boolean {
  const counts = tally(train);
  const known = classes([...counts.keys()]);
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
  const [others, ones] = known.values.map((label) => counts.get(label) as number);
  const rarer = known.values[ones <= others ? 1 : 0];
  return (label) => label === rarer;
}

/** The rule for a novelty detector's targets: -1 for a novelty, +1 for a normal sample. */
export function noveltyTargetRule(data: Labelled, isNovel: (label: Label) => boolean): TargetRule {
  return byLabel(data, (label) => (isNovel(label) ? -1 : 1));
}

/** Each row's target by `noveltyTargetRule`. */
export function noveltyTargets(data: DataSet, isNovel: (label: Label) => boolean): Float64Array {
  return Float64Array.from(data.labels, noveltyTargetRule(data, isNovel));
}
