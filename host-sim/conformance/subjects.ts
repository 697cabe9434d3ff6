import { type Family, type UserOptions, withBudget } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import type { Option } from "../../src/learn/options.ts";
import { sizedBytes } from "../../src/learn/traits.ts";
import type { Layout, MemoryRange } from "../../src/memory/layout.ts";
import { OptionError } from "../../src/memory/option-error.ts";

export const DIMENSION = 3;
/** Dimensions to try; the battery takes the first that the family accepts: few, and no multiple of four. */
const BUDGETS = [7, 21, 61];
/** Values tried for each numeric option that accepts them, when inputs are huge. */
const EXTREMES = [1e6, 1e30, 1e-6];

/** A learner with one set of options; the battery creates it from them for each check. */
export interface Subject {
  readonly name: string;
  /** Capacity in vectors: one-vs-all has the budget once for each class. Undefined where it follows from the bytes. */
  readonly capacity: number | undefined;
  create(memory?: MemoryRange): Learner;
  layout(): Layout;
}

function subject(family: Family, options: UserOptions, variant: string): Subject {
  return {
    name: variant === "" ? family.name : `${family.name} with ${variant}`,
    capacity:
      sizedBytes(family, options) !== undefined
        ? undefined
        : (family.name.startsWith("ova:") && !options.shared ? options.classes : 1) * (options.budget ?? 0),
    create: (memory) => family.create({ ...options, ...(memory && { memory }) }),
    layout: () => family.layout(options),
  };
}

/** Values beside the default that an option is tried with. */
function otherValues(option: Option<unknown>): unknown[] {
  if (option.kind === "flag") return [!option.default];
  if (option.kind === "kernel") return [{ type: "linear" }, { type: "polynomial", degree: 3 }];
  if (option.kind !== "choice") return [];
  const words = option.takes.replace("one of ", "").split(", ");
  return words.filter((word) => word !== option.default);
}

/** Each option that has other values, set to one of them. */
function changes(family: Family): UserOptions[] {
  return Object.entries(family.options).flatMap(([name, option]) =>
    otherValues(option).map((value) => ({ [name]: value })),
  );
}

/**
 * The family with its defaults, with each other choice, flag and kernel, and with each of these on each
 * kernel.
 */
export function subjects(family: Family, options: UserOptions): Subject[] {
  const single = changes(family);
  const kernels = single.filter((change) => "kernel" in change);
  const pairs = kernels.flatMap((kernel) =>
    single.filter((change) => !("kernel" in change)).map((change) => ({ ...change, ...kernel })),
  );
  return allowedSubjects(family, options, [{}, ...single, ...pairs]);
}

/** The family with one of its numbers very large or very small. */
export function extremeSubjects(family: Family, options: UserOptions): Subject[] {
  const numbers = Object.entries(family.options).filter(([, option]) => option.kind === "real");
  const extremes = numbers.flatMap(([name]) => EXTREMES.map((value) => ({ [name]: value })));
  return allowedSubjects(family, options, extremes);
}

function allowedSubjects(family: Family, options: UserOptions, each: readonly UserOptions[]): Subject[] {
  const base = baseOptions(family, options);
  return each
    .filter((change) => isAllowed(family, { ...base, ...change }))
    .map((change) => subject(family, { ...base, ...change }, describe({ ...options, ...change })));
}

/** Options with which the family can be made. */
export function baseOptions(family: Family, given: UserOptions): UserOptions {
  const all = BUDGETS.map((budget) => withBudget(family, { ...given, dimension: DIMENSION }, budget));
  return all.find((options) => isAllowed(family, options)) ?? all[0];
}

function describe(options: UserOptions): string {
  return Object.keys(options).length > 0 ? JSON.stringify(options) : "";
}

function isAllowed(family: Family, options: UserOptions): boolean {
  try {
    family.layout(options);
    return true;
  } catch (error) {
    if (error instanceof OptionError) return false;
    throw error;
  }
}
