import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { AROW, Arow } from "../../src/learn/arow.ts";
import { CONFIDENCE_WEIGHTED, ConfidenceWeighted } from "../../src/learn/confidence-weighted.ts";
import type { Family } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { SOFT_CONFIDENCE_WEIGHTED } from "../../src/learn/soft-confidence-weighted.ts";
import { normalQuantile } from "../../src/math/normal-quantile.ts";
import * as fc from "../properties.ts";
import { near, readTrace } from "./golden.ts";
import { followLinear } from "./linear-trace.ts";
import { modelHash } from "./model-hash.ts";
import { readWords } from "./region.ts";

/** Sigma, whole. */
function covariance(learner: Learner): number[][] {
  const sigma = readWords(learner, "sigma");
  const d = readWords(learner, "w").length;
  const full = sigma.length > d || d === 1;
  return Array.from({ length: d }, (_, i) =>
    Array.from({ length: d }, (_, j) => {
      const [row, column] = i >= j ? [i, j] : [j, i];
      if (full) return sigma[(row * (row + 1)) / 2 + column];
      return i === j ? sigma[i] : 0;
    }),
  );
}

/** x' A x. */
function form(A: readonly number[][], x: readonly number[]): number {
  return A.reduce((sum, row, i) => sum + row.reduce((part, a, j) => part + a * x[i] * x[j], 0), 0);
}

/** Least pivot of A scaled to a diagonal of ones: positive if A is positive definite. */
function leastPivot(A: readonly number[][]): number {
  const B = A.map((row, i) => row.map((a, j) => a / Math.sqrt(A[i][i] * A[j][j])));
  let least = Infinity;
  B.forEach((pivot, k) => {
    least = pivot[k] > 0 ? Math.min(least, pivot[k]) : -Infinity;
    for (const row of B.slice(k + 1)) {
      const share = row[k] / pivot[k];
      row.forEach((_, j) => {
        row[j] -= share * pivot[j];
      });
    }
  });
  return least;
}

const CONFIDENCE = [...CONFIDENCE_WEIGHTED, ...SOFT_CONFIDENCE_WEIGHTED, ...AROW];
const named = (name: string) => CONFIDENCE.find((family) => family.name === name) as Family;

for (const [trace, name] of [
  ["cw", "cw"],
  ["cw_var", "cw-var"],
  ["scw1", "scw-1"],
  ["scw2", "scw-2"],
  ["arow", "arow"],
]) {
  test(`${name} follows ${trace}, Sigma included`, () => {
    const learner = followLinear(
      trace,
      ({ X, params }) => named(name).create({ dimension: X[0].length, bias: false, ...(params as object) }),
      1e-3,
    );
    near(covariance(learner).flat(), readTrace(trace).final.S.flat(), 1e-4, "Sigma");
  });
}

const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 16);
const samples = fc.array(fc.tuple(fc.array(value, { minLength: 3, maxLength: 3 }), fc.constantFrom(-1, 1)), {
  minLength: 1,
  maxLength: 20,
});

test("after a step of CW the sample has its probability, or in the variance form its margin", () => {
  const confidence = 0.9;
  const phi = normalQuantile(confidence);
  const wanted = { cw: (v: number) => phi * Math.sqrt(v), "cw-var": (v: number) => phi * v };
  for (const [name, margin] of Object.entries(wanted)) {
    fc.assert(
      fc.property(samples, (stream) => {
        const learner = named(name).create({ dimension: 3, bias: false, confidence });
        for (const [x, y] of stream) {
          const before = modelHash(learner);
          learner.learn(x, y);
          if (modelHash(learner) === before) continue;
          const [m, needed] = [y * learner.predict(x), margin(form(covariance(learner), x))];
          assert.ok(Math.abs(m - needed) <= 2e-3 * Math.max(1, needed), `${name}: ${m}, should be ${needed}`);
        }
      }),
    );
  }
});

test("a soft learner with a large C is CW; with a smaller C it moves less", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 3, maxLength: 3 }), (x) => {
      const moved = (name: string, options: object) => {
        const learner = named(name).create({ dimension: 3, bias: false, ...options });
        learner.learn(x, 1);
        return Array.from(readWords(learner, "w"));
      };
      const exact = moved("cw", {});
      for (const name of ["scw-1", "scw-2"]) {
        near(moved(name, { C: 1e6 }), exact, 1e-3, name);
        const soft = moved(name, { C: 0.01 });
        soft.forEach((w, j) => {
          assert.ok(Math.abs(w) <= Math.abs(exact[j]));
        });
      }
    }),
  );
});

test("AROW's Sigma is the inverse of I + X' X / r over the samples that were inside the margin", () => {
  fc.assert(
    fc.property(samples, (stream) => {
      const r = 4;
      const learner = new Arow({ dimension: 3, bias: false, noiseVariance: r });
      const precision = [0, 1, 2].map((i) => [0, 1, 2].map((j) => (i === j ? 1 : 0)));
      for (const [x, y] of stream) {
        if (!(y * learner.learn(x, y) < 1)) continue;
        precision.forEach((row, i) => {
          row.forEach((_, j) => {
            row[j] += (x[i] * x[j]) / r;
          });
        });
      }
      const S = covariance(learner);
      const product = S.map((row) =>
        [0, 1, 2].map((j) => row.reduce((sum, s, k) => sum + s * precision[k][j], 0)),
      );
      near(product.flat(), [1, 0, 0, 0, 1, 0, 0, 0, 1], 1e-3, "Sigma times its inverse");
    }),
  );
});

test("with forgetting, what each sample adds to the inverse of AROW's Sigma fades, down to the trace that it had at the start", () => {
  const random = new Random(11, "forgetting");
  const learner = new Arow({ dimension: 3, bias: false, forgetting: 0.99 });
  let S = [0, 1, 2].map((i) => [0, 1, 2].map((j): number => (i === j ? 1 : 0)));
  for (let t = 0; t < 500; t++) {
    const x = [random.normal(), random.normal(), random.normal()];
    const y = x[0] + 0.5 * random.normal() > 0 ? 1 : -1;
    const inside = y * learner.learn(x, y) < 1;
    const Sx = S.map((row) => row.reduce((sum, s, j) => sum + s * x[j], 0));
    const v = Sx.reduce((sum, s, j) => sum + s * x[j], 0);
    if (inside) S = S.map((row, i) => row.map((s, j) => s - (Sx[i] * Sx[j]) / (v + 1)));
    if (S[0][0] + S[1][1] + S[2][2] < 3) S = S.map((row) => row.map((s) => s / 0.99));
  }
  near(covariance(learner).flat(), S.flat(), 1e-3, "Sigma");
  assert.ok(S[0][0] + S[1][1] + S[2][2] > 0.05, "it falls no farther");
});

test("a diagonal Sigma is the full one where the features never meet in a sample, and takes d words", () => {
  for (const { name, create, layout } of CONFIDENCE) {
    const [full, diagonal] = (["full", "diagonal"] as const).map((form) =>
      create({ dimension: 4, bias: false, covariance: form }),
    );
    const random = new Random(1, "apart");
    for (let t = 0; t < 200; t++) {
      const x = [0, 0, 0, 0];
      x[random.below(4)] = random.normal();
      const y = random.below(2) === 0 ? 1 : -1;
      assert.is(diagonal.learn(x, y), full.learn(x, y), `${name}, step ${t}`);
    }
    const words = (form: string) => layout({ dimension: 9, bias: false, covariance: form }).state;
    assert.equal([words("full"), words("diagonal")], [9 + 45 + 4, 9 + 9 + 4]);
  }
});

/** Features of scales 1 to 1000, or all but alike; one label in ten is wrong. */
function* noisy(scales: "unequal" | "alike", count: number): Generator<[Float32Array, number]> {
  const random = new Random(1, `noisy ${scales}`);
  const d = 6;
  for (let t = 0; t < count; t++) {
    const common = scales === "alike" ? random.normal() : 0;
    const z = Array.from({ length: d }, () => common + (scales === "alike" ? 0.01 : 1) * random.normal());
    const side = z[0] + z[1] - z[2] + z[3] >= 0 ? 1 : -1;
    const x = z.map((v, j) => (scales === "alike" ? v : v * 10 ** ((3 * j) / (d - 1))));
    yield [Float32Array.from(x), random.uniform() < 0.1 ? -side : side];
  }
}

for (const scales of ["unequal", "alike"] as const) {
  test(`Sigma stays positive definite on features of ${scales} scale with wrong labels, and is packed`, () => {
    for (const { name, create } of CONFIDENCE) {
      for (const covarianceForm of ["full", "diagonal"]) {
        const learner = create({ dimension: 6, covariance: covarianceForm });
        let wrong = 0;
        let t = 0;
        for (const [x, y] of noisy(scales, 6000)) {
          if (y * learner.learn(x, y) < 0) wrong++;
          if (++t % 100 === 0) assert.ok(leastPivot(covariance(learner)) > 0, `${name} at ${t}`);
        }
        // CW obeys wrong labels as well; 10 % are.
        assert.ok(
          wrong < (name.startsWith("cw") ? 0.45 : 0.17) * t,
          `${name} ${covarianceForm}: ${wrong} wrong`,
        );
      }
    }
  });
}

test("inputs so large that float32 doesn't hold what Sigma falls to leave it positive", () => {
  for (const { name, create } of CONFIDENCE) {
    const learner = create({ dimension: 2 });
    const random = new Random(2, "large");
    for (let t = 0; t < 500; t++) {
      const x = [1e5 * (1 + 0.01 * random.normal()), random.normal()];
      learner.learn(x, x[1] >= 0 ? 1 : -1);
      assert.ok(leastPivot(covariance(learner)) > 0, `${name} at ${t}`);
    }
  }
});

test("CW's decisions don't depend on the scale of w and Sigma: what would underflow is brought up", () => {
  const [unit, faint] = [1, 2 ** -60].map(
    (initialVariance) => new ConfidenceWeighted({ dimension: 6, initialVariance }),
  );
  let least = Infinity;
  for (const [x, y] of noisy("unequal", 3000)) {
    const decisions = [unit, faint].map((learner) => learner.learn(x, y));
    assert.is(Math.sign(decisions[1]), Math.sign(decisions[0]));
    least = Math.min(least, Math.max(...covariance(unit).map((row, j) => row[j])));
  }
  assert.ok(least >= 2 ** -40, `largest variance fell to ${least}`);
  assert.is(unit.count("overflowed"), 0);
});

test("an update that float32 can't hold is refused as a whole, w and Sigma", () => {
  for (const { name, create } of CONFIDENCE) {
    for (const form of ["full", "diagonal"]) {
      const learner = create({ dimension: 2, covariance: form });
      learner.learn([1, 0.5], 1);
      const before = modelHash(learner);
      learner.learn([3e20, 1], -1);
      assert.is(learner.count("overflowed"), 1, `${name} ${form}`);
      assert.is(modelHash(learner), before, `${name} ${form}`);
    }
  }
});

test("nothing is learned from x = 0, nor from what is sure enough", () => {
  for (const { name, create } of CONFIDENCE) {
    const learner = create({ dimension: 2, bias: false });
    readWords(learner, "w").set([100, 50]);
    const before = modelHash(learner);
    learner.learn([0, 0], -1);
    learner.learn([1, 0.5], 1);
    assert.is(modelHash(learner), before, name);
    assert.is(learner.count("overflowed"), 0, name);
  }
});

test("confidence lies above a half: at a half nothing would ever be learned", () => {
  for (const name of ["cw", "cw-var", "scw-1", "scw-2"]) {
    assert.throws(
      () => named(name).create({ dimension: 2, confidence: 0.5 }),
      new RegExp(`${name}: option confidence: got 0.5; takes a number > 0.5 and < 1`),
    );
  }
});

test("under label noise CW outgrows float32 and resets its confidence: it refuses next to nothing, and still decides", () => {
  for (const form of ["full", "diagonal"]) {
    const learner = named("cw").create({ dimension: 3, covariance: form });
    const random = new Random(9, "noise");
    let wrong = 0;
    for (let t = 0; t < 12000; t++) {
      const x = [0, 1, 2].map(() => 10 * random.uniform());
      const flipped = random.uniform() < 0.1;
      const y = x[0] + x[1] > 8 !== flipped ? 1 : -1;
      const decision = learner.learn(x, y);
      if (t >= 9000 && decision * y <= 0) wrong++;
    }
    assert.ok(learner.count("overflowed") < 20, `${form}: ${learner.count("overflowed")} refused`);
    assert.ok(wrong < 900, `${form}: ${wrong} of 3000`);
    const sigma = readWords(learner, "sigma");
    assert.ok(sigma.every(Number.isFinite), `${form}: ${sigma}`);
  }
});

test.run();
