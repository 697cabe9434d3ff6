import { arithmetic } from "../../host/arithmetic.ts";
import { UserError } from "../../host/errors.ts";
import type { SampleTable } from "../../host/streams/bursts.ts";
import { CLASSES_MAX, type ClassNames, type WrittenLabel } from "../../host/streams/class-names.ts";
import type { DataSet } from "../../host/streams/table.ts";
import {
  classRule,
  findClasses,
  isContinuous,
  type LabelColumn,
  labelsIn,
  noveltyRule,
  noveltyTargetRule,
  regressionRule,
  type TargetRule,
} from "../../host/streams/targets.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { checkOptionNames, chooseForClasses, takesClasses } from "../../host-sim/catalogue/learner-choice.ts";
import { LabelledRun, type LabelPath, pathOfPass } from "../../host-sim/prequential/labelled-run.ts";
import { truthClasses } from "../../host-sim/scoring/scorer.ts";
import type { ComponentRange } from "../../src/dictionary/grid.ts";
import type { Family } from "../../src/learn/family.ts";
import type { Learner, Task } from "../../src/learn/learner.ts";
import { asksForRanges } from "../../src/learn/storage.ts";
import type { MemoryRange } from "../../src/memory/layout.ts";
import { checkPath } from "./label-options.ts";
import { computeMean } from "./mean.ts";
import {
  makeStreams,
  type Pass,
  type PassScores,
  type PassWatch,
  runPass,
  type SampleStream,
  sampleOrder,
} from "./one-pass.ts";
import { classesRead, rowsRead } from "./rows-read.ts";
import { fitScaler, type Scale } from "./scaling.ts";
import type { SecondLabels } from "./second-labels.ts";
import { namedBounds } from "./step-bounds.ts";
import { measureTrivial } from "./trivial.ts";

export interface EvaluationOptions {
  readonly family: Family;
  /** The learner's options; dimension and classes come from the data. */
  readonly options: { readonly [name: string]: unknown };
  readonly train: SampleTable;
  readonly test?: SampleTable;
  readonly scale: Scale;
  /** Seed of the first pass's permutation; pass i adds i to it. null: the order of the file. */
  readonly shuffle: number | null;
  readonly repeat: number;
  readonly novel?: string;
  /** Of the features; null: unknown. Default: those of the scaled train file. */
  readonly ranges?: readonly ComponentRange[] | null;
  /** Features that a message names. */
  readonly secondLabels?: SecondLabels;
  /** How labels come; default: right and at once. */
  readonly path?: LabelPath;
  /** Whose noises make labels wrong; default: the shipped ones. */
  readonly catalogue?: Catalogue;
  /** Called with the progress of each pass, from 0. */
  readonly watch?: (pass: number) => PassWatch;
}

/** A learner for data: the family, one-vs-all if necessary, and its options. */
export interface PreparedLearner {
  readonly family: Family;
  readonly options: { readonly [name: string]: unknown };
  readonly task: Task;
  readonly classes?: ClassNames;
}

/** Throws a UserError where a classifier can't be made for the labels that nobody named. */
function checkLabels(learner: string, train: LabelColumn): void {
  if (train.classes) return;
  const labels = labelsIn(train);
  if (isContinuous(train))
    throw new UserError(
      `${train.source}: ${labels.length} different labels are numbers to be estimated, and ${learner} takes classes; take a learner for regression, such as qkrls, choose the label with --label, or name the classes with --classes`,
    );
  if (labels.length > CLASSES_MAX)
    throw new UserError(
      `${train.source}: ${labels.length} different labels; ${learner} takes at most ${CLASSES_MAX} classes: choose the label with --label`,
    );
}

/** Which learner, with which options, for these data. */
export function prepare({
  family: named,
  options,
  train,
}: Pick<EvaluationOptions, "family" | "options"> & {
  readonly train: LabelColumn & { readonly dimension: number };
}): PreparedLearner {
  const filled = { ...options, dimension: options.dimension ?? train.dimension };
  if (named.task === "regression" || named.task === "novelty") {
    return { family: named, options: filled, task: named.task };
  }
  const count = typeof options.classes === "number" ? options.classes : undefined;
  if (count === undefined) checkLabels(named.name, train);
  const known = findClasses(train, count);
  const classCount = count ?? known.count;
  if (classCount < known.count) {
    throw new UserError(`option classes: got ${classCount}; ${train.source} has ${known.count}`);
  }
  const family = chooseForClasses(named, classCount);
  const several = takesClasses(family, classCount);
  return {
    family,
    options: several ? { ...filled, classes: classCount } : filled,
    task: several ? "multiclass" : "classification",
    classes: known.forTask(several ? "multiclass" : "classification"),
  };
}

/** The source of the labels, and the label that means a novelty. */
interface LabelSources {
  readonly train: LabelColumn;
  readonly test?: LabelColumn;
  readonly novel?: string;
}

export function targetRule(
  data: LabelColumn,
  { task, classes }: Pick<PreparedLearner, "task" | "classes">,
  { train, novel, test }: LabelSources,
): TargetRule {
  if (task === "regression") return regressionRule(data);
  if (task === "novelty") return noveltyTargetRule(data, noveltyRule(train, novel, test));
  return classRule(data, classes as ClassNames);
}

export function computeTargets(
  data: DataSet,
  prepared: Pick<PreparedLearner, "task" | "classes">,
  from: LabelSources,
): Float64Array {
  return Float64Array.from(data.labels, targetRule(data, prepared, from));
}

/** Memory for the learner, which every pass reuses. Throws for options that the learner refuses. */
export function memoryFor({ family, options }: PreparedLearner): MemoryRange {
  checkOptionNames(family, options);
  return arithmetic().allocate(family.layout(options));
}

export function createLearner({ family, options }: PreparedLearner, memory: MemoryRange): Learner {
  return family.create({ ...options, memory });
}

/** A learner to which labels come by that path. */
export function labelledRun(
  learner: Learner,
  classes: number,
  path: LabelPath | undefined,
  catalogue?: Catalogue,
): LabelledRun {
  const { task } = learner;
  return new LabelledRun({ learner, task, classes: truthClasses(task, classes), path, catalogue });
}

function passes(
  prepared: PreparedLearner,
  memory: MemoryRange,
  from: EvaluationOptions,
  train: SampleStream,
  test?: SampleStream,
): Pass[] {
  return Array.from({ length: from.repeat }, (_, i) => {
    const seed = from.shuffle === null ? null : from.shuffle + i;
    const order = seed === null ? null : sampleOrder(train.count, seed);
    const learner = createLearner(prepared, memory);
    const run = labelledRun(learner, train.classes, pathOfPass(from.path, i), from.catalogue);
    return runPass(learner, run, train, order, seed, test, from.watch?.(i));
  });
}

/** The classes of a novelty detector, in the order of their truth, -1 and +1. */
export const NOVELTY_CLASSES = ["ordinary", "novelty"];

/** Of each class its samples in a pass, and the share of them that was predicted so. */
function averageRecalls(labels: readonly WrittenLabel[], scored: readonly PassScores[]) {
  return labels.map((label, i) => ({
    label,
    samples: scored[0].recalls[i].samples,
    recall: computeMean(scored.map(({ recalls }) => recalls[i].recall)),
  }));
}

/** The figures of the passes, each as mean and deviation. */
function averageFigures(
  { task }: PreparedLearner,
  names: readonly WrittenLabel[] | null,
  repeats: readonly Pass[],
) {
  const test = (name: "error" | "mse" | "balancedAccuracy") =>
    computeMean(repeats.map((pass) => pass.test?.[name] ?? null));
  const cumulative = (name: "error" | "mse" | "balancedAccuracy") =>
    computeMean(repeats.map((pass) => pass.cumulative[name]));
  if (task === "regression") return { cumulativeMse: cumulative("mse"), testMse: test("mse") };
  const labels = names ?? NOVELTY_CLASSES;
  const tested = repeats.flatMap((pass) => pass.test ?? []);
  return {
    cumulativeError: cumulative("error"),
    cumulativeBalancedAccuracy: cumulative("balancedAccuracy"),
    cumulativeRecalls: averageRecalls(
      labels,
      repeats.map((pass) => pass.cumulative),
    ),
    testError: test("error"),
    testBalancedAccuracy: test("balancedAccuracy"),
    testRecalls: tested.length > 0 ? averageRecalls(labels, tested) : null,
  };
}

/** A learner with vectors of 16 or 8 bits gets the ranges of its features, where they are known. */
export function withRanges(
  prepared: PreparedLearner,
  rangesOf: () => readonly ComponentRange[] | null,
): PreparedLearner {
  const { family, options } = prepared;
  const ranges = asksForRanges(family, options) ? rangesOf() : null;
  return ranges ? { ...prepared, options: { ...options, ranges } } : prepared;
}

/** Runs the passes. The result has no wall-clock figure, so equal inputs give equal results. */
export function evaluate(from: EvaluationOptions) {
  const scaler = fitScaler(from.train, from.scale);
  const { ranges } = from;
  const prepared = withRanges(prepare(from), () => (ranges === undefined ? scaler.ranges() : ranges));
  const { family, task, classes } = prepared;
  checkPath(from.path, task);
  const memory = memoryFor(prepared);
  createLearner(prepared, memory); // refusals come before a pass begins
  const rule = (data: SampleTable) => targetRule(data, prepared, from);
  const { train, test } = makeStreams(from.train, from.test, scaler, rule, classes?.count ?? 2);
  const repeats = passes(prepared, memory, from, train, test);
  const last = repeats[repeats.length - 1];
  const read = classesRead(from.train, classes);
  return {
    learner: family.name,
    task,
    options: prepared.options,
    train: {
      ...rowsRead(from.train),
      dimension: from.train.dimension,
      classes: classes?.count ?? null,
      ...read,
      ...(from.secondLabels && { secondLabels: from.secondLabels }),
    },
    test: from.test ? rowsRead(from.test) : null,
    shuffle: from.shuffle,
    ...averageFigures(prepared, read.labels, repeats),
    trivial: measureTrivial(
      task,
      repeats.map(({ seed }) => seed),
      train,
      test,
      { path: from.path },
      from.catalogue,
    ),
    ...(from.path && { labels: { ...from.path, ...last.labels } }),
    supportVectors: computeMean(repeats.map((pass) => pass.supportVectors)),
    widths: last.widths,
    bounds: namedBounds(family, last.bounds),
    counters: last.counters,
    arithmetic: arithmetic().name,
    bytes: family.layout(prepared.options).bytes,
    stateHash: last.stateHash,
    repeats: repeats.map(({ seed, cumulative, test, labels: _, ...end }) => ({
      seed,
      ...flat(task, { cumulative, test }),
      ...end,
    })),
  };
}

function flat(task: Task, { cumulative, test }: Pick<Pass, "cumulative" | "test">) {
  if (task === "regression") return { cumulativeMse: cumulative.mse, testMse: test?.mse ?? null };
  return {
    cumulativeError: cumulative.error,
    cumulativeBalancedAccuracy: cumulative.balancedAccuracy,
    testError: test?.error ?? null,
    testBalancedAccuracy: test?.balancedAccuracy ?? null,
  };
}

export type Evaluation = ReturnType<typeof evaluate>;
