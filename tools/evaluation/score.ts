import { BalancedAccuracy, ErrorRate, MeanSquaredError, type Metric } from "../../host-sim/scoring/index.ts";
import type { Task } from "../../src/learn/learner.ts";

/** What a stream of predictions comes to; a figure that the task or the labels don't define is null. */
export interface Scored {
  readonly error: number | null;
  readonly balancedAccuracy: number | null;
  readonly mse: number | null;
}

/** A running score: predictions of one learner against targets, as the learner is given them. */
export class Score {
  private readonly error = new ErrorRate();
  private readonly balancedAccuracy: BalancedAccuracy;
  private readonly mse = new MeanSquaredError();

  /** @param classes how many there are; the labels of two are -1 and +1 unless the task is multiclass. */
  constructor(
    private readonly task: Task,
    classes: number,
  ) {
    const several = task === "multiclass";
    this.balancedAccuracy = new BalancedAccuracy(
      several ? Array.from({ length: classes }, (_, k) => k) : [-1, 1],
    );
  }

  /** Takes what `predict` returned for a sample, and its target. A NaN is a wrong class, or the estimate 0. */
  add(decision: number, target: number): void {
    if (this.task === "regression") {
      this.mse.add(target, Number.isNaN(decision) ? 0 : decision);
      return;
    }
    const predicted = this.task === "multiclass" ? decision : signOf(decision);
    this.error.add(target, predicted);
    this.balancedAccuracy.add(target, predicted);
  }

  scored(): Scored {
    return {
      error: figure(this.error),
      balancedAccuracy: figure(this.balancedAccuracy),
      mse: figure(this.mse),
    };
  }
}

/** The class that a decision value means. */
function signOf(decision: number): number {
  if (Number.isNaN(decision)) return Number.NaN;
  return decision >= 0 ? 1 : -1;
}

function figure(metric: Metric): number | null {
  const value = metric.value();
  return typeof value === "number" ? value : null;
}
