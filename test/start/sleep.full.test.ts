import { test } from "uvu";
import { FAMILIES } from "../../src/learn/registry.ts";
import { checkSleeping } from "./sleeping-machine.ts";

for (const learner of FAMILIES)
  test(`${learner.name}: a node that sleeps between its samples ends with the bits of one that doesn't`, () =>
    checkSleeping(learner));

test.run();
