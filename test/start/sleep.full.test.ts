import { test } from "uvu";
import { FAMILIES } from "../../src/learn/registry.ts";
import { checkSleeping, checkSleepingByFlash } from "./sleeping-machine.ts";

for (const learner of FAMILIES)
  test(`${learner.name}: a node that sleeps between its samples ends with the bits of one that doesn't`, () =>
    checkSleeping(learner));

test("a node whose state doesn't fit retained memory sleeps by its flash, to the same learner, twenty such nodes", () =>
  checkSleepingByFlash(20));

test.run();
