import { test } from "uvu";
import * as assert from "uvu/assert";
import { FORGETTING_DUAL_ASCENT } from "../../../lab/experiments/forgetting.ts";
import { PapersData } from "../../../lab/experiments/lib/data.ts";
import { rotatingSpirals, twoMoons } from "../../../lab/experiments/lib/drawn-classes.ts";
import { Summary } from "../../../lab/experiments/lib/summary.ts";

const [MOONS, , SPIRALS] = FORGETTING_DUAL_ASCENT;

async function summary(experiment: typeof MOONS, seeds: readonly number[]): Promise<Summary> {
  return new Summary(await Promise.all(seeds.map((seed) => experiment.run(seed, new PapersData()))));
}

function near(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected} +- ${tolerance}`);
}

test("the two moons are 500 samples each, within their half-rings", () => {
  const { inputs, labels } = twoMoons(1);
  assert.is(labels.filter((y) => y > 0).length, 500);
  inputs.forEach(([x, y], i) => {
    const [across, up] = labels[i] > 0 ? [x, y] : [x - 4, 3 - y];
    const radius = Math.sqrt(across * across + up * up);
    assert.ok(radius > 2.999 && radius < 5.001 && up > -1e-5, `sample ${i}: ${x}, ${y}`);
  });
});

test("the spirals wind one and a half times, half a turn apart, and turn around once in the stream", () => {
  const { inputs, labels } = rotatingSpirals(1);
  assert.is(inputs.length, 2000);
  inputs.forEach(([x, y], t) => {
    const radius = Math.hypot(x, y);
    const angle = 3 * Math.PI * (radius / 9) + (2 * Math.PI * t) / 2000 + (labels[t] > 0 ? 0 : Math.PI);
    const off = Math.hypot(x - radius * Math.cos(angle), y - radius * Math.sin(angle));
    assert.ok(radius <= 9.001 && off < 1e-4, `sample ${t}: ${off} off its arm`);
  });
});

test("on two moons every method errs on the known two per cent, forgetting or not, and a batch SVM on half of one", async () => {
  const moons = await summary(MOONS, [1, 2, 3]);
  for (const method of ["safe", "aga", "greedy"]) {
    for (const how of ["with", "without"]) near(moons.mean(`${method}/${how}`), 2.1, 0.6);
  }
  near(moons.mean("rho/without"), 1.98, 0.6);
  near(moons.mean("svm"), 0.5, 0.4);
});

test("the dual rises throughout, fastest by greedy ascent, and stays below the primal", async () => {
  const { curves } = await summary(MOONS, [4]);
  for (const method of ["rho", "aga", "greedy"]) {
    const { value } = curves[`${method}/dual`];
    value.forEach((dual, i) => {
      assert.ok(i === 0 || dual >= value[i - 1] - 1e-4, `${method}, point ${i}`);
      assert.ok(method === "greedy" || dual <= curves["greedy/dual"].value[i] + 1, `${method}, point ${i}`);
      if (method === "greedy") assert.ok(dual <= curves["greedy/primal"].value[i], `primal, point ${i}`);
    });
  }
});

test("on rotating spirals forgetting helps AGA and greedy ascent, and undoes rho-GA as printed", async () => {
  const spirals = await summary(SPIRALS, [1, 2, 3]);
  near(spirals.mean("aga/with"), 2.56, 0.4);
  near(spirals.mean("greedy/with"), 2.55, 0.4);
  near(spirals.mean("safe/with"), 2.56, 0.4);
  near(spirals.mean("aga/without"), 4.29, 0.6);
  near(spirals.mean("rho/without"), 9.4, 1);
  near(spirals.mean("rho/with"), 26, 3);
});

test("without forgetting AGA and greedy ascent are one algorithm", async () => {
  const spirals = await summary(SPIRALS, [5]);
  assert.is(spirals.mean("aga/without"), spirals.mean("greedy/without"));
});

test.run();
