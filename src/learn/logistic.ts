import { frozen } from "../memory/frozen.ts";
import { defineLearner } from "./define.ts";
import type { Family } from "./family.ts";
import { bias, decide, inputWidth, loadWithOffset } from "./linear.ts";
import { real } from "./options.ts";
import { LINEAR_TERMS } from "./terms.ts";
import { SEARCHED } from "./traits.ts";

const LOGISTIC_OPTIONS = frozen({
  bias,
  eta: real(
    { default: 0.5, above: 0 },
    "eta, step size: the largest change of w.x by one label of a long input",
  ),
  regularization: real(
    { default: 1e-4, min: 0, below: 1 },
    "lambda, the share that each label takes off the weights",
  ),
});

/**
 * Logistic regression by stochastic gradient: w.x estimates the log-odds of class +1. The gradient g is at most 1, so that one wrong label
 * moves w.x by less than eta. x is clipped, see `OutlierLimit`.
 *
 *     g = y / (1 + exp(y w.x));   w <- (1 - lambda) w + eta g x / (1 + |x|^2)
 *
 * When to use it: As the baseline that other learners have to beat, in the fewest bytes; where the boundary is a plane.
 *
 * @see Bottou: Large-scale machine learning with stochastic gradient descent. COMPSTAT, 2010
 */
export const LOGISTIC: readonly Family[] = frozen([
  defineLearner({
    name: "logistic",
    task: "classification",
    title: "Logistic regression by stochastic gradient, linear",
    paper: "Bottou: Large-scale machine learning with stochastic gradient descent. COMPSTAT, 2010",
    options: LOGISTIC_OPTIONS,
    bounded: true,
    traits: {
      searched: [{ option: "eta", values: [0.02, 0.1, 0.5, 2] }, SEARCHED.bias],
      decision: LINEAR_TERMS,
    },
    state: (options) => ({ w: inputWidth(options) }),
    scratch: (options) => ({ row: inputWidth(options), next: inputWidth(options) }),
    predict: decide,
    update(work, y, decision) {
      const { f32, at, options } = work;
      const width = inputWidth(options);
      const row = loadWithOffset(work);
      const slope = y / (1 + f32.exp(y * decision));
      f32.copy(at.next, at.w, width);
      f32.scale(at.next, 1 - options.regularization, width);
      const step = (options.eta * slope) / (1 + f32.dot(row, row, width));
      if (!f32.addScaled(at.next, step, row, width)) return false;
      f32.copy(at.w, at.next, width);
      return true;
    },
  }),
]);
