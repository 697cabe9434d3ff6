import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { LabelledRun, type LabelPath, pathOfPass } from "../../host-sim/prequential/labelled-run.ts";
import { Baselines } from "../../host-sim/scoring/baselines.ts";
import { type Scorer, scoredTruth, truthClasses } from "../../host-sim/scoring/scorer.ts";
import type { Task } from "../../src/learn/learner.ts";
import { computeMean } from "./mean.ts";
import { figureNumber, type SampleStream, sampleOrder } from "./one-pass.ts";

/** Errors, or mean squared errors, of predictors that know only the labels received so far. */
export interface Trivial {
  /** The majority of these labels; for a regression their mean. */
  readonly majority: number;
  readonly last: number;
  /** The majority, or mean, of all labels received, on the test file. */
  readonly testMajority?: number;
}

/** The most that a choice loses which is named beside the best, in multiples of the best's loss. */
const MOST_TIMES = 1.25;

/**
 * True if a choice that noise doesn't tell from the best may be named beside it: however large the noise, its loss is near the best's, and
 * no trivial predictor loses less.
 */
export function isNearBest(loss: number, best: number, trivial: readonly number[]): boolean {
  return loss <= MOST_TIMES * best && trivial.every((each) => !(each < loss));
}

/** How labels come to the baselines, and what they lose: the share of errors, or with `balanced` its mean over the classes that the samples have. */
interface TrivialOrder {
  readonly path?: LabelPath;
  readonly balanced?: boolean;
}

/** What a predictor loses; null where it has no scored sample. */
function readLoss(scorer: Scorer, task: Task, balanced: boolean): number | null {
  if (task === "regression") return figureNumber(scorer.figure("mse"));
  if (!balanced) return figureNumber(scorer.figure("error"));
  const errors = scorer.recalls().flatMap(({ recall }) => (recall === null ? [] : [1 - recall]));
  return computeMean(errors)?.mean ?? null;
}

/** The baselines' mean over the passes. Labels come to them as they do to a learner. */
export function measureTrivial(
  task: Task,
  seeds: readonly (number | null)[],
  train: SampleStream,
  test: SampleStream | undefined,
  { path, balanced = false }: TrivialOrder = {},
  catalogue?: Catalogue,
): Trivial {
  const loss = (scorer: Scorer) => readLoss(scorer, task, balanced);
  const classes = truthClasses(task, train.classes);
  const passes = seeds.map((seed, pass) => {
    const prequential = new Baselines(task, classes);
    const tested = new Baselines(task, classes);
    const received = (label: number) => {
      for (const baselines of [prequential, tested]) baselines.addLabel(label);
    };
    const run = new LabelledRun({ task, classes, path: pathOfPass(path, pass), catalogue, received });
    train.each(seed === null ? null : sampleOrder(train.count, seed), (x, target) => {
      if (!Number.isNaN(target)) prequential.score(scoredTruth(task, target));
      run.sample(x, target);
    });
    run.finish();
    test?.each(null, (_, target) => {
      if (!Number.isNaN(target)) tested.score(scoredTruth(task, target));
    });
    return { ...prequential.read(loss), testMajority: tested.read(loss).majority };
  });
  const mean = (name: "majority" | "last" | "testMajority") =>
    computeMean(passes.map((pass) => pass[name]))?.mean ?? 0;
  return {
    majority: mean("majority"),
    last: mean("last"),
    ...(test && { testMajority: mean("testMajority") }),
  };
}
