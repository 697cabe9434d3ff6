import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { easyStream, meanLoss } from "../../host-sim/conformance/easy-streams.ts";
import type { KernelExpansion } from "../../src/learn/expansion.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { modelHash } from "./model-hash.ts";

const named = (name: string, options: object) =>
  familyNamed(name)!.create(options as never) as KernelExpansion;
const KERNEL = { type: "gaussian", sigma: Math.SQRT1_2 };
const CODEBOOKS = ["qkrls", "qklms", "qkapa"];
const KRLS = ["krls-ald", "krls-novelty", "krls-surprise", "krls-ald-discard"];

for (const name of CODEBOOKS) {
  test(`${name}: a full codebook declines an input beyond its reach, counts it, and doesn't change`, () => {
    const learner = named(name, { dimension: 1, budget: 4, epsilon: 0.25, kernel: KERNEL });
    for (let t = 0; t < 40; t++) learner.learn([t % 4], (t % 4) / 4);
    const before = modelHash(learner);
    for (const far of [6, 1e4, -3e38]) learner.learn([far], 1);
    assert.is(learner.count("declined"), 3);
    assert.is(modelHash(learner), before);
    learner.learn([3 + 8 * 0.25], 1);
    assert.is(learner.count("forced"), 1, "within 8 quantization sizes");
  });
}

test("without quantization there is no measure of far: an input is forced on the nearest as ever", () => {
  const learner = named("qklms", { dimension: 1, budget: 2, epsilon: 0, kernel: KERNEL });
  for (const x of [0, 1, 100]) learner.learn([x], 1);
  assert.is(learner.count("forced"), 1);
});

for (const name of [...CODEBOOKS, ...KRLS, "projectron", "projectron-pp", "nogd"]) {
  test(`${name}: a dictionary full of glitches, or of a constant sensor, discards them`, () => {
    const learner = () => named(name, { dimension: 3, budget: 24, ...(name === "nogd" && { rank: 8 }) });
    const { task } = learner();
    const stream = easyStream(task, 3, 900, 21);
    const loss = (spoil: (learner: KernelExpansion) => void) => {
      const one = learner();
      spoil(one);
      const decisions = stream.map(({ x, y }) => one.learn(x, y));
      return meanLoss(task, decisions.slice(500), stream.slice(500));
    };
    const random = new Random(22, "glitches");
    const twin = loss(() => {});
    const trivial = task === "regression" ? 0.5 : 0.5;
    const glitched = loss((one) => {
      for (let t = 0; t < 100; t++)
        one.learn(
          [0, 1, 2].map(() => 1e6 * random.normal()),
          stream[t].y,
        );
    });
    assert.ok(glitched < twin + 0.1 * trivial, `glitches: ${glitched}, ${twin} without them`);
    const constant = loss((one) => {
      for (let t = 0; t < 100; t++) one.learn([0.3, -0.2, 0.1], stream[t].y);
    });
    assert.ok(constant < twin + 0.2 * trivial, `constant: ${constant}, ${twin} without it`);
  });
}

test("a vector that stood for many samples waits as many times longer than one that stood for one", () => {
  const learner = named("qklms", { dimension: 1, budget: 2, kernel: KERNEL, epsilon: 0.25, staleAfter: 10 });
  for (let t = 0; t < 5; t++) learner.learn([0], 1);
  learner.learn([50], 1);
  for (let t = 0; t < 11; t++) learner.learn([t % 2 === 0 ? 100 : 0], 1);
  assert.is(learner.count("evicted"), 1, "of one use, after 10 samples");
  assert.ok(learner.predict([0]) > 0.5, "what is in use stays");
  assert.ok(Math.abs(learner.predict([50])) < 0.01);
});

for (const name of KRLS) {
  test(`${name}: f without a stale vector is f but for what that vector alone could say`, () => {
    const learner = named(name, {
      dimension: 1,
      budget: 6,
      staleAfter: 40,
      kernel: { type: "gaussian", gamma: 1 },
    });
    const far = [30, 60];
    for (const x of far) learner.learn([x], 1);
    const points = [0, 0.9, 1.8, 2.7];
    for (let t = 0; t < 60; t++) learner.learn([points[t % 4]], Math.cos(points[t % 4]));
    assert.is(learner.size, 6);
    const before = points.map((x) => learner.predict([x]));
    learner.learn([10], 0.5);
    assert.is(learner.count("evicted"), 1);
    assert.is(learner.size, 6);
    points.forEach((x, i) => {
      assert.ok(Math.abs(learner.predict([x]) - before[i]) < 1e-5, `f(${x})`);
    });
    assert.ok(Math.abs(learner.predict([10]) - 0.5) < 0.01);
    assert.ok(Math.abs(learner.predict([30])) < 1e-5, "the first glitch is gone");
    assert.ok(Math.abs(learner.predict([60]) - 1) < 0.02, "the other isn't yet");
  });
}

test.run();
