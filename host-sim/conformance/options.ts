import type { Family, UserOptions } from "../../src/learn/family.ts";
import type { Option } from "../../src/learn/options.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { baseOptions } from "./subjects.ts";
import { must, Violation } from "./violation.ts";

/** Wrong values of an option, by kind. */
function wrongValues({ kind, takes }: Option<unknown>): unknown[] {
  if (kind === "choice") return ["no such word", 3, true];
  if (kind === "flag") return ["yes", 1];
  if (kind === "kernel") {
    return [
      "gaussian",
      { type: "rbf" },
      { type: "gaussian" },
      { type: "gaussian", p: 1, sigma: 1 },
      { type: "linear", p: 1 },
    ];
  }
  const parseBound = (sign: string) =>
    Number(new RegExp(`${sign} (-?[\\d.e+-]+)`).exec(takes)?.[1] ?? Number.NaN);
  const step = kind === "whole" ? 1 : 1e-3;
  const outside = [
    parseBound(">=") - step,
    parseBound("<=") + step,
    parseBound(">(?!=)"),
    parseBound("<(?!=)"),
  ];
  return [
    ...outside.filter(Number.isFinite),
    Number.NaN,
    Infinity,
    1e39,
    "1",
    true,
    [1],
    ...(kind === "whole" ? [1.5] : []),
  ];
}

function quoteValue(value: unknown): string {
  return typeof value === "number" ? String(value) : String(JSON.stringify(value));
}

/** The layout and the learner both refuse the options, in one line that contains each of the parts. */
function refuses(family: Family, options: UserOptions, ...parts: string[]): void {
  for (const of of ["create", "layout"] as const) {
    const where = `${of}(${JSON.stringify(options)})`;
    try {
      family[of](options);
    } catch (error) {
      must(error instanceof OptionError, () => `${where} throws ${error}, not an OptionError`);
      const missing = parts.find((part) => !error.message.includes(part));
      must(missing === undefined, () => `${where} throws "${error.message}", which doesn't say ${missing}`);
      continue;
    }
    throw new Violation(`${where} was taken`);
  }
}

export function refusesWrongOptions(family: Family, options: UserOptions): void {
  const base = baseOptions(family, options);
  for (const [name, option] of Object.entries(family.options)) {
    const { takes } = option;
    for (const value of wrongValues(option)) {
      refuses(
        family,
        { ...base, [name]: value },
        `option ${name}`,
        `got ${quoteValue(value)}`,
        `takes ${takes}`,
      );
    }
    if (option.default === undefined) {
      refuses(family, { ...base, [name]: undefined }, `option ${name}`, "got nothing");
    } else {
      must(option.accepts(option.default), () => `option ${name}: its default isn't what it takes, ${takes}`);
    }
  }
  refuses(family, { ...base, bandwidht: 1 }, "no option bandwidht", ...Object.keys(family.options));
}
