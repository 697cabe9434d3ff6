import { test } from "uvu";
import * as assert from "uvu/assert";
import { Forgetron } from "../../src/learn/forgetron.ts";
import { followTrace } from "./expansion-trace.ts";
import { readKernel, readTrace } from "./golden.ts";

function readSlack(learner: Forgetron): number {
  return learner.range.f32.words[learner.layout.at("slack", learner.range)];
}

test("the Forgetron follows forgetron", () => {
  const trace = readTrace("forgetron");
  const learner = new Forgetron({ dimension: 3, kernel: readKernel(trace), budget: trace.params.B });
  followTrace(learner, trace, 1e-4);
  assert.is(learner.count("inserted"), trace.M, "mistakes");
  const Q = (15 / 32) * trace.M - readSlack(learner);
  assert.ok(Math.abs(Q - trace.Q) < 1e-4, `Q ${Q}, the trace has ${trace.Q}`);
});

test("the damage of its removals never exceeds 15/32 of its mistakes", () => {
  const trace = readTrace("forgetron");
  for (const budget of [1, 2, 5]) {
    const learner = new Forgetron({ dimension: 3, kernel: readKernel(trace), budget });
    for (let pass = 0; pass < 20; pass++) {
      trace.X.forEach((x, t) => {
        learner.learn(x, trace.y[t]);
        assert.ok(readSlack(learner) > -1e-5, `slack ${readSlack(learner)}`);
      });
    }
    assert.is(learner.size, budget);
    assert.is(learner.count("overflowed"), 0);
  }
});

test.run();
