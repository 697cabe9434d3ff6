import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import { FAMILIES } from "../../src/learn/registry.ts";
import { checkFamily, checkLearner, checkOneVsAll, isBriefOneVsAll, isLong } from "./conformance.ts";

/** One for each way in which an expansion takes the step that is corrected for wrong labels. */
const CORRECTED = ["olk-c", "projectron", "nogd"];

for (const family of FAMILIES) {
  if (isLong(family)) checkFamily(family);
  if (!isBriefOneVsAll(family)) checkOneVsAll(family);
  if (CORRECTED.includes(family.name)) checkLearner(family, { sources: [[0.1, 0.2]] });
}

test.run();
