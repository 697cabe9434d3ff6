import { test } from "uvu";
import * as assert from "uvu/assert";
import { choice, flag, real, settle, whole } from "../../src/learn/options.ts";

const TABLE = {
  dimension: whole({ min: 1, max: 8 }, "components"),
  C: real({ default: 1, above: 0, below: 10 }, "weight"),
  rule: choice(["69", "68"], "69", "rule"),
  forget: flag(true, "whether"),
};

test("what isn't given takes its default", () => {
  assert.equal(settle("x", TABLE, { dimension: 3 }), { dimension: 3, C: 1, rule: "69", forget: true });
});

test("what can't be used is refused with the option, what it got and what it takes", () => {
  const cases: [object, string][] = [
    [{}, "x: option dimension: got nothing; takes a whole number >= 1 and <= 8"],
    [{ dimension: 2.5 }, "x: option dimension: got 2.5; takes a whole number >= 1 and <= 8"],
    [{ dimension: 2, C: null }, "x: option C: got null; takes a number > 0 and < 10"],
    [{ dimension: 2, C: Number.NaN }, "x: option C: got NaN; takes a number > 0 and < 10"],
    [{ dimension: 2, C: "1" }, 'x: option C: got "1"; takes a number > 0 and < 10'],
    [{ dimension: 2, C: [1] }, "x: option C: got [1]; takes a number > 0 and < 10"],
    [{ dimension: 2, rule: 69 }, "x: option rule: got 69; takes one of 69, 68"],
    [{ dimension: 2, forget: 1 }, "x: option forget: got 1; takes true or false"],
    [{ dimension: 2, c: 1 }, "x: no option c; takes dimension, C, rule, forget"],
  ];
  for (const [given, message] of cases) {
    assert.throws(
      () => settle("x", TABLE, given as Record<string, unknown>),
      (error: Error) => error instanceof RangeError && error.message === message,
      message,
    );
  }
});

test.run();
