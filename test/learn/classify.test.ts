import { test } from "uvu";
import * as assert from "uvu/assert";
import { decidedClass, familyNamed, Lol, OlkC, OlkR, OneVsAll, Pegasos } from "../../src/index.ts";

test("a decision's class is its sign, nought being +1; a class index is itself; a regression has none", () => {
  for (const task of ["classification", "novelty"] as const) {
    assert.equal(
      [-2, -1e-45, -0, 0, 3].map((value) => decidedClass(task, value)),
      [-1, -1, 1, 1, 1],
      task,
    );
  }
  assert.equal(
    [0, 1, 7].map((value) => decidedClass("multiclass", value)),
    [0, 1, 7],
  );
  for (const task of ["classification", "novelty", "multiclass", "regression"] as const) {
    assert.ok(Number.isNaN(decidedClass(task, Number.NaN)), task);
  }
  assert.ok(Number.isNaN(decidedClass("regression", 3)));
});

test("classify gives the class of two classes, of several, and of several binary learners", () => {
  const two = new OlkC({ kernel: { type: "gaussian", p: 1 }, dimension: 1 });
  const several = new Lol({ dimension: 1, classes: 3, budget: 3 });
  const each = new OneVsAll({ learner: familyNamed("norma-c")!, dimension: 1, classes: 3, budget: 8 });
  for (let t = 0; t < 60; t++) {
    const c = t % 3;
    if (c !== 1) two.learn([c - 1], c - 1);
    several.learn([c - 1], c);
    each.learn([c - 1], c);
  }
  assert.equal(
    [-1, 1].map((x) => two.classify([x])),
    [-1, 1],
  );
  for (const learner of [several, each]) {
    assert.equal(
      [-1, 1].map((x) => learner.classify([x])),
      [0, 2],
    );
  }
  assert.ok(Number.isNaN(two.classify([Number.NaN])));
  assert.is(new Pegasos({ dimension: 1 }).classify([1]), 1, "a decision of nought");
  assert.ok(
    Number.isNaN(new OlkR({ kernel: { type: "gaussian", p: 1 }, dimension: 1 }).classify([1])),
    "no class of a regression",
  );
});

test.run();
