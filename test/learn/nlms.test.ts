import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";

test("estimates are those of the paper's step in double precision", () => {
  const learner = familyNamed("nlms")!.create({ dimension: 3, eta: 0.4, outlierLimit: 1e30 });
  const w = [0, 0, 0, 0];
  const random = new Random(3, "nlms");
  for (let t = 0; t < 500; t++) {
    const x = Array.from({ length: 3 }, () => Math.fround(random.normal()));
    const y = Math.fround(2 + x[0] - 3 * x[2] + 0.1 * random.normal());
    const row = [...x, 1];
    const f = row.reduce((sum, value, j) => sum + value * w[j], 0);
    assert.ok(Math.abs(learner.learn(x, y) - f) < 1e-5, `label ${t}`);
    const length = row.reduce((sum, value) => sum + value * value, 0.1);
    row.forEach((value, j) => {
      w[j] += (0.4 * (y - f) * value) / length;
    });
  }
  assert.ok(Math.abs(learner.predict([0, 0, 0]) - 2) < 0.3);
});

test.run();
