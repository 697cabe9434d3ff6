import { test } from "uvu";
import * as assert from "uvu/assert";
import { OlkC, OlkN, OlkR } from "../../src/learn/olk.ts";
import { followTrace } from "./expansion-trace.ts";
import { readKernel, readTrace } from "./golden.ts";

function common(name: string) {
  const trace = readTrace(name);
  const { C, regularization } = trace.params;
  return {
    trace,
    options: { dimension: trace.X[0].length, budget: 64, kernel: readKernel(trace), C, regularization },
  };
}

for (const name of ["olk_c", "olk_c_drop"]) {
  test(`OLK_C follows ${name}`, () => {
    const { trace, options } = common(name);
    followTrace(new OlkC({ ...options, forgetThreshold: trace.params.forgetThreshold }), trace, 1e-4);
  });
}

test("OLK_R follows olk_r", () => {
  const { trace, options } = common("olk_r");
  followTrace(new OlkR({ ...options, epsilon: trace.params.eps }), trace, 1e-4);
});

for (const name of ["olk_n", "olk_n_rule68"]) {
  test(`OLK_N follows ${name}`, () => {
    const { trace, options } = common(name);
    const learner = new OlkN({ ...options, nu: trace.params.nu, rule: trace.params.rule });
    followTrace(learner, trace, 1e-4);
    const rho = learner.range.f32.words[learner.layout.at("rho", learner.range)];
    assert.ok(Math.abs(rho - trace.final.rho) < 1e-4, `rho ${rho}, the trace has ${trace.final.rho}`);
  });
}

test.run();
