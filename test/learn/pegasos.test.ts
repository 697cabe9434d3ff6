import { test } from "uvu";
import * as assert from "uvu/assert";
import { Pegasos } from "../../src/learn/pegasos.ts";
import * as fc from "../properties.ts";
import { followLinear } from "./linear-trace.ts";
import { readWords } from "./region.ts";

for (const name of ["pegasos", "pegasos_noproject"]) {
  test(`Pegasos follows ${name}`, () => {
    followLinear(
      name,
      ({ X, params }) =>
        new Pegasos({
          dimension: X[0].length,
          lambda: params.lam,
          project: params.project,
          bias: false,
        }),
      1e-4,
    );
  });
}

const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 16);
const samples = fc.array(fc.tuple(fc.array(value, { minLength: 3, maxLength: 3 }), fc.constantFrom(-1, 1)), {
  minLength: 1,
  maxLength: 40,
});

function length(v: ArrayLike<number>): number {
  return Math.hypot(...Array.from(v));
}

test("projected, w lies in the ball of 1/sqrt(lambda); else it is the mean of y x / lambda over what was inside the margin", () => {
  fc.assert(
    fc.property(samples, fc.constantFrom(0.01, 1, 7), (stream, lambda) => {
      const inBall = new Pegasos({ dimension: 3, bias: false, lambda });
      const free = new Pegasos({ dimension: 3, bias: false, lambda, project: false });
      const sum = [0, 0, 0];
      stream.forEach(([x, y], i) => {
        inBall.learn(x, y);
        assert.ok(length(readWords(inBall, "w")) <= (1 + 1e-6) / Math.sqrt(lambda));
        const short = y * free.learn(x, y) < 1;
        if (short) for (let j = 0; j < 3; j++) sum[j] += (y * x[j]) / lambda;
        readWords(free, "w").forEach((w, j) => {
          const mean = sum[j] / (i + 1);
          assert.ok(Math.abs(w - mean) <= 1e-4 * Math.max(1, 4 / lambda), `${w}, should be ${mean}`);
        });
      });
    }),
  );
});

test("the count of samples stops where float32 holds no smaller step", () => {
  const learner = new Pegasos({ dimension: 1, lambda: 1 });
  learner.learn([1], 1);
  const { bits } = learner.range.f32;
  const t = learner.layout.at("t", learner.range);
  bits[t] = 16777215;
  learner.learn([2], 1);
  const w = readWords(learner, "w")[0];
  learner.learn([2], 1);
  assert.is(bits[t], 16777216);
  assert.ok(readWords(learner, "w")[0] < w, "w still shrinks");
});

test("an update that float32 can't hold is refused as a whole", () => {
  for (const [project, x] of [
    [false, 1e35],
    [true, 1e25],
  ] as const) {
    const learner = new Pegasos({ dimension: 1, lambda: 1e-4, project });
    const empty = learner.stateHash();
    learner.learn([x], 1);
    assert.is(learner.count("overflowed"), 1);
    assert.is(learner.stateHash(), empty);
  }
});

test.run();
