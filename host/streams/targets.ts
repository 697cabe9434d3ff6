import { OptionError } from "../../src/memory/option-error.ts";
import { UserError } from "../errors.ts";
import { CLASSES_MAX, ClassNames, distinctLabels, type WrittenLabel } from "./class-names.ts";
import type { DataSet } from "./table.ts";

/** A file's labels: each row's, a number or an index into the names; NaN where it has none. */
export interface LabelColumn {
  readonly source: string;
  readonly labelNames?: string[];
  readonly labels: Iterable<number>;
  /** The names of the classes, where they were given. */
  readonly classes?: readonly string[];
}

/** The learner's target for a stored label; NaN for none. */
export type TargetRule = (label: number) => number;

/** How many rows have each label, in the order of their first row. */
type Tally = ReadonlyMap<WrittenLabel, number>;

/** The tallies of the data sets that were asked for. */
const found = new WeakMap<LabelColumn, Tally>();

/** Each set is read once: a search prepares hundreds of learners for the same one. */
function tally(data: LabelColumn): Tally {
  const known = found.get(data) ?? tallyLabels(data);
  found.set(data, known);
  return known;
}

function tallyLabels({ labels, labelNames }: LabelColumn): Tally {
  const counts = new Map<number, number>();
  for (const label of labels) if (!Number.isNaN(label)) counts.set(label, (counts.get(label) ?? 0) + 1);
  return new Map(Array.from(counts, ([label, count]) => [labelNames ? labelNames[label] : label, count]));
}

/** How many rows have a label. */
export function labelledCount(data: LabelColumn): number {
  return [...tally(data).values()].reduce((sum, count) => sum + count, 0);
}

/** The distinct labels of a data set, by the file's names. */
export function labelsIn(data: LabelColumn): WrittenLabel[] {
  return distinctLabels(tally(data).keys());
}

/** Where whole labels are many, and don't count from 0 or 1, or have fewer rows each, they are numbers to be estimated. */
const MANY_LABELS = 32;
const ROWS_A_LABEL = 10;
/** So are more than a scale of ten that lie far from zero, or below -1, as parts per million or degrees do. */
const SCALE = 10;

/** True if the labels look like numbers to be estimated rather than classes. */
export function isContinuous(data: LabelColumn): boolean {
  const counts = tally(data);
  const { size } = counts;
  if (data.labelNames || size <= 2) return false;
  const labels = [...counts.keys()].map(Number);
  if (!labels.every(Number.isInteger)) return true;
  const least = Math.min(...labels);
  const areCounted = (least === 0 || least === 1) && Math.max(...labels) - least + 1 === size;
  const isSpread = size > MANY_LABELS && (!areCounted || labelledCount(data) < ROWS_A_LABEL * size);
  const isFar = size > SCALE && (least > size || least < -1);
  return isSpread || isFar || size > CLASSES_MAX;
}

/** The classes of a data set, for a learner with `count` of them, see `ClassNames.forLabels`. Throws a UserError for labels that are no classes. */
export function findClasses(data: LabelColumn, count?: number): ClassNames {
  const { source, classes } = data;
  if (labelledCount(data) === 0)
    throw new UserError(`${source}: no row has a label; --label chooses their column`);
  try {
    return ClassNames.forLabels(labelsIn(data), classes, count);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new UserError(`${source}: ${error.option}: got ${error.got}; takes ${error.takes}, with --classes`);
  }
}

/** The labels themselves, the targets of a regression. */
export function regressionRule({ source, labelNames }: LabelColumn): TargetRule {
  if (!labelNames) return (label) => label;
  const shown = labelNames.slice(0, 3).join(", ");
  throw new UserError(`${source}: labels are words (${shown}); regression takes numbers, see --label`);
}

/** A target for each distinct label, computed once. */
function byLabel({ labelNames }: LabelColumn, targetOf: (label: WrittenLabel) => number): TargetRule {
  const known = new Map<number, number>([[Number.NaN, Number.NaN]]);
  return (label) => {
    let target = known.get(label);
    if (target === undefined) {
      target = targetOf(labelNames ? labelNames[label] : label);
      known.set(label, target);
    }
    return target;
  };
}

/** The rule for a classifier's targets, see `ClassNames`. Throws a UserError for a label that is no class. */
export function classRule(data: LabelColumn, classes: ClassNames): TargetRule {
  return byLabel(data, (label) => {
    const target = classes.labelTarget(label);
    if (!Number.isNaN(target)) return target;
    throw new UserError(`${data.source}: label ${label} is no class; takes ${classes.text}`);
  });
}

type IsNovel = (label: WrittenLabel) => boolean;

function noveltyFromLabel(told: string, known: readonly WrittenLabel[]): IsNovel {
  const names = [...new Set(known.map(String))];
  if (names.includes(told)) return (label) => String(label) === told;
  const shown = `${names.slice(0, 8).join(", ")}${names.length > 8 ? ", ..." : ""}`;
  throw new UserError(`--novel ${told}: no sample has that label; the labels are ${shown}`);
}

/**
 * The labels that mean a novelty: --novel's; else the first of two classes that were given; else -1 if train has it; else, if train has one
 * label only, every other; else the rarer of its two.
 */
export function noveltyRule(train: LabelColumn, told: string | undefined, test?: LabelColumn): IsNovel {
  const counts = tally(train);
  const known = labelsIn(train);
  if (told !== undefined) return noveltyFromLabel(told, [...known, ...(test ? labelsIn(test) : [])]);
  if (train.classes?.length === 2) {
    const classes = findClasses(train);
    return (label) => classes.labelTarget(label) === -1;
  }
  if (known.includes(-1)) return (label) => label === -1;
  if (known.length === 1) return (label) => label !== known[0];
  if (known.length > 2) {
    const which = `which of ${known.length} labels is the novelty`;
    throw new UserError(`${train.source}: ${which}? Give --novel, one of ${known.slice(0, 8).join(", ")}`);
  }
  const [others, ones] = known.map((label) => counts.get(label) as number);
  const rarer = known[ones <= others ? 1 : 0];
  return (label) => label === rarer;
}

/** The rule for a novelty detector's targets: -1 for a novelty, +1 for a normal sample. */
export function noveltyTargetRule(data: LabelColumn, isNovel: IsNovel): TargetRule {
  return byLabel(data, (label) => (isNovel(label) ? -1 : 1));
}

/** Each row's target by `noveltyTargetRule`. */
export function noveltyTargets(data: DataSet, isNovel: IsNovel): Float64Array {
  return Float64Array.from(data.labels, noveltyTargetRule(data, isNovel));
}
