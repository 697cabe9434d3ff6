import * as assert from "uvu/assert";
import type { Learner } from "../../src/learn/learner.ts";
import { near, readTrace, type Trace } from "./golden.ts";
import { readWords } from "./region.ts";

/** Learns the trace, and compares the predictions and w with it. */
export function followLinear(name: string, make: (trace: Trace) => Learner, tolerance: number): Learner {
  const trace = readTrace(name);
  const learner = make(trace);
  const predictions = trace.X.map((x, t) => {
    const before = learner.predict(x);
    assert.is(learner.learn(x, trace.y[t]), before, `step ${t}: learn returns what predict did`);
    return before;
  });
  near(predictions, trace.predictions, tolerance, "prediction");
  near(readWords(learner, "w"), trace.final.w, tolerance, "w");
  return learner;
}
