import { test } from "uvu";
import * as assert from "uvu/assert";
import type { KernelExpansion } from "../../src/learn/expansion.ts";
import { NormaC, NormaN, NormaR } from "../../src/learn/norma.ts";
import { followTrace } from "./expansion-trace.ts";
import { readKernel, readTrace } from "./golden.ts";

function common(name: string) {
  const trace = readTrace(name);
  const { eta, lam: lambda, nu } = trace.params;
  const options = { dimension: trace.X[0].length, budget: 64, kernel: readKernel(trace), eta, nu: nu ?? 0 };
  return { trace, options, lambda };
}

function stateWord(learner: KernelExpansion, name: string): number {
  return learner.range.f32.words[learner.layout.at(name, learner.range)];
}

function sameState(learner: KernelExpansion, name: string, wanted: number): void {
  const got = stateWord(learner, name);
  assert.ok(Math.abs(got - wanted) < 1e-5, `${name} ${got}, the trace has ${wanted}`);
}

test("NORMA for classification follows norma_c", () => {
  const { trace, options, lambda } = common("norma_c");
  followTrace(new NormaC({ ...options, lambda, rho: trace.params.rho }), trace, 1e-4);
});

test("NORMA with nu and offset follows norma_c_nu_bias", () => {
  const { trace, options, lambda } = common("norma_c_nu_bias");
  const learner = new NormaC({ ...options, lambda, rho: trace.params.rho0, bias: true });
  followTrace(learner, trace, 1e-4);
  sameState(learner, "bias", trace.final.b);
  sameState(learner, "rho", trace.final.rho);
});

test("NORMA for regression follows norma_r", () => {
  const { trace, options, lambda } = common("norma_r");
  followTrace(new NormaR({ ...options, lambda, epsilon: trace.params.eps }), trace, 1e-4);
});

test("NORMA for regression with nu follows norma_r_nu", () => {
  const { trace, options, lambda } = common("norma_r_nu");
  const learner = new NormaR({ ...options, lambda, epsilon: trace.params.eps0 });
  followTrace(learner, trace, 1e-4);
  sameState(learner, "epsilon", trace.final.eps);
});

test("NORMA for novelty detection follows norma_n", () => {
  const { trace, options } = common("norma_n");
  const learner = new NormaN({ ...options, rho: trace.params.rho0 });
  followTrace(learner, trace, 1e-4);
  sameState(learner, "rho", trace.final.rho);
});

test("a step of 1/lambda or more, which would turn coefficients round, is refused by name", () => {
  const options = { dimension: 1, lambda: 0.5, eta: 2 };
  assert.throws(() => new NormaC(options), /norma-c: option eta: got 2; takes a number < 1\/lambda/);
  assert.throws(() => new NormaR(options), /norma-r: option eta: got 2; takes a number < 1\/lambda/);
  assert.throws(
    () => new NormaN({ kernel: { type: "gaussian", p: 1 }, dimension: 1, eta: 1 }),
    /norma-n: option eta: got 1/,
  );
});

test("with nu, about a share nu of a long stream falls short of the margin", () => {
  const learner = new NormaC({ dimension: 1, budget: 32, kernel: { type: "linear" }, eta: 0.01, nu: 0.3 });
  let short = 0;
  for (let t = 0; t < 4000; t++) {
    const x = ((t * 7919) % 1000) / 500 - 1;
    const y = x + ((t * 104729) % 997) / 997 - 0.5 > 0 ? 1 : -1;
    const rho = stateWord(learner, "rho");
    if (y * learner.learn([x], y) <= rho) short++;
  }
  assert.ok(Math.abs(short / 4000 - 0.3) < 0.05, `${short} of 4000 samples`);
});

test("an offset or margin that float32 can't hold refuses the whole update", () => {
  const learner = new NormaC({ dimension: 1, kernel: { type: "linear" }, eta: 3e38, lambda: 0, bias: true });
  learner.learn([0], 1);
  const before = learner.stateHash();
  learner.learn([0], 1);
  assert.is(learner.count("overflowed"), 0, "the margin is met: nothing to learn");
  learner.range.f32.words[learner.layout.at("rho", learner.range)] = 3.4e38;
  const raised = learner.stateHash();
  learner.learn([0], 1);
  assert.is(learner.count("overflowed"), 1);
  assert.is(learner.stateHash(), raised);
  assert.is.not(before, raised);
});

test.run();
