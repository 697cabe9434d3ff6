import { ClassNames, type WrittenLabel } from "../../host/streams/class-names.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { TASK, type Task } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Refusal } from "../access/refusal.ts";

/**
 * The classes of a node: those that it describes, by the names of the fleet file where that has some. Undefined for a regression, and for a learner
 * that this program doesn't have. Names of another number than the node's classes don't count: `classFault` says so.
 */
export function namedClasses(
  described: ClassNames | undefined,
  names?: readonly string[],
): ClassNames | undefined {
  return names && described?.count === names.length ? new ClassNames(names) : described;
}

/** Why the fleet file's names aren't those of the node's classes; undefined: they are, or there are none. */
export function classFault(described: ClassNames | undefined, names?: readonly string[]): string | undefined {
  if (!names || described?.count === names.length) return undefined;
  return `classes: the fleet file names ${names.length}, and the node has ${described?.count ?? "none"}`;
}

/**
 * The target that a label means to a node with those classes; any number where there are none. Throws a Refusal with 400 for a label that the
 * node couldn't learn.
 */
export function parseTarget(label: WrittenLabel, classes: ClassNames | undefined): number {
  const target = classes
    ? classes.labelTarget(label)
    : typeof label === "number"
      ? label
      : parseNumber(label);
  if (!Number.isNaN(target)) return target;
  throw new Refusal(400, `label ${JSON.stringify(label)}: takes ${classes ? classes.text : "a number"}`);
}

/** The kind of a node's decisions; undefined for a learner that this program doesn't have. */
export function learnerTask(learner: string, classes: ClassNames | undefined): Task | undefined {
  return classes && classes.count > 2 ? TASK.multiclass : familyNamed(learner)?.task;
}
