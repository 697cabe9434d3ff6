import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import type { Family } from "./family.ts";
import type { RegressionOptions } from "./kernel-regression.ts";
import { Krls, krlsLayout, krlsOptions } from "./krls.ts";
import { COUNT } from "./learner.ts";
import type { KrlsAldDiscardOptions, KrlsNoveltyOptions, KrlsSurpriseOptions } from "./learner-options.ts";
import { type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { withResidual } from "./residual.ts";
import { SEARCHED } from "./traits.ts";

const NOVELTY =
  "Platt: A resource-allocating network for function interpolation. Neural Computation 3(2), 1991";
const SURPRISE =
  "Liu, Park, Principe: An information theoretic approach of designing sparse kernel adaptive filters. IEEE Transactions on Neural Networks 20(12), 2009";
const DISCARD =
  "Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013";

const regularization = real({ default: 0.01, above: 0 }, "added to the diagonal of the kernel matrix");

const NOVELTY_OPTIONS = frozen({
  ...krlsOptions,
  regularization,
  noveltyDistance: real(
    { default: 0.3, min: 0 },
    "delta_1, distance from the nearest centre beyond which an input is novel",
  ),
  noveltyError: real({ default: 0.1, min: 0 }, "delta_2, magnitude of the a priori error beyond which it is"),
});
const SURPRISE_OPTIONS = frozen({
  ...krlsOptions,
  regularization,
  abnormalAbove: real(
    { default: 200 },
    "T_1, surprise above which a sample is abnormal. With a T_1 below 0, such as the paper's -0.1, inputs far from all centres are abnormal, too",
  ),
  redundantBelow: real({ default: -1 }, "T_2, surprise below which a sample is redundant; at most T_1"),
});
const ALD_DISCARD_OPTIONS = frozen({
  ...krlsOptions,
  regularization,
  nu: real({ default: 0.04, min: 0 }, "nu, threshold on the residual r: an input is stored if r > nu"),
});

function resolveSurprise(options: object): ResolvedOptions<typeof SURPRISE_OPTIONS> {
  const resolved = resolveOptions("krls-surprise", SURPRISE_OPTIONS, options);
  const { abnormalAbove, redundantBelow } = resolved;
  if (redundantBelow <= abnormalAbove) return resolved;
  throw new OptionError(
    "krls-surprise",
    "redundantBelow",
    redundantBelow,
    `a number <= abnormalAbove, which is ${abnormalAbove}`,
  );
}

/** The result of `worth` for a sample to discard. */
const DISCARDED = 0;

/**
 * Kernel recursive least squares with simple discard (section IV of the QKRLS paper): regularized least squares over the samples
 * that a criterion accepts, by the growing factor of `Krls`. The others change nothing; nor does an accepted one at
 * the full budget, counted as `declined`. The first sample is always accepted.
 */
abstract class KrlsDiscard<O extends RegressionOptions & { readonly regularization: number }> extends Krls {
  constructor(
    protected readonly options: O,
    memory?: MemoryRange,
  ) {
    super(options, options.regularization, krlsLayout(options), memory);
  }

  /** r of a sample that is worth a centre, with w in `row`; else `DISCARDED`. Size isn't 0; `row` holds h. */
  protected abstract worth(error: number): number;

  protected take(y: number, decision: number): void {
    const error = y - decision;
    const r = this.size === 0 ? this.residual() : this.worth(error);
    if (r === DISCARDED) return;
    if (this.size === this.capacity) {
      if (this.makeRoom()) this.take(y, this.valueOfRow());
      else this.increment(COUNT.declined);
    } else this.increment(this.extend(error, r) ? COUNT.inserted : COUNT.overflowed);
  }
}

/**
 * Least squares over the samples that are far from all centres and badly predicted.
 *
 *     store x if min_j |x - c_j| > delta_1 and |y - f(x)| > delta_2
 *     a <- [a - z e / r; e / r],   z = (K + reg I)^-1 h,   r = reg + k(x, x) - h.z
 *
 * When to use it: The noise is small beside delta_2. Samples that aren't stored teach nothing.
 *
 * @param options see `KrlsNoveltyOptions`. Throws an OptionError that names the invalid option.
 * @see Platt: A resource-allocating network for function interpolation. Neural Computation 3(2), 1991
 * @example
 * ```ts
 * import { KrlsNovelty } from "motelearn";
 *
 * const learner = new KrlsNovelty({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.499
 * ```
 */
export class KrlsNovelty extends KrlsDiscard<ResolvedOptions<typeof NOVELTY_OPTIONS>> {
  constructor(options: KrlsNoveltyOptions) {
    super(resolveOptions("krls-novelty", NOVELTY_OPTIONS, options), options.memory);
  }

  protected worth(error: number): number {
    const { f32, solution, dictionary } = this;
    const { noveltyDistance, noveltyError } = this.options;
    if (!(Math.abs(error) > noveltyError)) return DISCARDED;
    const j = dictionary.nearest(this.input, solution);
    return Math.sqrt(f32.words[solution + j]) > this.unit * noveltyDistance ? this.residual() : DISCARDED;
  }
}

/**
 * Least squares over the samples that are neither redundant nor abnormal.
 *
 *     S = 1/2 ln r + e^2 / (2 r);   store x if T_2 <= S <= T_1
 *
 * When to use it: Outliers must not be stored: they are abnormal.
 *
 * A sample of less surprise is redundant, one of more abnormal.
 *
 * @param options see `KrlsSurpriseOptions`. Throws an OptionError that names the invalid option.
 * @see Liu, Park, Principe: An information theoretic approach of designing sparse kernel adaptive filters. IEEE Transactions on Neural Networks 20(12), 2009
 * @example
 * ```ts
 * import { KrlsSurprise } from "motelearn";
 *
 * const learner = new KrlsSurprise({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.499
 * ```
 */
export class KrlsSurprise extends KrlsDiscard<ResolvedOptions<typeof SURPRISE_OPTIONS>> {
  constructor(options: KrlsSurpriseOptions) {
    super(resolveSurprise(options), options.memory);
  }

  protected worth(error: number): number {
    const { abnormalAbove, redundantBelow } = this.options;
    const r = this.residual();
    const surprise = 0.5 * this.f32.log(r) + (error * error) / (2 * r);
    return surprise < redundantBelow || surprise > abnormalAbove ? DISCARDED : r;
  }
}

/**
 * Least squares over the samples that the others don't nearly span; the rest is discarded.
 *
 *     store x if r = reg + k(x, x) - h.(K + reg I)^-1 h > nu
 *
 * When to use it: To compare with the QKRLS paper. `krls-ald` learns from the other samples, too.
 *
 * The paper prints a threshold of 0.2. It gives the paper's dictionary sizes as a threshold on sqrt r. Ours is on r itself: 0.2^2 = 0.04.
 *
 * @param options see `KrlsAldDiscardOptions`. Throws an OptionError that names the invalid option.
 * @see Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013
 * @example
 * ```ts
 * import { KrlsAldDiscard } from "motelearn";
 *
 * const learner = new KrlsAldDiscard({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.499
 * ```
 */
export class KrlsAldDiscard extends KrlsDiscard<ResolvedOptions<typeof ALD_DISCARD_OPTIONS>> {
  constructor(options: KrlsAldDiscardOptions) {
    super(resolveOptions("krls-ald-discard", ALD_DISCARD_OPTIONS, options), options.memory);
  }

  protected worth(_error: number): number {
    const r = this.residual();
    return r <= this.options.nu ? DISCARDED : r;
  }
}

export const KRLS_DISCARD: readonly Family[] = withResidual([
  {
    name: "krls-novelty",
    task: "regression",
    title: "KRLS, simple discard by novelty",
    paper: NOVELTY,
    options: NOVELTY_OPTIONS,
    traits: {
      freezes: true,
      searched: [SEARCHED.ridge, { option: "noveltyDistance", values: [0.05, 0.2], unit: "distance" }],
    },
    layout: (options) => krlsLayout(resolveOptions("krls-novelty", NOVELTY_OPTIONS, options)),
    create: (options) => new KrlsNovelty(options as KrlsNoveltyOptions),
  },
  {
    name: "krls-surprise",
    task: "regression",
    title: "KRLS, simple discard by surprise",
    paper: SURPRISE,
    options: SURPRISE_OPTIONS,
    traits: { freezes: true, searched: [SEARCHED.ridge] },
    layout: (options) => krlsLayout(resolveSurprise(options)),
    create: (options) => new KrlsSurprise(options as KrlsSurpriseOptions),
  },
  {
    name: "krls-ald-discard",
    task: "regression",
    title: "KRLS, simple discard by ALD",
    paper: DISCARD,
    options: ALD_DISCARD_OPTIONS,
    traits: { freezes: true, searched: [SEARCHED.ridge] },
    layout: (options) => krlsLayout(resolveOptions("krls-ald-discard", ALD_DISCARD_OPTIONS, options)),
    create: (options) => new KrlsAldDiscard(options as KrlsAldDiscardOptions),
  },
]);
