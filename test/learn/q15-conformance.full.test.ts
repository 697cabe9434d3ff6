import { test } from "uvu";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import { FAMILIES } from "../../src/learn/registry.ts";

const SEED = 1;
const SHORT = { storage: "q15", ranges: [[-8, 8]] };

for (const family of FAMILIES) {
  if (!family.options.storage) continue;
  for (const { title, check } of PROPERTIES)
    test(`${family.name} of 16 bits ${title}`, () => check(family, SHORT, SEED));
}

test.run();
