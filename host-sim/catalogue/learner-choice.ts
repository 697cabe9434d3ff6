import { UserError } from "../../host/errors.ts";
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
