import { decidedClass, type Task } from "../../src/learn/learner.ts";
import { Auc } from "./auc.ts";
import { type ClassRecall, Confusion } from "./confusion.ts";
import { Events } from "./events.ts";
import type { Figure, Scores } from "./result.ts";
import { SquaredError } from "./squared-error.ts";

/** Classes of a task's truth: -1 and +1, or 0..K-1; none for a regression. */
export function truthClasses(task: Task, classCount: number): number[] {
  if (task === "regression") return [];
  if (task !== "multiclass") return [-1, 1];
  return Array.from({ length: classCount }, (_, k) => k);
}

/** Translates labels to truth and back: a novelty, the class of interest, is -1 to its learner. */
export function scoredTruth(task: Task, label: number): number {
  return task === "novelty" ? -label : label;
}

/** Orders the names of the truth's classes, -1 and +1, as the learner's labels have them. A second call restores the order. */
export function learnerClasses(task: Task, names: readonly string[]): readonly string[] {
  return task === "novelty" ? [...names].reverse() : names;
}

/** The figures that some task defines: the fields of `Scores`, and the mean squared error. */
export type FigureName = "error" | "balancedAccuracy" | "f1" | "auc" | "falseAlarmRate" | "mse" | "rmse";

/**
 * Scores predictions against the truth. Truth +1 is the class of interest: an event, a fault, a novelty,
 * class +1.
 */
export class Scorer {
  private readonly confusion: Confusion;
  private readonly events = new Events();
  private readonly auc = new Auc();
  private readonly squared = new SquaredError();
  /** True if there are two classes, the second of interest. */
  private readonly twoClasses: boolean;
  /** True if decision values were added, by which samples can be ranked. */
  private ranked = false;
  private readonly figures: { readonly [name in FigureName]?: () => Figure };

  /** @param ranks whether to keep decision values, 8 bytes each, and compute `auc` from them. */
  constructor(
    private readonly task: Task,
    classes: readonly number[],
    private readonly ranks = true,
  ) {
    const { squared } = this;
    const confusion = new Confusion(classes);
    this.confusion = confusion;
    this.twoClasses = task !== "regression" && task !== "multiclass";
    const ofTwo = {
      f1: () => confusion.f1,
      auc: () => (this.ranked ? this.auc.value : confusion.auc),
      falseAlarmRate: () => confusion.falseAlarmRate,
    };
    this.figures =
      task === "regression"
        ? { mse: () => squared.mean, rmse: () => squared.rootMean }
        : {
            error: () => confusion.error,
            balancedAccuracy: () => confusion.balancedAccuracy,
            ...(this.twoClasses && ofTwo),
          };
  }

  /**
   * Adds a learner's decision: a decision value, a novelty score, a class or an estimate; NaN counts as a wrong class, or as the estimate
   * 0. Returns its loss: 0 or 1, or the squared error.
   */
  add(decision: number, truth: number): number {
    const { task } = this;
    const value = Number.isNaN(decision) ? 0 : decision;
    if (task === "regression") return this.addLabel(value, truth);
    if (this.twoClasses && this.ranks) {
      this.auc.add(truth, scoredTruth(task, value));
      this.ranked = true;
    }
    return this.addLabel(scoredTruth(task, decidedClass(task, decision)), truth);
  }

  /**
   * Adds a class or an estimate that was predicted without a decision value. Returns its loss, as `add` does.
   */
  addLabel(label: number, truth: number): number {
    if (this.task === "regression") {
      this.squared.add(truth, label);
      return (label - truth) * (label - truth);
    }
    this.confusion.add(truth, label);
    if (this.twoClasses) this.events.add(truth, label);
    return label === truth ? 0 : 1;
  }

  /** A figure by its reported name. */
  figure(name: FigureName): Figure {
    return this.figures[name]?.() ?? { why: `not defined for ${this.task}` };
  }

  /** Of each class, in their order; none for a regression. */
  recalls(): readonly ClassRecall[] {
    return this.confusion.recalls;
  }

  scores(): Scores {
    const { events, confusion } = this;
    return {
      error: this.figure("error"),
      balancedAccuracy: this.figure("balancedAccuracy"),
      f1: this.figure("f1"),
      auc: this.figure("auc"),
      events: events.total,
      eventsFound: events.found,
      falseAlarms: this.twoClasses ? confusion.falseAlarms : 0,
      falseAlarmRate: this.figure("falseAlarmRate"),
      rmse: this.figure("rmse"),
    };
  }
}
