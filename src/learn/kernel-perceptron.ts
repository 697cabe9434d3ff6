import { frozen } from "../memory/frozen.ts";
import { KernelExpansion } from "./expansion.ts";
import { evict, expansionLayout } from "./expansion-layout.ts";
import type { Family } from "./family.ts";
import { sources } from "./label-noise.ts";
import type { KernelPerceptronOptions, KernelPerceptronROptions } from "./learner-options.ts";
import { real, resolveOptions } from "./options.ts";
import { withResidual } from "./residual.ts";
import { storedExpansion } from "./storage.ts";
import { SEARCHED } from "./traits.ts";

const PAPER =
  "Freund, Schapire: Large margin classification using the perceptron algorithm. Machine Learning 37(3), 1999";
const PAPER_REGRESSION =
  "Li, Wen, Li, Zhang, Yang, Mao: Model-based online learning with kernels. IEEE TNNLS 24(3), 2013, as a baseline";

const shared = frozen({
  ...storedExpansion,
  eta: real({ default: 1, above: 0 }, "eta, coefficient of a vector: scales f, changes no decision"),
  evict,
});

const CLASSIFICATION_OPTIONS = frozen({ ...shared, sources });

const REGRESSION_OPTIONS = frozen({
  ...shared,
  eta: real({ default: 0.1, above: 0 }, "eta, step size"),
  epsilon: real({ default: 0.1, min: 0 }, "epsilon, half-width of the tube in which nothing is learned"),
});

/**
 * It stores a sample only if it was classified wrongly.
 *
 *     if y f(x) <= 0: append eta y
 *
 * When to use it: Few mistakes are expected: then it stores few vectors and predicts fast. Wrong labels are stored
 * like right ones.
 *
 * f(x) = 0 is a mistake, so that the first sample is stored.
 *
 * With the option `sources` the likelihood of the received label replaces this step, see `correct` of `KernelExpansion`.
 *
 * @param options see `KernelPerceptronOptions`. Throws an OptionError that names the invalid option.
 * @see Freund, Schapire: Large margin classification using the perceptron algorithm. Machine Learning 37(3), 1999
 * @example
 * ```ts
 * import { KernelPerceptron } from "motelearn";
 *
 * const learner = new KernelPerceptron({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class KernelPerceptron extends KernelExpansion {
  private readonly eta: number;

  constructor(options: KernelPerceptronOptions) {
    const resolved = resolveOptions("kernel-perceptron", CLASSIFICATION_OPTIONS, options);
    super("classification", resolved, expansionLayout(resolved), options.memory);
    this.eta = resolved.eta;
  }

  protected update(y: number, decision: number): void {
    if (this.correct(y, decision)) return;
    if (y * decision <= 0) this.stepTo(1, y * this.eta, 0);
  }
}

/**
 * It stores a sample with a fixed step if the error is larger than epsilon.
 *
 *     e = y - f(x);   append eta sign(e) if |e| > epsilon
 *
 * When to use it: As a baseline.
 *
 * @param options see `KernelPerceptronROptions`. Throws an OptionError that names the invalid option.
 * @see Li, Wen, Li, Zhang, Yang, Mao: Model-based online learning with kernels. IEEE TNNLS 24(3), 2013, as a baseline
 * @example
 * ```ts
 * import { KernelPerceptronR } from "motelearn";
 *
 * const learner = new KernelPerceptronR({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.472
 * ```
 */
export class KernelPerceptronR extends KernelExpansion {
  private readonly eta: number;
  private readonly epsilon: number;

  constructor(options: KernelPerceptronROptions) {
    const resolved = resolveOptions("kernel-perceptron-r", REGRESSION_OPTIONS, options);
    super("regression", resolved, expansionLayout(resolved), options.memory);
    this.eta = resolved.eta;
    this.epsilon = resolved.epsilon;
  }

  protected update(target: number, decision: number): void {
    const { eta, epsilon } = this;
    const error = Math.fround(target) - decision;
    if (error > epsilon) this.stepTo(1, eta, 0);
    else if (error < -epsilon) this.stepTo(1, -eta, 0);
  }
}

export const KERNEL_PERCEPTRON: readonly Family[] = withResidual([
  {
    name: "kernel-perceptron",
    task: "classification",
    title: "Kernel perceptron",
    paper: PAPER,
    options: CLASSIFICATION_OPTIONS,
    layout: (options) =>
      expansionLayout(resolveOptions("kernel-perceptron", CLASSIFICATION_OPTIONS, options)),
    create: (options) => new KernelPerceptron(options as KernelPerceptronOptions),
  },
  {
    name: "kernel-perceptron-r",
    task: "regression",
    title: "Kernel perceptron, regression",
    paper: PAPER_REGRESSION,
    options: REGRESSION_OPTIONS,
    traits: { searched: [SEARCHED.labelSteps, SEARCHED.tube] },
    layout: (options) => expansionLayout(resolveOptions("kernel-perceptron-r", REGRESSION_OPTIONS, options)),
    create: (options) => new KernelPerceptronR(options as KernelPerceptronROptions),
  },
]);
