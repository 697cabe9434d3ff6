import type { Task } from "../../src/learn/learner.ts";
import type { Figure, LearnerResult, Scores } from "../result.ts";
import {
  Auc,
  BalancedAccuracy,
  ErrorRate,
  EventsFound,
  F1,
  FalseAlarms,
  LastLabel,
  MajorityClass,
  type Metric,
  RootMeanSquaredError,
  type TrivialPredictor,
} from "./index.ts";

/** Classes of a task's truth: -1 and +1, or 0..K-1; none for a regression. */
export function truthClasses(task: Task, classCount: number): number[] {
  if (task === "regression") return [];
  if (task !== "multiclass") return [-1, 1];
  return Array.from({ length: classCount }, (_, k) => k);
}

/** Scores predictions against the truth. Truth +1 is what is looked for: an event, a fault, class +1. */
export class Scorer {
  private readonly error = new ErrorRate();
  private readonly f1 = new F1();
  private readonly auc = new Auc();
  private readonly events = new EventsFound();
  private readonly alarms = new FalseAlarms();
  private readonly rmse = new RootMeanSquaredError();
  private readonly balanced: BalancedAccuracy;
  private readonly metrics: readonly Metric[];

  constructor(
    private readonly task: Task,
    classes: readonly number[],
  ) {
    this.balanced = new BalancedAccuracy([...classes]);
    const two = [this.error, this.balanced, this.f1, this.auc, this.events, this.alarms];
    this.metrics =
      task === "regression" ? [this.rmse] : task === "multiclass" ? [this.error, this.balanced] : two;
  }

  /** Adds what a learner decided. Returns its loss: 0 or 1, or the squared error. */
  add(decision: number, truth: number): number {
    if (this.task === "regression" || this.task === "multiclass") return this.take(decision, decision, truth);
    // A novelty score is low for what is looked for; every other decision value is high.
    const value = this.task === "novelty" ? -decision : decision;
    const positive = this.task === "novelty" ? value > 0 : value >= 0;
    return this.take(positive ? 1 : -1, value, truth);
  }

  private take(label: number, value: number, truth: number): number {
    for (const metric of this.metrics) metric.add(truth, metric.takes === "label" ? label : value);
    if (this.task === "regression") return (value - truth) * (value - truth);
    return label === truth ? 0 : 1;
  }

  /** Scores a trivial predictor over the whole truth, each sample predicted before its label is seen. */
  runTrivial(predictor: TrivialPredictor, truth: Float64Array): this {
    for (const label of truth) {
      const expected = predictor.predict();
      this.take(expected, expected, label);
      predictor.learn(label);
    }
    return this;
  }

  scores(): Scores {
    const figure = (metric: Metric): Figure => {
      if (!this.metrics.includes(metric)) return { why: `not defined for ${this.task}` };
      const value = metric.value();
      return typeof value === "number" ? value : { why: value.why };
    };
    return {
      error: figure(this.error),
      balancedAccuracy: figure(this.balanced),
      f1: figure(this.f1),
      auc: figure(this.auc),
      events: this.events.total,
      eventsFound: this.events.found,
      falseAlarms: this.alarms.count,
      falseAlarmRate: figure(this.alarms),
      rmse: figure(this.rmse),
    };
  }
}

/** The trivial predictors of a regression: the mean so far; for the last value `LastLabel` serves. */
class RunningMean implements TrivialPredictor {
  readonly name = "mean";
  private sum = 0;
  private count = 0;

  predict(): number {
    return this.count === 0 ? 0 : this.sum / this.count;
  }

  learn(value: number): void {
    this.sum += value;
    this.count++;
  }
}

/** Both trivial predictors on a node's truth; for a regression the mean stands in for the majority. */
export function trivialScores(
  task: Task,
  classes: readonly number[],
  truth: Float64Array,
): LearnerResult["trivial"] {
  const first = task === "regression" ? 0 : classes[0];
  const majority = task === "regression" ? new RunningMean() : new MajorityClass(first);
  return {
    majority: new Scorer(task, classes).runTrivial(majority, truth).scores(),
    last: new Scorer(task, classes).runTrivial(new LastLabel(first), truth).scores(),
  };
}
