import { frozen } from "../memory/frozen.ts";
import { beliefLayout, beliefOptions } from "./belief.ts";
import { confidence, DeviationForm } from "./confidence-weighted.ts";
import type { Family } from "./family.ts";
import type { Scw1Options, Scw2Options } from "./learner-options.ts";
import { real, resolveOptions } from "./options.ts";
import { SEARCHED } from "./traits.ts";

const C = real({ default: 1, above: 0 }, "C, weight of the loss");

const SCW_OPTIONS = frozen({ ...beliefOptions, confidence, C });

/** CW's form with a slack, whose weight is C. */
abstract class SoftDeviationForm extends DeviationForm {
  protected readonly C: number;

  constructor(name: string, options: Scw1Options | Scw2Options) {
    const resolved = resolveOptions(name, SCW_OPTIONS, options);
    super(resolved, options.memory);
    this.C = resolved.C;
  }
}

/**
 * Confidence-weighted learning with a linear slack: C bounds a step.
 *
 *     alpha <- min(alpha of cw, C)   (Proposition 1)
 *
 * When to use it: As `cw`, with some wrong labels.
 *
 * (w, Sigma) is the minimum of KL(N(w, Sigma) | N(w_t, Sigma_t)) + C l, l = max(0, phi sqrt(x' Sigma x) - y w.x).
 *
 * It has no option `sources`, see `ConfidenceWeighted`.
 *
 * @param options see `Scw1Options`. Throws an OptionError that names the invalid option.
 * @see Wang, Zhao, Hoi: Exact soft confidence-weighted learning. ICML 2012
 * @example
 * ```ts
 * import { Scw1 } from "motelearn";
 *
 * const learner = new Scw1({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Scw1 extends SoftDeviationForm {
  constructor(options: Scw1Options) {
    super("scw-1", options);
  }

  protected step(m: number, v: number): number {
    const alpha = this.exactStep(m, v);
    return alpha > this.C ? this.C : alpha;
  }
}

/**
 * Confidence-weighted learning with a squared slack.
 *
 *     n = v + 1/(2C);   g = phi sqrt(phi^2 m^2 v^2 + 4 n v (n + v phi^2))
 *     alpha = max(0, (-(2 m n + phi^2 m v) + g) / (2 (n^2 + n v phi^2)))
 *
 * When to use it: As `scw-1`; the larger the loss, the larger the step.
 *
 * As SCW-I with C l^2 (Proposition 2), and beta as in CW. A widely used implementation has a 2 for two of the squares under the root, and so takes
 * other steps.
 *
 * It has no option `sources`, see `ConfidenceWeighted`.
 *
 * @param options see `Scw2Options`. Throws an OptionError that names the invalid option.
 * @see Wang, Zhao, Hoi: Exact soft confidence-weighted learning. ICML 2012
 * @example
 * ```ts
 * import { Scw2 } from "motelearn";
 *
 * const learner = new Scw2({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Scw2 extends SoftDeviationForm {
  constructor(options: Scw2Options) {
    super("scw-2", options);
  }

  protected step(m: number, v: number): number {
    const { phi } = this;
    const squared = phi * phi;
    const n = v + 1 / (2 * this.C);
    const g = phi * Math.sqrt(squared * m * m * v * v + 4 * n * v * (n + v * squared));
    return (g - (2 * m * n + squared * m * v)) / (2 * (n * n + n * v * squared));
  }
}

const SCW_PAPER = "Wang, Zhao, Hoi: Exact soft confidence-weighted learning. ICML 2012";

export const SOFT_CONFIDENCE_WEIGHTED: readonly Family[] = frozen([
  {
    name: "scw-1",
    task: "classification",
    title: "Soft confidence-weighted, SCW-I, linear",
    paper: SCW_PAPER,
    options: SCW_OPTIONS,
    traits: { searched: [{ option: "C", values: [0.01, 0.1, 1] }, SEARCHED.covariance, SEARCHED.bias] },
    layout: (options) => beliefLayout(resolveOptions("scw-1", SCW_OPTIONS, options)),
    create: (options) => new Scw1(options as Scw1Options),
  },
  {
    name: "scw-2",
    task: "classification",
    title: "Soft confidence-weighted, SCW-II, linear",
    paper: SCW_PAPER,
    options: SCW_OPTIONS,
    traits: { searched: [{ option: "C", values: [0.01, 0.1, 1] }, SEARCHED.covariance, SEARCHED.bias] },
    layout: (options) => beliefLayout(resolveOptions("scw-2", SCW_OPTIONS, options)),
    create: (options) => new Scw2(options as Scw2Options),
  },
]);
