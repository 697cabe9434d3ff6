import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { LeastSquares } from "./least-squares.ts";

const LABELS = 1_000_000;

for (const forgetting of [0.98, 1]) {
  test(`lambda = ${forgetting}: after a million labels of dependent inputs it estimates as double precision does`, () => {
    const learner = familyNamed("rls")!.create({ dimension: 3, forgetting, outlierLimit: 1e30 });
    const reference = new LeastSquares(4, Math.min(forgetting, 1 - 2 ** -20), 0.01);
    const random = new Random(7, "million");
    for (let t = 0; t < LABELS; t++) {
      const a = random.normal();
      const x = [a, a + 1e-3 * random.normal(), 100 * random.normal()].map(Math.fround);
      const y = Math.fround(3 + a + 0.01 * x[2] + 0.1 * random.normal());
      if (t % 50_000 === 0 && t > 0) {
        const wanted = reference.estimate([...x, 1]);
        assert.ok(Math.abs(learner.predict(x) - wanted) < 1e-3 * (1 + Math.abs(wanted)), `label ${t}`);
      }
      learner.learn(x, y);
      reference.learn([...x, 1], y);
    }
    assert.is(learner.count("overflowed"), 0);
  });
}

test.run();
