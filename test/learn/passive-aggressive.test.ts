import { test } from "uvu";
import * as assert from "uvu/assert";
import { PASSIVE_AGGRESSIVE, PassiveAggressive } from "../../src/learn/passive-aggressive.ts";
import * as fc from "../properties.ts";
import { near, readTrace } from "./golden.ts";

function readWeights(learner: PassiveAggressive): number[] {
  const w = learner.layout.at("w", learner.range);
  return Array.from(learner.range.f32.words.subarray(w, w + learner.dimension));
}

test("PA-I follows pa1", () => {
  const trace = readTrace("pa1");
  const learner = new PassiveAggressive({ dimension: trace.X[0].length, C: trace.params.C, bias: false });
  const predictions = trace.X.map((x, t) => {
    const before = learner.predict(x);
    const decision = learner.learn(x, trace.y[t]);
    assert.is(decision, before);
    return decision;
  });
  near(predictions, trace.predictions, 1e-4, "prediction");
  near(readWeights(learner), trace.final.w, 1e-4, "w");
});

test("it stores no vectors, and refuses a budget by name", () => {
  const [pa] = PASSIVE_AGGRESSIVE;
  assert.throws(
    () => pa.layout({ dimension: 5, budget: 64 }),
    /^pa: no option budget; takes dimension, .*stores nothing/,
  );
  assert.is(
    new PassiveAggressive({ dimension: 5 }).range.f32.words.byteLength,
    pa.layout({ dimension: 5 }).bytes,
  );
});

test("after a step shorter than C the sample has margin 1", () => {
  const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 16);
  const stream = fc.array(fc.tuple(fc.array(value, { minLength: 4, maxLength: 4 }), fc.constantFrom(-1, 1)), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(stream, (samples) => {
      const learner = new PassiveAggressive({ dimension: 4, C: 1e6, bias: false });
      for (const [x, y] of samples) {
        learner.learn(x, y);
        if (x.some((v) => v !== 0)) assert.ok(y * learner.predict(x) > 1 - 1e-3 * 16);
      }
    }),
  );
});

test("with several classes a step shorter than C puts the label's class 1 above its rival, and moves two vectors", () => {
  const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 16);
  const x = fc.array(value, { minLength: 3, maxLength: 3 }).filter((v) => v.some((n) => n !== 0));
  fc.assert(
    fc.property(fc.array(fc.tuple(x, fc.integer({ min: 0, max: 3 })), { maxLength: 30 }), (samples) => {
      const learner = new PassiveAggressive({ dimension: 3, classes: 4, C: 1e6, bias: false });
      const w = learner.layout.at("w", learner.range);
      const at = learner.layout.at("scores", learner.range);
      const weights = () => Array.from(learner.range.f32.words.subarray(w, w + 12));
      const score = (all: number[], c: number, v: number[]) =>
        v.reduce((sum, n, j) => sum + n * all[3 * c + j], 0);
      for (const [v, y] of samples) {
        const before = weights();
        const others = [0, 1, 2, 3].filter((c) => c !== y);
        learner.predict(v);
        const scores = learner.range.f32.words.slice(at, at + 4);
        const rival = others.reduce((best, c) => (scores[c] > scores[best] ? c : best));
        learner.learn(v, y);
        const after = weights();
        assert.ok(score(after, y, v) - score(after, rival, v) > 1 - 0.02);
        const moved = [0, 1, 2, 3].filter((c) =>
          [0, 1, 2].some((j) => after[3 * c + j] !== before[3 * c + j]),
        );
        assert.ok(moved.length <= 2);
        for (let j = 0; j < 3; j++) {
          const sum = (all: number[]) => [0, 1, 2, 3].reduce((total, c) => total + all[3 * c + j], 0);
          assert.ok(Math.abs(sum(after)) < 1e-2, "what one class gains another loses");
        }
      }
    }),
  );
});

test("whatever finite numbers come, the weights stay finite, and a decision that isn't leaves them alone", () => {
  const x = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(x, fc.constantFrom(-1, 1)), { maxLength: 30 }), (samples) => {
      const learner = new PassiveAggressive({ dimension: 3, C: 3e38 });
      for (const [v, y] of samples) {
        const before = learner.stateHash();
        if (Number.isNaN(learner.learn(v, y))) assert.is(learner.stateHash(), before);
        assert.ok(readWeights(learner).every(Number.isFinite));
      }
    }),
  );
});

test.run();
