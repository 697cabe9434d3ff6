import type { MemoryRange } from "../../src/memory/layout.ts";
import { arithmetic } from "../arithmetic.ts";
import { Random } from "../random.ts";
import {
  type Effort,
  errsOn,
  FULL,
  type Lesson,
  type ModelForm,
  type ModelLearner,
  modelLayout,
  trainModel,
} from "./model.ts";

/** Folds of a cross-validation at most. */
const FOLDS = 5;

/** What a cross-validation learns: the last lessons of each group. */
interface FoldEffort extends Effort {
  readonly learned: number;
}

/**
 * Cross-validation by groups of lessons, which are nodes, or single lessons: group j lies in fold j mod 5. A model of the groups outside a fold judges
 * those inside.
 */
export class Folds {
  private readonly memory: readonly MemoryRange[];
  private models: readonly ModelLearner[] = [];

  constructor(
    private readonly form: ModelForm,
    groups: number,
  ) {
    const layout = modelLayout(form);
    this.memory = Array.from({ length: Math.min(groups, FOLDS) }, () => arithmetic().allocate(layout));
  }

  /** Trains each fold's model on the groups outside that `isLearned` takes. */
  train(
    groups: readonly (readonly Lesson[])[],
    isLearned: (group: number) => boolean,
    seed: string,
    { learned, ...effort }: FoldEffort,
  ): void {
    const { form, memory } = this;
    this.models = memory.map((range, fold) => {
      const isOutside = (j: number) => j % memory.length !== fold && isLearned(j);
      const lessons = groups.flatMap((each, j) => (isOutside(j) ? each.slice(-learned) : []));
      return trainModel(form, range, lessons, new Random(fold, seed), effort);
    });
  }

  /** Errors on lessons of group j, of the model that learned none of that group's. */
  countErrors(j: number, lessons: readonly Lesson[]): number {
    const model = this.models[j % this.models.length];
    return lessons.reduce((sum, lesson) => sum + (errsOn(model, lesson) ? 1 : 0), 0);
  }
}

/** Passes to choose from; of several that err equally often, the first. */
const PASSES = [10, 3, 1];
/** Lessons in all, below which there is nothing to choose by. */
const FEW = 20;

/**
 * The passes whose models err least on groups from which they didn't learn. Several passes learn wrong labels by heart. A plane takes the mean of ten
 * orders.
 */
export function bestPasses(
  form: ModelForm,
  groups: readonly (readonly Lesson[])[],
  isLearned: (group: number) => boolean,
  seed: string,
  each: number,
): number {
  if (form.vectors === 0 || groups.reduce((sum, { length }) => sum + length, 0) < FEW) return PASSES[0];
  const folds = new Folds(form, groups.length);
  const errors = PASSES.map((passes) => {
    folds.train(groups, isLearned, seed, { learned: each, passes, steps: FULL.steps });
    const recentErrors = (lessons: readonly Lesson[], j: number) =>
      isLearned(j) ? folds.countErrors(j, lessons.slice(-each)) : 0;
    return groups.reduce((sum, lessons, j) => sum + recentErrors(lessons, j), 0);
  });
  return PASSES[errors.indexOf(Math.min(...errors))];
}
