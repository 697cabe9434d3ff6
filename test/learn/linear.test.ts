import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { modelHash } from "./model-hash.ts";

/** Learners whose offset is the weight of a component that is always 1. */
const OFFSET = FAMILIES.filter(
  ({ name, options }) => options.bias?.default === true && name !== "perceptron",
);

test("linear learners have a bias term by default, kernels have none", () => {
  const linear = FAMILIES.filter(({ title }) => /, linear$/.test(title)).map(({ name }) => name);
  assert.ok(linear.length >= 8 && linear.includes("arow"), `${linear}`);
  for (const { name, options } of FAMILIES) {
    const wanted = linear.includes(name) || name === "rls-hmm";
    assert.is(options.bias?.default ?? false, wanted, name);
  }
});

for (const { name, create, layout, manyClasses } of OFFSET.filter(({ name }) => name !== "rls-hmm")) {
  for (const classes of manyClasses ? [2, 4] : [2]) {
    test(`${name}, ${classes} classes: the offset is, to the bit, the weight of a component that is always 1`, () => {
      const own = manyClasses ? { classes } : {};
      assert.is(layout({ dimension: 3, ...own }).state, layout({ dimension: 4, bias: false, ...own }).state);
      const random = new Random(5, "offset");
      const offset = create({ dimension: 3, ...own });
      const appended = create({ dimension: 4, bias: false, ...own });
      for (let t = 0; t < 300; t++) {
        const x = Array.from({ length: 3 }, () => Math.fround(random.normal()));
        const label = Math.min(classes - 1, Math.max(0, Math.floor(x[0] + 2 + 0.5 * x[1])));
        const y = classes === 2 ? 2 * label - 1 : label;
        assert.is(offset.learn(x, y), appended.learn([...x, 1], y), `decision ${t}`);
      }
      assert.is(modelHash(offset), modelHash(appended));
      assert.ok(Number.isNaN(offset.predict([1, 2])), "as many components as the dimension, and no more");
    });
  }
}

test("an offset far from the origin is learned, which no w alone can", () => {
  const random = new Random(3, "far");
  const stream = Array.from({ length: 2000 }, () => {
    const x = [2 + random.normal(), 2 + random.normal()];
    return { x, y: x[0] + x[1] > 4 ? 1 : -1 };
  });
  for (const { name, create } of OFFSET) {
    const wrong = (bias: boolean) => {
      const learner = create({ dimension: 2, bias });
      return stream.filter(({ x, y }, t) => learner.learn(x, y) * y <= 0 && t >= 1000).length;
    };
    assert.ok(
      wrong(true) < 0.6 * wrong(false),
      `${name}: ${wrong(true)} wrong of 1000, ${wrong(false)} without`,
    );
  }
});

test("an input beyond the limit is learned, clipped", () => {
  for (const name of ["pa", "arow", "perceptron"]) {
    const learner = familyNamed(name)!.create({ dimension: 2 });
    const random = new Random(13, "clipped");
    for (let t = 0; t < 60; t++) {
      const x = [random.normal(), random.normal()];
      learner.learn(x, x[0] > 0 ? 1 : -1);
    }
    const before = learner.predict([1, 0]);
    learner.learn([900, 10], -1); // far beyond, and of the other class than it says
    const after = learner.predict([1, 0]);
    assert.ok(after < before && Number.isFinite(after), `${name}: ${before}, then ${after}`);
    assert.ok(after > before - 20, `${name}: as if it counted 900 times: ${before}, then ${after}`);
  }
});

test.run();
