import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import { FAMILIES } from "../../src/learn/registry.ts";
import { checkFamily, checkOneVsAll, isBriefOneVsAll, isLong } from "./conformance.ts";

for (const family of FAMILIES) {
  if (!isLong(family)) checkFamily(family);
  if (isBriefOneVsAll(family)) checkOneVsAll(family);
}

test.run();
