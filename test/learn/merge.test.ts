import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { KernelExpansion } from "../../src/learn/expansion.ts";
import { DualGreedy } from "../../src/learn/greedy-ascent.ts";
import { KernelPerceptron } from "../../src/learn/kernel-perceptron.ts";
import { NormaC } from "../../src/learn/norma.ts";
import { OlkC, OlkR } from "../../src/learn/olk.ts";
import { Qklms } from "../../src/learn/qklms.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import * as fc from "../properties.ts";
import { near } from "./golden.ts";
import { readCoefficients, readVectors } from "./region.ts";

/** A stream at a full budget that merges, with the decisions and state of a reference in doubles. */
interface MergeTrace {
  readonly options: { readonly [name: string]: never };
  readonly inputs: number[][];
  readonly labels: number[];
  readonly predictions: number[];
  readonly sizes: number[];
  readonly final: {
    readonly coefficients: number[];
    readonly vectors: number[][];
    readonly W?: number;
    readonly S?: number;
  };
  readonly merges: number;
  readonly lost: number;
}

function readMergeTrace(name: string): MergeTrace {
  return JSON.parse(readFileSync(join(process.cwd(), "test/traces", `${name}_merge.json`), "utf8"));
}

/** |f|^2 of what is stored, in doubles, under the kernel exp(-|u-v|^2 / 2). */
function computeSquaredNorm(learner: KernelExpansion): number {
  const vectors = readVectors(learner);
  const a = readCoefficients(learner);
  const k = (u: number[], v: number[]) =>
    Math.exp(-u.reduce((sum, value, j) => sum + (value - v[j]) ** 2, 0) / 2);
  return vectors.reduce((sum, u, i) => sum + vectors.reduce((s, v, j) => s + a[i] * a[j] * k(u, v), 0), 0);
}

/** Runs a learner along its trace, rows in the trace's order. */
function follow(learner: KernelExpansion, trace: MergeTrace, tolerance: number): void {
  const predictions = trace.inputs.map((x, t) => {
    const decision = learner.learn(x, trace.labels[t]);
    assert.is(learner.size, trace.sizes[t], `size after step ${t}`);
    return decision;
  });
  near(predictions, trace.predictions, tolerance, "prediction");
  const { coefficients, vectors } = trace.final;
  near(
    coefficients.map((_, i) => learner.dictionary.coefficient(i)),
    coefficients,
    tolerance,
    "coefficient",
  );
  near(readVectors(learner).flat(), vectors.flat(), tolerance, "component");
  assert.is(learner.count("evicted"), trace.merges + trace.lost);
}

test("OLK_C follows olk_c_merge", () => {
  const trace = readMergeTrace("olk_c");
  const { r: regularization, Thr_sv: forgetThreshold, ...options } = trace.options;
  follow(
    new OlkC({ ...options, dimension: 3, regularization, forgetThreshold, evict: "merge" }),
    trace,
    1e-5,
  );
});

test("NORMA_C follows norma_c_merge", () => {
  const trace = readMergeTrace("norma_c");
  follow(new NormaC({ ...trace.options, dimension: 3, evict: "merge" }), trace, 1e-5);
});

test("the kernel perceptron follows kernel_perceptron_merge", () => {
  const trace = readMergeTrace("kernel_perceptron");
  follow(new KernelPerceptron({ ...trace.options, dimension: 3, evict: "merge" }), trace, 1e-5);
});

test("greedy dual ascent follows dual_greedy_merge, W and S too", () => {
  const trace = readMergeTrace("dual_greedy");
  const learner = new DualGreedy({ ...trace.options, dimension: 3, evict: "merge" });
  follow(learner, trace, 1e-5);
  near(
    [learner.squaredNorm, learner.alphaSum],
    [trace.final.W as number, trace.final.S as number],
    1e-4,
    "W, S",
  );
});

test("an input of less weight than any stored vector merges, and no vector leaves", () => {
  const learner = new OlkC({
    kernel: { type: "gaussian", p: 1 },
    dimension: 1,
    budget: 1,
    evict: "merge",
    C: 1,
    regularization: 0,
  });
  learner.learn([0], 1);
  learner.learn([0.5], 1);
  const [[z]] = readVectors(learner);
  assert.ok(z > 0 && z < 0.25, `z ${z}`);
  assert.ok(learner.dictionary.coefficient(0) > 1);
  assert.is(learner.dictionary.age(0), 1, "the input never was a vector");
  assert.equal([learner.count("inserted"), learner.count("evicted")], [2, 1]);
});

test("a vector without one of its sign, or too far from it, is lost", () => {
  const learner = new KernelPerceptron({
    dimension: 1,
    budget: 2,
    evict: "merge",
    kernel: { type: "gaussian", gamma: 1 },
  });
  learner.learn([0], 1);
  learner.learn([100], -1);
  learner.learn([200], 1);
  assert.equal(readVectors(learner), [[100], [200]]);
  assert.equal(
    [0, 1].map((i) => learner.dictionary.coefficient(i)),
    [-1, 1],
  );
  assert.is(learner.count("evicted"), 1);
});

test("what merging leaves below the threshold is forgotten", () => {
  const learner = new OlkR({
    kernel: { type: "gaussian", p: 1 },
    dimension: 1,
    budget: 2,
    evict: "merge",
    forgetThreshold: 0.3,
    regularization: 1,
    epsilon: 0,
  });
  for (const [x, y] of [
    [0, 1],
    [9, 1],
    [20, 1],
    [20, 0.9],
  ])
    learner.learn([x], y);
  assert.is(learner.count("inserted") - learner.count("evicted") - learner.count("dropped"), learner.size);
  assert.ok(learner.count("dropped") > 0);
  for (let i = 0; i < learner.size; i++) assert.ok(Math.abs(learner.dictionary.coefficient(i)) >= 0.3);
});

test("where the kernel isn't Gaussian merge is oldest", () => {
  const options = { dimension: 2, budget: 3, kernel: { type: "polynomial", degree: 2 } } as const;
  const merging = new NormaC({ ...options, evict: "merge" });
  const oldest = new NormaC({ ...options, evict: "oldest" });
  for (let t = 0; t < 50; t++) {
    for (const learner of [merging, oldest])
      learner.learn([Math.fround(Math.sin(t)), (t % 7) / 7], t % 3 ? 1 : -1);
  }
  assert.is(merging.stateHash(), oldest.stateHash());
});

test("dual ascent's W is |f|^2 of the merged model, and S loses only what is lost", () => {
  const coordinate = fc.double({ min: -2, max: 2, noNaN: true });
  const sample = fc.record({ x: fc.tuple(coordinate, coordinate), y: fc.constantFrom(-1, 1) });
  const stream = fc.array(sample, { minLength: 1, maxLength: 60 });
  const budgets = fc.integer({ min: 1, max: 8 });
  fc.assert(
    fc.property(
      stream,
      fc.constantFrom(0.1, 0.7, 10),
      budgets,
      fc.boolean(),
      (samples, C, budget, forget) => {
        const learner = new DualGreedy({
          kernel: { type: "gaussian", sigma: 1 },
          dimension: 2,
          budget,
          C,
          forget,
          evict: "merge",
        });
        for (const { x, y } of samples) {
          learner.learn(x, y);
          const W = computeSquaredNorm(learner);
          near([learner.squaredNorm], [W], 1e-4 * Math.max(1, C), "W");
          const weight = readCoefficients(learner).reduce((sum, value) => sum + Math.abs(value), 0) / C;
          assert.ok(
            weight <= learner.alphaSum * (1 + 1e-5) + 1e-5,
            `|a| of ${weight} samples, S ${learner.alphaSum}`,
          );
        }
      },
    ),
    { numRuns: 150, seed: 23 },
  );
});

test("a full QKLMS codebook that merges takes every input beyond epsilon, and errs less", () => {
  const options = {
    dimension: 3,
    budget: 16,
    epsilon: 0.3,
    eta: 0.3,
    kernel: { type: "gaussian", sigma: 0.7 },
  } as const;
  const random = new Random(31);
  const learners = [new Qklms({ ...options, evict: "merge" }), new Qklms(options)];
  const squares = [0, 0];
  for (let t = 0; t < 2000; t++) {
    const x = [random.normal(), random.normal(), random.normal()];
    const y = 0.8 * x[0] + 0.5 * x[1] * x[2];
    for (const [i, learner] of learners.entries()) {
      const f = learner.learn(x, y);
      if (t >= 1000) squares[i] += (y - f) ** 2;
    }
  }
  const [merging] = learners;
  assert.is(merging.count("forced") + merging.count("declined"), 0);
  assert.is(merging.count("inserted") - merging.count("evicted"), merging.size);
  assert.is(merging.count("inserted") + merging.count("quantized"), 2000);
  assert.ok(squares[0] < 0.8 * squares[1], `squared errors ${squares}`);
});

test("the partner is the nearest of its sign, and what is lost the least for it, however much larger its coefficient is", () => {
  const random = new Random(29, "partners");
  const [n, d] = [12, 3];
  const f32 = new PortableF32(new ArrayBuffer(4 * 256));
  const [rows, coefficients, out, x] = [0, 64, 96, 128];
  for (const ratio of [1, 10, 100, 1e3, 1e4]) {
    for (let round = 0; round < 200; round++) {
      const vectors = Array.from({ length: n }, () => Array.from({ length: d }, () => random.normal()));
      const a = vectors.map(() => Math.fround(ratio * (1 + random.uniform()) * (random.below(2) ? 1 : -1)));
      vectors.forEach((vector, i) => {
        f32.words.set(vector, x);
        f32.storeRow(rows, i, x, d);
      });
      f32.words.set(a, coefficients);
      const odd = Float32Array.from({ length: d }, () => random.normal());
      f32.words.set(odd, x);
      const squares = vectors.map((vector) =>
        vector.reduce((sum, v, j) => sum + (Math.fround(v) - odd[j]) ** 2, 0),
      );
      const allowed = squares.filter((_, i) => a[i] > 0);
      const nearest = squares.indexOf(Math.min(...allowed));
      const partner = f32.mergeNearest(out, rows, coefficients, n, d, x, 1, 0.5);
      if (allowed.length === 0) {
        assert.is(partner, -1);
        continue;
      }
      assert.is(partner, nearest, `ratio ${ratio}`);
      // |k(odd, .) + a k(c, .) - a_z k(z, .)|^2 / 1^2, in doubles, at the best h on a grid, against the loss at the share taken.
      const k = Math.exp(-squares[nearest] / 2);
      const sumAt = (h: number) => k ** ((1 - h) * (1 - h)) + a[nearest] * k ** (h * h);
      const best = Math.max(...Array.from({ length: 1001 }, (_, i) => sumAt(i / 1000)));
      const merged = f32.words[coefficients + partner];
      assert.ok(Math.abs(merged / best - 1) < 1e-5, `ratio ${ratio}: a_z ${merged}, the best is ${best}`);
    }
  }
});

test("W still is within 1 % after 20,000 samples that merge", () => {
  const learner = new DualGreedy({
    kernel: { type: "gaussian", sigma: 1 },
    dimension: 2,
    budget: 16,
    C: 2,
    forget: true,
    evict: "merge",
  });
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  };
  for (let t = 0; t < 20000; t++) {
    const x = [2 * random(), 2 * random()];
    learner.learn(x, x[0] * x[1] + 0.5 * random() > 0 ? 1 : -1);
  }
  const W = computeSquaredNorm(learner);
  assert.ok(Math.abs(learner.squaredNorm - W) < 0.01 * W, `W ${learner.squaredNorm}, the model has ${W}`);
});

test.run();
