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
  trained,
} from "./model.ts";

/** Folds of a cross-validation at most. */
const FOLDS = 5;

/** Lessons of each group that are learned, and that are judged: the last ones. */
interface FoldSizes extends Effort {
  readonly learned: number;
  readonly judged: number;
}

/**
 * Cross-validation by groups of lessons, which are nodes, or single lessons: group j lies in fold j mod 5. A model of the groups outside a fold, and that
 * `isLearned` takes, judges those inside.
 *
 * @returns errors on the last `judged` lessons of each group
 */
export function errorsByFold(
  form: ModelForm,
  groups: readonly (readonly Lesson[])[],
  isLearned: (group: number) => boolean,
  seed: string,
  { learned, judged, ...effort }: FoldSizes,
): number[] {
  const memory = arithmetic().allocate(modelLayout(form));
  const folds = Math.min(groups.length, FOLDS);
  const errors = groups.map(() => 0);
  for (let fold = 0; fold < folds; fold++) {
    const isOutside = (j: number) => j % folds !== fold && isLearned(j);
    const lessons = groups.flatMap((each, j) => (isOutside(j) ? each.slice(-learned) : []));
    const model = trained(form, memory, lessons, new Random(fold, seed), effort);
    for (let j = fold; j < groups.length; j += folds) errors[j] = errorsOf(model, groups[j].slice(-judged));
  }
  return errors;
}

function errorsOf(model: ModelLearner, lessons: readonly Lesson[]): number {
  return lessons.reduce((sum, lesson) => sum + (errsOn(model, lesson) ? 1 : 0), 0);
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
  const errors = PASSES.map((passes) => {
    const sizes = { learned: each, judged: each, passes, steps: FULL.steps };
    const all = errorsByFold(form, groups, isLearned, seed, sizes);
    return all.reduce((sum, count, j) => sum + (isLearned(j) ? count : 0), 0);
  });
  return PASSES[errors.indexOf(Math.min(...errors))];
}
