import { UserError } from "../../host/errors.ts";
import { type JsonError, parseFiniteJson, TOO_LARGE } from "../../host/json.ts";
import { suggestion } from "../../host/suggestions.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { Catalogue } from "./catalogue.ts";

const ONE_VS_ALL = "ova:";

/** The catalogue's learner of that name; `ova:NAME` is one-vs-all over the classifier NAME. */
export function chooseFamily(name: string, catalogue = Catalogue.shipped): Family {
  const family = catalogue.learner(name);
  if (family) return family;
  if (name.startsWith(ONE_VS_ALL)) {
    const inner = chooseFamily(name.slice(ONE_VS_ALL.length), catalogue);
    if (inner.task === "classification") return oneVsAllFamily(inner);
    throw new UserError(`learner ${name}: one-vs-all takes a classifier, ${inner.name} is for ${inner.task}`);
  }
  const names = catalogue.learners.map((family) => family.name);
  throw new UserError(`no learner ${name}${suggestion(name, names)}`);
}

/**
 * The learner for that many classes: itself for two, or if it has option `classes`; else one-vs-all over it.
 * Only classifiers have classes.
 */
export function chooseForClasses(family: Family, classes: number): Family {
  if (family.task === "multiclass" || family.manyClasses || classes <= 2) return family;
  return oneVsAllFamily(family);
}

/** True if the learner, as chosen for that many classes, needs option `classes`. */
export function takesClasses(family: Family, classes: number): boolean {
  return family.task === "multiclass" || (family.manyClasses === true && classes > 2);
}

/** Throws a UserError, with the nearest names, for an option that the learner doesn't have. */
export function checkOptionNames(family: Family, options: UserOptions): void {
  const names = Object.keys(family.options);
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) {
      throw new UserError(`learner ${family.name} has no option ${name}${suggestion(name, names)}`);
    }
  }
}

/** Throws a UserError, which begins with `of`, for an option that the learner doesn't have, or doesn't take so. */
export function checkOptions(family: Family, options: UserOptions, of: string): void {
  checkOptionNames(family, options);
  for (const [name, value] of Object.entries(options)) {
    const { accepts, takes } = family.options[name];
    if (!accepts(value))
      throw new UserError(`${of}: ${family.name}: ${name} takes ${takes}; got ${JSON.stringify(value)}`);
  }
}

/** A value as a command line has it: JSON where it is, else the text. Throws a UserError for a number that is too large. */
export function valueFrom(text: string, of: string): unknown {
  try {
    return parseFiniteJson(text);
  } catch (error) {
    if ((error as JsonError).kind.endsWith(TOO_LARGE))
      throw new UserError(`${of}: ${(error as Error).message}`);
    return text;
  }
}

/** Reads NAME[:OPTION=VALUE]... Throws a UserError, which begins with `of`. */
export function learnerFromText(
  text: string,
  of: string,
): { readonly learner: string; readonly options: { [name: string]: unknown } } {
  const [learner, ...parts] = text.split(":");
  const options = parts.map((part) => {
    const at = part.indexOf("=");
    if (at < 1) throw new UserError(`${of}: ${text}: takes NAME[:OPTION=VALUE]...`);
    return [part.slice(0, at), valueFrom(part.slice(at + 1), `${of}: ${text}: ${part.slice(0, at)}`)];
  });
  return { learner, options: Object.fromEntries(options) };
}
