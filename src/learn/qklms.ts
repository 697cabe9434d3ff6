import { frozen } from "../memory/frozen.ts";
import { expansionLayout, KernelExpansion } from "./expansion.ts";
import type { Family } from "./family.ts";
import { COUNT } from "./learner.ts";
import type { QklmsOptions } from "./learner-options.ts";
import { budget, dimension, kernel, real, type Settled, settle } from "./options.ts";

const QKLMS_OPTIONS = frozen({
  dimension,
  budget,
  kernel: kernel({ type: "gaussian", sigma: Math.SQRT1_2 }),
  epsilon: real(
    { default: 0.4, min: 0 },
    "epsilon, quantization size: an input this near to a centre is taken for it",
  ),
  eta: real({ default: 0.5, above: 0 }, "eta, step size"),
});

/**
 * Quantized kernel least mean squares (the QKRLS paper's baseline; online vector quantization of its Table I):
 *
 *     e = y - f(x);   dist = min_j |x - c_j|   (the lowest j on ties)
 *     dist <= epsilon: a_j <- a_j + eta e;   else append x with coefficient eta e
 *
 * A full codebook takes every input for its nearest centre (counted as `forced`).
 *
 * @param options see `QklmsOptions`. Throws an OptionError that names what can't be used.
 * @see Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013
 * @example
 * ```ts
 * import { Qklms } from "motelearn";
 *
 * const learner = new Qklms({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.480
 * ```
 */
export class Qklms extends KernelExpansion {
  private readonly options: Settled<typeof QKLMS_OPTIONS>;

  constructor(options: QklmsOptions) {
    const settled = settle("qklms", QKLMS_OPTIONS, options);
    super("regression", settled, expansionLayout(settled), options.memory);
    this.options = settled;
  }

  protected update(target: number, decision: number): void {
    const { epsilon, eta } = this.options;
    const step = eta * (Math.fround(target) - decision);
    const { dictionary, f32 } = this;
    if (dictionary.size > 0) {
      const j = dictionary.nearest(this.input, this.row);
      const close = Math.sqrt(f32.words[this.row + j]) <= epsilon;
      if (close || dictionary.full) {
        const moved = Math.fround(dictionary.coefficient(j) + step);
        if (!Number.isFinite(moved)) {
          this.tally(COUNT.overflowed);
          return;
        }
        f32.words[dictionary.coefficients + j] = moved;
        this.tally(close ? COUNT.quantized : COUNT.forced);
        return;
      }
    }
    if (!Number.isFinite(Math.fround(step))) {
      this.tally(COUNT.overflowed);
      return;
    }
    dictionary.insert(this.input, step);
    this.tally(COUNT.inserted);
  }
}

export const QKLMS: readonly Family[] = frozen([
  {
    name: "qklms",
    task: "regression",
    title: "Quantized kernel least mean squares",
    paper:
      "Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013",
    options: QKLMS_OPTIONS,
    layout: (given) => expansionLayout(settle("qklms", QKLMS_OPTIONS, given)),
    create: (given) => new Qklms(given as QklmsOptions),
  },
]);
