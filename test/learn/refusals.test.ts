import { test } from "uvu";
import * as assert from "uvu/assert";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../src/learn/registry.ts";

const LEARNERS = [
  ...FAMILIES.map((family) => ({ family, options: {} })),
  ...FAMILIES.filter(({ manyClasses }) => manyClasses).map((family) => ({ family, options: { classes: 3 } })),
  { family: oneVsAllFamily(FAMILIES.find(({ name }) => name === "pa")!), options: { classes: 3 } },
];

/** What a program without types may pass for a label. */
const NO_LABELS = ["yes", "1", "-1", "", null, undefined, true, [1], {}, Number.NaN, Infinity, -1e39, 7.5];

test("what is no label is refused and counted by every learner, which learns nothing and throws nothing", () => {
  for (const { family, options } of LEARNERS) {
    for (const y of NO_LABELS) {
      if (y === 7.5 && family.task === "regression") continue;
      const learner = family.create({ dimension: 2, ...options });
      const before = learner.stateHash();
      const predicted = learner.predict([1, 2]);
      assert.is(learner.learn([1, 2], y as number), predicted);
      assert.is(learner.stateHash(), before, `${family.name}: ${String(y)}`);
      assert.is(learner.count("refused"), 1, `${family.name}: ${String(y)}`);
      assert.is(learner.count("learned"), 0);
    }
  }
});

test("too few readings, too many, or some that are no numbers are refused and counted by every learner", () => {
  for (const { family, options } of LEARNERS) {
    const learner = family.create({ dimension: 2, ...options });
    const before = learner.stateHash();
    const wrong = [[], [1], [1, 2, 3], [1, Number.NaN], [1, 1e39], [1, "x"], "ab"];
    for (const x of wrong) assert.ok(Number.isNaN(learner.learn(x as number[], 1)), `${family.name}: ${x}`);
    assert.equal([learner.count("refused"), learner.stateHash()], [wrong.length, before], family.name);
  }
});

test("a learner of numbers takes a label as the float32 that a node gets", () => {
  const labels = Array.from({ length: 60 }, (_, i) => 5.1 + Math.sin(i / 3));
  for (const family of FAMILIES.filter(({ task }) => task === "regression")) {
    const [given, rounded] = [labels, labels.map(Math.fround)].map((all) => {
      const learner = family.create({ dimension: 1 });
      for (const [i, y] of all.entries()) learner.learn([Math.cos(i)], y);
      return learner.stateHash();
    });
    assert.is(given, rounded, family.name);
  }
});

test.run();
