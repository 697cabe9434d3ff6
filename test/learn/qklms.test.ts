import { test } from "uvu";
import { Qklms } from "../../src/learn/qklms.ts";
import { followTrace } from "./expansion-trace.ts";
import { readKernel, readTrace } from "./golden.ts";

test("QKLMS follows qklms", () => {
  const trace = readTrace("qklms");
  const { eps: epsilon, eta } = trace.params;
  const learner = new Qklms({
    dimension: trace.X[0].length,
    budget: 64,
    kernel: readKernel(trace),
    epsilon,
    eta,
  });
  followTrace(learner, trace, 1e-4);
});

test.run();
