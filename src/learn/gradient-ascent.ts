import { DUAL_FLAGS } from "../math/bound.ts";
import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import {
  DUAL_COSTS,
  DUAL_OPTIONS,
  DualAscent,
  type DualOptions,
  dualLayout,
  PAPER,
  unit,
} from "./dual-ascent.ts";
import type { Family } from "./family.ts";
import type { DualAgaOptions, DualRhoOptions } from "./learner-options.ts";
import { choice, real, resolveOptions } from "./options.ts";
import { SEARCHED } from "./traits.ts";

const DUAL_RHO_OPTIONS = frozen({
  ...DUAL_OPTIONS,
  rho: real({ default: 25, above: 0 }, "rho, step along the gradient"),
  step: choice(
    ["safe", "plain"],
    "safe",
    "plain: rho, which may overshoot; safe: not beyond the maximum along the gradient nor a bound",
  ),
});

/**
 * A step along the gradient of D_t at (0, 0), negative parts cut off:
 *
 *     ga = C max(0, 1 - m);   ge = max(0, W - C S), 0 without forgetting   (13)
 *     alpha = min(1, rate ga);   eta = min(1, rate ge)
 *     rho_max = min(1/ga, 1/ge);   rho_star = (ga^2 + ge^2) / (C^2 k ga^2 - 2 C m ga ge + W ge^2)
 */
abstract class GradientAscent extends DualAscent {
  /** @param rho the rate, or its upper bound where `bounded` by rho_max and rho_star too. */
  constructor(
    options: DualOptions,
    private readonly rho: number,
    private readonly bounded: boolean,
    memory?: MemoryRange,
  ) {
    super(options, memory);
  }

  protected choose(m: number, k: number, storable: boolean): void {
    const { C, forget, squaredNorm: W } = this;
    const excess = W - C * this.alphas;
    const ga = storable && m < 1 ? C * (1 - m) : 0;
    const ge = forget && excess > 0 ? excess : 0;
    this.alpha = 0;
    this.keep = 1;
    if (ga === 0 && ge === 0) return;
    let rate = this.rho;
    if (this.bounded) {
      const curvature = C * C * k * ga * ga - 2 * C * m * ga * ge + W * ge * ge;
      const best = (ga * ga + ge * ge) / curvature;
      if (curvature > 0 && best < rate) rate = best;
      if (1 / ga < rate) rate = 1 / ga;
      if (1 / ge < rate) rate = 1 / ge;
    }
    this.alpha = unit(rate * ga);
    this.keep = 1 - unit(rate * ge);
  }
}

/**
 * Ascent of the support vector machine's dual with a fixed step. With `forget`, which is off by default, one more variable shrinks all old
 * coefficients.
 *
 *     ga = C max(0, 1 - m);   ge = max(0, W - C S)   (13)
 *     alpha = min(1, rho ga);   eta = min(1, rho ge), 0 by default;   c <- (1 - eta) c, append C alpha y   (9), (11)
 *
 * When to use it: To compare with the paper. `step: "safe"` bounds the step where rho is too long; then `dual-aga` does as well.
 *
 * The step is an ascent only if rho <= 2 rho_star; where rho C^2 k > 2 it overshoots, and with forgetting wipes the model. `step: "safe"` therefore
 * takes min(rho, rho_max, rho_star); "plain" is the paper's. With a small rho a wrong label far beyond the margin moves the model more than a right
 * one does; rho = 25 reaches the bound C unless C is small.
 *
 * @param options see `DualRhoOptions`. Throws an OptionError that names the invalid option.
 * @see Sun, Li: An online learning algorithmic framework with forgetting property. Journal of National University of Defense Technology 36(4), 2014
 * @example
 * ```ts
 * import { DualRho } from "motelearn";
 *
 * const learner = new DualRho({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class DualRho extends GradientAscent {
  constructor(options: DualRhoOptions) {
    const resolved = resolveOptions("dual-rho", DUAL_RHO_OPTIONS, options);
    super(resolved, resolved.rho, resolved.step === "safe", options.memory);
    const flags = resolved.step === "safe" ? DUAL_FLAGS.bounded : 0;
    if (new.target === DualRho) this.bindAscent(resolved.rho, flags);
  }
}

/**
 * Dual ascent with the largest gain that a sample allows. By default, without forgetting, `dual-aga` and `dual-greedy` are one algorithm,
 * alpha = clip((1 - m) / (C k), 0, 1). They differ with `forget`, which is off by default: AGA then takes the maximum along the gradient, and
 * greedy ascent the maximum over the unit square.
 *
 *     AGA: alpha = min(1, s ga);   eta = min(1, s ge);   s = min(rho_max, rho_star)
 *     rho_star = (ga^2 + ge^2) / (C^2 k ga^2 - 2 C m ga ge + W ge^2)
 *     greedy: [C^2 k, C m; C m, W] [alpha; 1 - eta] = [C; C S], if inside the unit square,
 *     else the best of the maxima of its four edges
 *
 * When to use it: A kernel classifier without a step to choose. Switch `forget` on where the boundary between classes moves; `dual-greedy` then
 * chooses exactly how much to forget.
 *
 * @param options see `DualAgaOptions`. Throws an OptionError that names the invalid option.
 * @see Sun, Li: An online learning algorithmic framework with forgetting property. Journal of National University of Defense Technology 36(4), 2014
 * @example
 * ```ts
 * import { DualAga } from "motelearn";
 *
 * const learner = new DualAga({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class DualAga extends GradientAscent {
  constructor(options: DualAgaOptions) {
    super(resolveOptions("dual-aga", DUAL_OPTIONS, options), Number.POSITIVE_INFINITY, true, options.memory);
    if (new.target === DualAga) this.bindAscent(Number.POSITIVE_INFINITY, DUAL_FLAGS.bounded);
  }
}

export const GRADIENT_ASCENT: readonly Family[] = frozen([
  {
    name: "dual-rho",
    task: "classification",
    title: "Dual ascent with forgetting, fixed step (rho-GA)",
    paper: PAPER,
    options: DUAL_RHO_OPTIONS,
    traits: { searched: [{ option: "C", values: [0, 0.1, 1, 4] }, SEARCHED.forget], costs: DUAL_COSTS },
    layout: (options) => dualLayout(resolveOptions("dual-rho", DUAL_RHO_OPTIONS, options)),
    create: (options) => new DualRho(options as DualRhoOptions),
  },
  {
    name: "dual-aga",
    task: "classification",
    title: "Dual ascent with forgetting, adaptive gradient (AGA)",
    paper: PAPER,
    options: DUAL_OPTIONS,
    traits: { searched: [{ option: "C", values: [0, 0.1, 2, 10] }, SEARCHED.forget], costs: DUAL_COSTS },
    layout: (options) => dualLayout(resolveOptions("dual-aga", DUAL_OPTIONS, options)),
    create: (options) => new DualAga(options as DualAgaOptions),
  },
]);
