import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../../host/random.ts";
import { CountedMemory } from "../../../lab/experiments/lib/counted.ts";
import { kMeans } from "../../../lab/experiments/lib/k-means.ts";
import { asPublished, makeLearner } from "../../../lab/experiments/lib/learner.ts";
import { embed, mackeyGlass, noisySegment } from "../../../lab/experiments/lib/mackey-glass.ts";
import { isAbove, isBelow, Summary, withInterval } from "../../../lab/experiments/lib/summary.ts";
import { FAMILIES, familyNamed, Layout } from "../../../src/index.ts";
import { DECISION } from "../../../src/math/primitives.ts";

test("Mackey-Glass rests at 1, where gain and decay are equal, and swings between 0.2 and 1.4 otherwise", () => {
  assert.ok(mackeyGlass(100, 1).every((x) => Math.abs(x - 1) < 1e-9));
  const series = mackeyGlass(2000, 1.2);
  const [least, most] = [Math.min(...series), Math.max(...series)];
  assert.ok(least > 0.1 && least < 0.4 && most > 1.2 && most < 1.5, `${least} ${most}`);
});

test("a value comes with those before it, oldest first", () => {
  const { inputs, labels } = embed([1, 2, 3, 4, 5], 2, 3, 5);
  assert.equal(
    inputs.map((x) => [...x]),
    [
      [2, 3],
      [3, 4],
    ],
  );
  assert.equal(labels, [4, 5]);
});

test("segments differ by seed; a target is the last past value of the next pair", () => {
  const { train, test: held } = noisySegment(1, 30, 10);
  assert.equal([train.inputs.length, held.inputs.length], [30, 10]);
  assert.is(train.inputs[1].at(-1), Math.fround(train.labels[0]));
  assert.is(held.inputs[0].at(-1), Math.fround(train.labels[29]));
  assert.not.equal(noisySegment(2, 30, 10).train.labels, train.labels);
});

test("k-means finds two clouds", () => {
  const random = new Random(1);
  const inputs = Array.from({ length: 100 }, (_, i) =>
    Float32Array.of((i % 2) * 10 + 0.1 * random.normal(), 0),
  );
  const found = kMeans(inputs, 2, random).map(([x]) => Math.round(x));
  assert.equal(found.sort(), [0, 10]);
});

test("learners take one memory in turn, and each begins empty", () => {
  const options = { dimension: 2, budget: 8 };
  const { range } = makeLearner("olk-c", { ...options, budget: 64 });
  for (const name of ["olk-c", "krls-ald", "olk-c"]) {
    const learner = makeLearner(name, options);
    const empty = learner.stateHash();
    assert.is(learner.range.f32, range.f32, name);
    learner.learn([1, 2], 1);
    assert.is(makeLearner(name, options).stateHash(), empty);
  }
});

test("a rerun of a paper has what no paper has switched off, unless it is given", () => {
  let stale = 0;
  for (const family of FAMILIES) {
    const { staleAfter, outlierLimit } = asPublished(family, {});
    assert.is(staleAfter, "staleAfter" in family.options ? 2 ** 24 : undefined, family.name);
    assert.is(outlierLimit, "outlierLimit" in family.options ? 1e30 : undefined, family.name);
    if (staleAfter !== undefined) stale++;
  }
  assert.ok(stale > 5);
  const nogd = familyNamed("nogd");
  assert.ok(nogd);
  assert.equal(asPublished(nogd, { staleAfter: 9, rank: 2 }), { staleAfter: 9, rank: 2 });
});

test("what a primitive multiplies is counted; one that isn't known is a fault", () => {
  const memory = new CountedMemory(new Layout([{ name: "a", kind: "state", words: 64 }]));
  const { f32 } = memory.range;
  f32.words.set([2, 1, 3]);
  f32.solveLower(0, 8, 2); // two divisions, and a product
  assert.is(memory.products, 3);
  f32.dot(0, 8, 5);
  assert.is(memory.products, 8);
  memory.size = 3; // vectors of 2 components, in a set with room for 9: distance, width, coefficient of each
  f32.gaussianExpansion(40, [1, 2], 0, 9, 2, 1, DECISION.sum, 0, 0);
  assert.is(memory.products, 8 + 3 * (2 + 2));
  assert.throws(() => f32.fourierFeatures(0, 0, 0, 1, 1), /fourierFeatures/);
});

test("mean, deviation of a sample, and differences paired by seed", () => {
  const summary = new Summary([
    { numbers: { a: 1, b: 3 } },
    { numbers: { a: 2 } },
    { numbers: { a: 6, b: 4 } },
  ]);
  const { mean, deviation, runs, low, high } = summary.statistic("a");
  assert.equal([mean, deviation, runs], [3, Math.sqrt(7), 3]);
  const half = 4.30265273 * Math.sqrt(7 / 3); // t(2)
  assert.ok(Math.abs((high as number) - 3 - half) < 1e-6 && Math.abs((low as number) - 3 + half) < 1e-6);
  assert.is(summary.text("a", 1), "3.0 [-3.6, 9.6]");
  assert.is(summary.statistic("b").runs, 2);
  const difference = summary.difference("a", "b"); // of the two runs that have both: -2 and 2
  assert.equal([difference.mean, difference.standardError, difference.count], [0, 2, 2]);
  assert.not.ok(isAbove(difference) || isBelow(difference));
  assert.throws(() => summary.mean("c"), /c/);
});

test("a difference is shown where its interval leaves 0 out; of one run there is neither", () => {
  const runs = [1, 2, 3].map((a) => ({ numbers: { a, b: a + 1 + a / 100 } }));
  const summary = new Summary(runs);
  assert.ok(isBelow(summary.difference("a", "b")) && isAbove(summary.difference("b", "a")));
  const one = new Summary(runs.slice(0, 1));
  assert.not.ok(isBelow(one.difference("a", "b")));
  assert.is(withInterval(one.difference("b", "a"), 2), "1.01");
  assert.is(one.text("a", 1), "1.0");
  assert.equal([one.statistic("a").low, one.statistic("a").high], [null, null]);
});

test("curves over the same points are averaged; of others the first stands", () => {
  const at = (xs: number[], value: number[]) => ({ numbers: {}, curves: { c: { at: xs, value } } });
  assert.equal(new Summary([at([1, 2], [1, 1]), at([1, 2], [3, 5])]).curves.c.value, [2, 3]);
  assert.equal(new Summary([at([1, 2], [1, 1]), at([1, 3], [3, 5])]).curves.c, { at: [1, 2], value: [1, 1] });
});

test.run();
