import { chooseEviction } from "../dictionary/eviction.ts";
import { STEP } from "../math/bound.ts";
import { DECISION } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, type Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { KernelExpansion } from "./expansion.ts";
import { type DecisionRule, expansionLayout } from "./expansion-layout.ts";
import type { Family, UserOptions } from "./family.ts";
import { sources } from "./label-noise.ts";
import type { Learner } from "./learner.ts";
import type { BsgdOptions } from "./learner-options.ts";
import { choice, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { storedExpansion } from "./storage.ts";
import type { Step } from "./terms.ts";

const BSGD_OPTIONS = frozen({
  ...storedExpansion,
  lambda: real({ default: 0, min: 0 }, "lambda, weight of 1/2 |f|^2; 0: 0.1 / sqrt(t) after t samples"),
  maintenance: choice(
    ["merge", "remove"],
    "merge",
    "at the full budget: the vector of least |coefficient| merges with another, for which the kernel must be Gaussian; or it is removed",
  ),
  sources,
});

function resolveBsgd(options: object): ResolvedOptions<typeof BSGD_OPTIONS> {
  const resolved = resolveOptions("bsgd", BSGD_OPTIONS, options);
  const { maintenance, kernel } = resolved;
  if (maintenance === "merge" && kernel.type !== "gaussian") {
    const takes = `"remove" where the kernel is ${kernel.type}: only Gaussians merge`;
    throw new OptionError("bsgd", "maintenance", maintenance, takes);
  }
  return resolved;
}

function bsgdLayout(resolved: ResolvedOptions<typeof BSGD_OPTIONS>): Layout {
  return expansionLayout(resolved, [{ name: "steps", kind: "state", words: 1, holds: [ANY] }]);
}

/** The default of lambda sqrt(t), t samples seen, by the sample complexity of a support vector machine. */
const BY_SAMPLES = 0.1;

/** The divisor of f after t samples: lambda t, or 0.1 sqrt(t) where lambda is 0. */
export function bsgdDecision(lambda: number): DecisionRule {
  return lambda > 0
    ? { rule: DECISION.mean, region: "steps", scale: lambda }
    : { rule: DECISION.root, region: "steps", scale: BY_SAMPLES };
}

/** t stops here; float32 couldn't resolve further steps. */
const MOST_STEPS = 4294967295;

/**
 * A support vector machine by stochastic gradient, with a budget: two vectors of the same sign merge into one
 * where the budget is full.
 *
 *     a_i <- (1 - 1/t) a_i;   append y / (lambda t) if y f(x) < 1
 *     z = h c_i + (1 - h) c_j,   h = argmax of m k_ij^((1-h)^2) + (1-m) k_ij^(h^2)
 *
 * When to use it: Classes stay the same for long. It averages over all samples, so it is slow to follow a change.
 *
 * This is Pegasos on lambda/2 |f|^2 + max(0, 1 - y f(x)), with a budget. t = 1, 2, ... counts samples, and f is from before the sample. When there is
 * one vector more than the budget, the one with the least |a_i| is removed, or merges with the nearest of its sign. h lies in [0, 1], m is a_i / (a_i
 * + a_j), and a_z is that maximum times (a_i + a_j). It is removed if none has its sign, or the nearest is so far that k_ij rounds to 0. Each time
 * one vector leaves (`evicted`). The paper chooses the partner with the least loss, |a_i k(c_i, .) + a_j k(c_j, .) - a_z k(z, .)|^2. That costs about
 * 20 exponentials a vector in place of 8 in all, and loses its digits in float32 where a_j is much larger.
 *
 * lambda defaults to 0.1 / sqrt(t): it should fall with the number of samples, which a node doesn't know in advance. Then
 * lambda t above is 0.1 sqrt(t), and a_i shrinks by the factor sqrt((t - 1) / t).
 *
 * The dictionary stores lambda t a_i, which no step has to shrink: it is y at first, and only a merge changes it. So vectors that never
 * merged tie, as they do in exact arithmetic; with the paper's recursion in a_i, rounding errors would choose among them. Among ties, a
 * removal takes the oldest vector; a merge takes the lowest row, and the new vector last.
 *
 * With the option `sources` the likelihood of the received label replaces this step, see `correct` of `KernelExpansion`.
 *
 * @param options see `BsgdOptions`. Throws an OptionError that names the invalid option.
 * @see Wang, Crammer, Vucetic: Breaking the curse of kernelization: budgeted stochastic gradient descent for large-scale SVM training. JMLR 13, 2012
 * @example
 * ```ts
 * import { Bsgd } from "motelearn";
 *
 * const learner = new Bsgd({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Bsgd extends KernelExpansion {
  /** Word of t, samples so far. */
  private readonly steps = this.layout.at("steps", this.range);

  constructor(options: BsgdOptions) {
    const resolved = resolveBsgd(options);
    const evict = chooseEviction(resolved.maintenance);
    const { lambda, sources } = resolved;
    const found = bsgdDecision(lambda);
    const decision = sources.length > 0 ? { ...found, rule: DECISION.sum } : found;
    super("classification", { ...resolved, evict }, bsgdLayout(resolved), options.memory, decision);
    if (new.target === Bsgd) this.bindStep({ step: STEP.bsgd, word: this.steps });
  }

  protected update(y: number, decision: number): void {
    if (this.correct(y, decision)) return;
    const { bits } = this.f32;
    if (bits[this.steps] < MOST_STEPS) bits[this.steps]++;
    if (y * decision >= 1) return;
    this.stepTo(1, y, 0);
  }
}

/** The division of f by lambda t, or by 0.1 sqrt(t). Corrected labels count no t. */
function divideStep({ layout, range }: Learner, _: number, options: UserOptions): Step | undefined {
  const t = range.f32.bits[layout.at("steps", range)];
  const { rule, scale = 1 } = bsgdDecision(Number(options.lambda ?? BSGD_OPTIONS.lambda.default));
  const divisor = scale * (rule === DECISION.root ? Math.sqrt(t) : t);
  return t > 0 ? { text: `divided by ${divisor}`, apply: (sum) => sum / divisor } : undefined;
}

export const BSGD: readonly Family[] = frozen([
  {
    name: "bsgd",
    task: "classification",
    title: "Budgeted stochastic gradient descent",
    paper:
      "Wang, Crammer, Vucetic: Breaking the curse of kernelization: budgeted stochastic gradient descent for large-scale SVM training. JMLR 13, 2012",
    options: BSGD_OPTIONS,
    traits: {
      searched: [{ option: "lambda", values: [0, 1e-4, 1e-3, 0.01] }],
      decision: { weights: [], last: divideStep },
    },
    layout: (options) => bsgdLayout(resolveBsgd(options)),
    create: (options) => new Bsgd(options as BsgdOptions),
  },
]);
