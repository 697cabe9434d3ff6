import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { regionValues } from "../../src/learn/terms.ts";

const family = familyNamed("rff-klms")!;

/** The frequencies u_i of a learner of so many, as rows. */
function readFrequencies(learner: Learner, count: number): number[][] {
  const { dimension } = learner;
  const words = regionValues(learner, "frequencies");
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: dimension }, (_, j) => words[4 * dimension * (i >> 2) + 4 * j + (i & 3)]),
  );
}

/** z(x) in double precision. */
function features(frequencies: readonly number[][], x: readonly number[]): number[] {
  return frequencies.flatMap((u) => {
    const phase = u.reduce((sum, value, j) => sum + value * x[j], 0);
    return [Math.cos(phase), Math.sin(phase)];
  });
}

function samples(count: number, dimension: number): { x: number[]; y: number }[] {
  const random = new Random(4, "rff-klms");
  return Array.from({ length: count }, () => {
    const x = Array.from({ length: dimension }, () => Math.fround(random.normal()));
    return { x, y: Math.fround(3 + Math.sin(2 * x[0]) * x[1] + 0.05 * random.normal()) };
  });
}

for (const [budget, eta] of [
  [6, 0.2],
  [32, 1.5],
]) {
  test(`D = ${budget}, eta = ${eta}: estimates are those of the paper's step in double precision`, () => {
    const learner = family.create({ dimension: 3, budget, eta, outlierLimit: 1e30 });
    const frequencies = readFrequencies(learner, budget);
    const w = new Array<number>(2 * budget).fill(0);
    let b = 0;
    samples(600, 3).forEach(({ x, y }, t) => {
      const z = features(frequencies, x);
      const f = z.reduce((sum, value, j) => sum + value * w[j], b);
      assert.ok(Math.abs(learner.learn(x, y) - f) < 1e-4, `label ${t}`);
      const step = (eta / 2) * (y - f);
      z.forEach((value, j) => {
        w[j] += (step * value) / budget;
      });
      b += step;
    });
    regionValues(learner, "w").forEach((weight, j) => {
      assert.ok(Math.abs(weight - w[j]) < 1e-4, `weight ${j}`);
    });
  });
}

test("products of features are about the kernel of that width, in median distances of normal inputs", () => {
  const [budget, dimension, width] = [4096, 3, 0.7];
  const frequencies = readFrequencies(family.create({ dimension, budget, width }), budget);
  const sigma = width * Math.sqrt(2 * (dimension - 0.6));
  const [u, v] = [
    [0.4, -0.3, 1],
    [-0.2, 0.5, 0.2],
  ];
  const [zu, zv] = [features(frequencies, u), features(frequencies, v)];
  const product = zu.reduce((sum, value, j) => sum + value * zv[j], 0) / budget;
  const squared = u.reduce((sum, value, j) => sum + (value - v[j]) ** 2, 0);
  const kernel = Math.exp(-squared / (2 * sigma * sigma));
  assert.ok(Math.abs(product - kernel) < 4 / Math.sqrt(budget), `${product}, ${kernel}`);
});

test("frequencies follow from the seed alone", () => {
  const draw = (seed: number) => readFrequencies(family.create({ dimension: 2, seed }), 64);
  assert.equal(draw(7), draw(7));
  assert.not.equal(draw(7), draw(8));
});

test("a label removes the share eta of its error at its own input, and at most all of it at the next", () => {
  const learner = family.create({ dimension: 2, eta: 0.5 });
  learner.learn([0.3, -1], 8);
  assert.ok(Math.abs(learner.predict([0.3, -1]) - 4) < 1e-4);
});

test("it learns a curve that no plane does, with any offset", () => {
  const linear = familyNamed("rls")!.create({ dimension: 2 });
  const learner = family.create({ dimension: 2 });
  let [own, other] = [0, 0];
  samples(6000, 2).forEach(({ x, y }, t) => {
    const [f, g] = [learner.learn(x, y + 100), linear.learn(x, y + 100)];
    if (t < 3000) return;
    own += (f - y - 100) ** 2;
    other += (g - y - 100) ** 2;
  });
  assert.ok(own < other / 2, `${own}, a plane ${other}`);
});

test("far from all inputs estimates are finite, and a phase that has no cosine counts as none", () => {
  const learner = family.create({ dimension: 2 });
  for (const { x, y } of samples(300, 2)) learner.learn(x, y);
  for (const far of [1e4, 1e6, 3e38]) assert.ok(Number.isFinite(learner.predict([far, -far])), `${far}`);
  assert.is(learner.predict([3e38, -3e38]), regionValues(learner, "offset")[0]);
});

test.run();
