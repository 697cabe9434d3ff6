import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";

const family = familyNamed("robust-z")!;

test("it finds median and deviation, whatever one sample in five is", () => {
  const random = new Random(2, "robust-z");
  const learner = family.create({ dimension: 2, rate: 0.002 });
  for (let t = 0; t < 8000; t++) {
    const outlier = t % 5 === 0 ? 1e6 : 0;
    learner.learn([3 + 2 * random.normal() + outlier, 0.1 * random.normal()], 1);
  }
  // 10 % beyond on either side move the median to the .625 quantile: .32 deviations.
  const { words } = learner.range.f32;
  const at = (name: string) => learner.layout.at(name, learner.range);
  assert.ok(Math.abs(words[at("median")] - 3.64) < 0.3, `median ${words[at("median")]}`);
  assert.ok(Math.abs(words[at("median") + 1]) < 0.01);
  assert.ok(Math.abs(words[at("deviation") + 1] - 0.0674) < 0.01);
  assert.is(learner.classify([3, 0]), 1);
  assert.is(learner.classify([30, 0]), -1);
});

test("the score is the stated one", () => {
  const learner = family.create({ dimension: 1, threshold: 4, leastDeviation: 0.5 });
  learner.learn([1], 1);
  assert.is(learner.predict([7]), 0, "one sample tells no deviation");
  learner.learn([3], 0);
  const z = (0.6745 * 6) / 2;
  assert.is(learner.predict([7]), Math.fround((4 - z) / (4 + z)));
  const state = learner.stateHash();
  learner.learn([100], -1);
  assert.is(learner.stateHash(), state, "a novelty teaches nothing");
  learner.learn([2], 1); // off = 1 < d = 2: r = 2 / 4
  assert.is(learner.predict([7]), Math.fround((4 - z * (4 / 6) * 2) / (4 + z * (4 / 6) * 2)));
});

test("a constant input counts by the least deviation", () => {
  const learner = family.create({ dimension: 1, leastDeviation: 0.5 });
  for (let t = 0; t < 500; t++) learner.learn([2], 1);
  assert.is(learner.classify([2.5 * 1.9]), -1);
  assert.is(learner.classify([2.5]), 1);
});

test.run();
