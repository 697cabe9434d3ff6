import { test } from "uvu";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";

const SEED = 1;

/** The conformance battery as tests. `given` are options that the family needs (classes). */
export function checkLearner(family: Family, options: UserOptions = {}): void {
  const name = [family.name, ...(Object.keys(options).length > 0 ? [JSON.stringify(options)] : [])].join(
    " with ",
  );
  for (const { title, check } of PROPERTIES) test(`${name} ${title}`, () => check(family, options, SEED));
}

/** A family by itself, also with several classes where it can. */
export function checkFamily(family: Family): void {
  checkLearner(family);
  if (family.manyClasses) checkLearner(family, { classes: 3 });
}

export function checkOneVsAll(family: Family): void {
  if (family.task !== "classification") return;
  const whole = oneVsAllFamily(family);
  checkLearner(whole, { classes: 3 });
  if (whole.options.shared) checkLearner(whole, { classes: 3, shared: true });
}

/**
 * Dual ascent searches its whole window at each sample: its battery takes as long as all others' together. osKM, which agrees with
 * each of its kernels' centres, takes as long as the rest.
 */
export const isLong = ({ name }: Family) => name.startsWith("dual-") || name === "oskm";

/** One that stores vectors and one that doesn't: one-vs-all of any other takes the same road. */
const BRIEF_ONE_VS_ALL = ["olk-c", "arow"];
export const isBriefOneVsAll = ({ name }: Family) => BRIEF_ONE_VS_ALL.includes(name);
