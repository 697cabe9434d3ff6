import * as assert from "uvu/assert";
import type { KernelExpansion } from "../../src/learn/expansion.ts";
import { near, type Trace } from "./golden.ts";

/** Coefficients, oldest centre first. */
export function coefficientsByAge({ dictionary }: KernelExpansion): number[] {
  return Array.from({ length: dictionary.size }, (_, i) => i)
    .sort((a, b) => dictionary.age(b) - dictionary.age(a))
    .map((i) => dictionary.coefficient(i));
}

/** Runs a kernel expansion along its trace: predictions, sizes at every step, final coefficients. */
export function followTrace(learner: KernelExpansion, trace: Trace, tolerance: number): void {
  const predictions = trace.X.map((x, t) => {
    const before = learner.predict(x);
    const decision = learner.learn(x, trace.y[t]);
    assert.is(decision, before, `step ${t}: learn returns what predict did`);
    assert.is(learner.size, trace.sizes[t], `size after step ${t}`);
    return decision;
  });
  near(predictions, trace.predictions, tolerance, "prediction");
  near(coefficientsByAge(learner), trace.final.coef, tolerance, "coefficient");
}
