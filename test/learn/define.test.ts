import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { defineLearner } from "../../src/learn/define.ts";
import { flag, real, whole } from "../../src/learn/options.ts";
import { Perceptron } from "../../src/learn/perceptron.ts";
import { ANY, faultIn } from "../../src/memory/layout.ts";
import { checkLearner } from "./conformance.ts";
import { modelHash } from "./model-hash.ts";

/** The perceptron of `perceptron.ts`, its step the same at each sample, as a record. */
const perceptron = defineLearner({
  name: "record-perceptron",
  task: "classification",
  title: "Perceptron",
  paper: "Rosenblatt: The perceptron. Psychological Review 65(6), 1958",
  options: {
    eta: real({ default: 1, above: 0 }, "eta, step size"),
    bias: flag(true, "whether f has an offset b"),
  },
  bounded: true,
  state: ({ dimension }) => ({ w: dimension, bias: 1, t: 1 }),
  predict: ({ f32, at, input, options }) => f32.dot(at.w, input, options.dimension) + f32.words[at.bias],
  update({ f32, at, input, options }, y, decision) {
    const step = y * options.eta;
    if (y * decision <= 0) {
      const b = Math.fround(f32.words[at.bias] + (options.bias ? step : 0));
      if (!Number.isFinite(b) || !f32.addScaled(at.w, step, input, options.dimension)) return false;
      f32.words[at.bias] = b;
    }
    f32.bits[at.t]++;
    return true;
  },
});

/** The mean of the last `budget` targets, which stand in a ring: what stores vectors says how many. */
const lastMean = defineLearner({
  name: "last-mean",
  task: "regression",
  title: "Mean of the targets at the nearest inputs",
  paper: "Cover, Hart: Nearest neighbor pattern classification. IEEE Trans. Information Theory 13(1), 1967",
  options: { budget: whole({ default: 16, min: 1, max: 64 }, "inputs there is room for") },
  state: ({ dimension, budget }) => ({ inputs: dimension * budget, targets: budget, taken: 1 }),
  holds: () => ({ taken: [ANY] }),
  scratch: ({ dimension }) => ({ difference: dimension }),
  capacity: ({ budget }) => budget,
  size: ({ f32, at, options }) => Math.min(f32.bits[at.taken], options.budget),
  predict({ f32, at, input, options: { dimension, budget } }) {
    let [nearest, estimate] = [Number.POSITIVE_INFINITY, 0];
    for (let i = 0; i < f32.bits[at.taken] && i < budget; i++) {
      f32.copy(at.difference, input, dimension);
      f32.addScaled(at.difference, -1, at.inputs + i * dimension, dimension);
      const distance = f32.dot(at.difference, at.difference, dimension);
      if (distance < nearest) [nearest, estimate] = [distance, f32.words[at.targets + i]];
    }
    return estimate;
  },
  update({ f32, at, input, options: { dimension, budget }, tally }, y) {
    const i = f32.bits[at.taken] % budget;
    if (f32.bits[at.taken] >= budget) tally("evicted");
    f32.copy(at.inputs + i * dimension, input, dimension);
    f32.words[at.targets + i] = y;
    f32.bits[at.taken]++;
    tally("inserted");
    return true;
  },
});

checkLearner(perceptron);
checkLearner(lastMean);

test("a learner given as a record has the bits of the same learner written as a class", () => {
  const record = perceptron.create({ dimension: 3, eta: 0.5 });
  const written = new Perceptron({ dimension: 3, eta: 0.5 });
  for (const { x, y } of easyStream("classification", 3, 500)) {
    assert.is(record.learn(x, y), written.learn(x, y));
  }
  assert.is(modelHash(record), modelHash(written));
});

test("a record's state begins as zeros, or as start writes it", () => {
  const shared = { name: "x", title: "x", paper: "x", task: "regression", options: {} } as const;
  const steps = { state: () => ({ b: 1 }), update: () => true };
  const predict = ({ f32, at }: { f32: { words: Float32Array }; at: { b: number } }) => f32.words[at.b];
  const zero = defineLearner({ ...shared, ...steps, predict });
  const one = defineLearner({
    ...shared,
    ...steps,
    predict,
    start: ({ f32, at }) => {
      f32.words[at.b] = 1;
    },
  });
  assert.is(zero.create({ dimension: 1 }).predict([0]), 0);
  assert.is(one.create({ dimension: 1 }).predict([0]), 1);
});

test("a prediction that isn't finite is a refusal, and one that update refuses is an overflow", () => {
  const family = defineLearner({
    name: "x",
    title: "x",
    paper: "x",
    task: "regression",
    options: {},
    state: () => ({ b: 1 }),
    predict: ({ f32, input }) => 1 / f32.words[input],
    update: () => false,
  });
  const learner = family.create({ dimension: 1 });
  assert.ok(Number.isNaN(learner.predict([0])));
  learner.learn([0], 1);
  learner.learn([1], 1);
  assert.is(learner.count("overflowed"), 2);
  assert.is(learner.count("learned"), 1);
});

test("the example of its documentation prints what it says", () => {
  const text = readFileSync("src/learn/define.ts", "utf8").replace(/^ \* ?/gm, "");
  const [, code, printed] = /```ts\n([\s\S]+?)\/\/ (.+)\n```/.exec(text) as RegExpExecArray;
  const folder = mkdtempSync(join(process.cwd(), "dist/example-"));
  try {
    writeFileSync(join(folder, "example.mjs"), code);
    const output = execFileSync(process.execPath, [join(folder, "example.mjs")], { encoding: "utf8" });
    assert.is(output, `${printed}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a record's state takes what its regions hold: finite numbers, unless it says otherwise", () => {
  const learner = lastMean.create({ dimension: 1 });
  const { layout, range } = learner;
  const faultWith = (name: string) => {
    range.f32.bits.fill(0);
    range.f32.bits[layout.at(name, range)] = 0xffffffff;
    return faultIn(range.f32, range.state, layout.rules);
  };
  assert.equal([faultWith("inputs"), faultWith("targets"), faultWith("taken")], [0, 16, -1]);
});

test.run();
