import { test } from "uvu";
import { FAMILIES } from "../../src/learn/registry.ts";
import { checkFaultIsNamed, checkSameHashes, PRIMITIVES } from "./tested.ts";

test("two implementations of the arithmetic give the same hashes, for every learner", () => {
  checkSameHashes(FAMILIES);
});

test("the first primitive that differs is named, whichever it is", () => checkFaultIsNamed(PRIMITIVES));

test.run();
