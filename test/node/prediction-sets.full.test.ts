import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import type { LabelFlips } from "../../src/node/prediction-sets.ts";
import { about, meansOf } from "./sets.ts";

const FLIPS: readonly LabelFlips[] = [
  [0, 0],
  [0.1, 0.1],
  [0.2, 0.2],
  [0.3, 0.3],
  [0.1, 0.3],
];

test("90 % of sets hold the true class, +-1.5, at flips 0 to 0.3, and are hardly larger than without flips", () => {
  const none = meansOf([0, 0]);
  for (const flips of FLIPS) {
    const { coverage, size, around } = meansOf(flips);
    about(coverage, `flips ${flips}`);
    assert.ok(size <= 1.2 * none.size, `${size} of ${none.size}`);
    assert.ok(around > 87.5, `flips ${flips}, around a change that AROW follows slowly: ${around}`);
  }
});

test("90 % of sets hold the true class, +-1.5, in the 1,000 samples around a change that the learner follows", () => {
  // At 0.3 flips 1,000 labels tell coverage to 3.6 points: 40 runs make that 0.6.
  for (const flips of [FLIPS[0], FLIPS[3]]) {
    const { coverage, around } = meansOf(flips, { learner: familyNamed("pa")! }, 255, 40);
    about(coverage, `flips ${flips}`);
    about(around, `flips ${flips}, around the change`);
  }
});

test.run();
