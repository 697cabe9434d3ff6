import { classOf, type Task } from "../../src/learn/learner.ts";
import type { Figure, Scores } from "../result.ts";
import {
  Auc,
  BalancedAccuracy,
  ErrorRate,
  EventsFound,
  F1,
  FalseAlarms,
  MeanSquaredError,
  type Metric,
  RootMeanSquaredError,
} from "./index.ts";

/** Classes of a task's truth: -1 and +1, or 0..K-1; none for a regression. */
export function truthClasses(task: Task, classCount: number): number[] {
  if (task === "regression") return [];
  if (task !== "multiclass") return [-1, 1];
  return Array.from({ length: classCount }, (_, k) => k);
}

/** The truth that a label says, and the label of a truth: a novelty, which is looked for, is -1 to its learner. */
export function truthOf(task: Task, label: number): number {
  return task === "novelty" ? -label : label;
}

/** Scores predictions against the truth. Truth +1 is what is looked for: an event, a fault, a novelty, class +1. */
export class Scorer {
  private readonly events = new EventsFound();
  private readonly alarms = new FalseAlarms();
  private readonly metrics: readonly Metric[];

  constructor(
    private readonly task: Task,
    classes: readonly number[],
  ) {
    const balanced = new BalancedAccuracy([...classes]);
    const several = [new ErrorRate(), balanced];
    const two = [...several, new F1(), new Auc(), this.events, this.alarms];
    this.metrics =
      task === "regression"
        ? [new MeanSquaredError(), new RootMeanSquaredError()]
        : task === "multiclass"
          ? several
          : two;
  }

  /**
   * Adds what a learner decided: a decision value, a novelty score, a class or an estimate; NaN is a wrong class, or the
   * estimate 0. Returns its loss: 0 or 1, or the squared error.
   */
  add(decision: number, truth: number): number {
    const { task } = this;
    const value = Number.isNaN(decision) ? 0 : decision;
    if (task === "regression") return this.take(value, value, truth);
    return this.take(truthOf(task, classOf(task, decision)), truthOf(task, value), truth);
  }

  /** Adds a class or an estimate that was predicted without a decision value. Returns its loss, as `add` does. */
  addLabel(label: number, truth: number): number {
    return this.take(label, label, truth);
  }

  private take(label: number, value: number, truth: number): number {
    for (const metric of this.metrics) metric.add(truth, metric.takes === "label" ? label : value);
    if (this.task === "regression") return (value - truth) * (value - truth);
    return label === truth ? 0 : 1;
  }

  /** A figure by the name under which it is reported. */
  figure(name: string): Figure {
    const value = this.metrics.find((metric) => metric.name === name)?.value();
    if (value === undefined) return { why: `not defined for ${this.task}` };
    return typeof value === "number" ? value : { why: value.why };
  }

  scores(): Scores {
    return {
      error: this.figure("error"),
      balancedAccuracy: this.figure("balancedAccuracy"),
      f1: this.figure("f1"),
      auc: this.figure("auc"),
      events: this.events.total,
      eventsFound: this.events.found,
      falseAlarms: this.alarms.count,
      falseAlarmRate: this.figure("falseAlarmRate"),
      rmse: this.figure("rmse"),
    };
  }
}
