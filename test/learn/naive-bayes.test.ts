import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";

const naiveBayes = familyNamed("naive-bayes")!;

/** Moments of the rows in double precision. */
function moments(rows: readonly number[][], j: number): { mean: number; variance: number } {
  const mean = rows.reduce((sum, x) => sum + x[j], 0) / rows.length;
  return { mean, variance: rows.reduce((sum, x) => sum + (x[j] - mean) ** 2, 0) / rows.length };
}

/** The log-odds of +1 by the normal densities of both classes. */
function logOdds(x: number[], minus: number[][], plus: number[][]): number {
  const [n, m] = [minus.length, plus.length];
  return x.reduce(
    (sum, value, j) => {
      const [a, b] = [moments(minus, j), moments(plus, j)];
      const within = (n * a.variance + m * b.variance) / (n + m);
      const v = (n * a.variance + 2 * within) / (n + 2) + 0.01 * within;
      const u = (m * b.variance + 2 * within) / (m + 2) + 0.01 * within;
      return sum + (Math.log(v / u) + (value - a.mean) ** 2 / v - (value - b.mean) ** 2 / u) / 2;
    },
    Math.log(m / n),
  );
}

test("decisions are the log-odds of normal densities, in double precision, also far from 0", () => {
  const learner = naiveBayes.create({ dimension: 2, outlierLimit: 1e30 });
  const random = new Random(3, "bayes");
  const seen: { [y: number]: number[][] } = { [-1]: [], 1: [] };
  for (let t = 0; t < 400; t++) {
    const y = random.uniform() < 0.3 ? 1 : -1;
    const x = [1000 + (y > 0 ? 2 : 1) * random.normal() + y, 0.01 * random.normal() + 0.005 * y].map(
      Math.fround,
    );
    const decision = learner.learn(x, y);
    if (t > 50) {
      const wanted = logOdds(x, seen[-1], seen[1]);
      assert.ok(
        Math.abs(decision - wanted) < 0.02 * (1 + Math.abs(wanted)),
        `${t}: ${decision}, not ${wanted}`,
      );
    }
    seen[y].push(x);
  }
});

test("before both classes came it predicts the one that did; a constant feature says nothing", () => {
  const learner = naiveBayes.create({ dimension: 2 });
  learner.learn([1, 5], -1);
  assert.is(learner.classify([9, 9]), -1);
  const random = new Random(5, "constant");
  for (let t = 0; t < 200; t++) {
    const y = t % 2 === 0 ? 1 : -1;
    learner.learn([y + 0.3 * random.normal(), 5], y);
  }
  assert.is(learner.classify([1, -300]), 1);
  assert.is(learner.classify([-1, 300]), -1);
});

test("a horizon forgets: classes that swapped are found again", () => {
  const learner = naiveBayes.create({ dimension: 1, horizon: 50 });
  const random = new Random(7, "swap");
  for (let t = 0; t < 1200; t++) {
    const y = random.uniform() < 0.5 ? 1 : -1;
    learner.learn([(t < 600 ? y : -y) + 0.3 * random.normal()], y);
  }
  assert.is(learner.classify([1]), -1);
});

test.run();
