import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { LeastSquares } from "./least-squares.ts";

const rls = familyNamed("rls")!;

/** Four features of which two nearly repeat others, and a target that turns after half of the labels. */
function samples(count: number): { x: number[]; y: number }[] {
  const random = new Random(3, "rls");
  return Array.from({ length: count }, (_, t) => {
    const a = random.normal();
    const b = random.normal();
    const x = [a, b, a + 1e-3 * random.normal(), a - b + 1e-3 * random.normal()].map(Math.fround);
    return { x, y: Math.fround(5 + (t < count / 2 ? 2 : -1) * a - b + 0.1 * random.normal()) };
  });
}

for (const forgetting of [0.9, 0.999, 1]) {
  test(`lambda = ${forgetting}: estimates are those of the normal equations in double precision`, () => {
    const learner = rls.create({ dimension: 4, forgetting, outlierLimit: 1e30 });
    const reference = new LeastSquares(5, Math.min(forgetting, 1 - 2 ** -20), 0.01);
    let largest = 0;
    samples(4000).forEach(({ x, y }) => {
      const wanted = reference.estimate([...x, 1]);
      largest = Math.max(largest, Math.abs(learner.learn(x, y) - wanted) / (1 + Math.abs(wanted)));
      reference.learn([...x, 1], y);
    });
    assert.ok(largest < 5e-4, `off by ${largest}`);
  });
}

test("inputs that stop varying leave the weights finite, and the prior as heavy as at the start", () => {
  const learner = rls.create({ dimension: 2, forgetting: 0.95, bias: false });
  const random = new Random(5, "still");
  for (let t = 0; t < 300; t++) {
    const x = [random.normal(), random.normal()];
    learner.learn(x, x[0] - 2 * x[1]);
  }
  for (let t = 0; t < 20000; t++) learner.learn([1, 0], 1);
  const { layout, range } = learner;
  const factor = layout.at("factor", range);
  // L'L of the second weight is the prior alone: delta = .01, a little more or less as its turn comes.
  assert.ok(Math.abs(range.f32.words[factor + 2] ** 2 - 0.01) < 1e-3, `${range.f32.words[factor + 2]}`);
  assert.ok(Math.abs(learner.predict([1, 0]) - 1) < 1e-3);
  assert.ok(Math.abs(learner.predict([0, 1])) < 0.1, "what no label says any more returns to 0");
});

test("an equation whose squares float32 can't hold is refused, and changes nothing", () => {
  const learner = rls.create({ dimension: 1, outlierLimit: 1e30 });
  learner.learn([1], 1);
  const before = learner.predict([1]);
  learner.learn([1e20], 1);
  assert.is(learner.count("overflowed"), 1);
  assert.is(learner.predict([1]), before);
});

test.run();
