import { test } from "uvu";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import type { Family, GivenOptions } from "../../src/learn/family.ts";

const SEED = 1;

/** The conformance battery as tests. `given` are options that the family needs (classes). */
export function checkLearner(family: Family, given: GivenOptions = {}): void {
  const name = [family.name, ...(Object.keys(given).length > 0 ? [JSON.stringify(given)] : [])].join(
    " with ",
  );
  for (const { title, check } of PROPERTIES) test(`${name} ${title}`, () => check(family, given, SEED));
}
