import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Projectron, ProjectronPlusPlus } from "../../src/learn/projectron.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { packedWords } from "../../src/math/primitives.ts";
import { followTrace } from "./expansion-trace.ts";
import { near, readKernel, readTrace } from "./golden.ts";

/** K^-1 from the factor that the learner keeps, row by row. */
function inverse(learner: Projectron): number[][] {
  const n = learner.size;
  const at = learner.layout.at("factor", learner.range);
  const x = packedWords(n);
  const f32 = new PortableF32(new ArrayBuffer(4 * (x + n)));
  f32.words.set(learner.range.f32.words.subarray(at, at + x));
  return Array.from({ length: n }, (_, j) => {
    f32.words.fill(0, x, x + n);
    f32.words[x + j] = 1;
    f32.solveLower(0, x, n);
    f32.solveLowerTransposed(0, x, n);
    return Array.from(f32.words.subarray(x, x + n));
  });
}

for (const [name, Learner] of [
  ["projectron", Projectron],
  ["projectron_pp", ProjectronPlusPlus],
] as const) {
  test(`${name}: predictions, coefficients and K^-1 follow the trace`, () => {
    const trace = readTrace(name);
    const learner = new Learner({
      dimension: 3,
      kernel: readKernel(trace),
      projectionThreshold: trace.params.projectionThreshold,
    });
    followTrace(learner, trace, 1e-4);
    near(inverse(learner).flat(), trace.final.Ki.flat(), 1e-4, "K^-1");
  });

  test(`${name}: what is learned at a full budget is a projection, and is counted`, () => {
    const trace = readTrace(name);
    const learner = new Learner({
      dimension: 3,
      kernel: readKernel(trace),
      projectionThreshold: 0.01,
      budget: 6,
    });
    trace.X.forEach((x, t) => {
      const full = learner.size === 6;
      const forced = learner.count("forced");
      const decision = learner.learn(x, trace.y[t]);
      const mistake = decision * trace.y[t] <= 0;
      if (!full || !mistake || learner.count("forced") === forced) return;
      // The perceptron's step y k(x, .), projected, moves f(c_i) by y k(x, c_i) at every stored vector.
      assert.ok(learner.predict(x) * trace.y[t] > decision * trace.y[t], "f moves towards the label");
    });
    assert.is(learner.size, 6);
    assert.ok(learner.count("forced") > 5);
    assert.is(learner.count("declined") + learner.count("evicted"), 0);
  });
}

test("a projection moves f at every stored vector by what the perceptron's step would have", () => {
  const trace = readTrace("projectron");
  const learner = new Projectron({
    dimension: 3,
    kernel: readKernel(trace),
    projectionThreshold: 1e-3,
    budget: 6,
  });
  const stored: number[][] = [];
  let checked = 0;
  trace.X.forEach((x, t) => {
    const before = stored.map((c) => learner.predict(c));
    const { size } = learner;
    const forced = learner.count("forced");
    learner.learn(x, trace.y[t]);
    if (learner.size > size) stored.push(x);
    if (learner.count("forced") === forced) return;
    const moved = stored.map((c, i) => learner.predict(c) - before[i]);
    const gamma = (readKernel(trace) as { gamma: number }).gamma;
    const steps = stored.map(
      (c) => trace.y[t] * Math.exp(-gamma * c.reduce((s, v, j) => s + (v - x[j]) ** 2, 0)),
    );
    near(moved, steps, 1e-5, `step ${t}`);
    checked++;
  });
  assert.ok(checked > 5);
});

test("near-duplicates under a tiny eta leave the factor sound", () => {
  const random = new Random(1, "duplicates");
  const learner = new Projectron({
    dimension: 2,
    budget: 64,
    projectionThreshold: 1e-6,
    kernel: { type: "gaussian", gamma: 0.3 },
  });
  for (let t = 0; t < 20000; t++) {
    const x = [random.normal(), random.normal()];
    const y = x[0] * x[1] + 0.2 * random.normal() >= 0 ? 1 : -1;
    learner.learn(t % 3 === 0 ? x.map((v) => Math.round(v)) : x, y);
  }
  assert.is(learner.count("overflowed"), 0);
  const largest = Math.max(
    ...Array.from({ length: learner.size }, (_, i) => Math.abs(learner.dictionary.coefficient(i))),
  );
  assert.ok(largest < 1e6, `largest coefficient ${largest}`);
});

/** Projectron++ with eta = 0.9 and one vector, of coefficient a, after a right decision on an x whose kernel value with that is k. */
function afterRightDecision(a: number, k: number): ProjectronPlusPlus {
  const kernel = { type: "gaussian", gamma: 1 } as const;
  const learner = new ProjectronPlusPlus({ dimension: 1, budget: 4, kernel, projectionThreshold: 0.9 });
  learner.learn([0], 1);
  learner.range.f32.words[learner.dictionary.coefficients] = a;
  learner.learn([Math.sqrt(-Math.log(k))], 1);
  return learner;
}

for (const [what, a, k, tau] of [
  ["the loss over k.d", 0.2, 0.99, (1 - 0.2 * 0.99) / 0.99 ** 2],
  ["1, where the loss is larger", 0.01, 0.99, 1],
  ["twice what delta leaves of the loss", 0.2, 0.9, (2 * (1 - 0.18 - Math.sqrt(0.19) / 0.9)) / 0.81],
  ["nothing, where delta leaves none", 0.7, 0.9, 0],
] as const) {
  test(`within the margin, Projectron++ takes a step of ${what}`, () => {
    const learner = afterRightDecision(a, k);
    assert.is(learner.size, 1);
    const found = learner.dictionary.coefficient(0);
    assert.ok(Math.abs(found - (a + tau * k)) < 1e-5, `${found}, not ${a + tau * k}`);
    assert.is(learner.count("quantized"), tau > 0 ? 1 : 0);
  });
}

test.run();
