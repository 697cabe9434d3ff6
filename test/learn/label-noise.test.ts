import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { CorrectedTarget, type FlipRates } from "../../src/learn/label-noise.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import { readWords } from "./region.ts";

const EXPANSIONS = [
  ...["olk-c", "norma-c", "kernel-perceptron", "bsgd", "dual-rho", "dual-aga", "dual-greedy"],
  ...["projectron", "projectron-pp", "nogd"],
];
const CORRECTING = ["arow", "lol", "i-lol", "fogd", ...EXPANSIONS];
const CERTAIN = 255;

/** A kernel learner's with its width given: its first samples don't wait. */
function make(name: string, options: object): Learner {
  const family = familyNamed(name)!;
  const kernel = family.options.kernel && { kernel: { type: "gaussian", p: 1 } };
  return family.create({ dimension: 2, ...kernel, ...options } as never);
}

const close = (got: number, right: number, by = 1e-9, what = "") =>
  assert.ok(Math.abs(got - right) <= by, `${what} ${got}, not ${right}`);

test("the corrected target's mean over the flips is the true class, whatever the rates", () => {
  for (const rates of [
    [0, 0],
    [0.25, 0.25],
    [0.125, 0.375],
    [0.4375, 0],
  ] as FlipRates[]) {
    const [missed, falseAlarm] = rates;
    const corrected = new CorrectedTarget([rates]);
    const target = (y: number) => {
      assert.ok(corrected.take(y, 0, CERTAIN));
      close(corrected.weight, (1 - missed - falseAlarm) ** 2);
      return corrected.target;
    };
    close((1 - missed) * target(1) + missed * target(-1), 1);
    close(falseAlarm * target(1) + (1 - falseAlarm) * target(-1), -1);
  }
});

test("a source has its own rates, or source 0's; a label's confidence overrides them; a label that says too little is skipped", () => {
  const corrected = new CorrectedTarget([
    [0.25, 0.25],
    [0, 0.125],
    [0.49, 0.49],
  ]);
  const weight = (source: number, confidence = CERTAIN) =>
    corrected.take(1, source, confidence) ? corrected.weight : 0;
  close(weight(0), 0.25);
  close(weight(1), 0.875 ** 2);
  assert.is(weight(2), 0);
  close(weight(9), 0.25);
  close(weight(2, 204), 0.64);
  assert.is(weight(1, 25), 0);
  assert.ok(weight(1, 26) > 0);
});

test("rates that can't be are refused with what is taken", () => {
  for (const sources of [[0.1], [[0.1]], [[0.5, 0]], [[0.1, -0.1]], [["a", 0]], 0.1]) {
    assert.throws(
      () => make("arow", { sources }),
      /arow: option sources: got .*; takes at most 256 of \[missed, false alarms\], each 0 to 0.49/,
    );
  }
});

test("several classes take no rates", () => {
  const family = oneVsAllFamily(familyNamed("arow")!);
  family.create({ dimension: 2, classes: 3 });
  assert.throws(
    () => family.create({ dimension: 2, classes: 3, sources: [[0.1, 0.1]] }),
    /ova:arow: option sources: got \[\[0.1,0.1\]\]; takes \[\]: such rates are for two classes/,
  );
  for (const name of ["fogd", "lol", "i-lol"]) {
    make(name, { classes: 3 });
    assert.throws(
      () => make(name, { classes: 3, sources: [[0.1, 0.1]] }),
      new RegExp(`${name}: option sources: .*; takes \\[\\]: such rates are for two classes`),
    );
  }
});

test("a label that says too little leaves what was learned as it is, and counts as passed", () => {
  for (const name of CORRECTING) {
    const learner = make(name, { sources: [[0.2, 0.1]], ...(name.includes("lol") && { prototypes: 1 }) });
    learner.learn([1, 2], 1);
    const before = learner.predict([1, -2]);
    learner.confidence = 20;
    learner.learn([1, -2], -1);
    assert.is(learner.predict([1, -2]), before, name);
    assert.is(learner.count("passed"), 1, name);
    learner.confidence = CERTAIN;
    learner.learn([1, -2], -1);
    assert.is.not(learner.predict([1, -2]), before, name);
  }
});

test("AROW's corrected step is Newton's on the likelihood of what was said", () => {
  const random = new Random(1, "newton");
  const r = 2;
  const learner = make("arow", {
    bias: false,
    outlierLimit: 1e6,
    noiseVariance: r,
    forgetting: 1,
    sources: [[0.125, 0.25]],
  });
  const said = (f: number, y: number) => {
    const p = 1 / (1 + Math.exp(-f));
    return y > 0 ? 0.25 + 0.625 * p : 0.125 + 0.625 * (1 - p);
  };
  const measureSlope = (f: number, y: number) =>
    (Math.log(said(f + 1e-5, y)) - Math.log(said(f - 1e-5, y))) / 2e-5;
  let [w, S] = [
    [0, 0],
    [1, 0, 1],
  ]; // S: xx, xy, yy
  for (let t = 0; t < 200; t++) {
    const [a, b] = [random.normal(), random.normal()].map(Math.fround);
    const y = a + random.normal() > 0 ? 1 : -1;
    const f = w[0] * a + w[1] * b;
    close(learner.learn([a, b], y), f, 1e-4);
    const slope = measureSlope(f, y);
    const h = said(f, 1) * measureSlope(f, 1) ** 2 + said(f, -1) * measureSlope(f, -1) ** 2;
    const g = [S[0] * a + S[1] * b, S[1] * a + S[2] * b];
    const v = g[0] * a + g[1] * b;
    w = w.map((one, i) => one + (slope / (r + h * v)) * g[i]);
    const gain = h / (r + h * v);
    S = [S[0] - gain * g[0] * g[0], S[1] - gain * g[0] * g[1], S[2] - gain * g[1] * g[1]];
  }
  assert.ok(Math.hypot(...w) > 0.8, `${w}`);
});

test("AROW forgets by what labels say: one of a quarter of the information as a quarter of a right one, one that says nothing not at all", () => {
  const learner = make("arow", {
    bias: false,
    forgetting: 0.9,
    sources: [
      [0.25, 0.25],
      [0.47, 0.47],
    ],
  });
  const at = learner.layout.at("sigma", learner.range);
  const variance = () => learner.range.f32.words[at];
  for (let t = 0; t < 10; t++) learner.learn([3, 0], 1);
  const before = variance();
  learner.learn([0, 1e-9], 1);
  close(variance() / before, 1 + 0.25 * (1 / 0.9 - 1), 1e-6);
  learner.source = 1;
  learner.learn([0, 1e-9], 1);
  close(variance() / before, 1 + 0.25 * (1 / 0.9 - 1), 1e-6);
});

test("AROW's corrected step is finite and of the label's side wherever f lies, and by default it forgets a little", () => {
  for (const rates of [
    [0, 0],
    [0.3, 0.3],
    [0.4, 0],
  ] as FlipRates[]) {
    const corrected = new CorrectedTarget([rates]);
    for (const y of [-1, 1]) {
      for (const f of [-1e30, -200, -40, -1, 0, 1, 40, 200, 1e30]) {
        assert.ok(corrected.take(y, 0, CERTAIN));
        corrected.likelihood(f, Math.exp(-Math.abs(f)));
        assert.ok(corrected.slope * y >= 0 && Math.abs(corrected.slope) <= 1, `${f}: ${corrected.slope}`);
        assert.ok(corrected.curvature >= 0 && corrected.curvature <= 0.25, `${f}: ${corrected.curvature}`);
      }
    }
  }
  const hash = (options: object) => {
    const learner = make("arow", options);
    for (let t = 0; t < 60; t++) learner.learn([t % 7, t % 3], t % 2 ? 1 : -1);
    return learner.stateHash();
  };
  const sources = [[0.1, 0.1]];
  assert.is(hash({ sources }), hash({ sources, forgetting: 0.997 }));
  assert.is.not(hash({ sources }), hash({ sources, forgetting: 1 }));
  assert.is(hash({}), hash({ forgetting: 1 }));
});

test("AROW's weights begin with a variance of 10 / dimension at most where labels are corrected, unless it is given", () => {
  const hash = (dimension: number, options: object) => {
    const learner = make("arow", { dimension, ...options });
    for (let t = 0; t < 20; t++) {
      const x = Array.from({ length: dimension }, (_, j) => (t * (j + 3)) % 7);
      learner.learn(x, t % 2 ? 1 : -1);
    }
    return learner.stateHash();
  };
  const sources = [[0.1, 0.1]];
  assert.is(hash(40, { sources }), hash(40, { sources, initialVariance: 0.25 }));
  assert.is.not(hash(40, { sources }), hash(40, { sources, initialVariance: 1 }));
  assert.is(hash(10, { sources }), hash(10, { sources, initialVariance: 1 }));
  assert.is(hash(40, {}), hash(40, { initialVariance: 1 }));
});

test("with many features and few labels, 30 % of them wrong, AROW loses less than with weights of variance 1", () => {
  const DIMENSION = 80;
  const loss = (options: object) => {
    const random = new Random(900, "many features");
    const truth = Array.from({ length: DIMENSION }, () => random.normal());
    const learner = make("arow", { dimension: DIMENSION, sources: [[0.3, 0.3]], ...options });
    let wrong = 0;
    for (let t = 0; t < 800; t++) {
      const x = Array.from({ length: DIMENSION }, () => random.normal());
      const y = x.reduce((sum, value, j) => sum + value * truth[j], 0) > 0 ? 1 : -1;
      if (learner.classify(x) !== y) wrong++;
      learner.learn(x, random.uniform() < 0.3 ? -y : y);
    }
    return wrong / 800;
  };
  const [now, wide] = [loss({}), loss({ initialVariance: 1 })];
  assert.ok(now < wide - 0.02, `${now} against ${wide}`);
});

/** The step for a label with that D^2, where labels of that information were learned. */
function stepAfter(information: number, weight: number): number {
  return Math.max(0.2 * weight, Math.min(0.1, (20 * weight) / (32 + information)));
}

/** What a step moves f by, if it is 1: the slope of the likelihood of what was said, at the f that is followed, and the way back to that. */
function computeMove(f: number, y: number, [missed, falseAlarm]: FlipRates): number {
  const D = 1 - missed - falseAlarm;
  const c = Math.max(-2.5, Math.min(2.5, f));
  const p = 1 / (1 + Math.exp(-c));
  const said = y > 0 ? falseAlarm + D * p : missed + D * (1 - p);
  return (4 * y * D * p * (1 - p)) / said / D ** 2 + c - f;
}

/** Of a kernel exp(-gamma |u - v|^2), how far a step at x that moves the vectors' part by 1 moves the linear one at u. */
function linearMove(gamma: number, x: readonly number[], u: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1];
  return (0.25 * gamma * dot(x, u)) / Math.max(1, gamma * dot(x, x)) + 0.04;
}

test("a kernel learner's corrected step is s times the likelihood's slope, each of them the same: s is 0.1 at first", () => {
  const kernel = { type: "gaussian", p: 1 };
  const rates: FlipRates = [0, 0.5 - 0.125];
  const x = [
    [0, 0],
    [1, 0],
    [0.5, 2],
  ];
  for (const name of EXPANSIONS) {
    const learner = make(name, { kernel, budget: 16, sources: [rates] });
    const coefficients: number[] = [];
    const valueAt = (u: readonly number[]) =>
      coefficients.reduce(
        (sum, c, i) =>
          sum + c * (Math.exp(-((u[0] - x[i][0]) ** 2 + (u[1] - x[i][1]) ** 2)) + linearMove(1, x[i], u)),
        0,
      );
    x.forEach((u, i) => {
      const y = i === 1 ? -1 : 1;
      const f = valueAt(u);
      close(learner.learn(u, y), f, 1e-6);
      for (let j = 0; j < coefficients.length; j++) coefficients[j] *= 1 - 0.0003;
      coefficients.push(0.1 * computeMove(f, y, rates));
    });
    close(learner.predict([0.5, 0.5]), valueAt([0.5, 0.5]), 1e-6);
  }
});

test("of lol, of random features and of Nystroem's, f(x) moves so at a label, too; an expansion's s falls to 0.2 D^2", () => {
  const random = new Random(2, "moves");
  const rates: FlipRates = [0.375, 0.125];
  for (const [name, options, shrinks, hastens] of [
    ["lol", { budget: 4 }, 0, 0],
    ["i-lol", { budget: 4 }, 0, 0],
    ["fogd", { budget: 8 }, 1, 0],
    ["nogd", { budget: 4, rank: 4 }, 1, 1],
    ["projectron", { budget: 4 }, 1, 1],
  ] as const) {
    const learner = make(name, { ...options, sources: [rates] });
    let farthest = 0;
    for (let t = 0; t < 600; t++) {
      // Checks only what full dictionaries hold: a vector that none is near to isn't learned whole.
      const held = t < 4 ? t : Math.floor(4 * random.uniform());
      const x = [2 * held + 1, held % 2];
      const y = random.uniform() < (held === 0 ? 0.95 : 0.4) ? 1 : -1;
      const f = learner.learn(x, y);
      const s = hastens ? stepAfter(0.25 * t, 0.25) : 0.2 * 0.25;
      const linear = EXPANSIONS.includes(name) ? linearMove(1, x, x) : 0;
      if (t >= 4) {
        const moved = s * (1 + linear) * computeMove(f, y, rates);
        close(learner.predict(x), (1 - shrinks * 0.003 * s) * f + moved, 5e-5, name);
      }
      farthest = Math.max(farthest, Math.abs(f));
    }
    assert.is(stepAfter(0.25 * 600, 0.25), 0.05, "the test passes through falling steps");
    assert.ok(farthest > 2.5, `${name}: beyond what is followed: ${farthest}`);
  }
});

test("rates make no step that isn't finite, and what float32 can't hold leaves all as it was", () => {
  for (const name of CORRECTING) {
    const learner = make(name, { ...(name !== "arow" && { budget: 16 }), sources: [[0.4375, 0.4375]] });
    for (let t = 0; t < 40; t++) learner.learn([t % 7, 3e37 * (t % 2)], t % 3 ? 1 : -1);
    const before = learner.stateHash();
    learner.learn([Number.NaN, 1], 1);
    assert.is(learner.stateHash(), before, name);
    assert.ok(Number.isFinite(learner.predict([1, 1])), name);
  }
});

test("expansions with rates take a word, Gaussians a linear part too, others none, and all end in the same state in WebAssembly", () => {
  const module = compileWasm();
  for (const name of CORRECTING) {
    const family = familyNamed(name)!;
    const options = { dimension: 3, ...(name !== "arow" && { budget: 16 }) };
    const rated = { ...options, sources: [[0.3, 0.1]] as FlipRates[] };
    const layout = family.layout(rated);
    const more = EXPANSIONS.includes(name) ? 1 : 0;
    const errors = family.layout(options).regionWords("errors");
    const linear = more * (3 + 1);
    assert.is(layout.state, family.layout(options).state - errors + more + linear, name);
    const kernel = { type: "linear" };
    if (more && name !== "bsgd") {
      const straight = family.layout({ ...rated, kernel }).state;
      assert.is(straight, family.layout({ ...options, kernel }).state - errors + more, name);
    }
    const both = [
      family.create(rated),
      family.create({ ...rated, memory: layout.range(new WasmF32(module, layout.bytes)) }),
    ];
    for (const learner of both) {
      const random = new Random(4, "same bits");
      for (let t = 0; t < 300; t++) {
        const side = random.uniform() < 0.5 ? -1 : 1;
        const x = [side + random.normal(), random.normal(), random.normal()];
        learner.confidence = t % 5 === 0 ? 200 : CERTAIN;
        learner.learn(x, random.uniform() < 0.3 ? -side : side);
      }
    }
    assert.is(both[1].stateHash(), both[0].stateHash(), name);
  }
});

test("a learner without rates says who has them", () => {
  for (const name of [
    "pa",
    "perceptron",
    "pegasos",
    "cw",
    "scw-1",
    "oskm",
    "forgetron",
    "rls-hmm",
    "olk-r",
  ]) {
    const says = new RegExp(`^${name}: no option sources; takes .*: arow, olk-c and bsgd are some of those`);
    assert.throws(() => make(name, { sources: [[0.1, 0.1]] }), says);
  }
});

test("at the full budget the nearest vector takes a near input upon itself, and a far one is stored", () => {
  const learner = make("olk-c", { kernel: { type: "gaussian", p: 1 }, budget: 2, sources: [[0, 0]] });
  learner.learn([0, 0], 1);
  learner.learn([5, 0], -1);
  learner.learn([0.4, 0], 1);
  assert.is(learner.count("quantized"), 1);
  assert.is(learner.count("inserted"), 2);
  const k = Math.exp(-0.16);
  const [keep, trusted] = [1 - 0.2 * 0.003, [0, 0]] as const;
  const first = 0.2 * computeMove(0, 1, trusted) * keep;
  const far = 0.2 * computeMove(linearMove(1, [0, 0], [5, 0]) * (first / keep), -1, trusted);
  const linear = (u: number[]) => first * linearMove(1, [0, 0], u) + far * linearMove(1, [5, 0], u);
  const step = 0.2 * computeMove(keep * (first * k + linear([0.4, 0])), 1, trusted);
  const taken =
    keep * keep * first + step * k + keep * linear([0, 0]) + step * linearMove(1, [0.4, 0], [0, 0]);
  close(learner.predict([0, 0]), taken, 3e-4);
  learner.learn([0, 9], 1);
  assert.is(learner.count("quantized"), 1);
  assert.is(learner.count("evicted"), 1);
});

test("the linear part takes a quarter of a step and less, and is forgotten and cleared with the vectors", () => {
  const readLinear = (learner: Learner) => [...readWords(learner, "linear", 3)];
  for (const name of EXPANSIONS) {
    const learner = make(name, { budget: 16, sources: [[0, 0]] });
    learner.learn([0.5, 2], 1);
    const first = readLinear(learner);
    const step = 0.2 * computeMove(0, 1, [0, 0]);
    close(first[0], (0.25 * 0.5 * step) / 4.25, 1e-7, name);
    close(first[1], (0.25 * 2 * step) / 4.25, 1e-7, name);
    close(first[2], 0.04 * step, 1e-7, name);
    learner.learn([0, 0], 1);
    const second = readLinear(learner);
    close(second[0] / first[0], 1 - 0.2 * 0.003, 1e-6, name);
    close(second[1] / first[1], 1 - 0.2 * 0.003, 1e-6, name);
  }
  const found = familyNamed("olk-c")!.create({ dimension: 2, budget: 16, sources: [[0, 0]] } as never);
  const random = new Random(7, "restart");
  const learn = (scale: number, most: number) => {
    for (let t = 0; t < most; t++)
      found.learn([scale * random.normal(), scale * random.normal()], random.uniform() < 0.5 ? 1 : -1);
  };
  learn(1, 40);
  assert.ok(readLinear(found).every((word) => word !== 0));
  const evicted = found.count("evicted");
  for (let t = 0; t < 4000 && found.count("evicted") === evicted; t++) learn(1e-4, 1);
  assert.equal(readLinear(found), [0, 0, 0], "inputs of another scale restart the learner");
});

test("a full dictionary learns a place that it doesn't know, though each corrected step is smaller than what it holds", () => {
  for (const name of EXPANSIONS.slice(0, EXPANSIONS.indexOf("projectron"))) {
    const learner = make(name, { kernel: { type: "gaussian", p: 1 }, budget: 8, sources: [[0.3, 0.3]] });
    const random = new Random(6, "moves");
    const learn = (x: number, y: number, noise: number, truth: number) =>
      learner.learn(
        [x + noise * random.normal(), y + noise * random.normal()],
        random.uniform() < 0.3 ? -truth : truth,
      );
    for (let t = 0; t < 800; t++) {
      const [i, j] = [t & 1, (t >> 1) & 1];
      learn(4 * i, 4 * j, 0.4, i === j ? 1 : -1);
    }
    assert.is(learner.size, 8);
    for (let t = 0; t < 200; t++) learn(20, 20, 0.1, 1);
    assert.ok(learner.predict([20, 20]) > 0.25, `${name} there: ${learner.predict([20, 20])}`);
    assert.is(learner.classify([4, 0]), -1, `${name}, where it was before`);
  }
});

test.run();
