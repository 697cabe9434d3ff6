import { test } from "uvu";
import { FAMILIES } from "../../src/learn/registry.ts";
import { checkFamily, isLong } from "./conformance.ts";

for (const family of FAMILIES) if (isLong(family)) checkFamily(family);

test.run();
