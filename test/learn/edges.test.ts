import { test } from "uvu";
import * as assert from "uvu/assert";
import type { UserOptions } from "../../src/learn/family.ts";
import { COUNTERS } from "../../src/learn/learner.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { LAID_OUT } from "./memory-words.ts";

test("a learner takes the words that it has always taken: a checkpoint of other lengths can't be restored", () => {
  const words = FAMILIES.map(({ name, layout }) => {
    const { state, counters, scratch } = layout({ dimension: 6 });
    return [name, [state, counters, scratch]];
  });
  assert.equal(Object.fromEntries(words), LAID_OUT);
});

test("a loss of exactly zero teaches nothing, to the bit: a hinge's margin of 1 is enough", () => {
  for (const [name, options] of [
    ["bsgd", { lambda: 1, kernel: { type: "linear" }, maintenance: "remove" }],
    ["nogd", { eta: 1, budget: 8, rank: 4, kernel: { type: "gaussian", p: 1 } }],
    ["pa", { C: 5, bias: false }],
  ] as [string, UserOptions][]) {
    const learner = familyNamed(name)!.create({ dimension: 1, ...options });
    learner.learn([1], 1);
    assert.is(learner.predict([1]), 1, name);
    const { f32, state } = learner.range;
    const weights = () => Array.from(f32.bits.subarray(state, state + learner.layout.state));
    const before = weights();
    learner.learn([1], 1);
    const changed = weights().filter((word, i) => word !== before[i]).length;
    assert.is(changed, name === "bsgd" ? 1 : 0, `${name}: but for a count of samples`);
  }
});

test("options that exclude each other are refused with the limit that the one sets the other", () => {
  for (const [name, options, right, message] of [
    [
      "norma-c",
      { eta: 4, lambda: 0.25 },
      { eta: 3.99 },
      "option eta: got 4; takes a number < 1/lambda, which is 4",
    ],
    [
      "lol",
      { prototypes: 9, budget: 8 },
      { prototypes: 8 },
      "option prototypes: got 9; takes a number <= budget, which is 8",
    ],
    [
      "nogd",
      { rank: 9, budget: 8 },
      { rank: 8 },
      "option rank: got 9; takes a whole number <= budget, which is 8",
    ],
    ["olk-n", { nu: 0.75, C: 0.5 }, { nu: 0.5 }, "option nu: got 0.75; takes a number <= C, which is 0.5"],
    [
      "oskm",
      { agents: 9, budget: 8, agreementPoints: 1 },
      { agents: 8 },
      "option agents: got 9; takes a whole number <= budget, which is 8",
    ],
    [
      "oskm",
      { agents: 4, budget: 8, agreementPoints: 6 },
      { agreementPoints: 5 },
      "option agreementPoints: got 6; takes a whole number <= budget - agents + 1, which is 5",
    ],
  ] as [string, UserOptions, UserOptions, string][]) {
    const { create } = familyNamed(name)!;
    assert.throws(
      () => create({ dimension: 2, ...options }),
      (error: unknown) => error instanceof OptionError && error.message === `${error.owner}: ${message}`,
      message,
    );
    create({ dimension: 2, ...options, ...right });
  }
});

test("one-vs-all counts beyond 2^31, and wraps as every counter does", () => {
  const whole = oneVsAllFamily(familyNamed("pa")!).create({ dimension: 2, classes: 3 });
  const { f32, counters } = whole.range;
  const length = whole.layout.counters;
  f32.bits.fill(0x60000000, counters, counters + length);
  assert.is(whole.count("inserted"), (4 * 0x60000000) % 2 ** 32);
  assert.is(whole.count("learned"), 0x60000000);
  assert.is(COUNTERS.length * 4, length);
});

test.run();
