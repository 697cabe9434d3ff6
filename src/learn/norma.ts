import { NORMA_BIAS, STEP } from "../math/bound.ts";
import { DECISION } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { aggressiveness, MOST_AGGRESSIVE } from "./aggressiveness.ts";
import { KernelExpansion } from "./expansion.ts";
import { evict, expansionLayout } from "./expansion-layout.ts";
import type { Family } from "./family.ts";
import { sources } from "./label-noise.ts";
import { COUNT } from "./learner.ts";
import type { NormaCOptions, NormaNOptions, NormaROptions } from "./learner-options.ts";
import { withOffsets } from "./offsets.ts";
import { flag, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { storedExpansion } from "./storage.ts";
import { SEARCHED } from "./traits.ts";

const PAPER =
  "Kivinen, Smola, Williamson: Online learning with kernels. IEEE Transactions on Signal Processing 52(8), 2004";

const eta = (usual: number) => real({ default: usual, above: 0 }, "eta, step size, less than 1/lambda");
const lambda = (usual: number) =>
  real(
    { default: usual, min: 0 },
    "lambda, weight of 1/2 |f|^2: old coefficients shrink by 1 - eta lambda a sample",
  );

const NORMA_C_OPTIONS = frozen({
  ...storedExpansion,
  eta: aggressiveness("eta, step size, less than 1/lambda"),
  lambda: lambda(6e-5),
  rho: real({ default: 1 }, "rho, margin below which a sample is learned from; with nu, its first value"),
  nu: real(
    { default: 0, min: 0, max: 1 },
    "nu, share of samples to fall short of the margin, which rho then follows; 0 = off: rho is fixed",
  ),
  bias: flag(false, "whether f has an offset b"),
  evict,
  sources,
});
const NORMA_R_OPTIONS = frozen({
  ...storedExpansion,
  eta: eta(0.1),
  lambda: lambda(3e-4),
  epsilon: real(
    { default: 0.1, min: 0 },
    "epsilon, half-width of the tube in which nothing is learned; with nu, its first value",
  ),
  nu: real(
    { default: 0, min: 0, max: 1 },
    "nu, share of samples to lie outside the tube, which epsilon then follows; 0 = off: epsilon is fixed",
  ),
  evict,
});
const NORMA_N_OPTIONS = frozen({
  ...storedExpansion,
  eta: real({ default: 0.1, above: 0, below: 1 }, "eta, step size; lambda is 1"),
  rho: real({ default: 0 }, "rho, first value of the level below which a sample is novel"),
  nu: real({ default: 0.1, above: 0, max: 1 }, "nu, share of samples to be called novel"),
  // By then its coefficient is next to nothing: to merge it would cost instructions, and change nothing.
  evict: frozen({ ...evict, default: "oldest" as const }),
});

/** The width that NORMA-N finds, in medians: its few vectors, 1 / eta at most, must cover all normal inputs. */
const MEDIANS = 1;

/** Decisions f(x) + b, f(x) - rho. */
const WITH_BIAS = frozen({ rule: DECISION.plus, region: "bias" });
const ABOVE_LEVEL = frozen({ rule: DECISION.minus, region: "rho" });

/** The options, after a check that coefficients shrink and keep their sign. */
function stable<T extends { readonly eta: number; readonly lambda: number }>(
  learner: string,
  resolved: T,
): T {
  if (resolved.eta * resolved.lambda >= 1) {
    throw new OptionError(
      learner,
      "eta",
      resolved.eta,
      `a number < 1/lambda, which is ${1 / resolved.lambda}`,
    );
  }
  return resolved;
}

/** The options, with eta as the aggressiveness. */
function resolveC(
  options: object,
): ResolvedOptions<typeof NORMA_C_OPTIONS> & { readonly aggressiveness: number } {
  const resolved = stable("norma-c", resolveOptions("norma-c", NORMA_C_OPTIONS, options));
  const { eta, lambda } = resolved;
  if (eta === 0 && lambda * MOST_AGGRESSIVE >= 1) {
    throw new OptionError("norma-c", "lambda", lambda, `a number < ${1 / MOST_AGGRESSIVE} where eta is 0`);
  }
  return { ...resolved, aggressiveness: eta };
}

function resolveR(options: object): ResolvedOptions<typeof NORMA_R_OPTIONS> {
  return stable("norma-r", resolveOptions("norma-r", NORMA_R_OPTIONS, options));
}

function classificationLayout(resolved: ResolvedOptions<typeof NORMA_C_OPTIONS>): Layout {
  return expansionLayout(resolved, [
    { name: "bias", kind: "state", words: 1 },
    { name: "rho", kind: "state", words: 1 },
  ]);
}

function regressionLayout(resolved: ResolvedOptions<typeof NORMA_R_OPTIONS>): Layout {
  return expansionLayout(resolved, [{ name: "epsilon", kind: "state", words: 1 }]);
}

function noveltyLayout(resolved: ResolvedOptions<typeof NORMA_N_OPTIONS>): Layout {
  return expansionLayout(resolved, [{ name: "rho", kind: "state", words: 1 }]);
}

/**
 * One step of stochastic gradient descent on the regularised hinge loss in the kernel's space; old coefficients
 * shrink.
 *
 *     a_i <- (1 - eta lambda) a_i;   append eta y if y g(x) <= rho
 *     rho <- rho + eta (nu - [y g(x) <= rho]), if nu > 0
 *
 * When to use it: You want the plain gradient method of the literature, or a margin that adapts (nu). OLK takes
 * larger steps where they are safe.
 *
 * The loss is lambda/2 |f|^2 + max(0, rho - y g(x)) - nu rho, g = f + b, with all values from before the step. With `bias` b grows by eta y where x
 * is appended.
 *
 * The paper truncates. With `evict: "oldest"` the leaving vector has the least coefficient if lambda is so large that age outweighs
 * everything else. Merging needs a small lambda, as f remembers only 1 / (eta lambda) samples.
 *
 * eta = 0, the default, takes the eta of each sample from the errors, see `ERRORS`.
 *
 * With the option `sources` the likelihood of the received label replaces this step, see `correct` of `KernelExpansion`.
 *
 * @param options see `NormaCOptions`. Throws an OptionError that names the invalid option.
 * @see Kivinen, Smola, Williamson: Online learning with kernels. IEEE Transactions on Signal Processing 52(8), 2004
 * @example
 * ```ts
 * import { NormaC } from "motelearn";
 *
 * const learner = new NormaC({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class NormaC extends KernelExpansion {
  private readonly bias = this.layout.at("bias", this.range);
  private readonly rho = this.layout.at("rho", this.range);
  private readonly eta: number;
  private readonly lambda: number;
  private readonly nu: number;
  private readonly firstRho: number;
  private readonly hasBias: boolean;

  constructor(options: NormaCOptions) {
    const resolved = resolveC(options);
    super("classification", resolved, classificationLayout(resolved), options.memory, WITH_BIAS);
    const { eta, lambda, nu, bias } = resolved;
    this.eta = eta;
    this.lambda = lambda;
    this.nu = nu;
    this.firstRho = resolved.rho;
    this.hasBias = bias;
    this.begin();
    const own = {
      step: STEP.normaC,
      keep: 1 - eta * lambda,
      threshold: lambda,
      a: eta,
      b: nu,
      flags: bias ? NORMA_BIAS : 0,
      word: this.rho,
    };
    if (new.target === NormaC) this.bindStep(own);
  }

  protected override begin(): void {
    this.f32.words[this.rho] = this.firstRho;
  }

  protected update(y: number, decision: number): void {
    if (this.correct(y, decision)) return;
    const { lambda, nu } = this;
    const eta = this.errorsAt ? this.f32.aggressiveness(this.errorsAt, y, decision, 1) : this.eta;
    const { words } = this.f32;
    const short = y * decision <= words[this.rho];
    const rho = Math.fround(nu > 0 ? words[this.rho] + eta * (nu - (short ? 1 : 0)) : words[this.rho]);
    const bias = this.hasBias ? Math.fround(words[this.bias] + (short ? eta * y : 0)) : 0;
    if (!Number.isFinite(rho) || !Number.isFinite(bias)) {
      this.increment(COUNT.overflowed);
      return;
    }
    words[this.rho] = rho;
    if (this.hasBias) words[this.bias] = bias;
    this.stepTo(1 - eta * lambda, short ? eta * y : 0, 0);
  }
}

/**
 * Stochastic gradient descent on the regularised loss that ignores errors up to epsilon.
 *
 *     e = y - f(x);   a_i <- (1 - eta lambda) a_i;   append eta sign(e) if |e| > epsilon
 *     epsilon <- epsilon + eta (1 - nu) if |e| > epsilon, else epsilon - eta nu   (if nu > 0)
 *
 * When to use it: The tube should find its own width (nu): a share nu of the samples lies outside.
 *
 * The loss is lambda/2 |f|^2 + max(0, |y - f(x)| - epsilon) + nu epsilon, with all values from before the step.
 *
 * @param options see `NormaROptions`. Throws an OptionError that names the invalid option.
 * @see Kivinen, Smola, Williamson: Online learning with kernels. IEEE Transactions on Signal Processing 52(8), 2004
 * @example
 * ```ts
 * import { NormaR } from "motelearn";
 *
 * const learner = new NormaR({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.489
 * ```
 */
export class NormaR extends KernelExpansion {
  private readonly epsilon = this.layout.at("epsilon", this.range);
  private readonly eta: number;
  private readonly lambda: number;
  private readonly nu: number;
  private readonly firstEpsilon: number;

  constructor(options: NormaROptions) {
    const resolved = resolveR(options);
    super("regression", resolved, regressionLayout(resolved), options.memory);
    const { eta, lambda, nu } = resolved;
    this.eta = eta;
    this.lambda = lambda;
    this.nu = nu;
    this.firstEpsilon = resolved.epsilon;
    this.begin();
    const own = { step: STEP.normaR, keep: 1 - eta * lambda, a: eta, b: nu, word: this.epsilon };
    if (new.target === NormaR) this.bindStep(own);
  }

  protected override begin(): void {
    this.f32.words[this.epsilon] = this.firstEpsilon;
  }

  protected update(target: number, decision: number): void {
    const { eta, lambda, nu } = this;
    const { words } = this.f32;
    const error = Math.fround(target) - decision;
    const outside = Math.abs(error) > words[this.epsilon];
    const epsilon = Math.fround(
      nu > 0 ? words[this.epsilon] + eta * ((outside ? 1 : 0) - nu) : words[this.epsilon],
    );
    if (!Number.isFinite(epsilon)) {
      this.increment(COUNT.overflowed);
      return;
    }
    words[this.epsilon] = epsilon;
    this.stepTo(1 - eta * lambda, outside ? (error > 0 ? eta : -eta) : 0, 0);
  }
}

/**
 * A level moves so that a share nu of the samples lies below it.
 *
 *     s = [f(x) < rho];   a_i <- (1 - eta) a_i;   append eta if s;   rho <- rho + eta (nu - s)
 *
 * When to use it: You know which share of samples is to be reported. Until its level has settled it reports none,
 * as in the picture.
 *
 * lambda is 1. The score is f(x) - rho, with the values from before the step.
 *
 * @param options see `NormaNOptions`. Throws an OptionError that names the invalid option.
 * @see Kivinen, Smola, Williamson: Online learning with kernels. IEEE Transactions on Signal Processing 52(8), 2004
 * @example
 * ```ts
 * import { NormaN } from "motelearn";
 *
 * const learner = new NormaN({ dimension: 1, eta: 0.05 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 10], 1);
 * console.log(learner.classify([0.5]), learner.classify([9]));
 * // 1 -1
 * ```
 */
export class NormaN extends KernelExpansion {
  private readonly rho = this.layout.at("rho", this.range);
  private readonly eta: number;
  private readonly nu: number;
  private readonly firstRho: number;

  constructor(options: NormaNOptions) {
    const resolved = resolveOptions("norma-n", NORMA_N_OPTIONS, options);
    const made = { ...resolved, medians: MEDIANS };
    super("novelty", made, noveltyLayout(resolved), options.memory, ABOVE_LEVEL);
    const { eta, nu } = resolved;
    this.eta = eta;
    this.nu = nu;
    this.firstRho = resolved.rho;
    this.begin();
    if (new.target === NormaN)
      this.bindStep({ step: STEP.normaN, keep: 1 - eta, a: eta, b: nu, word: this.rho });
  }

  protected override begin(): void {
    this.f32.words[this.rho] = this.firstRho;
  }

  protected update(_y: number, decision: number): void {
    const { eta, nu } = this;
    const { words } = this.f32;
    const novel = decision < 0;
    const rho = Math.fround(words[this.rho] + eta * (nu - (novel ? 1 : 0)));
    if (!Number.isFinite(rho)) {
      this.increment(COUNT.overflowed);
      return;
    }
    words[this.rho] = rho;
    this.stepTo(1 - eta, novel ? eta : 0, 0);
  }
}

export const NORMA: readonly Family[] = withOffsets([
  {
    name: "norma-c",
    task: "classification",
    title: "NORMA, classification",
    paper: PAPER,
    options: NORMA_C_OPTIONS,
    traits: {
      searched: [
        { option: "eta", values: [0, 0.1, 0.5] },
        { option: "lambda", values: [6e-5, 6e-3] },
        { option: "bias", values: [false, true] },
      ],
      decision: { weights: [], addends: [{ text: "offset", region: "bias", times: 1 }] },
    },
    layout: (options) => classificationLayout(resolveC(options)),
    create: (options) => new NormaC(options as NormaCOptions),
  },
  {
    name: "norma-r",
    task: "regression",
    title: "NORMA, regression",
    paper: PAPER,
    options: NORMA_R_OPTIONS,
    traits: { searched: [SEARCHED.labelSteps, { option: "lambda", values: [3e-4, 0.01] }, SEARCHED.tube] },
    layout: (options) => regressionLayout(resolveR(options)),
    create: (options) => new NormaR(options as NormaROptions),
  },
  {
    name: "norma-n",
    task: "novelty",
    title: "NORMA, novelty detection",
    paper: PAPER,
    options: NORMA_N_OPTIONS,
    traits: {
      searched: [{ option: "nu", values: [0.02, 0.1] }],
      decision: { weights: [], addends: [{ text: "less rho:", region: "rho", times: -1 }] },
    },
    layout: (options) => noveltyLayout(resolveOptions("norma-n", NORMA_N_OPTIONS, options)),
    create: (options) => new NormaN(options as NormaNOptions),
  },
]);
