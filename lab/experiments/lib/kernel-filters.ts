import type { Curve, Line, RunMeasures } from "./experiment.ts";
import { type Method, makePublished } from "./learner.ts";
import { meanSquaredError, type Samples } from "./samples.ts";

/** exp(-|u-v|^2) */
export const GAUSSIAN = { type: "gaussian", sigma: Math.SQRT1_2 };
/** Iterations between two points of a learning curve. */
const EVERY = 10;

/** Learns the training pairs in order; returns the cost, and the test MSE and the size along the way. */
function trace(method: Method, budget: number, train: Samples, test: Samples) {
  const dimension = train.inputs[0].length;
  const learner = makePublished(method.learner, { dimension, budget, kernel: GAUSSIAN, ...method.options });
  const at: number[] = [];
  const error: number[] = [];
  const size: number[] = [];
  let nanoseconds = 0n;
  train.inputs.forEach((x, i) => {
    const begin = process.hrtime.bigint();
    learner.learn(x, train.labels[i]);
    nanoseconds += process.hrtime.bigint() - begin;
    if (i > 0 && (i + 1) % EVERY !== 0) return;
    at.push(i + 1);
    error.push(meanSquaredError(learner, test));
    size.push(learner.size);
  });
  return {
    error: { at, value: error } as Curve,
    size: { at, value: size } as Curve,
    seconds: Number(nanoseconds) / 1e9,
  };
}

/** Runs the methods on the same pairs: `key/mse`, `key/size` at the end and as curves, `key/time`. */
export function compare(methods: readonly Method[], train: Samples, test: Samples): RunMeasures {
  const numbers: { [name: string]: number } = {};
  const timings: { [name: string]: number } = {};
  const curves: { [name: string]: Curve } = {};
  for (const method of methods) {
    const { error, size, seconds } = trace(method, train.inputs.length, train, test);
    numbers[`${method.key}/mse`] = error.value.at(-1) as number;
    numbers[`${method.key}/size`] = size.value.at(-1) as number;
    timings[`${method.key}/time`] = seconds;
    curves[`${method.key}/mse`] = error;
    curves[`${method.key}/size`] = size;
  }
  return { numbers, curves, timings };
}

/** One line a method, of `compare`'s curves. */
export function lines(methods: readonly Method[], what: "mse" | "size"): Line[] {
  return methods.map(({ key, label }) => ({ curve: `${key}/${what}`, label }));
}
