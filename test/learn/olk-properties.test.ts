import { test } from "uvu";
import * as assert from "uvu/assert";
import type { KernelExpansion } from "../../src/learn/expansion.ts";
import { OlkC, OlkR } from "../../src/learn/olk.ts";
import * as fc from "../properties.ts";
import { readCoefficients, readVectors } from "./region.ts";

/**
 * One step of OLK as its optimisation problem, in double precision, over f = sum_i b_i k(c_i, .) with the centres
 * before the step and x as c_0..c_n: `primal(b)` = 1/2 |f - f_t|^2 + r/2 |f|^2 + C loss(f(x)).
 */
class Step {
  private readonly gram: number[][];
  constructor(
    private readonly before: number[],
    centres: number[][],
    private readonly r: number,
    private readonly loss: (value: number) => number,
  ) {
    this.gram = centres.map((u) =>
      centres.map((v) => Math.exp(-u.reduce((sum, e, j) => sum + (e - v[j]) ** 2, 0))),
    );
  }

  primal(b: readonly number[]): number {
    const { before, gram, r } = this;
    let distance = 0;
    let norm = 0;
    for (let i = 0; i < b.length; i++) {
      for (let j = 0; j < b.length; j++) {
        distance += (b[i] - before[i]) * (b[j] - before[j]) * gram[i][j];
        norm += b[i] * b[j] * gram[i][j];
      }
    }
    const last = b.length - 1;
    const value = b.reduce((sum, coefficient, i) => sum + coefficient * gram[i][last], 0);
    return distance / 2 + (r / 2) * norm + this.loss(value);
  }

  /** The least primal over the coefficient of x, the others being the shrunk ones: convex, so golden sections. */
  leastOverLast(bound: number): number {
    const shrunk = this.before.map((a) => a / (1 + this.r));
    const at = (beta: number) => this.primal([...shrunk.slice(0, -1), beta]);
    const golden = (Math.sqrt(5) - 1) / 2;
    let low = -bound;
    let high = bound;
    for (let n = 0; n < 100; n++) {
      const inner = high - golden * (high - low);
      const outer = low + golden * (high - low);
      if (at(inner) < at(outer)) high = outer;
      else low = inner;
    }
    return at((low + high) / 2);
  }
}

/** Learns (x, y) and compares the result with the numerical minimum. */
function checkStep(
  learner: KernelExpansion,
  x: number[],
  y: number,
  { C, r, directions }: { C: number; r: number; directions: number[] },
  loss: (value: number) => number,
): void {
  const rounded = x.map(Math.fround);
  const before = [...readCoefficients(learner), 0];
  const step = new Step(before, [...readVectors(learner), rounded], r, (value) => C * loss(value));
  learner.learn(x, y);
  const after = readCoefficients(learner);
  if (after.length < before.length) after.push(0);
  const got = step.primal(after);
  const slack = 1e-5 * Math.max(1, Math.abs(got));
  const least = step.leastOverLast(2 * C + 1);
  assert.ok(got <= least + slack, `primal ${got}, the minimum over the new coefficient is ${least}`);
  for (const size of [0.3, 0.01]) {
    const moved = after.map((a, i) => a + size * directions[i % directions.length]);
    const other = step.primal(moved);
    assert.ok(got <= other + slack, `primal ${got}, nearby it is ${other}`);
  }
}

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const parameters = fc.record({
  C: fc.constantFrom(0.05, 0.5, 1, 5),
  r: fc.constantFrom(0, 0.001, 0.1, 1),
  directions: fc.array(real(-1, 1), { minLength: 7, maxLength: 7 }),
});
const inputs = fc.array(fc.tuple(real(-2, 2), real(-2, 2)), { minLength: 1, maxLength: 12 });

test("OLK_C's closed form is the minimum of (15)", () => {
  fc.assert(
    fc.property(inputs, fc.infiniteStream(fc.constantFrom(-1, 1)), parameters, (stream, labels, options) => {
      const learner = new OlkC({
        kernel: { type: "gaussian", p: 1 },
        dimension: 2,
        C: options.C,
        regularization: options.r,
      });
      for (const x of stream) {
        const y = labels.next().value;
        checkStep(learner, x, y, options, (value) => Math.max(0, 1 - y * value));
      }
    }),
    { numRuns: 200, seed: 5 },
  );
});

test("OLK_R's closed form is the minimum of (34)", () => {
  const tube = fc.constantFrom(0, 0.1, 0.5);
  fc.assert(
    fc.property(
      inputs,
      fc.infiniteStream(real(-3, 3)),
      parameters,
      tube,
      (stream, targets, options, epsilon) => {
        const learner = new OlkR({
          kernel: { type: "gaussian", p: 1 },
          dimension: 2,
          C: options.C,
          regularization: options.r,
          epsilon,
        });
        for (const x of stream) {
          const y = targets.next().value;
          checkStep(learner, x, y, options, (value) => Math.max(0, Math.abs(y - value) - epsilon));
        }
      },
    ),
    { numRuns: 200, seed: 6 },
  );
});

test.run();
