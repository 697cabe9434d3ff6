import { test } from "uvu";
import * as assert from "uvu/assert";
import type { KernelOption } from "../../src/kernel/kernel.ts";
import { OSKM, Oskm } from "../../src/learn/oskm.ts";
import * as fc from "../properties.ts";
import { near, readKernel, readTrace, type Trace } from "./golden.ts";
import { modelHash } from "./model-hash.ts";
import { readWords } from "./region.ts";

/** Coefficients of every agent, oldest sample first. */
function coefficientsByAge(learner: Oskm, M: number, agents: number): number[] {
  const next = learner.range.f32.bits[learner.layout.at("ring", learner.range) + 1];
  const held = readWords(learner, "coefficients", agents * M);
  const first = learner.size < M ? 0 : next;
  return Array.from({ length: agents }, (_, j) =>
    Array.from({ length: learner.size }, (_, age) => held[j * M + ((first + age) % M)]),
  ).flat();
}

function traceOptions(trace: Trace) {
  const { tau, agents, agreementPoints, eta, lam, rho, iters, mode, evalpts, loss, norm } = trace.params;
  const ring = { dimension: trace.X[0].length, budget: tau + agents - 1, kernel: readKernel(trace) };
  return {
    ...ring,
    agents,
    agreementPoints,
    eta,
    lambda: lam,
    rho,
    rounds: iters,
    mode,
    points: evalpts,
    loss,
    norm,
  };
}

for (const name of ["oskm", "oskm_gauss", "oskm_meanloss", "oskm_nonorm_own", "oskm_coef"]) {
  test(`osKM follows ${name}`, () => {
    const trace = readTrace(name);
    const options = traceOptions(trace);
    const learner = new Oskm(options);
    const predictions = trace.X.map((x, t) => {
      const before = learner.predict(x);
      assert.is(learner.learn(x, trace.y[t]), before, `step ${t}: learn returns what predict did`);
      assert.is(learner.size, Math.min(t + 1, options.budget));
      return before;
    });
    const { coef_per_agent_oldest_sample_first: A, v, u } = trace.final;
    near(predictions, trace.predictions, 1e-4, "prediction");
    near(coefficientsByAge(learner, options.budget, options.agents), A.flat(), 1e-4, "coefficient");
    near(readWords(learner, "v", options.agreementPoints), v, 1e-4, "v");
    near(readWords(learner, "u", options.agents * options.agreementPoints), u.flat(), 1e-4, "u");
    assert.is(learner.count("inserted"), trace.X.length);
    assert.is(learner.count("evicted"), trace.X.length - options.budget);
  });
}

const SMALL = { dimension: 2, budget: 9, agents: 3, agreementPoints: 3 };
const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 32);
const stream = fc.array(fc.tuple(fc.array(value, { minLength: 2, maxLength: 2 }), fc.constantFrom(-1, 1)), {
  minLength: 1,
  maxLength: 25,
});
const settings = fc.record({
  kernel: fc.constantFrom<KernelOption>({ type: "linear" }, { type: "gaussian", gamma: 1 }),
  mode: fc.constantFrom("function" as const, "coefficients" as const),
  points: fc.constantFrom("shared" as const, "own" as const),
  loss: fc.constantFrom("sum" as const, "mean" as const),
  norm: fc.constantFrom("frobenius" as const, "none" as const),
});

test("scratch carries nothing from one call to the next, and a ring not yet full leaves the rest of its memory zero", () => {
  fc.assert(
    fc.property(settings, stream, (options, samples) => {
      const clean = new Oskm({ ...SMALL, ...options });
      const soiled = new Oskm({ ...SMALL, ...options });
      const { f32, scratch } = soiled.range;
      for (const [x, y] of samples) {
        f32.words.fill(Number.NaN, scratch, scratch + soiled.layout.scratch);
        assert.is(soiled.learn(x, y), clean.learn(x, y));
        assert.is(soiled.stateHash(), clean.stateHash());
        const gram = readWords(clean, "gram", 12 * 9);
        for (let a = 0; a < 12; a++) {
          for (let b = 0; b < 9; b++) {
            if (a >= clean.size || b >= clean.size) assert.is(gram[36 * (a >> 2) + 4 * b + (a & 3)], 0);
          }
        }
      }
    }),
  );
});

test("the Gram matrix equals the ring's", () => {
  fc.assert(
    fc.property(stream, (samples) => {
      const learner = new Oskm(SMALL);
      for (const [x, y] of samples) learner.learn(x, y);
      const gram = readWords(learner, "gram", 12 * 9);
      const rows = readWords(learner, "rows", 12 * 2);
      const at = (slot: number, j: number) => rows[8 * (slot >> 2) + 4 * j + (slot & 3)];
      for (let a = 0; a < learner.size; a++) {
        for (let b = 0; b < learner.size; b++) {
          const wanted = at(a, 0) * at(b, 0) + at(a, 1) * at(b, 1);
          assert.ok(Math.abs(gram[36 * (a >> 2) + 4 * b + (a & 3)] - wanted) < 1e-5);
        }
      }
    }),
  );
});

test("one agent without agreement is NORMA that replays its window", () => {
  const [M, eta, lambda, gamma] = [6, 0.3, 0.1, 0.7];
  const k = (a: number[], b: number[]) => Math.exp(-gamma * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2));
  fc.assert(
    fc.property(stream, (samples) => {
      const learner = new Oskm({
        dimension: 2,
        budget: M,
        agents: 1,
        agreementPoints: 1,
        eta,
        lambda,
        rho: 0,
        rounds: 1,
        kernel: { type: "gaussian", gamma },
      });
      let window: { x: number[]; y: number; a: number }[] = [];
      const f = (x: number[]) => window.reduce((sum, c) => sum + c.a * k(c.x, x), 0);
      for (const [x, y] of samples) {
        assert.ok(Math.abs(learner.learn(x, y) - f(x)) < 1e-4);
        window = [...window, { x, y, a: 0 }].slice(-M);
        const hit = window.map((c) => c.y * f(c.x) < 1);
        window = window.map((c, m) => ({ ...c, a: (1 - eta * lambda) * c.a + (hit[m] ? eta * c.y : 0) }));
      }
    }),
  );
});

test("a sample whose rounds diverge or whose kernel row overflows is refused as a whole, at any filling of the ring", () => {
  fc.assert(
    fc.property(settings, stream, (options, samples) => {
      const learner = new Oskm({ ...SMALL, ...options, rho: 1e30, rounds: 20 });
      for (const [x, y] of samples) {
        const before = modelHash(learner);
        const [size, refused] = [learner.size, learner.count("overflowed")];
        learner.learn(x, y);
        assert.ok(learner.range.f32.finite(learner.layout.at("coefficients", learner.range), 3 * 9 + 3 + 9));
        if (learner.count("overflowed") > refused) assert.is(modelHash(learner), before);
        else assert.ok(learner.size === size + 1 || size === 9);
      }
      const calm = new Oskm({ ...SMALL, ...options, kernel: { type: "linear" } });
      for (const [x, y] of samples) calm.learn(x, y);
      const before = modelHash(calm);
      const refused = calm.count("overflowed"); // rounds on large points may diverge here too
      calm.learn([3e38, 3e38], 1);
      assert.is(calm.count("overflowed"), refused + 1);
      assert.is(modelHash(calm), before);
    }),
  );
});

test("windows that the budget has no room for are named, with the budget", () => {
  const create = (options: object) => () => OSKM[0].create({ dimension: 2, ...options });
  assert.throws(
    create({ budget: 8 }),
    /oskm: option agents: got 10; takes a whole number <= budget, which is 8/,
  );
  assert.throws(
    create({ budget: 15 }),
    /option agreementPoints: got 10; takes a whole number <= budget - agents \+ 1, which is 6/,
  );
  assert.throws(
    create({ eta: 3, lambda: 0.5 }),
    /option eta: got 3; takes a number <= 1\/lambda, which is 2/,
  );
  assert.throws(() => OSKM[0].layout({ dimension: 2, budget: 8 }), /agents/);
  assert.is(new Oskm({ dimension: 2 }).range.f32.words.byteLength, OSKM[0].layout({ dimension: 2 }).bytes);
});

test.run();
