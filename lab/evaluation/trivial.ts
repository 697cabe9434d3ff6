import { Prequential } from "../../host-sim/prequential/prequential.ts";
import { Baselines } from "../../host-sim/scoring/baselines.ts";
import { truthClasses, truthOf } from "../../host-sim/scoring/scorer.ts";
import type { Task } from "../../src/learn/learner.ts";
import { meanOf } from "./mean.ts";
import { numberOf, orderOf, type SampleStream } from "./one-pass.ts";

/** Errors, or mean squared errors, of predictors that know only the labels so far. */
export interface Trivial {
  /** The majority of the labels so far; for a regression their mean. */
  readonly majority: number;
  readonly last: number;
  /** The majority, or mean, of all train labels on the test file. */
  readonly testMajority?: number;
}

/** The most that a choice loses which is named beside the best, in multiples of the best's loss. */
const MOST_TIMES = 1.25;

/**
 * Whether a choice that noise doesn't tell from the best may be named beside it: however large the noise, its loss is near the best's, and
 * no trivial predictor loses less.
 */
export function isNearBest(loss: number, best: number, trivial: readonly number[]): boolean {
  return loss <= MOST_TIMES * best && trivial.every((each) => !(each < loss));
}

/**
 * The baselines' mean over the passes. Each sample is learned at once, so every earlier label was received.
 */
export function trivialOf(
  task: Task,
  seeds: readonly (number | null)[],
  train: SampleStream,
  test: SampleStream | undefined,
): Trivial {
  const figure = task === "regression" ? "mse" : "error";
  const passes = seeds.map((seed) => {
    const prequential = new Baselines(task, truthClasses(task, train.classes));
    const tested = new Baselines(task, truthClasses(task, train.classes));
    const received = (y: number) => {
      for (const baselines of [prequential, tested]) baselines.received(truthOf(task, y));
    };
    const run = new Prequential(undefined, { received });
    train.each(seed === null ? null : orderOf(train.count, seed), (x, target) => {
      if (!Number.isNaN(target)) prequential.predicted(truthOf(task, target));
      run.sample(x, target);
    });
    test?.each(null, (_, target) => {
      if (!Number.isNaN(target)) tested.predicted(truthOf(task, target));
    });
    return { ...prequential.figures(figure), testMajority: tested.figures(figure).majority };
  });
  const mean = (name: "majority" | "last" | "testMajority") =>
    meanOf(passes.map((pass) => numberOf(pass[name])))?.mean ?? 0;
  return {
    majority: mean("majority"),
    last: mean("last"),
    ...(test && { testMajority: mean("testMajority") }),
  };
}
