import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { FOGD, Fogd } from "../../src/learn/fogd.ts";
import { OneVsAll } from "../../src/learn/one-vs-all.ts";
import { inputsForWidth } from "../../src/learn/width-search.ts";
import { near, readTrace } from "./golden.ts";
import { readWords } from "./region.ts";
import { median } from "./width-finders.ts";

/** A width that isn't found from the inputs. */
const kernel = { type: "gaussian", p: 1 } as const;

/** Sets the learner's frequencies to the trace's. */
function setFrequencies(learner: Fogd, rows: number[][]): void {
  const { f32 } = learner.range;
  const d = learner.dimension;
  const words = readWords(learner, "frequencies", ((rows.length + 3) & ~3) * d);
  rows.forEach((row, i) => {
    row.forEach((u, j) => {
      words[4 * d * (i >> 2) + 4 * j + (i & 3)] = u;
    });
  });
  assert.ok(f32.finite(learner.layout.at("frequencies", learner.range), words.length));
}

test("FOGD follows fogd", () => {
  const trace = readTrace("fogd");
  const U = trace.params.U as number[][];
  const learner = new Fogd({ dimension: 3, budget: U.length, kernel, eta: trace.params.eta });
  setFrequencies(learner, U);
  const predictions = trace.X.map((x, t) => learner.learn(x, trace.y[t]));
  near(predictions, trace.predictions, 1e-4, "prediction");
  near(readWords(learner, "w", 2 * U.length), trace.final.w, 1e-4, "w");
});

test("with the frequencies that a seed gives, products of features are about the kernel", () => {
  const [D, gamma] = [4096, 0.7];
  const learner = new Fogd({ dimension: 2, budget: D, kernel: { type: "gaussian", gamma }, eta: 1 / D });
  const [u, v] = [
    [0.4, -0.3],
    [-0.2, 0.5],
  ];
  learner.learn(u, 1); // w = z(u) / D
  const kernel = Math.exp(-gamma * (0.6 ** 2 + 0.8 ** 2));
  assert.ok(Math.abs(learner.predict(u) - 1) < 1e-5);
  assert.ok(Math.abs(learner.predict(v) - kernel) < 4 / Math.sqrt(D), `${learner.predict(v)}, ${kernel}`);
});

test("with eta 1/D one sample is met by one step", () => {
  const [D, x] = [48, [0.4, -0.3]];
  const learner = new Fogd({ dimension: 2, budget: D, kernel, eta: 1 / D });
  learner.learn(x, 1);
  assert.ok(Math.abs(learner.predict(x) - 1) < 1e-5);
});

test("the frequencies are normal, of variance 2 gamma, and follow from the seed", () => {
  const D = 4096;
  const draw = (seed: number) => {
    const kernel = { type: "gaussian", gamma: 0.5 } as const;
    return readWords(new Fogd({ dimension: 4, budget: D, seed, kernel }), "frequencies", 4 * D);
  };
  const [one, again, two] = [draw(1), draw(1), draw(2)];
  assert.equal(one, again);
  assert.ok(
    one.every((u, i) => u !== two[i]),
    "another seed, other frequencies",
  );
  const n = one.length;
  const moment = (k: number) => one.reduce((sum, u) => sum + u ** k, 0) / n;
  const correlation = one.reduce((sum, u, i) => sum + u * two[i], 0) / n;
  for (const [got, wanted, deviation] of [
    [moment(1), 0, 1],
    [moment(2), 1, Math.sqrt(2)],
    [moment(3), 0, Math.sqrt(15)],
    [moment(4), 3, Math.sqrt(96)],
    [correlation, 0, 1],
  ]) {
    assert.ok(Math.abs(got - wanted) < (4 * deviation) / Math.sqrt(n), `${got}, should be about ${wanted}`);
  }
});

test("far from all samples f is finite and fades, whatever finite input comes: no phase is NaN", () => {
  const learner = new Fogd({ dimension: 2, kernel });
  for (let t = 0; t < 60; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
  for (const far of [1e3, 1e4, 1e5, 1e6, 1e20, 3e38]) {
    for (const x of [
      [far, 1],
      [-far, far],
      [0, -far],
    ]) {
      assert.ok(Number.isFinite(learner.predict(x)), `predict [${x}]`);
      assert.ok(Number.isFinite(learner.learn(x, 1)), `learn [${x}]`);
    }
  }
  assert.is(learner.predict([3e38, -3e38]), 0);
  assert.is(learner.count("overflowed"), 0);
  assert.is(learner.classify([0, 0.5]), -1);
  assert.is(learner.classify([1, 0.5]), 1);
});

test("several classes on shared features decide as one-vs-all does, to the bit, in less memory", () => {
  const options = { dimension: 2, budget: 16, classes: 3, kernel, eta: 0.2 };
  const shared = new Fogd(options);
  const apart = new OneVsAll({ ...options, learner: FOGD[0] });
  const scores = ({ layout, range }: Fogd | OneVsAll) =>
    [0, 1, 2].map((c) => range.f32.words[layout.at("scores", range) + c]);
  for (let t = 0; t < 200; t++) {
    const x = [Math.sin(t), Math.cos(1.7 * t)];
    const y = x[0] > 0.3 ? 2 : x[1] > 0 ? 1 : 0;
    assert.is(shared.learn(x, y), apart.learn(x, y));
    assert.is(shared.predict(x), apart.predict(x));
    assert.equal(scores(shared), scores(apart));
  }
  assert.ok(shared.layout.bytes < apart.layout.bytes);
});

/** Two clouds in d dimensions, in units of their deviation. */
function clouds(dimension: number, unit: number, count: number) {
  const random = new Random(8, `clouds ${dimension}`);
  return Array.from({ length: count }, (_, t) => {
    const y = t % 2 === 0 ? 1 : -1;
    return { x: Array.from({ length: dimension }, () => unit * (random.normal() + y)), y };
  });
}

test("whatever the dimension and the unit of the readings, it learns two clouds: the width follows from the inputs", () => {
  for (const dimension of [2, 8, 54]) {
    for (const unit of [1e-3, 1, 1e4]) {
      const learner = new Fogd({ dimension });
      const samples = clouds(dimension, unit, 800);
      const wrong = samples.filter(({ x, y }, t) => learner.learn(x, y) * y <= 0 && t >= 400).length;
      assert.ok(wrong < 60, `d ${dimension}, unit ${unit}: ${wrong} of 400 wrong`);
    }
  }
});

test("from the input on that gives the width, it learns as with that width configured", () => {
  for (const classes of [2, 3]) {
    const stream = clouds(3, 5, 31).map(({ x, y }, t) => ({ x, y: classes === 2 ? y : t % 3 }));
    const first = inputsForWidth(64, 3);
    const learner = new Fogd({ dimension: 3, classes });
    for (const { x, y } of stream.slice(0, first - 1)) {
      learner.learn(x, y);
      assert.is(learner.width, 0);
    }
    assert.is(learner.predict(stream[2].x), stream[2].y, "until then, the label of the nearest input");
    learner.learn(stream[first - 1].x, stream[first - 1].y);
    const sigma = learner.width as number;
    const right = 0.5 * median(stream.slice(0, first).map(({ x }) => x));
    assert.ok(Math.abs(sigma / right - 1) < 1e-6, `${sigma}, not ${right}`);
    const options = new Fogd({ dimension: 3, classes, kernel: { type: "gaussian", sigma } });
    for (const { x, y } of stream.slice(first - 1)) {
      const [decision, wanted] =
        x === stream[first - 1].x ? [0, options.learn(x, y) * 0] : [learner.learn(x, y), options.learn(x, y)];
      assert.ok(Math.abs(decision - wanted) < 1e-3, `${decision}, ${wanted}`);
    }
  }
});

test("a stream that begins slowly widens the kernel, and one that begins with a glitch restarts it", () => {
  const slow = new Fogd({ dimension: 2 });
  const random = new Random(9, "slow");
  for (let t = 0; t < 3000; t++) {
    const x = [Math.sin(t / 300) + 0.01 * random.normal(), Math.cos(t / 300) + 0.01 * random.normal()];
    slow.learn(x, x[0] > 0 ? 1 : -1);
  }
  assert.ok((slow.width as number) > 0.3 && (slow.width as number) < 1.5, `${slow.width}`);
  const glitched = new Fogd({ dimension: 2 });
  for (let t = 0; t < 1000; t++) {
    const x = t === 3 ? [1e9, -1e9] : [random.normal(), random.normal()];
    glitched.learn(x, x[0] > 0 ? 1 : -1);
  }
  assert.ok((glitched.width as number) > 0.3 && (glitched.width as number) < 3, `${glitched.width}`);
});

test("a kernel that isn't Gaussian is refused by name", () => {
  assert.throws(
    () => new Fogd({ dimension: 2, kernel: { type: "linear" } }),
    /fogd: option kernel: got {"type":"linear"}/,
  );
});

test.run();
