import * as fc from "../properties.ts";
import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { QKAPA, Qkapa } from "../../src/learn/qkapa.ts";
import { checkLearner } from "./conformance.ts";
import { coefficientsByAge, followTrace } from "./expansion-trace.ts";
import { near, readKernel, readTrace } from "./golden.ts";
import { modelHash } from "./model-hash.ts";

for (const name of ["qkapa1", "qkapa2"]) {
  test(`QKAPA follows ${name}`, () => {
    const trace = readTrace(name);
    const { eps: epsilon, ...params } = trace.params;
    const learner = new Qkapa({
      dimension: trace.X[0].length,
      kernel: readKernel(trace),
      epsilon,
      ...(params as object),
    });
    followTrace(learner, trace, 1e-4);
    assert.is(learner.count("overflowed"), 0);
  });
}

test("a window of one sample is QKLMS at the quantized input", () => {
  const learner = new Qkapa({
    kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
    dimension: 1,
    windowSize: 1,
    eta: 0.5,
    epsilon: 0.1,
  });
  learner.learn([0], 1);
  near(coefficientsByAge(learner), [0.5], 0, "coefficient");
  learner.learn([0.05], 1);
  near(coefficientsByAge(learner), [0.75], 0, "coefficient");
});

test("mode 2 with step 1 and little regularization interpolates the window", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 5 }), (xs) => {
      const learner = new Qkapa({
        kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
        dimension: 1,
        windowSize: 5,
        mode: "newton",
        eta: 1,
        regularization: 1e-5,
        epsilon: 0.1,
      });
      for (const x of xs) learner.learn([x], Math.sin(x));
      for (const x of xs) near([learner.predict([x])], [Math.sin(x)], 1e-3, `f(${x})`);
    }),
    { numRuns: 100, seed: 7 },
  );
});

test("a full codebook takes inputs within its reach for their nearest centre, and counts them", () => {
  const learner = new Qkapa({
    kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
    dimension: 1,
    budget: 2,
    epsilon: 0.1,
    reach: 50,
    windowSize: 3,
  });
  for (const x of [0, 1, 5, 0.95, 5]) learner.learn([x], 1);
  assert.is(learner.size, 2);
  assert.is(learner.count("forced"), 2);
  assert.is(learner.count("quantized"), 1);
});

for (const mode of ["gradient", "newton"] as const) {
  test(`mode ${mode}: a step that makes a coefficient overflow is refused whole`, () => {
    const learner = new Qkapa({
      kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
      dimension: 1,
      mode,
      eta: 100,
      windowSize: 3,
    });
    learner.learn([0], 1);
    const before = modelHash(learner);
    learner.learn([2], 3e38);
    assert.is(learner.count("overflowed"), 1);
    assert.is(modelHash(learner), before);
    learner.learn([2], 1);
    assert.is(learner.size, 2);
  });
}

checkLearner(QKAPA[0], { mode: "newton" });

test.run();
