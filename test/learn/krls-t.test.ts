import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { KrlsAld } from "../../src/learn/krls.ts";
import { KrlsT } from "../../src/learn/krls-t.ts";
import { Tracker } from "./tracker.ts";

const kernel = { type: "gaussian", gamma: 0.08 } as const;

interface Channel {
  readonly x: number[];
  readonly y: number;
}

/** Four normal inputs through a saturating channel, whose taps are others from each `every` samples to the next. */
function channel(count: number, every: number, seed: number): Channel[] {
  const random = new Random(seed, "channel");
  const series = Array.from({ length: count + 4 }, () => random.normal());
  let taps: number[] = [];
  return Array.from({ length: count }, (_, t) => {
    if (t % every === 0) taps = Array.from({ length: 4 }, () => random.normal() / 2);
    const x = series.slice(t, t + 4).map(Math.fround);
    const y = Math.tanh(x.reduce((sum, value, j) => sum + value * taps[j], 0)) + 0.1 * random.normal();
    return { x, y: Math.fround(y) };
  });
}

function measureError(
  learner: { learn(x: number[], y: number): number },
  stream: readonly Channel[],
): number {
  const squares = stream.map(({ x, y }) => (learner.learn(x, y) - y) ** 2);
  return squares.slice(100).reduce((sum, square) => sum + square, 0) / (squares.length - 100);
}

for (const [budget, forgetting] of [
  [200, 0.99],
  [200, 1],
  [12, 0.99],
]) {
  test(`one rate, budget ${budget}, lambda = ${forgetting}: estimates are the paper's in double precision`, () => {
    const learner = new KrlsT({ dimension: 4, budget, kernel, forgetting, rates: 1, outlierLimit: 1e30 });
    const lambda = Math.min(forgetting, 1 - 1 / 1048576);
    const reference = new Tracker(budget, lambda, 0.02, 0.08, 0.01, Math.fround(1e-4));
    channel(150, 1000, 3).forEach(({ x, y }, t) => {
      const wanted = reference.estimate(x);
      const got = learner.learn(x, y);
      assert.ok(Math.abs(got - wanted) < 2e-3, `sample ${t}: ${got}, not ${wanted}`);
      reference.learn(x, y);
      assert.is(learner.size, reference.size, `sample ${t}`);
    });
    assert.is(learner.count("overflowed"), 0);
  });
}

test("a channel that switches is followed, at unknown rates; a still one is learned as by least squares", () => {
  const options = { dimension: 4, budget: 40 };
  const mean = (every: number, make: () => { learn(x: number[], y: number): number }) =>
    [1, 2].reduce((sum, seed) => sum + measureError(make(), channel(1500, every, seed)), 0) / 2;
  const bank = () => new KrlsT(options);
  const ald = () => new KrlsAld({ ...options, kernel });
  const best = Math.min(
    ...[1, 0.998, 0.995, 0.98].map((forgetting) =>
      mean(500, () => new KrlsT({ ...options, forgetting, rates: 1 })),
    ),
  );
  assert.ok(mean(500, bank) < 1.05 * best, `${mean(500, bank)}, the best rate ${best}`);
  assert.ok(mean(500, bank) < mean(500, ald) / 3, `${mean(500, bank)}, KRLS-ALD ${mean(500, ald)}`);
  assert.ok(mean(5000, bank) < 1.25 * mean(5000, ald), `${mean(5000, bank)}, KRLS-ALD ${mean(5000, ald)}`);
});

test("after many labels of a full dictionary R stays between 0 and the prior", () => {
  const learner = new KrlsT({ dimension: 4, budget: 10, kernel });
  for (const { x, y } of channel(20000, 3000, 5)) learner.learn(x, y);
  const { layout, range } = learner;
  const covariance = layout.at("covariance", range);
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < 10; i++) {
      const variance = range.f32.words[covariance + k * 66 + (i * (i + 1)) / 2 + i];
      assert.ok(variance > 0 && variance <= 1.001, `model ${k}, coordinate ${i}: ${variance}`);
    }
  }
});

test.run();
