import { ClassNames, type WrittenLabel } from "../../host-sim/streams/class-names.ts";
import { TASK, type Task } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Refusal } from "./refusal.ts";

/** What a node is known to learn: from its description, or else from its hello and the fleet file. */
export interface NodeTask {
  /** The learner's name. */
  readonly learner: string;
  /** Its options, as far as they are known. */
  readonly options?: { readonly [name: string]: unknown };
  /** The names of its classes, in the learner's order. */
  readonly names?: readonly string[];
}

/** The classes of a node; undefined for a regression, and for a learner that this program doesn't have. */
export function classesOf({ learner, options, names }: NodeTask): ClassNames | undefined {
  const task = familyNamed(learner)?.task;
  if (task === undefined || task === "regression") return undefined;
  if (names) return new ClassNames(names);
  const count = Number(options?.classes ?? 2);
  return Number.isInteger(count) && count >= 2 && count <= 256 ? ClassNames.numbered(count) : undefined;
}

/**
 * The target that a label means to a node with those classes; any number where there are none. Throws a Refusal with 400 for a label that the
 * node couldn't learn.
 */
export function targetOf(label: WrittenLabel, classes: ClassNames | undefined): number {
  const target = classes ? classes.targetOf(label) : Number(label);
  if (!Number.isNaN(target)) return target;
  throw new Refusal(400, `label ${JSON.stringify(label)}: takes ${classes ? classes.text : "a number"}`);
}

/** The kind of a node's decisions; undefined for a learner that this program doesn't have. */
export function taskOf(learner: string, classes: ClassNames | undefined): Task | undefined {
  return classes && classes.count > 2 ? TASK.multiclass : familyNamed(learner)?.task;
}
