import * as fc from "../properties.ts";
import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { KernelExpansion } from "../../src/learn/expansion.ts";
import type { UserOptions } from "../../src/learn/family.ts";
import { KrlsAld } from "../../src/learn/krls.ts";
import { KrlsAldDiscard, KrlsNovelty, KrlsSurprise } from "../../src/learn/krls-discard.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { packedWords } from "../../src/math/primitives.ts";
import { coefficientsByAge, followTrace } from "./expansion-trace.ts";
import { near, readKernel, readTrace, type Trace } from "./golden.ts";
import { modelHash } from "./model-hash.ts";
import { readWords } from "./region.ts";

const gaussian = { type: "gaussian", gamma: 1 } as const;

/** A packed lower triangle in full: the rest is 0, or mirrored. */
function unpacked(packed: number[], n: number, symmetric: boolean): number[][] {
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) =>
      j <= i ? packed[packedWords(i) + j] : symmetric ? packed[packedWords(j) + i] : 0,
    ),
  );
}

/** (L L')^-1 of the factor that the learner holds, in double precision. */
function inverseOfFactor(learner: Learner): number[][] {
  const n = learner.size;
  const L = unpacked([...readWords(learner, "factor", packedWords(n))], n, false);
  return Array.from({ length: n }, (_, c) => {
    const x = Array.from({ length: n }, (_, i) => (i === c ? 1 : 0));
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
      x[i] /= L[i][i];
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let j = i + 1; j < n; j++) x[i] -= L[j][i] * x[j];
      x[i] /= L[i][i];
    }
    return x;
  });
}

test("KRLS-ALD follows krls_ald", () => {
  const trace = readTrace("krls_ald");
  const { nu } = trace.params;
  const learner = new KrlsAld({ dimension: trace.X[0].length, kernel: readKernel(trace), nu });
  followTrace(learner, trace, 1e-4);
  const n = learner.size;
  near(inverseOfFactor(learner).flat(), trace.final.Ki.flat(), 1e-4, "K^-1");
  const L = unpacked([...readWords(learner, "factor", packedWords(n))], n, false);
  const R = unpacked([...readWords(learner, "covariance", packedWords(n))], n, true);
  const P = L.map((left) => L.map((right) => inner(left, times(R, right))));
  near(P.flat(), trace.final.P.flat(), 1e-4, "P");
  assert.is(learner.count("overflowed"), 0);
});

const discarding: {
  readonly [name: string]: (
    common: UserOptions & { readonly dimension: number },
    params: Trace["params"],
  ) => KernelExpansion;
} = {
  krls_nc: (common, { regularization, noveltyDistance, noveltyError }) =>
    new KrlsNovelty({ ...common, regularization, noveltyDistance, noveltyError }),
  krls_sc: (common, { regularization, abnormalAbove, redundantBelow }) =>
    new KrlsSurprise({ ...common, regularization, abnormalAbove, redundantBelow }),
  krls_ald_discard: (common, { regularization, nu }) => new KrlsAldDiscard({ ...common, regularization, nu }),
};

for (const [name, make] of Object.entries(discarding)) {
  test(`KRLS with simple discard follows ${name}`, () => {
    const trace = readTrace(name);
    const learner = make({ dimension: trace.X[0].length, kernel: readKernel(trace) }, trace.params);
    followTrace(learner, trace, 1e-3);
    near(inverseOfFactor(learner).flat(), trace.final.Q.flat(), 1e-3, "Q");
    assert.is(learner.count("inserted"), trace.final.coef.length);
  });
}

const samples = fc.array(
  fc.record({
    x: fc.tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.double({ min: -2, max: 2, noNaN: true })),
    y: fc.double({ min: -3, max: 3, noNaN: true }),
  }),
  { minLength: 1, maxLength: 80 },
);

function inner(u: number[], v: number[]): number {
  return u.reduce((s, e, j) => s + e * v[j], 0);
}

function times(M: number[][], v: number[]): number[] {
  return M.map((row) => inner(row, v));
}

/** Engel's algorithm in double precision with the explicit inverse; at the budget every input is dependent. */
class Reference {
  readonly centres: number[][] = [];
  a: number[] = [];
  Ki: number[][] = [];
  P: number[][] = [];
  /** Smallest distance of a residual from the threshold. */
  closest = Infinity;

  constructor(
    readonly nu: number,
    readonly budget: number,
    readonly gamma: number,
  ) {}

  /** delta of x, and what it follows from. */
  residual(x: number[]): { h: number[]; u: number[]; delta: number } {
    const h = this.centres.map((c) => Math.exp(-this.gamma * c.reduce((s, e, j) => s + (e - x[j]) ** 2, 0)));
    const u = times(this.Ki, h);
    return { h, u, delta: 1 - inner(h, u) };
  }

  learn(x: number[], y: number): number {
    const { h, u, delta } = this.residual(x);
    const f = inner(h, this.a);
    if (this.centres.length > 0) this.closest = Math.min(this.closest, Math.abs(delta - this.nu));
    if ((this.centres.length === 0 || delta > this.nu) && this.centres.length < this.budget) {
      this.Ki = this.Ki.map((row, i) => [...row.map((e, j) => e + (u[i] * u[j]) / delta), -u[i] / delta]);
      this.Ki.push([...u.map((e) => -e / delta), 1 / delta]);
      this.P = this.P.map((row) => [...row, 0]);
      this.P.push([...u.map(() => 0), 1]);
      this.a = [...this.a.map((e, i) => e - (u[i] * (y - f)) / delta), (y - f) / delta];
      this.centres.push(x);
    } else {
      const v = times(this.P, u);
      const den = 1 + inner(u, v);
      const move = times(this.Ki, v);
      this.P = this.P.map((row, i) => row.map((e, j) => e - (v[i] * v[j]) / den));
      this.a = this.a.map((e, i) => e + (move[i] * (y - f)) / den);
    }
    return f;
  }
}

test("KRLS-ALD is Engel's algorithm, whose inverse it doesn't carry, at a full budget too", () => {
  fc.assert(
    fc.property(
      samples,
      fc.constantFrom(0.05, 0.2, 0.5),
      fc.integer({ min: 1, max: 20 }),
      (stream, nu, budget) => {
        const learner = new KrlsAld({ dimension: 2, kernel: gaussian, nu, budget });
        const reference = new Reference(nu, budget, 1);
        for (const { x, y } of stream) {
          const wanted = reference.learn(x.map(Math.fround), Math.fround(y));
          const got = learner.learn(x, y);
          if (reference.closest < 1e-5) return;
          near([got], [wanted], 1e-3, "prediction");
          near(coefficientsByAge(learner), reference.a, 2e-3, "coefficient");
        }
        assert.is(learner.count("overflowed"), 0);
      },
    ),
    { numRuns: 200, seed: 5 },
  );
});

test("with simple discard the coefficients solve (K + reg I) a = y over the accepted samples", () => {
  const makers = [
    (regularization: number) => new KrlsNovelty({ dimension: 2, kernel: gaussian, regularization }),
    (regularization: number) =>
      new KrlsSurprise({
        dimension: 2,
        kernel: gaussian,
        regularization,
        abnormalAbove: 2,
        redundantBelow: -2,
      }),
    (regularization: number) =>
      new KrlsAldDiscard({ dimension: 2, kernel: gaussian, regularization, nu: 0.1 + regularization }),
  ];
  fc.assert(
    fc.property(samples, fc.constantFrom(...makers), fc.constantFrom(0.01, 0.1), (stream, make, reg) => {
      const learner = make(reg);
      const accepted: { x: number[]; y: number }[] = [];
      for (const { x, y } of stream) {
        const before = learner.size;
        const hash = modelHash(learner);
        learner.learn(x, y);
        if (learner.size > before) accepted.push({ x, y });
        else assert.is(modelHash(learner), hash, "a discarded sample changes nothing");
      }
      const a = coefficientsByAge(learner);
      accepted.forEach(({ x, y }, i) => {
        const f = accepted.reduce(
          (s, { x: c }, j) => s + a[j] * Math.exp(-((x[0] - c[0]) ** 2 + (x[1] - c[1]) ** 2)),
          0,
        );
        assert.ok(Math.abs(f + reg * a[i] - y) < 1e-3, `row ${i}: ${f + reg * a[i]}, target ${y}`);
      });
    }),
    { numRuns: 200, seed: 6 },
  );
});

test("at a full budget KRLS-ALD still learns, and learners with simple discard decline", () => {
  const options = { dimension: 1, budget: 2, kernel: gaussian };
  const ald = new KrlsAld(options);
  const discard = new KrlsAldDiscard(options);
  for (const x of [0, 1]) for (const learner of [ald, discard]) learner.learn([x], 1);
  const held = [modelHash(ald), modelHash(discard)];
  for (const learner of [ald, discard]) {
    learner.learn([3], 1);
    assert.is(learner.size, 2);
    assert.is(learner.count("declined"), 1);
  }
  assert.is.not(modelHash(ald), held[0]);
  assert.is(modelHash(discard), held[1]);
});

test("an input that rounding can't tell from the dictionary's span is taken as dependent whatever nu", () => {
  const learner = new KrlsAld({ dimension: 1, kernel: { type: "linear" }, nu: 0 });
  for (let t = 1; t <= 200; t++) learner.learn([t / 7], t / 7);
  assert.is(learner.size, 1);
  assert.is(learner.count("overflowed"), 0);
  assert.ok(Math.abs(learner.predict([2]) - 2) < 1e-5);
});

test("a target that makes a coefficient overflow is refused whole", () => {
  const ald = new KrlsAld({ dimension: 1, budget: 4, kernel: gaussian, nu: 0.001 });
  const discard = new KrlsAldDiscard({
    dimension: 1,
    budget: 4,
    kernel: gaussian,
    regularization: 0.001,
    nu: 0.002,
  });
  for (const learner of [ald, discard]) {
    learner.learn([0], 1);
    const before = modelHash(learner);
    learner.learn([0.1], 3e38);
    assert.is(learner.count("overflowed"), 1);
    assert.is(modelHash(learner), before);
    learner.learn([0.1], 1);
    assert.is(learner.size, 2);
  }
});

test("surprise bounds in the wrong order are refused by name", () => {
  assert.throws(
    () =>
      new KrlsSurprise({
        kernel: { type: "gaussian", sigma: Math.SQRT1_2 },
        dimension: 1,
        abnormalAbove: -2,
        redundantBelow: -1,
      }),
    /krls-surprise: option redundantBelow: got -1; takes a number <= abnormalAbove, which is -2/,
  );
});

function smooth(t: number): { x: number[]; y: number } {
  const phase = ((t * 0.6180339887) % 1) * 2 - 1;
  const other = ((t * 0.7548776662) % 1) * 2 - 1;
  return { x: [phase, other].map(Math.fround), y: Math.fround(phase * phase - 0.5 * other) };
}

for (const [nu, centres] of [
  [0.001, 36],
  [0.0001, 47],
]) {
  test(`at nu = ${nu} KRLS-ALD keeps the dictionary of double precision, but for residuals within nu/5 of nu`, () => {
    const learner = new KrlsAld({ dimension: 2, budget: 64, kernel: gaussian, nu });
    const reference = new Reference(nu, 64, 1);
    for (let t = 0; t < 3000; t++) {
      const { x, y } = smooth(t);
      if (Math.abs(reference.residual(x).delta - nu) < nu / 5) continue;
      near([learner.learn(x, y)], [reference.learn(x, y)], 0.01, "prediction");
      assert.is(learner.size, reference.centres.length, `centres after step ${t}`);
    }
    assert.ok(Math.abs(learner.size - centres) <= 2, `${learner.size} centres`);
    assert.is(learner.count("overflowed"), 0);
  });
}

test("the error of a target without noise doesn't grow again in 60000 samples, though K is nearly singular", () => {
  const learner = new KrlsAld({ dimension: 2, budget: 64, kernel: gaussian, nu: 0.0001 });
  const sums = new Array(12).fill(0);
  for (let t = 0; t < 60000; t++) {
    const { x, y } = smooth(t);
    sums[Math.floor(t / 5000)] += (learner.learn(x, y) - y) ** 2;
  }
  assert.ok(sums[11] < 1.5 * sums[1], `squared errors of 5000 samples each: ${sums}`);
});

test.run();
