import { DUAL_FLAGS } from "../math/bound.ts";
import { frozen } from "../memory/frozen.ts";
import { DUAL_COSTS, DUAL_OPTIONS, DualAscent, dualLayout, PAPER, unit } from "./dual-ascent.ts";
import type { Family } from "./family.ts";
import type { DualGreedyOptions } from "./learner-options.ts";
import { resolveOptions } from "./options.ts";
import { SEARCHED } from "./traits.ts";

/**
 * Greedy ascent: the exact maximum of D_t over the unit square, which is the best of the stationary point
 *
 *     [C^2 k, C m; C m, W] [alpha; 1-eta] = [C; C S], if it lies inside,
 *
 * and the maxima of the four edges: eta = 0: alpha = (1-m)/(C k); eta = 1: alpha = 1/(C k); alpha = 0: 1-eta = C S/W;
 * alpha = 1: 1-eta = C (S-m)/W, each cut off to [0, 1]. Without forgetting it is AGA.
 *
 * @param options see `DualGreedyOptions`. Throws an OptionError that names the invalid option.
 * @see Sun, Li: An online learning algorithmic framework with forgetting property. Journal of National University of Defense Technology 36(4), 2014
 * @example
 * ```ts
 * import { DualGreedy } from "motelearn";
 *
 * const learner = new DualGreedy({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class DualGreedy extends DualAscent {
  /** Change of the dual by the best step considered so far. */
  private gain = 0;

  constructor(options: DualGreedyOptions) {
    super(resolveOptions("dual-greedy", DUAL_OPTIONS, options), options.memory);
    if (new.target === DualGreedy) this.bindAscent(0, DUAL_FLAGS.greedy);
  }

  protected choose(m: number, k: number, storable: boolean): void {
    const { C, forget, squaredNorm: W } = this;
    const S = this.alphas;
    this.alpha = 0;
    this.keep = 1;
    this.gain = 0;
    if (storable) this.consider(unit((1 - m) / (C * k)), 1, m, k, W, S);
    if (!forget || W === 0) return;
    this.consider(0, unit((C * S) / W), m, k, W, S);
    if (!storable) return;
    this.consider(1, unit((C * (S - m)) / W), m, k, W, S);
    this.consider(unit(1 / (C * k)), 0, m, k, W, S);
    const det = k * W - m * m;
    const alpha = (W - m * C * S) / (C * det);
    const keep = (k * C * S - m) / det;
    const inside = alpha >= 0 && alpha <= 1 && keep >= 0 && keep <= 1;
    if (det > 0 && inside) this.consider(alpha, keep, m, k, W, S);
  }

  /** Chooses this step if it raises the dual more than the one chosen. */
  private consider(alpha: number, keep: number, m: number, k: number, W: number, S: number): void {
    const { C } = this;
    const added = C * alpha;
    const quadratic = (keep * keep - 1) * W + 2 * keep * added * m + added * added * k;
    const gain = C * (keep - 1) * S + added - quadratic / 2;
    if (!(gain > this.gain)) return;
    this.alpha = alpha;
    this.keep = keep;
    this.gain = gain;
  }
}

export const GREEDY_ASCENT: readonly Family[] = frozen([
  /**
   * The card of `dual-aga`.
   */
  {
    name: "dual-greedy",
    task: "classification",
    title: "Dual ascent with forgetting, greedy",
    paper: PAPER,
    options: DUAL_OPTIONS,
    traits: { searched: [{ option: "C", values: [0, 0.1, 2, 10] }, SEARCHED.forget], costs: DUAL_COSTS },
    layout: (options) => dualLayout(resolveOptions("dual-greedy", DUAL_OPTIONS, options)),
    create: (options) => new DualGreedy(options as DualGreedyOptions),
  },
]);
