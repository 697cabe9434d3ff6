import { test } from "uvu";
import * as assert from "uvu/assert";
import type { DualAscent } from "../../src/learn/dual-ascent.ts";
import { DualAga, DualRho } from "../../src/learn/gradient-ascent.ts";
import { DualGreedy } from "../../src/learn/greedy-ascent.ts";
import * as fc from "../properties.ts";
import { coefficientsByAge } from "./expansion-trace.ts";
import { near, readKernel, readTrace } from "./golden.ts";
import { readWords } from "./region.ts";

const TRACES = ["aga", "aga_noforget", "greedy", "greedy_noforget", "rho", "rho_noforget", "rho_safe"];

// biome-ignore lint/suspicious/noExplicitAny: options of three classes.
function make(mode: string, given: any): DualAscent {
  const options = { kernel: { type: "gaussian", sigma: 1 }, ...given };
  if (mode === "aga") return new DualAga(options);
  if (mode === "greedy") return new DualGreedy(options);
  return new DualRho(options);
}

for (const variant of TRACES) {
  for (const C of ["0.7", "10"]) {
    const name = `dual_${variant}_C${C}`;
    test(`dual ascent follows ${name}`, () => {
      const trace = readTrace(name);
      const { params } = trace;
      const learner = make(params.mode, {
        dimension: 2,
        kernel: readKernel(trace),
        C: params.C,
        forget: params.forget,
        ...(params.mode === "rho" ? { rho: params.rho, step: params.safe ? "safe" : "plain" } : {}),
      });
      const steps: number[][] = [];
      const predictions = trace.X.map((x, t) => {
        const before = learner.predict(x);
        const decision = learner.learn(x, trace.y[t]);
        assert.is(decision, before, `step ${t}: learn returns what predict did`);
        assert.is(learner.size, trace.sizes[t], `size after step ${t}`);
        steps.push([...readWords(learner, "step", 3)]);
        return decision;
      });
      near(predictions, trace.predictions, 1e-4, "prediction");
      near(coefficientsByAge(learner), trace.final.coef, 1e-4, "coefficient");
      for (const [k, what] of ["alpha", "eta", "change of the dual"].entries()) {
        const column = (rows: number[][]) => rows.map((row) => row[k]);
        near(column(steps), column(trace.alpha_eta_dDual), 1e-4, what);
      }
      near([learner.squaredNorm], [trace.W], 1e-4, "W");
      near([learner.alphaSum], [trace.S_alpha], 1e-4, "S");
      near([learner.dual], [trace.dual], 1e-4, "dual");
    });
  }
}

/** |omega|^2 and sum alpha of what is stored, in double precision, under the kernel exp(-|u-v|^2 / 2). */
function recomputed(learner: DualAscent, C: number): { W: number; S: number } {
  const { dictionary, range } = learner;
  const { dimension, size } = dictionary;
  const component = (i: number, j: number) =>
    range.f32.words[dictionary.rows + 4 * dimension * (i >> 2) + 4 * j + (i & 3)];
  let W = 0;
  let S = 0;
  for (let i = 0; i < size; i++) {
    S += Math.abs(dictionary.coefficient(i)) / C;
    for (let k = 0; k < size; k++) {
      let distance = 0;
      for (let j = 0; j < dimension; j++) distance += (component(i, j) - component(k, j)) ** 2;
      W += dictionary.coefficient(i) * dictionary.coefficient(k) * Math.exp(-distance / 2);
    }
  }
  return { W, S };
}

const stream = fc.array(
  fc.record({
    x: fc.tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.double({ min: -2, max: 2, noNaN: true })),
    y: fc.constantFrom(-1, 1),
  }),
  { minLength: 1, maxLength: 60 },
);
const modes = fc.constantFrom("safe", "aga", "greedy");
const weights = fc.constantFrom(0.1, 0.7, 10, 1000);

for (const [evict, budget] of [
  ["oldest", 64],
  ["refuse", 9],
] as const) {
  test(`the dual never falls, budget ${budget}, evict ${evict}`, () => {
    fc.assert(
      fc.property(stream, modes, weights, fc.boolean(), (samples, mode, C, forget) => {
        const learner = make(mode, { dimension: 2, budget, evict, C, forget });
        for (const { x, y } of samples) {
          const before = learner.dual;
          learner.learn(x, y);
          const fall = before - learner.dual;
          assert.ok(fall <= 1e-5 * Math.max(1, Math.abs(before)), `${mode}: fell by ${fall} from ${before}`);
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });
}

test("W and S belong to the stored model, whatever a full budget evicts or declines", () => {
  const policies = fc.constantFrom("oldest", "smallest", "refuse");
  fc.assert(
    fc.property(
      stream,
      modes,
      weights,
      policies,
      fc.integer({ min: 1, max: 8 }),
      (samples, mode, C, evict, budget) => {
        const learner = make(mode, { dimension: 2, budget, evict, C, forget: true });
        for (const { x, y } of samples) {
          learner.learn(x, y);
          const { W, S } = recomputed(learner, C);
          near([learner.squaredNorm], [W], 1e-4 * C, "W");
          near([learner.alphaSum], [S], 1e-4, "S");
        }
      },
    ),
    { numRuns: 200, seed: 11 },
  );
});

test("W and S still are after 20000 samples at a full budget", () => {
  for (const mode of ["safe", "aga", "greedy"]) {
    const learner = make(mode, { dimension: 2, budget: 16, C: 2, forget: true, evict: "oldest" });
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 31 - 1;
    };
    for (let t = 0; t < 20000; t++) {
      const x = [2 * random(), 2 * random()];
      learner.learn(x, x[0] * x[1] + 0.5 * random() > 0 ? 1 : -1);
    }
    const { W, S } = recomputed(learner, 2);
    near([learner.squaredNorm], [W], 1e-3, `${mode} W`);
    near([learner.alphaSum], [S], 1e-3, `${mode} S`);
  }
});

/** The most that D_t (10) gains anywhere on a grid over the unit square (alpha = 0 alone unless storable). */
function gridGain(learner: DualAscent, C: number, m: number, k: number, storable: boolean): number {
  const { squaredNorm: W, alphaSum: S } = learner;
  let best = 0;
  for (let alpha = 0; alpha <= (storable ? 1 : 0); alpha += 1 / 64) {
    for (let keep = 0; keep <= 1; keep += 1 / 64) {
      const quadratic = (keep * keep - 1) * W + 2 * keep * C * alpha * m + C * C * alpha * alpha * k;
      best = Math.max(best, C * (keep - 1) * S + C * alpha - quadratic / 2);
    }
  }
  return best;
}

test("greedy gains as much as any step in the unit square, also where a full budget declines", () => {
  fc.assert(
    fc.property(
      stream,
      weights,
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      (samples, C, budget, linear) => {
        // Plain rho-GA first: it leaves models far from the dual's maximum, as greedy alone never would.
        const kernel = linear ? ({ type: "linear" } as const) : ({ type: "gaussian", sigma: 1 } as const);
        const options = { dimension: 2, budget, evict: "refuse", C, forget: true, kernel } as const;
        const far = new DualRho({ ...options, step: "plain", rho: 3, forget: false });
        const learner = new DualGreedy(options);
        for (const [t, { x, y }] of samples.entries()) {
          if (2 * t < samples.length) {
            far.learn(x, y);
            learner.range.f32.bits.set(far.range.f32.bits);
            continue;
          }
          const full = learner.size === budget;
          const m = y * learner.predict(x);
          const k = linear ? Math.fround(x[0]) ** 2 + Math.fround(x[1]) ** 2 : 1;
          const wanted = gridGain(learner, C, m, k, !full);
          const before = learner.squaredNorm + C * learner.alphaSum;
          learner.learn(x, y);
          const gain = [...readWords(learner, "step", 3)][2];
          assert.ok(gain >= wanted - 1e-5 * Math.max(1, before), `gained ${gain}, the grid has ${wanted}`);
        }
      },
    ),
    { numRuns: 300, seed: 17 },
  );
});

test("greedy forgets all where a shorter input of the same direction does better alone", () => {
  const options = { dimension: 1, C: 2, forget: true, kernel: { type: "linear" } } as const;
  const far = new DualRho({ ...options, step: "plain", rho: 10 });
  far.learn([2], 1);
  const learner = new DualGreedy(options);
  learner.range.f32.bits.set(far.range.f32.bits);
  near([learner.squaredNorm, learner.alphaSum, learner.dual], [16, 1, -6], 1e-6, "W, S, dual");
  learner.learn([1], 1);
  near([...readWords(learner, "step", 3)], [0.5, 1, 6.5], 1e-6, "alpha, eta, change of the dual");
});

test("without forgetting, AGA and greedy are the same algorithm", () => {
  fc.assert(
    fc.property(stream, weights, (samples, C) => {
      const aga = new DualAga({ kernel: { type: "gaussian", sigma: 1 }, dimension: 2, forget: false, C });
      const greedy = new DualGreedy({
        kernel: { type: "gaussian", sigma: 1 },
        dimension: 2,
        forget: false,
        C,
      });
      const both = samples.map(({ x, y }) => [aga.learn(x, y), greedy.learn(x, y)]);
      near(
        both.map(([a]) => a),
        both.map(([, g]) => g),
        1e-5,
        "decision",
      );
    }),
    { numRuns: 100, seed: 13 },
  );
});

test("an update without a finite result leaves the state as it was", () => {
  const learner = new DualRho({ dimension: 1, kernel: { type: "linear" }, C: 1e30, step: "plain" });
  learner.learn([1e-12], 1);
  assert.is(learner.size, 1);
  const before = learner.stateHash();
  learner.learn([1e5], -1);
  assert.is(learner.count("overflowed"), 1);
  assert.is(learner.stateHash(), before);
});

test.run();
