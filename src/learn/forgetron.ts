import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import { KernelExpansion } from "./expansion.ts";
import { expansionLayout } from "./expansion-layout.ts";
import type { Family } from "./family.ts";
import { COUNT } from "./learner.ts";
import type { ForgetronOptions } from "./learner-options.ts";
import { expansionOptions, type ResolvedOptions, resolveOptions } from "./options.ts";

const FORGETRON_OPTIONS = expansionOptions;

/** The largest damage of all removals, as a share of the mistakes. */
const DAMAGE = 15 / 32;

function forgetronLayout(resolved: ResolvedOptions<typeof FORGETRON_OPTIONS>): Layout {
  return expansionLayout(resolved, [{ name: "slack", kind: "state", words: 1 }]);
}

/**
 * A kernel perceptron with a budget and a mistake bound: before the oldest vector leaves, all coefficients shrink
 * so that its leaving does little damage.
 *
 *     phi = the largest in (0, 1] with (phi s)^2 + 2 phi s - 2 (phi s)(phi mu) <= 15/32 M - Q
 *     a_i <- phi a_i;   the oldest vector leaves
 *
 * When to use it: You need the published mistake bound, or a stream that drifts steadily, so that the oldest
 * vector is the least useful.
 *
 * At a mistake, y f(x) <= 0, the M-th, x is appended with coefficient y. At the full budget all coefficients, the new one too, shrink by phi; then
 * the oldest vector x_1, of coefficient a_1, leaves, and Q grows by the left side. s is |a_1|, and mu is sign(a_1) f(x_1), where f includes the
 * new vector and the oldest.
 *
 * Vectors don't merge: Q bounds the damage of removals, and a merge isn't a removal. With merging in place of the shrinking it would be
 * the kernel perceptron with `evict: "merge"`.
 *
 * It has no option `sources`: a corrected step comes with every label, but the bound on the damage grows only with mistakes, so each step
 * at the full budget would remove more than it adds. The kernel perceptron has the option.
 *
 * The state holds the slack 15/32 M - Q, as float32 would lose the difference of M and Q. The paper's mistake
 * bound is for k(x,x) <= 1; the rule is the same with other kernels.
 *
 * @param options see `ForgetronOptions`. Throws an OptionError that names the invalid option.
 * @see Dekel, Shalev-Shwartz, Singer: The Forgetron: a kernel-based perceptron on a budget. SIAM Journal on Computing 37(5), 2008
 * @example
 * ```ts
 * import { Forgetron } from "motelearn";
 *
 * const learner = new Forgetron({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Forgetron extends KernelExpansion {
  private readonly slack = this.layout.at("slack", this.range);

  constructor(options: ForgetronOptions) {
    const resolved = resolveOptions("forgetron", FORGETRON_OPTIONS, options);
    super("classification", resolved, forgetronLayout(resolved), options.memory);
  }

  protected update(y: number, decision: number): void {
    if (y * decision > 0) return;
    const { dictionary, f32 } = this;
    const slack = f32.words[this.slack] + DAMAGE;
    if (!dictionary.full) {
      f32.words[this.slack] = slack;
      this.stepTo(1, y, 0);
      return;
    }
    const oldest = dictionary.oldest();
    const a = dictionary.coefficient(oldest);
    const shared = f32.words[this.row + oldest];
    f32.fetchRow(this.spare, dictionary.rows, oldest, this.dimension);
    const f = this.valueAt(this.spare) + y * shared;
    const s = Math.abs(a);
    const square = s * s - 2 * s * (a < 0 ? -f : f);
    const phi = shrinkage(square, s, slack);
    const left = Math.fround(slack - phi * (phi * square + 2 * s));
    if (!(phi > 0) || left - left !== 0) {
      this.increment(COUNT.overflowed);
      return;
    }
    f32.words[this.slack] = left;
    this.stepTo(phi, phi * y, 0, oldest);
  }
}

/** The largest phi in (0, 1] with square phi^2 + 2 s phi <= slack, slack > 0. */
function shrinkage(square: number, s: number, slack: number): number {
  if (square + 2 * s <= slack) return 1;
  return slack / (s + Math.sqrt(s * s + square * slack));
}

export const FORGETRON: readonly Family[] = frozen([
  {
    name: "forgetron",
    task: "classification",
    title: "Forgetron, self-tuned",
    paper:
      "Dekel, Shalev-Shwartz, Singer: The Forgetron: a kernel-based perceptron on a budget. SIAM Journal on Computing 37(5), 2008",
    options: FORGETRON_OPTIONS,
    layout: (options) => forgetronLayout(resolveOptions("forgetron", FORGETRON_OPTIONS, options)),
    create: (options) => new Forgetron(options as ForgetronOptions),
  },
]);
