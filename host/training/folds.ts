import type { Basis } from "./basis.ts";
import { dot, type LogisticPosterior } from "./logistic.ts";
import { fitLessons, type Lesson, type Nature } from "./model.ts";

/** Folds of a cross-validation at most. */
const FOLDS = 5;

/** Cross-validation by nodes: node j lies in fold j mod 5. A model of the nodes outside a fold judges those inside. */
export class Folds {
  private readonly count: number;
  private models: readonly LogisticPosterior[] = [];

  constructor(nodes: number) {
    this.count = Math.min(nodes, FOLDS);
  }

  /**
   * Trains each fold's model on the last lessons of the nodes outside that `isLearned` takes.
   * @param each the most lessons of a node
   */
  train(
    basis: Basis,
    nodes: readonly (readonly Lesson[])[],
    isLearned: (node: number) => boolean,
    each: number,
    nature: Nature,
  ): void {
    this.models = Array.from({ length: this.count }, (_, fold) => {
      const isOutside = (j: number) => j % this.count !== fold && isLearned(j);
      const lessons = nodes.flatMap((its, j) => (isOutside(j) ? its.slice(-each) : []));
      return fitLessons(basis, lessons, nature);
    });
  }

  /** The folds' models. */
  get all(): readonly LogisticPosterior[] {
    return this.models;
  }

  /** The fold of node j. */
  foldNumber(j: number): number {
    return j % this.count;
  }

  /** y f(x) of lessons of node j, of the model that learned none of that node's: negative where it errs. */
  scores(basis: Basis, j: number, lessons: readonly Lesson[]): number[] {
    const { mean } = this.models[this.foldNumber(j)];
    return lessons.map((lesson) => lesson.y * dot(basis.row(lesson), mean));
  }
}
