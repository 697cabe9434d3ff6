import type { Family, GivenOptions } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { suggestion } from "../nearest.ts";
import { type LearnerChoice, ScenarioError, type TaskOptions } from "../scenario.ts";

/** Which learners each kind of task takes. */
export const TAKES = {
  novelty: ["novelty", "classification"],
  faults: ["classification", "novelty"],
  classification: ["classification"],
  regression: ["regression"],
} as const;

/** A learner by its name in a scenario, with its family and options. */
export interface ChosenFamily {
  readonly name: string;
  readonly family: Family;
  readonly options: GivenOptions;
}

/**
 * The family and options of a scenario's learner; for three classes or more its own multi-class form, or
 * OneVsAll. Throws a ScenarioError for a learner that isn't there or isn't for the task.
 */
export function chosenFamily(
  catalogue: Catalogue,
  task: TaskOptions,
  { learner, options }: LearnerChoice,
  classCount: number,
): ChosenFamily {
  const family = catalogue.learner(learner);
  const place = `tasks ${task.name}: learner ${learner}`;
  if (!family) {
    throw new ScenarioError(
      `tasks ${task.name}: no learner ${learner}${suggestion(
        learner,
        catalogue.learners.map(({ name }) => name),
      )}`,
    );
  }
  if (!(TAKES[task.task] as readonly string[]).includes(family.task)) {
    throw new ScenarioError(`${place} is for ${family.task}; takes one for ${TAKES[task.task].join(" or ")}`);
  }
  if (options.classes !== undefined && options.classes !== classCount && task.task === "classification")
    throw new ScenarioError(
      `${place}: option classes: got ${options.classes}; the labels have ${classCount}: name all in the task's classes`,
    );
  if (task.task !== "classification" || classCount < 3) return { name: learner, family, options };
  const many = family.manyClasses ? { ...family, task: "multiclass" as const } : oneVsAllFamily(family);
  return { name: learner, family: many, options: { ...options, classes: classCount } };
}
