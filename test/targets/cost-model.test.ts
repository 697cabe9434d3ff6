import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import {
  cost,
  costTraits,
  fit,
  fitLongest,
  learnerTerms,
  learnTerms,
  longest,
  nodeTerms,
  sharedTerms,
  spectrumTerms,
} from "../../targets/cost-model.ts";
import * as fc from "../properties.ts";

const SIZES = [
  [2, 20],
  [2, 64],
  [8, 20],
  [8, 40],
  [8, 64],
  [16, 48],
  [24, 64],
  [32, 20],
  [32, 40],
];

test("a cost that is such a polynomial is found again, within the fitted sizes and beyond", () => {
  const coefficient = fc.integer({ min: 0, max: 1000 });
  fc.assert(
    fc.property(coefficient, coefficient, coefficient, coefficient, (a, b, c, e) => {
      const true_ = [10_000 + a, b, c, e, 0, 0, 0, 0];
      const rows = SIZES.map(([d, r]) => ({
        terms: learnerTerms(r, d),
        cost: cost(true_, learnerTerms(r, d)),
      }));
      const found = fit(rows);
      const [far, near] = [learnerTerms(128, 64), learnerTerms(30, 5)];
      assert.ok(Math.abs(cost(found, near) / cost(true_, near) - 1) < 1e-3);
      assert.ok(Math.abs(cost(found, far) / cost(true_, far) - 1) < 0.02);
    }),
    { numRuns: 100 },
  );
});

test("a learner with a whole covariance matrix costs the square of its components", () => {
  const rows = SIZES.map(([d]) => ({ terms: learnerTerms(0, d), cost: 20_000 + 900 * d + 150 * d * d }));
  const found = fit(rows);
  assert.ok(Math.abs(cost(found, learnerTerms(0, 64)) / (20_000 + 900 * 64 + 150 * 64 * 64) - 1) < 1e-3);
});

test("no coefficient is negative, so that no cost falls as a size grows", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 9, maxLength: 9 }), (costs) => {
      const found = fit(SIZES.map(([d, r], i) => ({ terms: learnerTerms(r, d), cost: costs[i] })));
      assert.ok(found.every((c) => c >= 0 && Number.isFinite(c)));
    }),
    { numRuns: 100 },
  );
});

test("a learner that stores nothing has no terms in rows; a node without windows none in windows", () => {
  assert.equal(learnerTerms(0, 3), [1, 0, 3, 0, 0, 0, 0, 9]);
  assert.equal(nodeTerms({ channels: 2, window: 0, standardise: false, dimension: 2 }), [1, 2, 0, 0, 0]);
  const spectrum = { sensors: 2, bands: 8, lines: 3 };
  const shape = { channels: 8, window: 64, standardise: false, dimension: 26, spectrum };
  assert.equal(nodeTerms(shape), [1, 26, 0, 0, 0]);
  assert.equal(spectrumTerms(shape, spectrum), [1, 8, 2, 128, 768, 16, 6, 384]);
  assert.equal(nodeTerms({ channels: 2, window: 5, standardise: true, dimension: 6 }), [1, 6, 2, 10, 6]);
});

/** Labels from the one that fills the budget of NOGD to the one with which its features take over. */
function eigenLabels(dimension: number, budget: number, rank: number): number {
  const kernel = { type: "gaussian", p: 1 } as const;
  const learner = familyNamed("nogd")!.create({ dimension, budget, rank, kernel });
  const solving = learner.layout.at("solving", learner.range);
  let labels = 0;
  for (let t = 0; learner.size < budget || learner.range.f32.bits[solving] > 0; t++) {
    const x = Array.from({ length: dimension }, (_, j) => ((t + 1) * (j + 7) * 40503) % 64);
    learner.learn(x, t % 2 === 0 ? 1 : -1);
    if (learner.size === budget) labels++;
  }
  return labels;
}

test("plan spreads NOGD's eigenproblem over as many labels as the learner does", () => {
  for (const [dimension, budget, rank] of [
    [8, 64, 16],
    [2, 20, 16],
    [20, 28, 5],
    [3, 12, 12],
    [4, 90, 16],
  ]) {
    const planned = costTraits("nogd").spread?.(budget, rank, dimension).length;
    assert.is(planned, eigenLabels(dimension, budget, rank), `${dimension} x ${budget}, rank ${rank}`);
  }
  assert.is(costTraits("nogd").spread?.(64, 16, 8).length, 62);
});

test("the longest of the labels over which an eigenproblem is spread is found again from its costs", () => {
  const true_ = [600, 23_000, 180];
  const rows = SIZES.map(([d, r]) => {
    const labels = learnTerms("nogd", r, d);
    return { labels, cost: longest(true_, labels) };
  });
  const found = fitLongest(rows);
  for (const [d, r] of [...SIZES, [4, 32], [20, 28]]) {
    const labels = learnTerms("nogd", r, d);
    assert.ok(Math.abs(longest(found, labels) / longest(true_, labels) - 1) < 0.03, `${d} x ${r}`);
  }
  assert.equal(learnTerms("olk-c", 40, 8), [learnerTerms(40, 8)]);
  assert.equal(fitLongest([{ labels: [[2, 0]], cost: 6 }]), fit([{ terms: [2, 0], cost: 6 }]));
});

test("classes that share a dictionary add coefficients, not rows", () => {
  assert.equal(sharedTerms(64, 8, 26), [1, 64, 8, 512, 26, 1664]);
});

test.run();
