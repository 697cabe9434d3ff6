import { checkStorage, type StorageOptions } from "../dictionary/grid.ts";
import { type KernelOption, kernelFault } from "../kernel/kernel.ts";
import { frozen } from "../memory/frozen.ts";
import { OptionError } from "../memory/option-error.ts";

/** One option of a learner: its valid values and its default. */
export interface Option<T> {
  /** The form of its values, for listings and for the types that an editor shows. */
  readonly kind: "real" | "whole" | "choice" | "flag" | "kernel" | "rates" | "ranges";
  /** The default; undefined: the option is required. */
  readonly default: T | undefined;
  /** Range in words, as in messages and listings. */
  readonly takes: string;
  /** One line for people; units included. */
  readonly doc: string;
  /** The words of a choice. */
  readonly words?: readonly string[];
  /** True if the value is valid. */
  readonly accepts: (value: unknown) => boolean;
}

/** An option with a default. */
export interface Defaulted<T> extends Option<T> {
  readonly default: T;
}

/** The options of one learner, by name. */
export type OptionTable = { readonly [name: string]: Option<unknown> };

/** Options with defaults filled in. */
export type ResolvedOptions<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V> ? V : never;
};

/** Options from a user: those with a default may be missing. */
export type PartialOptions<T extends OptionTable> = {
  readonly [K in keyof T as T[K] extends Defaulted<NonNullable<unknown>> ? never : K]: ResolvedOptions<T>[K];
} & {
  readonly [K in keyof T as T[K] extends Defaulted<NonNullable<unknown>> ? K : never]?: ResolvedOptions<T>[K];
};

interface Limits {
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
  /** The value must be larger than this, smaller than that. */
  readonly above?: number;
  readonly below?: number;
}

function inLimits(value: unknown, { min, max, above, below }: Limits): boolean {
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  if (min !== undefined && value < min) return false;
  if (max !== undefined && value > max) return false;
  return !(above !== undefined && value <= above) && !(below !== undefined && value >= below);
}

function inWords(noun: string, { min, max, above, below }: Limits): string {
  const low = above !== undefined ? ` > ${above}` : min !== undefined ? ` >= ${min}` : "";
  const high = below !== undefined ? ` < ${below}` : max !== undefined ? ` <= ${max}` : "";
  return `${noun}${low}${low && high ? " and" : ""}${high}`;
}

/** A number of at most the magnitude that float32 holds. */
export function real(options: Limits & { readonly default: number }, doc: string): Defaulted<number>;
export function real(options: Limits, doc: string): Option<number>;
export function real(options: Limits, doc: string): Option<number> {
  const limits = frozen(options);
  return frozen({
    kind: "real",
    default: limits.default,
    takes: inWords("a number", limits),
    doc,
    accepts: (value) => inLimits(value, limits) && Math.abs(value as number) <= 3.4e38,
  });
}

/** A whole number. */
export function whole(options: Limits & { readonly default: number }, doc: string): Defaulted<number>;
export function whole(options: Limits, doc: string): Option<number>;
export function whole(options: Limits, doc: string): Option<number> {
  const limits = frozen(options);
  return frozen({
    kind: "whole",
    default: limits.default,
    takes: inWords("a whole number", limits),
    doc,
    accepts: (value) => Number.isInteger(value) && inLimits(value, limits),
  });
}

/** One of some words. */
export function choice<T extends string>(options: readonly T[], first: T, doc: string): Defaulted<T> {
  const words = frozen(options);
  return frozen({
    kind: "choice",
    default: first,
    takes: `one of ${words.join(", ")}`,
    words,
    doc,
    accepts: (value) => (words as readonly unknown[]).includes(value),
  });
}

/** true or false. */
export function flag(first: boolean, doc: string): Defaulted<boolean> {
  return frozen({
    kind: "flag",
    default: first,
    takes: "true or false",
    doc,
    accepts: (value) => typeof value === "boolean",
  });
}

function kernelOption(first: KernelOption, auto: boolean): Defaulted<KernelOption> {
  return frozen({
    kind: "kernel",
    default: first,
    takes: kernelFault(undefined, auto) as string,
    doc: "kernel k(u, v)",
    accepts: (value) => kernelFault(value, auto) === undefined,
  });
}

/** A kernel, see `KernelOption`; default: a Gaussian whose width is found from the first inputs. */
export const kernel = kernelOption({ type: "gaussian", width: "auto" }, true);

/** A kernel whose width the user sets, if it has one. */
export function kernelFrom(first: KernelOption): Defaulted<KernelOption> {
  return kernelOption(first, false);
}

/** The kind of option `ranges`, which identifies it. */
const RANGES = "ranges";

/** Options of every learner. */
export const dimension = whole({ min: 1, max: 4096 }, "d, components of an input");
/** Option `budget`. */
export const budget = whole({ default: 64, min: 1, max: 4096 }, "stored vectors there is room for");
/** Options of every kernel expansion. */
export const expansionOptions = frozen({ dimension, budget, kernel });

/** The message about an option that only other learners have. */
const WHY_NOT: { readonly [name: string]: string | undefined } = frozen({
  budget: "it stores nothing that a budget would bound",
  sources: "arow, olk-c and bsgd are some of those that correct labels which are wrong at known rates",
});

/**
 * Fills in defaults and checks every option. Throws an OptionError that names the learner, the option, what
 * it got and what it takes; for an unknown option it lists the known ones.
 */
export function resolveOptions<T extends OptionTable>(
  learner: string,
  table: T,
  options: object,
): ResolvedOptions<T> {
  const given = options as UncheckedOptions;
  const resolved: Record<string, unknown> = {};
  checkGiven(learner, table, given);
  for (const name of Object.keys(table)) resolved[name] = optionOrDefault(table, given, name);
  if (table.ranges?.kind === RANGES) checkStorage(learner, resolved as unknown as StorageOptions);
  return resolved as ResolvedOptions<T>;
}

/** Options before they are checked. */
type UncheckedOptions = { readonly [name: string]: unknown };

function optionOrDefault(table: OptionTable, options: UncheckedOptions, name: string): unknown {
  return options[name] === undefined ? table[name].default : options[name];
}

/**
 * Checks each option by itself, and throws as `resolveOptions` does. XS's stack is deepest here while a node starts: an iterator over an array
 * would take more of it, and so would a check of a kernel's default. So defaults aren't checked.
 */
export function checkGiven(learner: string, table: OptionTable, options: UncheckedOptions): void {
  const names = Object.keys(options);
  for (let i = 0; i < names.length; i++)
    if (names[i] !== "memory" && !Object.hasOwn(table, names[i]))
      refuseUnknown(learner, table, options, names[i]);
  const known = Object.keys(table);
  for (let i = 0; i < known.length; i++) {
    const option = table[known[i]];
    const value = options[known[i]];
    if (value === undefined ? option.default === undefined : !option.accepts(value))
      throw new OptionError(learner, known[i], value, option.takes);
  }
}

function refuseUnknown(learner: string, table: OptionTable, options: UncheckedOptions, name: string): never {
  const known = Object.keys(table).join(", ");
  const why = WHY_NOT[name];
  const takes = why ? `${known}: ${why}` : known;
  throw new OptionError(learner, name, options[name], takes, `${learner}: no option ${name}; takes ${takes}`);
}
