import * as assert from "uvu/assert";
import type { Learner } from "../../src/learn/learner.ts";
import { near, readTrace, type Trace } from "./golden.ts";

/** Words of a region. */
export function held(learner: Learner, name: string): Float32Array {
  const at = learner.layout.at(name, learner.range);
  const region = learner.layout.regions.find((region) => region.name === name);
  return learner.range.f32.words.subarray(at, at + (region?.words ?? 0));
}

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
  near(held(learner, "w"), trace.final.w, tolerance, "w");
  return learner;
}
