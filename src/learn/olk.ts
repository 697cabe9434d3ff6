import { STEP } from "../math/bound.ts";
import { DECISION } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { aggressiveness } from "./aggressiveness.ts";
import { KernelExpansion } from "./expansion.ts";
import { evict, expansionLayout } from "./expansion-layout.ts";
import type { Family } from "./family.ts";
import { sources } from "./label-noise.ts";
import { COUNT } from "./learner.ts";
import type { OlkCOptions, OlkNOptions, OlkROptions } from "./learner-options.ts";
import { withOffsets } from "./offsets.ts";
import { choice, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { storedExpansion } from "./storage.ts";
import { SEARCHED } from "./traits.ts";

const PAPER =
  "Li, Wen, Li, Zhang, Yang, Mao: Model-based online learning with kernels. IEEE TNNLS 24(3), 2013";

const shared = frozen({
  ...storedExpansion,
  regularization: real(
    { default: 3e-5, min: 0 },
    "r, weight of 1/2 |f|^2: old coefficients shrink by 1/(1+r) a sample",
  ),
  forgetThreshold: real({ default: 0, min: 0 }, "Thr_sv, vectors with a smaller |coefficient| are forgotten"),
  evict,
});

const OLK_C_OPTIONS = frozen({
  ...shared,
  C: aggressiveness("C, weight of the loss and bound of a coefficient"),
  sources,
});
const OLK_R_OPTIONS = frozen({
  ...shared,
  C: real({ default: 0.3, above: 0 }, "C, weight of the loss and bound of a coefficient"),
  epsilon: real({ default: 0.1, min: 0 }, "epsilon, half-width of the tube in which an error costs nothing"),
});
const OLK_N_OPTIONS = frozen({
  ...shared,
  C: real({ default: 0.5, above: 0 }, "C, weight of the loss and upper bound of a step"),
  regularization: frozen({ ...shared.regularization, default: 0.01 }),
  nu: real({ default: 0.1, min: 0 }, "nu, lower bound of a step, at most C"),
  rule: choice(
    ["fixed", "optimal"],
    "fixed",
    "rho, offset of the score: fixed at 0, which (69), the paper's rule, comes to; or the exact optimum (68) at each sample",
  ),
});

/** The options, with C as the aggressiveness. */
function resolveC(
  options: object,
): ResolvedOptions<typeof OLK_C_OPTIONS> & { readonly aggressiveness: number } {
  const resolved = resolveOptions("olk-c", OLK_C_OPTIONS, options);
  return { ...resolved, aggressiveness: resolved.C };
}

function clip(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/**
 * Each sample solves a small optimisation exactly: stay near the old function, stay small, and meet the label with
 * margin 1.
 *
 *     alpha = clip((1 + r - y f(x)) / k(x, x), 0, C)   (33)
 *     a_i <- a_i / (1 + r);   append y alpha / (1 + r) if alpha > 0
 *
 * When to use it: The first kernel classifier to try. C bounds the damage of one wrong label. With several classes
 * it can share one dictionary.
 *
 * At each sample f is the minimum of 1/2 |f - f_t|^2 + r/2 |f|^2 + C xi under y f(x) >= 1 - xi, xi >= 0 (15). Then every vector with |a_i| < Thr_sv
 * (option `forgetThreshold`) is forgotten. f remembers about 1/r samples. The default suits a full dictionary that merges. If the target changes
 * within 10,000 samples, r = 0.01 to 0.001 is better.
 *
 * C = 0, the default, takes the C of each sample from the errors, see `ERRORS`. With classes that share a dictionary, too.
 *
 * With the option `sources` the likelihood of the received label replaces this step, see `correct` of `KernelExpansion`.
 *
 * @param options see `OlkCOptions`. Throws an OptionError that names the invalid option.
 * @see Li, Wen, Li, Zhang, Yang, Mao: Model-based online learning with kernels. IEEE TNNLS 24(3), 2013
 * @example
 * ```ts
 * import { OlkC } from "motelearn";
 *
 * const learner = new OlkC({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class OlkC extends KernelExpansion {
  private readonly regularization: number;
  private readonly forgetThreshold: number;
  private readonly C: number;

  constructor(options: OlkCOptions) {
    const resolved = resolveC(options);
    super("classification", resolved, expansionLayout(resolved), options.memory);
    const { C, regularization: r, forgetThreshold: threshold } = resolved;
    this.regularization = r;
    this.forgetThreshold = threshold;
    this.C = C;
    if (new.target === OlkC) this.bindStep({ step: STEP.olkC, keep: 1 / (1 + r), threshold, a: C, b: 1 + r });
  }

  protected update(y: number, decision: number): void {
    if (this.correct(y, decision)) return;
    const r = this.regularization;
    const C = this.errorsAt ? this.f32.aggressiveness(this.errorsAt, y, decision, 1) : this.C;
    const alpha = clip((1 + r - y * decision) / this.kernel.self(this.input), 0, C);
    this.stepTo(1 / (1 + r), alpha > 0 ? (y * alpha) / (1 + r) : 0, this.forgetThreshold);
  }
}

/**
 * OLK with the loss that ignores errors up to epsilon.
 *
 *     alpha = clip(((1+r)(y - epsilon) - f(x)) / k, 0, C);   alpha~ = clip((f(x) - (1+r)(y + epsilon)) / k, 0, C)   (52)
 *     a_i <- a_i / (1+r);   append (alpha - alpha~) / (1+r)   (42)
 *
 * When to use it: Targets have outliers: C bounds a step. The function drifts: old coefficients shrink.
 *
 * f is the minimum of 1/2 |f - f_t|^2 + r/2 |f|^2 + C max(0, |y - f(x)| - epsilon) (34). At most one of alpha and alpha~ is positive. The paper's
 * (52) prints alpha~ - alpha, the wrong sign, and tests L1 without checking the bounds: clipping is exact.
 *
 * @param options see `OlkROptions`. Throws an OptionError that names the invalid option.
 * @see Li, Wen, Li, Zhang, Yang, Mao: Model-based online learning with kernels. IEEE TNNLS 24(3), 2013
 * @example
 * ```ts
 * import { OlkR } from "motelearn";
 *
 * const learner = new OlkR({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.486
 * ```
 */
export class OlkR extends KernelExpansion {
  private readonly C: number;
  private readonly regularization: number;
  private readonly epsilon: number;
  private readonly forgetThreshold: number;

  constructor(options: OlkROptions) {
    const resolved = resolveOptions("olk-r", OLK_R_OPTIONS, options);
    super("regression", resolved, expansionLayout(resolved), options.memory);
    this.C = resolved.C;
    this.regularization = resolved.regularization;
    this.epsilon = resolved.epsilon;
    this.forgetThreshold = resolved.forgetThreshold;
  }

  protected update(target: number, decision: number): void {
    const { C, regularization: r, epsilon, forgetThreshold } = this;
    const y = Math.fround(target);
    const k = this.kernel.self(this.input);
    const above = clip(((1 + r) * (y - epsilon) - decision) / k, 0, C);
    const below = clip((decision - (1 + r) * (y + epsilon)) / k, 0, C);
    this.stepTo(1 / (1 + r), (above - below) / (1 + r), forgetThreshold);
  }
}

/** The score f(x) - 1 - rho. */
const ABOVE_LEVEL = frozen({ rule: DECISION.level, region: "rho" });

/** The rule of the exact optimum of rho, as a value in place of a literal: see `COUNT`. */
const OPTIMAL = "optimal";

function resolveNovelty(options: object): ResolvedOptions<typeof OLK_N_OPTIONS> {
  const resolved = resolveOptions("olk-n", OLK_N_OPTIONS, options);
  if (resolved.nu > resolved.C) {
    throw new OptionError("olk-n", "nu", resolved.nu, `a number <= C, which is ${resolved.C}`);
  }
  return resolved;
}

function noveltyLayout(resolved: ResolvedOptions<typeof OLK_N_OPTIONS>): Layout {
  return expansionLayout(resolved, [{ name: "rho", kind: "state", words: 1 }]);
}

/**
 * It learns where samples are usual, by a bounded step at each; the score is low where none were.
 *
 *     alpha = clip((1 + r - f(x)) / k, nu, C);   a_i <- a_i / (1+r);   append alpha / (1+r)   (55), (67)
 *     score = f(x) - 1 - rho   (69)
 *
 * When to use it: Labels are rare or none, and events are of an unknown kind. Its own level takes many usual samples for novel where
 * they are noisy: give it `falseAlarms`, the share that may be.
 *
 * (69) sets rho = max(0, f_{t+1}(x) - 1) only if nu < alpha < C; there f_{t+1}(x) = 1 exactly, so that rho stays 0: rule "fixed".
 * (68) sets it so at every sample, rule "optimal": the exact optimum, positive only where alpha = nu.
 *
 * @param options see `OlkNOptions`. Throws an OptionError that names the invalid option.
 * @see Li, Wen, Li, Zhang, Yang, Mao: Model-based online learning with kernels. IEEE TNNLS 24(3), 2013
 * @example
 * ```ts
 * import { OlkN } from "motelearn";
 *
 * const learner = new OlkN({ dimension: 1 });
 * for (let t = 0; t < 1000; t++) learner.learn([(t % 10) / 10], 1);
 * console.log(learner.classify([0.5]), learner.classify([9]));
 * // 1 -1
 * ```
 */
export class OlkN extends KernelExpansion {
  private readonly options: ResolvedOptions<typeof OLK_N_OPTIONS>;
  private readonly rho = this.layout.at("rho", this.range);

  constructor(options: OlkNOptions) {
    const resolved = resolveNovelty(options);
    super("novelty", resolved, noveltyLayout(resolved), options.memory, ABOVE_LEVEL);
    this.options = resolved;
  }

  protected update(): void {
    const { C, regularization: r, nu, rule, forgetThreshold } = this.options;
    const k = this.kernel.self(this.input);
    const f = this.f32.dot(this.dictionary.coefficients, this.row, this.size);
    const alpha = clip((1 + r - f) / k, nu, C);
    const above = (f + alpha * k) / (1 + r) - 1;
    if (rule === OPTIMAL && !Number.isFinite(Math.fround(above))) {
      this.increment(COUNT.overflowed);
      return;
    }
    if (rule === OPTIMAL) this.f32.words[this.rho] = above > 0 ? above : 0;
    this.stepTo(1 / (1 + r), alpha > 0 ? alpha / (1 + r) : 0, forgetThreshold);
  }
}

export const OLK: readonly Family[] = withOffsets([
  {
    name: "olk-c",
    task: "classification",
    title: "OLK, classification",
    paper: PAPER,
    options: OLK_C_OPTIONS,
    traits: { searched: [{ option: "C", values: [0, 0.1, 2, 10] }, SEARCHED.shrinking] },
    layout: (options) => expansionLayout(resolveC(options)),
    create: (options) => new OlkC(options as OlkCOptions),
  },
  {
    name: "olk-r",
    task: "regression",
    title: "OLK, regression",
    paper: PAPER,
    options: OLK_R_OPTIONS,
    traits: {
      searched: [{ option: "C", values: [0.3, 1, 3], unit: "labels" }, SEARCHED.tube, SEARCHED.shrinking],
    },
    layout: (options) => expansionLayout(resolveOptions("olk-r", OLK_R_OPTIONS, options)),
    create: (options) => new OlkR(options as OlkROptions),
  },
  {
    name: "olk-n",
    task: "novelty",
    title: "OLK, novelty detection",
    paper: PAPER,
    options: OLK_N_OPTIONS,
    traits: {
      searched: [
        { option: "C", values: [0.2, 0.5] },
        { option: "nu", values: [0.02, 0.1] },
      ],
      decision: {
        weights: [],
        addends: [
          { text: "less 1:", times: -1 },
          { text: "less rho:", region: "rho", times: -1 },
        ],
      },
    },
    layout: (options) => noveltyLayout(resolveNovelty(options)),
    create: (options) => new OlkN(options as OlkNOptions),
  },
]);
