import { test } from "uvu";
import * as assert from "uvu/assert";
import { bitsParts } from "../../tools/session/bits-text.ts";

test("where only primitives were compared, the learner is said not to be", () => {
  const same = { verdict: "same bits", primitives: 59 } as const;
  assert.equal(bitsParts({ ...same, learner: true }), ["same bits"]);
  assert.equal(bitsParts({ ...same, learner: false }), ["primitives: same bits", "learner: not compared"]);
  assert.equal(bitsParts({ verdict: "different bits", first: "dot" }), ["different bits: dot"]);
  assert.equal(bitsParts({ verdict: "no self-test" }), ["no self-test"]);
});

test.run();
