import { suggestion } from "../../host/suggestions.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { type LearnerChoice, ScenarioError, type TaskOptions } from "../scenario/scenario.ts";

/** Which learners each kind of task takes. */
export const TAKES = {
  novelty: ["novelty", "classification"],
  faults: ["classification", "novelty"],
  classification: ["classification"],
  regression: ["regression"],
} as const;

/**
 * The names of a task's learners: where several are one, each with its options, as `sweep --learners` writes them. `isLeftOut`: whether an
 * option of the learner at that place isn't part of its name; default: none.
 */
export function namesInTask(
  learners: readonly LearnerChoice[],
  isLeftOut: (option: string, place: number) => boolean = () => false,
): string[] {
  return learners.map(({ learner, options }, place) => {
    if (learners.filter((each) => each.learner === learner).length === 1) return learner;
    const given = Object.entries(options).flatMap(([name, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      return isLeftOut(name, place) ? [] : [`:${name}=${text}`];
    });
    return `${learner}${given.join("")}`;
  });
}

/** A learner by its name in a task, with its family and options. */
export interface ChosenFamily {
  readonly name: string;
  readonly family: Family;
  readonly options: UserOptions;
}

/**
 * The family and options of a task's learner at that place, and its name, which none before it has; for three classes or more its own multi-class form, or
 * OneVsAll. Throws a ScenarioError for a learner that isn't there or isn't for the task.
 */
export function chosenFamily(
  catalogue: Catalogue,
  task: TaskOptions,
  at: number,
  classCount: number,
): ChosenFamily {
  const { learner, options } = task.learners[at];
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
  const names = namesInTask(task.learners);
  const before = names.slice(0, at).filter((each) => each === names[at]).length;
  const name = before > 0 ? `${names[at]} (${before + 1})` : names[at];
  if (task.task !== "classification" || classCount < 3) return { name, family, options };
  const many = family.manyClasses ? { ...family, task: "multiclass" as const } : oneVsAllFamily(family);
  return { name, family: many, options: { ...options, classes: classCount } };
}
