import { test } from "uvu";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import type { Family } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";

const SEED = 1;
const SHORT = { storage: "q15", ranges: [[-8, 8]] };

/**
 * Inputs that are clipped lie in few places: NORMA-N, which forgets within ten samples, takes the later ones of twenty in a row for
 * ordinary. A node refuses them, by the same ranges.
 */
const holds = ({ name }: Family, title: string) =>
  name !== "norma-n" || !title.startsWith("comes back from huge inputs");

for (const family of FAMILIES) {
  if (!family.options.storage) continue;
  for (const { title, check } of PROPERTIES)
    if (holds(family, title)) test(`${family.name} of 16 bits ${title}`, () => check(family, SHORT, SEED));
}

test.run();
