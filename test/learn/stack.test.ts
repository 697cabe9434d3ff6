import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Stack } from "../../src/learn/stack.ts";
import { packedWords } from "../../src/math/primitives.ts";
import { Layout } from "../../src/memory/layout.ts";
import { readWords } from "./region.ts";

const INPUTS = 3;
const WEIGHT = 0.7;

function made() {
  const layout = new Layout([...Stack.regions(INPUTS), { name: "z", kind: "scratch", words: INPUTS }]);
  const range = layout.ownRange();
  const stack = new Stack(layout, range, INPUTS, 1, 2, WEIGHT);
  const read = (name: string, words: number) => [...readWords({ layout, range }, name, words)];
  const z = layout.at("z", range);
  const learn = (inputs: readonly number[], y: number) => {
    range.f32.words.set(inputs, z);
    stack.learn(z, y);
  };
  return {
    stack,
    learn,
    weights: () => read("stack.w", INPUTS),
    covariance: () => read("stack.covariance", packedWords(INPUTS)),
  };
}

/** The Kalman filter of the logistic model a second time, in doubles, on a whole matrix. */
class Model {
  readonly w = [0, WEIGHT, 0];
  P: number[][] = [0, 1, 2].map((i) => [0, 1, 2].map((j) => (i === j ? 0.1 : 0)));

  learn(z: readonly number[], y: number): void {
    const q = 1 / (1 + Math.exp(-z.reduce((sum, value, i) => sum + value * this.w[i], 0)));
    const h = Math.max(q * (1 - q), 0.02);
    const g = this.P.map((row) => row.reduce((sum, value, j) => sum + value * z[j], 0));
    const k = 1 / (1 + h * z.reduce((sum, value, i) => sum + value * g[i], 0));
    for (const i of this.w.keys()) this.w[i] += k * ((y > 0 ? 1 : 0) - q) * g[i];
    this.P = this.P.map((row, i) => row.map((value, j) => value - h * k * g[i] * g[j]));
    if (this.P.reduce((sum, row, i) => sum + row[i], 0) < 4 * INPUTS)
      this.P = this.P.map((row) => row.map((value) => value / 0.9995));
  }
}

function near(found: readonly number[], wanted: readonly number[], what: string): void {
  for (const [i, value] of wanted.entries())
    assert.ok(Math.abs(found[i] - value) < 1e-3 * (1 + Math.abs(value)), `${what}: ${found}, not ${wanted}`);
}

test("the stack is the Kalman filter of the logistic model", () => {
  const [random, model, { learn, weights, covariance }] = [new Random(4), new Model(), made()];
  for (let t = 0; t < 3000; t++) {
    const z = [1, Math.fround(random.normal()), Math.fround(3 * random.normal())];
    const y = z[1] - 0.5 * z[2] + 0.4 + random.normal() > 0 ? 1 : -1;
    model.learn(z, y);
    learn(z, y);
    if (t % 100 > 0) continue;
    near(weights(), model.w, `weights after label ${t + 1}`);
    near(
      covariance(),
      model.P.flatMap((row, i) => row.slice(0, i + 1)),
      `covariance after label ${t + 1}`,
    );
  }
});

test("a surprise moves a sure stack a little, and its probabilities stay within 0 and 1", () => {
  const { stack, learn, weights } = made();
  learn([0, 100, 0], -1);
  assert.ok(weights()[1] < WEIGHT && weights()[1] > -1, `${weights()}`);
  assert.equal(
    [stack.probability(1e30), stack.probability(0), stack.probability(-1e30)].map((p) => p.toFixed(6)),
    ["1.000000", "0.500000", "0.000000"],
  );
});

test.run();
