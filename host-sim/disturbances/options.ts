import { closest } from "fastest-levenshtein";
import { OptionError } from "../../src/index.ts";

export const OPTION_TYPES = ["number", "integer", "choice", "choices", "matrix"] as const;

/** One option of a stage, as the scenario's schema and the help text have it. */
export interface OptionSpec {
  /** Its key in the scenario. */
  name: string;
  /** `choice`: one word; `choices`: a list of words; `matrix`: rows of numbers. */
  type: (typeof OPTION_TYPES)[number];
  /** Least value, allowed; for numbers. Default: none. */
  min?: number;
  /** Greatest value, allowed; for numbers. Default: none. */
  max?: number;
  /** The words allowed; for a choice, or for a list of choices. */
  values?: readonly string[];
  /** null: computed from the stream, as `doc` says. */
  default: number | string | readonly string[] | readonly (readonly number[])[] | null;
  /** One line; units included. */
  doc: string;
}

/** An option that is a number. @param first the default; null: computed from the stream. */
export function numberOption(
  name: string,
  [min, max]: readonly [min: number, max: number],
  first: number | null,
  doc: string,
): OptionSpec {
  return { name, type: "number", min, max, default: first, doc };
}

/** The error about a wrong option of a stage. */
export function optionFault(
  owner: string,
  name: string,
  got: unknown,
  takes: string,
  shown = got,
): OptionError {
  return new OptionError(owner, name, got, takes, `${owner}.${name}: got ${shown}, takes ${takes}`);
}

/**
 * The options with defaults filled in. Throws an OptionError that names the option, what it got and what it
 * takes; for an unknown one, the nearest known.
 *
 * @param owner put before the option's name in errors, such as "noise".
 */
export function withDefaults<T extends object>(
  owner: string,
  specs: readonly OptionSpec[],
  given: Partial<T>,
): T {
  for (const name of Object.keys(given)) {
    const names = specs.map((spec) => spec.name);
    if (names.includes(name)) continue;
    const right = names.length > 0 ? `the nearest known is ${closest(name, names)}` : "it takes no options";
    const got = (given as Record<string, unknown>)[name];
    throw new OptionError(owner, name, got, right, `${owner}.${name}: unknown; ${right}`);
  }
  const filled: Record<string, unknown> = {};
  for (const spec of specs) {
    const value = (given as Record<string, unknown>)[spec.name] ?? spec.default;
    if (value !== spec.default && !allows(spec, value))
      throw optionFault(owner, spec.name, value, takesText(spec), JSON.stringify(value));
    filled[spec.name] = value;
  }
  return filled as T;
}

/** What is wrong with an option as it is listed, in words; undefined: nothing. */
export function specFault(spec: OptionSpec): string | undefined {
  const { type, min, max, values } = spec;
  if ((type === "number" || type === "integer") && !(Number.isFinite(min) && Number.isFinite(max))) {
    return "min and max: takes two numbers";
  }
  if ((type === "choice" || type === "choices") && !(Array.isArray(values) && values.length > 0)) {
    return "values: takes a list of words";
  }
  if (spec.default === null || allows(spec, spec.default)) return undefined;
  return `default: got ${JSON.stringify(spec.default)}, takes ${takesText(spec)}, or null`;
}

function allows({ type, values, min = -Infinity, max = Infinity }: OptionSpec, value: unknown): boolean {
  switch (type) {
    case "number":
      return typeof value === "number" && value >= min && value <= max;
    case "integer":
      return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
    case "choice":
      return values?.includes(value as string) ?? false;
    case "choices":
      return Array.isArray(value) && value.length > 0 && value.every((one) => values?.includes(one));
    case "matrix":
      return Array.isArray(value) && value.every((row) => isDistribution(row, value.length));
  }
}

function isDistribution(row: unknown, length: number): boolean {
  if (!Array.isArray(row) || row.length !== length) return false;
  if (!row.every((p) => typeof p === "number" && p >= 0 && p <= 1)) return false;
  const excess = row.reduce((sum, p) => sum + p, 0) - 1;
  return excess < 1e-6 && excess > -1e-6;
}

function takesText({ type, values, min, max }: OptionSpec): string {
  switch (type) {
    case "number":
      return `a number in ${min}..${max}`;
    case "integer":
      return `an integer in ${min}..${max}`;
    case "choice":
      return `one of ${values?.join(", ")}`;
    case "choices":
      return `a list of ${values?.join(", ")}`;
    case "matrix":
      return "as many rows as columns, each of probabilities that sum to 1";
  }
}
