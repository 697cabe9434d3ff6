import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";

const logistic = familyNamed("logistic")!;

test("decisions are those of the gradient step in double precision", () => {
  const learner = logistic.create({ dimension: 2, eta: 0.5, regularization: 0.01, outlierLimit: 1e30 });
  const w = [0, 0, 0];
  const random = new Random(3, "logistic");
  for (let t = 0; t < 500; t++) {
    const x = Array.from({ length: 2 }, () => Math.fround(random.normal()));
    const y = x[0] - x[1] + 0.3 + random.normal() > 0 ? 1 : -1;
    const row = [...x, 1];
    const f = row.reduce((sum, value, j) => sum + value * w[j], 0);
    assert.ok(Math.abs(learner.learn(x, y) - f) < 1e-5, `label ${t}`);
    const step = (0.5 * y) / (1 + Math.exp(y * f)) / (1 + x[0] * x[0] + x[1] * x[1] + 1);
    row.forEach((value, j) => {
      w[j] = 0.99 * w[j] + step * value;
    });
  }
});

test("a decision is the log-odds of the class, where labels follow a logistic model", () => {
  const learner = logistic.create({ dimension: 1, eta: 0.05, regularization: 0 });
  const random = new Random(5, "odds");
  for (let t = 0; t < 20000; t++) {
    const x = random.normal();
    learner.learn([x], random.uniform() < 1 / (1 + Math.exp(-(2 * x - 1))) ? 1 : -1);
  }
  for (const x of [-1, 0, 1])
    assert.ok(Math.abs(learner.predict([x]) - (2 * x - 1)) < 0.4, `${x}: ${learner.predict([x])}`);
});

test.run();
