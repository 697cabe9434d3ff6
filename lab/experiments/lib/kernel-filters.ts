import { eachLine, type Figure, GrowingCurves, type RunMeasures } from "./experiment.ts";
import { type Method, makePublished } from "./learner.ts";
import { meanSquaredError, type Samples } from "./samples.ts";

/** exp(-|u-v|^2) */
export const GAUSSIAN = { type: "gaussian", sigma: Math.SQRT1_2 };
/** Iterations between two points of a learning curve. */
const EVERY = 10;

/** Learns the training pairs in order, and marks the test MSE and the size along the way. Returns the seconds that learning took. */
function follow(method: Method, train: Samples, test: Samples, curves: GrowingCurves): number {
  const [dimension, budget] = [train.inputs[0].length, train.inputs.length];
  const learner = makePublished(method.learner, { dimension, budget, kernel: GAUSSIAN, ...method.options });
  let nanoseconds = 0n;
  train.inputs.forEach((x, i) => {
    const begin = process.hrtime.bigint();
    learner.learn(x, train.labels[i]);
    nanoseconds += process.hrtime.bigint() - begin;
    if (i > 0 && (i + 1) % EVERY !== 0) return;
    curves.mark(`${method.key}/mse`, i + 1, meanSquaredError(learner, test));
    curves.mark(`${method.key}/size`, i + 1, learner.size);
  });
  return Number(nanoseconds) / 1e9;
}

/** Runs the methods on the same pairs: `key/mse`, `key/size` at the end and as curves, `key/time`. */
export function compare(methods: readonly Method[], train: Samples, test: Samples): RunMeasures {
  const curves = new GrowingCurves();
  const times = methods.map((method) => [`${method.key}/time`, follow(method, train, test, curves)]);
  return { numbers: curves.last(), curves: curves.all, timings: Object.fromEntries(times) };
}

/** A figure of `compare`'s curves of the test MSE, a line a method. */
export function errorFigure(title: string, methods: readonly Method[]): Figure {
  return { title, x: "iteration", y: "test MSE", logY: true, lines: eachLine(methods, "mse") };
}

/** A figure of `compare`'s curves of the size, a line a method. */
export function sizeFigure(title: string, methods: readonly Method[]): Figure {
  return { title, x: "iteration", y: "network size", lines: eachLine(methods, "size") };
}
