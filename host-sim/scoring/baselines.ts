import type { Task } from "../../src/learn/learner.ts";
import type { BaselineScores } from "./result.ts";
import { Scorer } from "./scorer.ts";
import { LastLabel, MajorityClass, RunningMean, type TrivialPredictor } from "./trivial.ts";

/** The name of the first baseline: of labels that are numbers it knows the mean. */
export function majorityName(task: string): "majority" | "mean" {
  return task === "regression" ? "mean" : "majority";
}

/**
 * Baselines that a learner must beat. They know only the labels that the node has received: one predicts the
 * majority (for a regression the mean), one the last. Both are scored as a learner is, against the truth.
 */
export class Baselines {
  private readonly predictors: readonly [TrivialPredictor, TrivialPredictor];
  private readonly scorers: readonly [Scorer, Scorer];

  /**
   * @param classes the truth's classes; none for a regression. Before any label came, the first is predicted.
   */
  constructor(task: Task, classes: readonly number[]) {
    const first = task === "regression" ? 0 : classes[0];
    const majority = task === "regression" ? new RunningMean() : new MajorityClass(first);
    this.predictors = [majority, new LastLabel(first)];
    this.scorers = [new Scorer(task, classes), new Scorer(task, classes)];
  }

  /** Scores the prediction of a sample against its truth, which the predictors never see. */
  score(truth: number): void {
    for (let i = 0; i < 2; i++) this.scorers[i].addLabel(this.predictors[i].predict(), truth);
  }

  /** Takes a received label, of any sample, right or wrong, in the truth's terms. */
  addLabel(label: number): void {
    for (const predictor of this.predictors) predictor.learn(label);
  }

  /** What is read of both predictors' scorers. */
  read<T>(of: (scorer: Scorer) => T): { readonly majority: T; readonly last: T } {
    const [majority, last] = this.scorers.map(of);
    return { majority, last };
  }

  scores(): BaselineScores {
    return this.read((scorer) => scorer.scores());
  }
}
