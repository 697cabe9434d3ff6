import { test } from "uvu";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { checkLearner } from "./conformance.ts";

for (const family of FAMILIES) {
  checkLearner(family);
  if (family.manyClasses) checkLearner(family, { classes: 3 });
  if (family.task === "classification") checkLearner(oneVsAllFamily(family), { classes: 3 });
}

test.run();
