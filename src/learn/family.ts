import type { Layout, MemoryRange } from "../memory/layout.ts";
import type { Learner, Task } from "./learner.ts";
import type { OptionTable } from "./options.ts";
import type { Traits } from "./traits.ts";

/** Unchecked options from a user: checked against the family's table when used. */
export type UserOptions = {
  // biome-ignore lint/suspicious/noExplicitAny: what a caller outside TypeScript gives is anything; `resolveOptions` checks it.
  readonly [name: string]: any;
  /** Where the learner lies; default: a range of its own. */
  readonly memory?: MemoryRange;
};

/** One learner as the registry lists it. One table defines its options; checks and listings follow from it. */
export interface Family {
  /** The paper's name in lower case: `olk-c`. */
  readonly name: string;
  /** What it learns: the kind of its labels and decisions. */
  readonly task: Task;
  /** Its name for people, a few words. */
  readonly title: string;
  /** Where it was published. */
  readonly paper: string;
  /** Its options by name, each with its check, default and text. */
  readonly options: OptionTable;
  /** True if it takes option `classes` >= 3 by itself, without OneVsAll. */
  readonly manyClasses?: boolean;
  /** Facts for tools beside its options. */
  readonly traits?: Traits;
  /** Its memory, to the byte, without making it. Throws as the constructor does. */
  layout(options: UserOptions): Layout;
  /** Throws an OptionError that names the option, what it got and what it takes. */
  create(options: UserOptions): Learner;
}

/**
 * True if the learner has an option `budget`, since it stores vectors, or features in their place.
 * @param given options by which `bytes` sizes these, so that the learner takes no budget
 */
export function takesBudget({ options, manyClasses }: Family, given: UserOptions = {}): boolean {
  if (Object.hasOwn(options, "bytes") && (given.bytes > 0 || (manyClasses && given.classes > 2)))
    return false;
  return Object.hasOwn(options, "budget");
}

/** The options with that budget if the learner takes one, for callers that offer one budget to every learner. */
export function withBudget(family: Family, options: UserOptions, budget: number): UserOptions {
  return takesBudget(family, options) ? { ...options, budget } : options;
}
