import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { nodeOptions } from "../../tools/inspect/hello-options.ts";
import type { Hello } from "../../tools/session/hello.ts";

const SHAPE = { sid: 9, channels: 2, pending: 16, labelWindow: 16 };

test("a node's capacity is its learner's budget, unless bytes or several classes size the learner", () => {
  for (const [learner, given, found] of [
    ["olk-c", {}, { budget: 64 }],
    ["auto", {}, { budget: 32 }],
    ["auto", { bytes: 12000 }, { bytes: 12000 }],
    ["auto", { classes: 3 }, { classes: 3 }],
  ] as const) {
    const family = familyNamed(learner)!;
    const { state, counters } = nodeLayout({ ...SHAPE, learner: family, options: { ...given } });
    const { capacity } = family.create({ dimension: 2, ...given });
    const hello = { ...SHAPE, dimension: 2 } as Hello;
    const known = { family, options: given, features: {}, capacity, words: state + counters };
    assert.equal(nodeOptions(hello, known).options, found, learner);
  }
});

test.run();
