import { test } from "uvu";
import * as assert from "uvu/assert";
import { KernelPerceptron } from "../../src/learn/kernel-perceptron.ts";
import { Perceptron } from "../../src/learn/perceptron.ts";
import * as fc from "../properties.ts";
import { near, readTrace } from "./golden.ts";
import { followLinear } from "./linear-trace.ts";
import { modelHash } from "./model-hash.ts";
import { readWords } from "./region.ts";

test("the perceptron with a falling step follows perceptron", () => {
  const learner = followLinear(
    "perceptron",
    ({ X, params }) =>
      new Perceptron({ dimension: X[0].length, decaySamples: params.decaySamples, bias: params.bias }),
    1e-4,
  );
  near(readWords(learner, "bias"), [readTrace("perceptron").final.b], 1e-4, "b");
});

const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 16);
const samples = fc.array(fc.tuple(fc.array(value, { minLength: 3, maxLength: 3 }), fc.constantFrom(-1, 1)), {
  minLength: 1,
  maxLength: 40,
});

test("without an offset it is the kernel perceptron with the linear kernel", () => {
  fc.assert(
    fc.property(samples, (stream) => {
      const kernel = { type: "linear" } as const;
      const dual = new KernelPerceptron({ dimension: 3, budget: 40, kernel, eta: 0.5 });
      const primal = new Perceptron({ dimension: 3, eta: 0.5, bias: false });
      for (const [x, y] of stream) assert.is(primal.learn(x, y), dual.learn(x, y));
    }),
  );
});

test("with an offset it is the one without on inputs that have a 1 more", () => {
  fc.assert(
    fc.property(samples, (stream) => {
      const offset = new Perceptron({ dimension: 3, decaySamples: 20 });
      const longer = new Perceptron({ dimension: 4, decaySamples: 20, bias: false });
      for (const [x, y] of stream) {
        const [got, wanted] = [offset.learn(x, y), longer.learn([...x, 1], y)];
        assert.ok(Math.abs(got - wanted) <= 1e-4, `${got}, should be ${wanted}`);
        if (got !== wanted && Math.abs(wanted) <= 1e-4) return; // rounding alone says which of the two errs
      }
    }),
  );
});

test("right decisions move nothing but the count of samples", () => {
  const learner = new Perceptron({ dimension: 1 });
  learner.learn([1], 1);
  const [w, b] = [readWords(learner, "w")[0], readWords(learner, "bias")[0]];
  learner.learn([2], 1);
  assert.equal([readWords(learner, "w")[0], readWords(learner, "bias")[0]], [w, b]);
  assert.is(new Uint32Array(readWords(learner, "t").slice().buffer)[0], 2);
});

test("an update that float32 can't hold is refused as a whole: w, b and the count of samples", () => {
  type Given = [number[], number];
  const cases: { what: string; steps: Given[]; over: Given }[] = [
    {
      what: "w overflows",
      steps: [
        [[1, 0], 1],
        [[0, 1], -1],
      ],
      over: [[1, 1], 1],
    },
    { what: "b overflows", steps: [[[1, 0], 1]], over: [[-1, 0], 1] },
  ];
  for (const { what, steps, over } of cases) {
    const learner = new Perceptron({ dimension: 2, eta: 2 ** 127 });
    for (const [x, y] of steps) learner.learn(x, y);
    assert.is(learner.count("overflowed"), 0, what);
    const before = modelHash(learner);
    learner.learn(...over);
    assert.is(learner.count("overflowed"), 1, what);
    assert.is(modelHash(learner), before, what);
  }
});

test.run();
