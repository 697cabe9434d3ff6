import { test } from "uvu";
import * as assert from "uvu/assert";
import { ILol, LOL, Lol } from "../../src/learn/lol.ts";
import { PassiveAggressive } from "../../src/learn/passive-aggressive.ts";
import * as fc from "../properties.ts";
import { near, readTrace, type Trace } from "./golden.ts";
import { readWords } from "./region.ts";

type Local = Lol | ILol;

/** The words of a region as whole numbers. */
function wholes(learner: Local, name: string): Uint32Array {
  const { buffer, byteOffset, length } = readWords(learner, name);
  return new Uint32Array(buffer, byteOffset, length);
}

/** Row i of an interleaved region of rows of d numbers. */
function row(learner: Local, name: string, i: number, d: number): number[] {
  const words = readWords(learner, name);
  return Array.from({ length: d }, (_, j) => words[4 * d * (i >> 2) + 4 * j + (i & 3)]);
}

function traceOptions({ params, X }: Trace) {
  const { k: budget, C, count } = params;
  return { dimension: X[0].length, budget, C, count };
}

function followLocal(learner: Local, trace: Trace, classes: number): void {
  const { X, y, prototype_index } = trace;
  const scores = X.map((x, t) => {
    const before = learner.predict(x);
    assert.is(learner.learn(x, y[t]), before, `step ${t}: learn returns what predict did`);
    if (prototype_index) assert.is(wholes(learner, "nearest")[0], prototype_index[t], `prototype of ${t}`);
    return Array.from(readWords(learner, "scores"));
  });
  const d = X[0].length;
  const { n, w, U, prototypes } = trace.final;
  const rows = Array.from(n, (_, i) => i);
  near(scores.flat(), trace.predictions.flat(), 1e-4, "prediction");
  near(readWords(learner, "w"), w.flat(), 1e-4, "w");
  const u = rows.map((i) => row(learner, "u", i, classes * d));
  near(
    u.flat(),
    rows.flatMap((i) => (classes === 1 ? U[i] : U.flatMap((of: number[][]) => of[i]))),
    1e-4,
    "u",
  );
  near(
    rows.flatMap((i) => row(learner, "prototypes", i, d)),
    prototypes.flat(),
    1e-4,
    "prototype",
  );
  assert.equal(Array.from(wholes(learner, "n")), n);
  const tests = X.map((x) => {
    learner.predict(x);
    return Array.from(readWords(learner, "scores"));
  });
  if (trace.test_predictions_on_X) near(tests.flat(), trace.test_predictions_on_X.flat(), 1e-4, "test");
}

for (const name of ["lol", "lol_lam2.5_literal_count"]) {
  test(`LOL follows ${name}`, () => {
    const trace = readTrace(name);
    followLocal(new Lol({ ...traceOptions(trace), lambda: trace.params.lam }), trace, 1);
  });
}

test("I-LOL follows ilol", () => {
  const trace = readTrace("ilol");
  followLocal(new ILol(traceOptions(trace)), trace, 1);
});

test("LOL of three classes follows lol_multiclass", () => {
  const trace = readTrace("lol_multiclass");
  const learner = new Lol({ ...traceOptions(trace), lambda: trace.params.lam, classes: 3 });
  assert.is(learner.task, "multiclass");
  followLocal(learner, trace, 3);
});

const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 32);

function streams(d: number, y: fc.Arbitrary<number>) {
  const x = fc.array(value, { minLength: d, maxLength: d });
  return fc.array(fc.tuple(x, y), { minLength: 1, maxLength: 40 });
}

for (const lambda of [1, 4]) {
  test(`LOL with lambda ${lambda} is PA-I on the stacked vector [sqrt(lambda) w, u_1 .. u_k]`, () => {
    const [d, k] = [3, 4];
    fc.assert(
      fc.property(streams(d, fc.constantFrom(-1, 1)), (samples) => {
        const learner = new Lol({ dimension: d, budget: k, lambda, C: 0.1 });
        const stacked = new PassiveAggressive({ dimension: (k + 1) * d, bias: false, C: 0.1 });
        samples.forEach(([x, y], t) => {
          const decision = learner.learn(x, y);
          const long = new Array((k + 1) * d).fill(0);
          const i = wholes(learner, "nearest")[0];
          x.forEach((v, j) => {
            long[j] = v / Math.sqrt(lambda);
            long[(i + 1) * d + j] = v;
          });
          const wanted = stacked.learn(long, y);
          assert.ok(Math.abs(decision - wanted) <= 1e-3, `step ${t}: ${decision}, stacked ${wanted}`);
        });
      }),
    );
  });
}

test("with count macqueen a prototype is the mean of its samples", () => {
  const [d, k] = [2, 3];
  fc.assert(
    fc.property(streams(d, fc.constantFrom(-1, 1)), (samples) => {
      const learner = new Lol({ dimension: d, budget: k });
      const sums = Array.from({ length: k }, () => [0, 0, 0]);
      for (const [x, y] of samples) {
        learner.learn(x, y);
        const sum = sums[wholes(learner, "nearest")[0]];
        sum[0] += x[0];
        sum[1] += x[1];
        sum[2]++;
      }
      sums.slice(0, learner.size).forEach(([a, b, n], i) => {
        near(row(learner, "prototypes", i, d), [a / n, b / n], 1e-5, `prototype ${i}`);
      });
    }),
  );
});

test("prototypes move alike however many classes there are", () => {
  const d = 2;
  fc.assert(
    fc.property(streams(d, fc.integer({ min: 0, max: 4 })), (samples) => {
      const two = new Lol({ dimension: d, budget: 5 });
      const five = new Lol({ dimension: d, budget: 5, classes: 5 });
      for (const [x, y] of samples) {
        two.learn(x, y > 2 ? 1 : -1);
        const decision = five.learn(x, y);
        const scores = Array.from(readWords(five, "scores"));
        assert.is(decision, scores.indexOf(Math.max(...scores)), "the largest wins, the lowest on ties");
      }
      assert.equal(readWords(five, "prototypes"), readWords(two, "prototypes"));
      assert.equal(wholes(five, "n"), wholes(two, "n"));
    }),
  );
});

test("labels of the other form are refused and leave the state as it was", () => {
  const two = new Lol({ dimension: 1, budget: 2 });
  const three = new ILol({ dimension: 1, budget: 2, classes: 3 });
  for (const y of [0, 2, Number.NaN]) two.learn([1], y);
  for (const y of [-1, 3, 0.5]) three.learn([1], y);
  for (const learner of [two, three]) {
    assert.is(learner.count("refused"), 3);
    assert.is(learner.size, 0);
    assert.ok(readWords(learner, "u").every((word) => word === 0));
  }
});

test("an update that float32 can't hold is refused as a whole, the prototype included", () => {
  const learner = new Lol({ dimension: 1, budget: 1, C: 3e38 });
  learner.learn([-3e38], 1);
  const before = learner.stateHash();
  learner.learn([3e38], 1);
  assert.is(learner.count("overflowed"), 1);
  assert.is(learner.stateHash(), before);
});

test("k is the budget, or what option prototypes says, at most the budget", () => {
  const [lol] = LOL;
  const bytes = (options: object) => lol.layout({ dimension: 3, ...options }).bytes;
  assert.is(bytes({ budget: 12 }), bytes({ budget: 64, prototypes: 12 }));
  assert.throws(
    () => bytes({ budget: 8, prototypes: 9 }),
    /lol: option prototypes: got 9; takes a number <= budget, which is 8/,
  );
});

test.run();
