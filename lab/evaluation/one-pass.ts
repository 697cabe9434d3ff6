import { byName } from "../../host/by-name.ts";
import { Random } from "../../host/random.ts";
import type { SampleTable } from "../../host/streams/bursts.ts";
import type { DataSet } from "../../host/streams/table.ts";
import type { TargetRule } from "../../host/streams/targets.ts";
import type { LabelledRun } from "../../host-sim/prequential/labelled-run.ts";
import { type LabelFates, passUnlabelled, withoutLabels } from "../../host-sim/prequential/prequential.ts";
import type { ClassRecall } from "../../host-sim/scoring/confusion.ts";
import type { Figure } from "../../host-sim/scoring/result.ts";
import { Scorer, scoredTruth, truthClasses } from "../../host-sim/scoring/scorer.ts";
import { COUNTERS, type Counter, type Learner } from "../../src/learn/learner.ts";
import type { Scaler } from "./scaling.ts";
import { foundBounds } from "./step-bounds.ts";
import { type FoundWidth, foundWidths } from "./widths.ts";

/** Samples and targets for a learner, one by one; a target is NaN where a sample has no label. */
export interface SampleStream {
  readonly classes: number;
  readonly count: number;
  /** In that order, or the file's. `x` holds the sample while `visit` runs. */
  each(order: Uint32Array | null, visit: (x: Float32Array, target: number) => void): void;
}

/** The samples in memory. */
export interface Samples extends SampleStream {
  input(row: number): Float32Array;
  readonly targets: Float64Array;
}

/** The scores of a stream of predictions; a figure that the task or the labels don't define is null. */
export interface PassScores {
  readonly error: number | null;
  readonly balancedAccuracy: number | null;
  readonly mse: number | null;
  /** Of each class; none for a regression. */
  readonly recalls: readonly ClassRecall[];
}

export interface Pass {
  /** Seed of the train set's permutation; null: in the order of the file. */
  readonly seed: number | null;
  /** Each sample predicted before it is learned: the prequential score. */
  readonly cumulative: PassScores;
  readonly test: PassScores | null;
  readonly supportVectors: number;
  /** Kernel widths that the learner found; see `foundWidths`. */
  readonly widths: readonly FoundWidth[];
  /** Bounds of steps that the learner found; see `foundBounds`. */
  readonly bounds: readonly number[];
  readonly counters: { readonly [name in Counter]: number };
  readonly labels: LabelFates;
  readonly stateHash: string;
}

export function makeSamples(data: DataSet, targets: Float64Array, classes: number): Samples {
  const { dimension, rows, count } = data;
  // Made when they are first visited: a short prefix of a long file costs no more than its rows.
  const inputs = new Array<Float32Array | undefined>(count);
  const input: Samples["input"] = (row) => {
    const known = inputs[row];
    if (known) return known;
    const made = rows.subarray(row * dimension, (row + 1) * dimension);
    inputs[row] = made;
    return made;
  };
  const each: Samples["each"] = (order, visit) => {
    for (let i = 0; i < (order?.length ?? count); i++) {
      const row = order ? order[i] : i;
      visit(input(row), targets[row]);
    }
  };
  return { classes, count, each, input, targets };
}

/**
 * The samples of stored tables, scaled and with targets by the rules. A visit of the train table begins a new pass. A test table is scaled
 * by what that pass has seen.
 */
export function makeStreams(
  train: SampleTable,
  test: SampleTable | undefined,
  scaler: Scaler,
  ruleOf: (table: SampleTable) => TargetRule,
  classes: number,
): { train: SampleStream; test: SampleStream | undefined } {
  let scaled = scaler.pass();
  const makeStream = (table: SampleTable, begin: () => void): SampleStream => {
    const toTarget = ruleOf(table);
    return {
      classes,
      count: table.count,
      each(order, visit) {
        begin();
        table.each(order, (x, label) => visit(scaled(x), toTarget(label)));
      },
    };
  };
  const restart = () => {
    scaled = scaler.pass();
  };
  return { train: makeStream(train, restart), test: test && makeStream(test, () => {}) };
}

/** The order of a pass: the file's, or a permutation that follows from the seed. */
export function sampleOrder(count: number, seed: number | null): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  if (seed !== null) new Random(seed, "shuffle").shuffle(order);
  return order;
}

/** The figure, null where it isn't defined. */
export function figureNumber(figure: Figure): number | null {
  return typeof figure === "number" ? figure : null;
}

function readScores(scorer: Scorer): PassScores {
  return {
    error: figureNumber(scorer.figure("error")),
    balancedAccuracy: figureNumber(scorer.figure("balancedAccuracy")),
    mse: figureNumber(scorer.figure("mse")),
    recalls: scorer.recalls(),
  };
}

/** The file of a sample. */
export type SampleOf = "train" | "test";

/** Called with the progress of a pass. */
export interface PassWatch {
  /** Each labelled train sample's loss, after learning: 0 or 1, or the squared error; `place` counts those samples from 0. */
  scored?(place: number, loss: number): void;
  /** Each sample's decision, NaN without one, and its target, NaN without a label; `row` counts its file's samples from 0. */
  predicted?(of: SampleOf, row: number, decision: number, target: number): void;
}

/**
 * Learns the train samples once, in order, then predicts the test samples, as a node does to which no label comes. `run` brings the labels to the learner. A train
 * sample without a label passes, as at a node: it is predicted and noted, and not scored.
 */
export function runPass(
  learner: Learner,
  run: LabelledRun,
  train: SampleStream,
  order: Uint32Array | null,
  seed: number | null,
  test: SampleStream | undefined,
  watch: PassWatch = {},
): Pass {
  const { task } = learner;
  const classes = truthClasses(task, train.classes);
  const cumulative = new Scorer(task, classes, false);
  let place = 0;
  let taken = 0;
  train.each(order, (x, target) => {
    const decision = run.sample(x, target);
    watch.predicted?.("train", order ? order[taken] : taken, decision, target);
    taken++;
    if (Number.isNaN(target)) return;
    const loss = cumulative.add(decision, scoredTruth(task, target));
    watch.scored?.(place++, loss);
  });
  run.finish();
  const tested = new Scorer(task, classes, false);
  let row = 0;
  withoutLabels(learner, () =>
    test?.each(null, (x, target) => {
      const decision = passUnlabelled(learner, x);
      watch.predicted?.("test", row++, decision, target);
      if (!Number.isNaN(target)) tested.add(decision, scoredTruth(task, target));
    }),
  );
  return {
    seed,
    cumulative: readScores(cumulative),
    test: test ? readScores(tested) : null,
    supportVectors: learner.size,
    widths: foundWidths(learner),
    bounds: foundBounds(learner),
    counters: byName(COUNTERS, (name) => learner.count(name)),
    labels: run.labels,
    stateHash: learner.stateHash(),
  };
}
