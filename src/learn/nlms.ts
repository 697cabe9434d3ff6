import { frozen } from "../memory/frozen.ts";
import { defineLearner } from "./define.ts";
import type { Family } from "./family.ts";
import { bias, decide, inputWidth, loadWithOffset } from "./linear.ts";
import { real } from "./options.ts";
import { withResidual } from "./residual.ts";
import { LINEAR_TERMS } from "./terms.ts";
import { SEARCHED } from "./traits.ts";

const NLMS_OPTIONS = frozen({
  bias,
  eta: real({ default: 0.1, above: 0, below: 2 }, "eta, share of its error that a label removes"),
  regularization: real(
    { default: 0.1, above: 0 },
    "added to |x|^2, so that an input near 0 takes no long step",
  ),
});

/**
 * A step down the gradient of the squared error, divided by the input's squared length, so that it converges in any unit of x. x and y are
 * clipped, see `OutlierLimit`.
 *
 *     e = y - w.x;   w <- w + eta e x / (regularization + |x|^2)
 *
 * When to use it: The fewest bytes and instructions for numbers. Where inputs depend on each other, as the last readings of a series do,
 * it converges slowly: `rls` doesn't.
 *
 * @see Nagumo, Noda: A learning method for system identification. IEEE Transactions on Automatic Control 12(3), 1967
 */
export const NLMS: readonly Family[] = withResidual([
  defineLearner({
    name: "nlms",
    task: "regression",
    title: "Normalised least mean squares, linear",
    paper:
      "Nagumo, Noda: A learning method for system identification. IEEE Transactions on Automatic Control 12(3), 1967",
    options: NLMS_OPTIONS,
    bounded: true,
    traits: {
      searched: [{ option: "eta", values: [0.01, 0.03, 0.1, 0.3] }, SEARCHED.bias],
      decision: LINEAR_TERMS,
    },
    state: (options) => ({ w: inputWidth(options) }),
    scratch: (options) => ({ row: inputWidth(options) }),
    predict: decide,
    update(work, y, decision) {
      const { f32, at, options } = work;
      const width = inputWidth(options);
      const row = loadWithOffset(work);
      const step = (options.eta * (y - decision)) / (options.regularization + f32.dot(row, row, width));
      return f32.addScaled(at.w, step, row, width);
    },
  }),
]);
