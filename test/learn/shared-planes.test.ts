import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { filterClass } from "../../src/learn/class-filter.ts";
import { SharedPlanes, type SharedPlanesOptions, sharedPlanesLayout } from "../../src/learn/shared-planes.ts";
import { PortableF32 } from "../../src/math/f32.ts";

const CLASSES = 4;
const D = 3;
const OPTIONS: SharedPlanesOptions = {
  dimension: D,
  classes: CLASSES,
  covariance: "full",
  noiseVariance: 10,
  forgetting: 1,
};

/** The equations in doubles, with whole matrices. */
class Model {
  readonly w = Array.from({ length: CLASSES }, () => new Float64Array(D + 1));
  readonly sigma = Array.from({ length: D + 1 }, (_, i) =>
    Array.from({ length: D + 1 }, (_, j) => +(i === j)),
  );

  constructor(private readonly options: SharedPlanesOptions) {}

  scores(x: readonly number[]): number[] {
    return this.w.map((w) => w.reduce((sum, wj, j) => sum + wj * x[j], 0));
  }

  learn(x: readonly number[], y: number): void {
    const { noiseVariance, covariance, forgetting } = this.options;
    const { sigma } = this;
    const product = sigma.map((row) => row.reduce((sum, s, j) => sum + s * x[j], 0));
    const v = product.reduce((sum, p, j) => sum + p * x[j], 0);
    const beta = 1 / (v + noiseVariance);
    const losses = this.scores(x).map((score, c) => Math.max(0, 1 - (c === y ? score : -score)));
    if (losses.every((loss) => loss === 0)) return;
    this.w.forEach((w, c) => {
      for (let j = 0; j <= D; j++) w[j] += (c === y ? 1 : -1) * losses[c] * beta * product[j];
    });
    for (let i = 0; i <= D; i++)
      for (let j = 0; j <= D; j++)
        if (i === j || covariance === "full") sigma[i][j] -= beta * product[i] * product[j];
    const trace = sigma.reduce((sum, row, i) => sum + row[i], 0);
    if (trace < D + 1) for (const row of sigma) for (let j = 0; j <= D; j++) row[j] /= forgetting;
  }
}

for (const covariance of ["full", "diagonal"] as const) {
  for (const forgetting of [1, 0.99]) {
    test(`planes with one ${covariance} covariance follow the equations, forgetting ${forgetting}`, () => {
      const options = { ...OPTIONS, covariance, forgetting };
      const learner = new SharedPlanes(options);
      const model = new Model(options);
      const random = new Random(3, "planes");
      const { words } = learner.range.f32;
      const at = learner.layout.at("scores", learner.range);
      for (let t = 0; t < 400; t++) {
        const y = random.below(CLASSES);
        const x = Array.from({ length: D }, (_, j) => Math.fround(random.normal() / 2 + (j === y ? 1 : 0)));
        learner.predict(x);
        model.scores([...x, 1]).forEach((score, c) => {
          assert.ok(
            Math.abs(words[at + c] - score) < 1e-4,
            `sample ${t}, class ${c}: ${words[at + c]}, ${score}`,
          );
        });
        learner.learn(x, y);
        model.learn([...x, 1], y);
      }
    });
  }
}

test("a restored confidence is the one at the start, and the planes stay", () => {
  const learner = new SharedPlanes(OPTIONS);
  const fresh = new SharedPlanes(OPTIONS);
  learner.learn([1, 2, 3], 2);
  const region = (one: SharedPlanes, name: string) => {
    const at = one.layout.at(name, one.range);
    return [...one.range.f32.words.slice(at, at + one.layout.regionWords(name))];
  };
  const planes = region(learner, "w");
  assert.not.equal(region(learner, "sigma"), region(fresh, "sigma"));
  assert.ok(learner.restartConfidence());
  assert.equal(region(learner, "sigma"), region(fresh, "sigma"));
  assert.equal(region(learner, "w"), planes);
});

test("one covariance takes the bytes of one, however many classes there are", () => {
  const state = (classes: number) => sharedPlanesLayout({ ...OPTIONS, classes }).state;
  assert.is(state(5) - state(4), D + 1);
});

test("a model of classes that last follows votes: a belief of 1, and another class after some votes for it", () => {
  const f32 = new PortableF32(new ArrayBuffer(64));
  f32.words.fill(1 / CLASSES, 0, CLASSES);
  for (let t = 0; t < 20; t++) assert.is(filterClass(f32, 0, CLASSES, 2, 8), 2);
  const sum = f32.words.slice(0, CLASSES).reduce((all, b) => all + b, 0);
  assert.ok(Math.abs(sum - 1) < 1e-6);
  const chosen = Array.from({ length: 6 }, () => filterClass(f32, 0, CLASSES, 0, 8));
  assert.equal(chosen, [2, 2, 0, 0, 0, 0]);
  assert.is(filterClass(f32, 0, CLASSES, 3, 8), 0, "one vote changes nothing");
});

test.run();
