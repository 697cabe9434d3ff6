import { test } from "uvu";
import * as assert from "uvu/assert";
import { arithmeticNamed } from "../../host/arithmetic.ts";
import type { QkrlsOptions } from "../../src/learn/learner-options.ts";
import { QKRLS, Qkrls } from "../../src/learn/qkrls.ts";
import { packedWords } from "../../src/math/primitives.ts";
import * as fc from "../properties.ts";
import { followTrace } from "./expansion-trace.ts";
import { near, readKernel, readTrace } from "./golden.ts";
import { modelHash } from "./model-hash.ts";
import { readCoefficients, readWords } from "./region.ts";

/** One on the machine's fast arithmetic: the same bits, sooner. */
function fast(options: QkrlsOptions): Qkrls {
  return new Qkrls({
    ...options,
    memory: arithmeticNamed("webassembly")?.allocate(QKRLS[0].layout(options)),
  });
}

function centre(learner: Qkrls, i: number): number[] {
  const { rows, dimension } = learner.dictionary;
  const { words } = learner.range.f32;
  return Array.from(
    { length: dimension },
    (_, j) => words[rows + 4 * dimension * (i >> 2) + 4 * j + (i & 3)],
  );
}

/** M = K + R, as the factor has it, in the order of the centres. */
function factored(learner: Qkrls): number[][] {
  const n = learner.size;
  const at = learner.layout.at("order", learner.range);
  const order = Array.from(learner.range.f32.bits.subarray(at, at + n));
  const packed = [...readWords(learner, "factor", packedWords(n))];
  const D = order.map((_, i) => packed[packedWords(i) + i]);
  const L = order.map((_, i) => order.map((_, k) => (k < i ? packed[packedWords(i) + k] : Number(k === i))));
  const places = order.map((_, j) => order.indexOf(j));
  return places.map((p) => places.map((q) => D.reduce((sum, d, k) => sum + L[p][k] * d * L[q][k], 0)));
}

/** P = M^-1 Lambda^-1, row by row: symmetric but for Lambda. */
function inverseP(learner: Qkrls): number[][] {
  const M = factored(learner);
  const members = [...readWords(learner, "members", learner.size)];
  const columns = members.map((_, j) =>
    solve(
      M.map((row) => [...row]),
      members.map((_, i) => Number(i === j)),
    ),
  );
  return members.map((_, i) => members.map((count, j) => columns[j][i] / count));
}

/** K + R in double precision, kernel of the default width. */
function exact(learner: Qkrls, gamma: number): number[][] {
  const members = [...readWords(learner, "members", learner.size)];
  const centres = members.map((_, i) => centre(learner, i));
  return centres.map((u, i) =>
    centres.map((v, j) => {
      const squared = u.reduce((sum, e, k) => sum + (e - v[k]) ** 2, 0);
      return Math.exp(-squared) + (i === j ? gamma / members[i] : 0);
    }),
  );
}

/** The batch solution (10) in double precision: (Lambda K + gamma I) a = ybar, kernel exp(-|u-v|^2). */
function batch(learner: Qkrls, gamma: number): number[] {
  const n = learner.size;
  const members = [...readWords(learner, "members", n)];
  const centres = members.map((_, i) => centre(learner, i));
  const k = (u: number[], v: number[]) => Math.exp(-u.reduce((s, e, j) => s + (e - v[j]) ** 2, 0));
  const A = members.map((count, i) =>
    centres.map((c, j) => count * k(centres[i], c) + (i === j ? gamma : 0)),
  );
  return solve(A, [...readWords(learner, "sums", n)]);
}

function solve(A: number[][], b: number[]): number[] {
  const n = b.length;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let i = c + 1; i < n; i++) if (Math.abs(A[i][c]) > Math.abs(A[pivot][c])) pivot = i;
    [A[c], A[pivot], b[c], b[pivot]] = [A[pivot], A[c], b[pivot], b[c]];
    for (let i = c + 1; i < n; i++) {
      const factor = A[i][c] / A[c][c];
      for (let j = c; j < n; j++) A[i][j] -= factor * A[c][j];
      b[i] -= factor * b[c];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) b[i] -= A[i][j] * b[j];
    b[i] /= A[i][i];
  }
  return b;
}

for (const [name, tolerance] of [
  ["qkrls", 1e-3],
  ["qkrls_poly", 3.3e-3],
] as const) {
  for (const refresh of [1000, 16, 3, 1]) {
    test(`QKRLS follows ${name}, a row computed again at every ${refresh} of its centre's samples`, () => {
      const trace = readTrace(name);
      const { eps: epsilon, regularization } = trace.params;
      const dimension = trace.X[0].length;
      const learner = new Qkrls({ dimension, kernel: readKernel(trace), epsilon, regularization, refresh });
      followTrace(learner, trace, tolerance);
      near([...readWords(learner, "members", 17)], trace.final.L, 0, "Lambda");
      near([...readWords(learner, "sums", 17)], trace.final.yb, 1e-5, "ybar");
      near(inverseP(learner).flat(), trace.final.P.flat(), tolerance, "P");
      assert.is(learner.count("overflowed"), 0);
      if (trace.batch_solution_eq10)
        near(readCoefficients(learner), trace.batch_solution_eq10, 1e-3, "batch");
    });
  }
}

const samples = fc.array(
  fc.record({
    x: fc.tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.double({ min: -2, max: 2, noNaN: true })),
    y: fc.double({ min: -3, max: 3, noNaN: true }),
  }),
  { minLength: 1, maxLength: 80 },
);

test("at every step the coefficients are the batch solution (10)", () => {
  fc.assert(
    fc.property(
      samples,
      fc.constantFrom(0.01, 0.1, 1),
      fc.constantFrom(0.3, 0.6, 1),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 30 }),
      (stream, gamma, epsilon, budget, refresh) => {
        const learner = new Qkrls({
          dimension: 2,
          kernel: { type: "gaussian", gamma: 1 },
          regularization: gamma,
          epsilon,
          budget,
          refresh,
        });
        for (const { x, y } of stream) {
          learner.learn(x, y);
          near(readCoefficients(learner), batch(learner, gamma), 1e-3, "coefficient");
        }
        const { length } = stream;
        const taken = (["inserted", "quantized", "forced"] as const).map((name) => learner.count(name));
        assert.is(taken[0] + taken[1] + taken[2], length);
        assert.is(taken[0], learner.size);
      },
    ),
    { numRuns: 150, seed: 3 },
  );
});

function smooth(t: number): { x: number[]; y: number } {
  const phase = ((t * 0.6180339887) % 1) * 2 - 1;
  const other = ((t * 0.7548776662) % 1) * 2 - 1;
  return { x: [phase, other], y: phase * phase - 0.5 * other };
}

/** Runs the smooth stream, targets times `sign`, from sample `from`; the mean squared error of the last 5000. */
function run(learner: Qkrls, from: number, to: number, sign: number, scale = 1): number {
  let sum = 0;
  for (let t = from; t < to; t++) {
    const { x, y } = smooth(t);
    const input = x.map((component) => scale * component);
    const error = learner.learn(input, sign * y) - sign * y;
    if (t >= to - 5000) sum += error * error;
  }
  return sum / 5000;
}

test("counts stop at Lambda_max, and the means then follow the targets", () => {
  const [gamma, budget] = [0.01, 64];
  const learner = fast({
    kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
    dimension: 2,
    budget,
    regularization: gamma,
    epsilon: 0.3,
  });
  assert.ok(run(learner, 0, 20000, 1) < 0.004, "learned");
  const largest = Math.floor(gamma / ((10 * budget) / 2 ** 24));
  assert.is(Math.max(...readWords(learner, "members", learner.size)), largest);
  assert.ok(run(learner, 0, 80000, -1) < 0.004, "learned again");
  near(factored(learner).flat(), exact(learner, gamma).flat(), 2e-4, "M");
  assert.is(Math.max(...readWords(learner, "members", learner.size)), largest);
  assert.is(learner.count("overflowed"), 0);
});

test("smooth inputs and a wide kernel, under which both recursions diverge, do no harm in 200000 samples", () => {
  const kernel = { type: "gaussian", gamma: 0.05 } as const;
  const learner = fast({ dimension: 2, budget: 64, kernel, regularization: 0.01, epsilon: 0.15 });
  const early = run(learner, 0, 20000, 1);
  const late = run(learner, 20000, 200000, 1);
  assert.is(learner.size, 64);
  assert.is(learner.count("overflowed"), 0);
  assert.ok(late < 0.001 && late < 1.5 * early, `mean squared error ${late} after ${early}`);
});

test("a kernel of large values, beside which rounding swallows the regularization, does no harm", () => {
  const kernel = { type: "polynomial", degree: 5 } as const;
  const learner = fast({ dimension: 2, budget: 64, kernel, regularization: 0.01, epsilon: 0.275 });
  let error = 0;
  for (let t = 0; t < 50000; t += 200) {
    error = run(learner, t, t + 200, 1, 1.5) * 25;
    const members = [...readWords(learner, "members", learner.size)];
    const sums = [...readWords(learner, "sums", learner.size)];
    for (let j = 0; j < sums.length; j++) {
      assert.ok(Math.abs(sums[j] / members[j]) <= 1.5, `every mean lies within the targets: ${j} at ${t}`);
    }
  }
  assert.ok(error < 0.01, `mean squared error ${error}`);
  assert.is(learner.count("overflowed") + learner.count("evicted"), 0);
});

test("a full codebook takes inputs within its reach for their nearest centre, and counts them", () => {
  const learner = new Qkrls({
    kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
    dimension: 1,
    budget: 2,
    epsilon: 0.1,
    reach: 50,
  });
  for (const x of [0, 1, 5, 0.95, 5]) learner.learn([x], 1);
  assert.is(learner.size, 2);
  assert.is(learner.count("forced"), 2);
  assert.is(learner.count("quantized"), 1);
  near([...readWords(learner, "members", 2)], [1, 4], 0, "Lambda");
});

test("an input at exactly epsilon from a centre is taken for it, the next float32 beyond becomes one", () => {
  const learner = new Qkrls({
    kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
    dimension: 1,
    budget: 4,
    epsilon: 0.5,
  });
  learner.learn([0], 1);
  learner.learn([0.5], 1);
  assert.equal([learner.size, learner.count("quantized")], [1, 1]);
  learner.learn([0.5 + 2 ** -24], 1);
  assert.equal([learner.size, learner.count("inserted")], [2, 2]);
});

test("Lambda_max is what float32 resolves, at most 2^24, beyond which a float32 count doesn't grow", () => {
  for (const [regularization, budget] of [
    [1000, 1],
    [0.01, 1],
    [0.01, 64],
  ]) {
    const learner = new Qkrls({
      kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
      dimension: 1,
      budget,
      regularization,
    });
    learner.learn([0], 1);
    const at = learner.layout.at("members", learner.range);
    const largest = Math.min(2 ** 24, Math.floor((regularization * 2 ** 24) / (10 * budget)));
    learner.range.f32.words[at] = largest - 1;
    const counts = [0, 0].map(() => {
      learner.learn([0], 1);
      return learner.range.f32.words[at];
    });
    assert.equal(counts, [largest, largest]);
  }
});

test("a pivot is never below the regularization, which only rounding could leave", () => {
  const kernel = { type: "polynomial", degree: 3 } as const;
  const [gamma, budget] = [0.2, 8];
  for (let k = 0; k < 400; k++) {
    const learner = new Qkrls({ dimension: 1, budget, kernel, epsilon: 1e-5, regularization: gamma });
    const x = 10 + k / 777;
    learner.learn([x], 1);
    learner.learn([x + 1e-4], 1);
    const resolved = ((10 * budget) / 2 ** 24) * (1 + x * x) ** 3;
    const pivot = [...readWords(learner, "factor", 3)][2];
    assert.ok(pivot >= 0.999 * Math.max(gamma, resolved), `D_1 ${pivot} beside ${resolved}`);
    assert.ok(Math.abs(learner.predict([x]) - 1) < 1e-3, `f ${learner.predict([x])}`);
  }
});

test("a centre whose kernel values overflow is refused whole, and the learner still learns", () => {
  const kernel = { type: "polynomial", degree: 3 } as const;
  const learner = new Qkrls({ dimension: 1, budget: 8, kernel, epsilon: 0.01, regularization: 0.01 });
  learner.learn([0], 1);
  const before = modelHash(learner);
  learner.learn([1e10], 1);
  assert.is(learner.count("overflowed"), 1);
  assert.is(modelHash(learner), before);
  learner.learn([0], 1);
  assert.is(learner.count("quantized"), 1);
});

test("a centre whose coefficient overflows is refused whole", () => {
  const learner = new Qkrls({
    kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
    dimension: 1,
    budget: 8,
    regularization: 0.01,
    epsilon: 0,
  });
  learner.learn([0], 3e38);
  const before = modelHash(learner);
  learner.learn([0.01], -3e38);
  assert.is(learner.count("overflowed"), 1);
  assert.is(modelHash(learner), before);
});

test("a learner whose coefficients overflow as a centre's regularization falls restarts", () => {
  const learner = new Qkrls({
    kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
    dimension: 1,
    budget: 8,
    regularization: 0.01,
    epsilon: 0.0005,
  });
  learner.learn([0], 3e36);
  learner.learn([0.001], -3e36); // the coefficients are about 3e36 / 0.01
  assert.is(learner.size, 2);
  learner.learn([0], 3e36); // and would be 3e36 / 0.0075
  assert.equal([learner.size, learner.count("overflowed"), learner.count("evicted")], [0, 1, 2]);
  for (let t = 0; t < 100; t++) learner.learn([t % 2], 1 + (t % 2));
  assert.ok(Math.abs(learner.predict([1]) - 2) < 0.1, "and learns");
});

test("a target that makes a sum overflow is refused whole", () => {
  const learner = new Qkrls({
    kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
    dimension: 1,
    budget: 4,
    regularization: 1,
  });
  learner.learn([0], 3e38);
  const before = modelHash(learner);
  learner.learn([0], 3e38);
  assert.is(learner.count("overflowed"), 1);
  assert.is(modelHash(learner), before);
});

test("a gamma that float32 doesn't resolve is refused by name", () => {
  assert.throws(
    () =>
      new Qkrls({
        kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
        dimension: 1,
        budget: 64,
        regularization: 1e-6,
      }),
    /qkrls: option regularization: got 0.000001; takes a number >= 10 budget 2\^-24/,
  );
});

test.run();
