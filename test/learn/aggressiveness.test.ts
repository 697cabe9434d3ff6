import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { ERRORS } from "../../src/learn/aggressiveness.ts";
import { Fogd } from "../../src/learn/fogd.ts";
import { DualAga, DualRho } from "../../src/learn/gradient-ascent.ts";
import { DualGreedy } from "../../src/learn/greedy-ascent.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { ILol, Lol } from "../../src/learn/lol.ts";
import { NormaC } from "../../src/learn/norma.ts";
import { OlkC } from "../../src/learn/olk.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { PassiveAggressive } from "../../src/learn/passive-aggressive.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Layout } from "../../src/memory/layout.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { readWords } from "./region.ts";

/** The errors' C a second time, from the statement alone: `wrong` is what each label's decision counts. */
function* stated(): Generator<number, never, number> {
  let M = 0;
  let C = Number.NaN;
  for (let n = 1; ; n++) {
    const wrong = yield C;
    M = Math.fround(M - (n > 240 ? M / 240 : 0) + wrong);
    const e = (M + 2.4) / (Math.min(n, 240) + 16);
    const least = Math.max(0.1, 0.4 * Math.min(1, Math.sqrt(200 / n)));
    C = Math.min(2, Math.max(0.05 / e, least));
  }
}

function statedC(): (wrong: number) => number {
  const C = stated();
  C.next(0);
  return (wrong) => C.next(wrong).value;
}

function near(actual: number, wanted: number, what: string): void {
  assert.ok(Math.abs(actual - wanted) <= 1e-5 * Math.abs(wanted), `${what}: ${actual}, stated ${wanted}`);
}

/** C after a wrong or a right decision between so many classes. */
function estimate(classes = 2): { after(isWrong: boolean): number } {
  const layout = new Layout([ERRORS]);
  const range = layout.ownRange();
  const at = layout.at(ERRORS.name, range);
  const k = classes > 2 ? classes : 1;
  return { after: (isWrong) => range.f32.aggressiveness(at, 1, isWrong ? -1 : 1, k) };
}

for (const [classes, counted] of [
  [2, 1],
  [5, 0.4],
]) {
  test(`C follows the errors as stated, with ${classes} classes`, () => {
    const [C, found, random] = [statedC(), estimate(classes), new Random(3)];
    for (let n = 1; n <= 5000; n++) {
      // Few errors, then many, then none.
      const isWrong = n < 4500 && random.below(100) < (n < 800 ? 3 : 45);
      near(found.after(isWrong), C(isWrong ? counted : 0), `label ${n}`);
    }
  });
}

test("C ends at 2 where no label is wrong, and at 0.1 where most are", () => {
  const [right, wrong] = [estimate(), estimate()];
  let [most, least] = [0, 0];
  for (let n = 0; n < 4000; n++) [most, least] = [right.after(false), wrong.after(n % 3 > 0)];
  assert.equal([most, least.toFixed(6)], [2, "0.100000"]);
});

test("at the first 200 labels C is at least 0.4, however many are wrong", () => {
  const C = estimate();
  for (let n = 1; n <= 200; n++) assert.ok(C.after(true) >= Math.fround(0.4), `label ${n}`);
});

test("C of 240 right labels comes back from errors without end: nothing refuses for good", () => {
  const C = estimate();
  for (let n = 0; n < 20_000; n++) C.after(true);
  let last = 0;
  for (let n = 0; n < 1200; n++) last = C.after(false);
  assert.ok(last > 1, `${last}`);
});

/** Points so far apart that each has a kernel value of 0 with every other: f is 0 there, which is class +1. */
const APART = { dimension: 1, budget: 40, kernel: { type: "gaussian", gamma: 1 } } as const;

function coefficient(learner: Learner, i: number): number {
  return Math.abs([...readWords(learner, "coefficients", APART.budget)][i]);
}

for (const [name, learner, step] of [
  ["OLK-C", new OlkC({ ...APART, regularization: 0 }), (C: number) => Math.min(C, 1)],
  ["NORMA-C", new NormaC({ ...APART, lambda: 0 }), (eta: number) => eta],
  ["AGA", new DualAga(APART), (C: number) => Math.min(C, 1)],
  ["greedy ascent", new DualGreedy(APART), (C: number) => Math.min(C, 1)],
  ["rho-GA", new DualRho({ ...APART, rho: 4 }), (C: number) => Math.min(C, 4 * C * C, 1)],
] as const) {
  test(`${name} takes the C that its errors give at each label`, () => {
    const C = statedC();
    for (let i = 0; i < APART.budget; i++) {
      const y = i % 4 === 3 ? -1 : 1;
      learner.learn([1000 * i], y);
      near(coefficient(learner, i), step(C(y < 0 ? 1 : 0)), `label ${i + 1}`);
    }
  });
}

test("PA-I takes the C that its errors give, over d", () => {
  const [C, random] = [statedC(), new Random(8)];
  const learner = new PassiveAggressive({ dimension: 2, bias: false });
  let w = [0, 0];
  for (let t = 0; t < 500; t++) {
    const x = [Math.fround(random.normal()), Math.fround(random.normal())];
    const y = x[0] + x[1] > 0 === random.below(10) > 0 ? 1 : -1;
    const f = learner.learn(x, y);
    const step = Math.min(C(f < 0 !== y < 0 ? 1 : 0) / 2, Math.max(0, 1 - y * f) / (x[0] ** 2 + x[1] ** 2));
    w = w.map((each, j) => each + step * y * x[j]);
    const found = [...readWords(learner, "w", 2)];
    assert.ok(Math.hypot(found[0] - w[0], found[1] - w[1]) < 1e-4, `label ${t + 1}: ${found}, stated ${w}`);
    w = found;
  }
});

test("LOL and I-LOL take it over d, and FOGD over D", () => {
  const x = [0.8, -0.6, 0.5];
  const first = statedC()(1);
  for (const [Local, shares] of [
    [Lol, 2],
    [ILol, 1],
  ] as const) {
    const local = new Local({ dimension: 3, budget: 1 });
    local.learn(x, -1);
    near(local.predict(x), (-shares * first * 1.25) / 3, Local.name);
  }
  const fogd = new Fogd({ dimension: 3, budget: 64, kernel: { type: "gaussian", p: 1 } });
  fogd.learn(x, -1);
  assert.ok(Math.abs(fogd.predict(x) + first) < 1e-5, `${fogd.predict(x)}, stated ${-first}`);
});

test("a given C has no region, and neither has a learner whose labels are corrected", () => {
  const bytes = (options: object) => familyNamed("olk-c")?.layout({ dimension: 2, ...options });
  assert.is(bytes({})?.regionWords("errors"), 2);
  assert.is(bytes({ C: 0.4 })?.regionWords("errors"), 0);
  assert.is(bytes({ sources: [[0.1, 0.1]] })?.regionWords("errors"), 0);
});

test("classes that share a dictionary share its errors", () => {
  const family = familyNamed("olk-c");
  assert.ok(family);
  const whole = oneVsAllFamily(family);
  const options = { dimension: 2, classes: 3, shared: true };
  const [found, given] = [whole.layout(options), whole.layout({ ...options, C: 0.4 })];
  assert.is(found.state - given.state, 2);
});

test("NORMA-C refuses a lambda that its largest found eta would turn over", () => {
  assert.throws(
    () => new NormaC({ dimension: 1, lambda: 0.5 }),
    (error: unknown) => {
      assert.instance(error, OptionError);
      return /norma-c: option lambda: got 0.5; takes a number < 0.5 where eta is 0/.test(String(error));
    },
  );
});

test.run();
