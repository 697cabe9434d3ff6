import { test } from "uvu";
import * as assert from "uvu/assert";
import { Nogd } from "../../src/learn/nogd.ts";
import { kernelOf, near, readTrace } from "./golden.ts";

function region(learner: Nogd, name: string): Float32Array {
  const at = learner.layout.at(name, learner.range);
  const words = learner.layout.regions.find((region) => region.name === name)?.words ?? 0;
  return learner.range.f32.words.subarray(at, at + words);
}

/** b = V_k D_k^(-1/2) w, so that f(x) = k(x).b. */
function equivalentCoefficients(learner: Nogd, B: number, k: number): number[] {
  const features = region(learner, "features");
  const w = region(learner, "w");
  const at = (r: number, j: number) => features[4 * B * (r >> 2) + 4 * j + (r & 3)];
  return Array.from({ length: B }, (_, j) =>
    Array.from({ length: k }, (_, r) => at(r, j) * w[r]).reduce((sum, term) => sum + term, 0),
  );
}

function nogd(budget: number, rank: number) {
  const trace = readTrace("nogd");
  const { eta, etaFeatures } = trace.params;
  return {
    trace,
    learner: new Nogd({ dimension: 3, kernel: kernelOf(trace), budget, rank, eta, etaFeatures }),
  };
}

test("NOGD follows nogd", () => {
  const { B, k } = readTrace("nogd").params;
  const { trace, learner } = nogd(B, k);
  const predictions = trace.X.map((x, t) => {
    const decision = learner.learn(x, trace.y[t]);
    assert.is(learner.size, trace.sizes[t], `size after step ${t}`);
    return decision;
  });
  near(predictions, trace.predictions, 1e-4, "prediction");
  near(equivalentCoefficients(learner, B, k), trace.final.equivalent_kernel_coef, 1e-4, "coefficient");
});

test("with all eigenvectors kept, the decomposition changes no prediction", () => {
  const { trace, learner } = nogd(12, 12);
  const { learner: roomy } = nogd(40, 40);
  trace.X.slice(0, 12).forEach((x, t) => {
    learner.learn(x, trace.y[t]);
    roomy.learn(x, trace.y[t]);
  });
  assert.is(learner.size, 12);
  near(
    trace.X.map((x) => learner.predict(x)),
    trace.X.map((x) => roomy.predict(x)),
    1e-5,
    "prediction",
  );
});

test("stored vectors that repeat each other leave features of rank less than k at 0", () => {
  const learner = new Nogd({
    kernel: { type: "gaussian", p: 1 },
    dimension: 1,
    budget: 8,
    rank: 6,
    eta: 1e-3,
  });
  for (let t = 0; t < 8; t++) learner.learn([t % 2], 1);
  assert.is(learner.size, 8);
  assert.is(learner.count("overflowed"), 0);
  assert.is(region(learner, "w").filter((w) => w !== 0).length, 2, "two vectors differ");
  for (let t = 0; t < 200; t++) learner.learn([t % 2], t % 2 === 0 ? 1 : -1);
  assert.ok(learner.predict([0]) >= 0.9 && learner.predict([1]) <= -0.9);
});

test("a rank above the budget is refused by name", () => {
  assert.throws(
    () => new Nogd({ kernel: { type: "gaussian", p: 1 }, dimension: 1, budget: 8 }),
    /nogd: option rank: got 16; takes a whole number <= budget, which is 8/,
  );
});

test.run();
