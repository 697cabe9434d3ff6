import type { Family, UserOptions } from "../learn/family.ts";
import { TASK } from "../learn/learner.ts";
import { OptionError } from "../memory/option-error.ts";

const NAMES_MAX = 256;
const LETTERS_MAX = 64;

function areNames(names: unknown): boolean {
  if (!Array.isArray(names) || names.length < 2 || names.length > NAMES_MAX) return false;
  const isName = (name: unknown) =>
    typeof name === "string" && name.trim() === name && name.length >= 1 && name.length <= LETTERS_MAX;
  return names.every(isName) && new Set(names).size === names.length;
}

/** Throws an OptionError unless these are names of as many classes as the learner has, or there are none. */
export function checkClasses(
  names: readonly string[] | undefined,
  { name, task, options }: Pick<Family, "name" | "task" | "options">,
  given: UserOptions,
): void {
  if (names === undefined) return;
  const refuse = (takes: string) => {
    throw new OptionError("node", "classes", names, takes);
  };
  if (!areNames(names))
    refuse(
      `2 to ${NAMES_MAX} distinct names of 1 to ${LETTERS_MAX} characters, without blanks at their ends`,
    );
  if (task === TASK.regression) refuse(`nothing with ${name}: its labels are numbers`);
  if (names.length === 2 && task === TASK.multiclass) refuse(`three names or more with ${name}`);
  if (names.length > 2 && !options.classes) refuse(`two names with ${name}`);
  const count = given.classes ?? (options.classes ? names.length : 2);
  if (count !== names.length) refuse(`${count} names, as the learner's option classes is ${count}`);
}
