import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { COUNT } from "./learner.ts";
import type { PegasosOptions } from "./learner-options.ts";
import { bias, inputWidth, LinearClassifier, linearLayout } from "./linear.ts";
import { dimension, flag, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { SEARCHED } from "./traits.ts";

const PEGASOS_OPTIONS = frozen({
  dimension,
  lambda: real({ default: 0.01, above: 0 }, "lambda, weight of 1/2 |w|^2; the t-th step is 1/(lambda t)"),
  bias,
  project: flag(true, "whether w is projected onto |w| <= 1/sqrt(lambda), where the optimum lies"),
});

/** t stops here: 1 - 1/t is the float32 next to 1, and from then on w forgets at that rate. */
const MOST_COUNTED = 16777216;

function pegasosLayout(resolved: ResolvedOptions<typeof PEGASOS_OPTIONS>): Layout {
  const width = inputWidth(resolved);
  return linearLayout(width, [
    { name: "t", kind: "state", words: 1, holds: [MOST_COUNTED] },
    { name: "next", kind: "scratch", words: width },
  ]);
}

/**
 * A linear support vector machine by stochastic gradient with step 1 / (lambda t).
 *
 *     w <- (1 - 1/t) w + y x / (lambda t) if y w.x < 1, else (1 - 1/t) w
 *     w <- w min(1, 1 / (sqrt(lambda) |w|)), if `project`
 *
 * When to use it: The classes don't change. It averages over all samples, so it follows a change ever more slowly.
 *
 * The t-th sample, t = 1, 2, ..., takes a step of sub-gradient descent on lambda/2 |w|^2 + max(0, 1 - y w.x) (Figure 1, with k = 1 sample a step and
 * the optional projection). `bias` appends a constant 1 to x (section 4, the first of its ways), so that the offset counts in |w|^2 too.
 *
 * It has no option `sources`: its step 1/(lambda t) suits a loss whose gradient is bounded, and overshoots with the squared loss. `arow` is the
 * linear learner that has the option.
 *
 * @param options see `PegasosOptions`. Throws an OptionError that names the invalid option.
 * @see Shalev-Shwartz, Singer, Srebro, Cotter: Pegasos: primal estimated sub-gradient solver for SVM. Mathematical Programming 127(1), 2011
 * @example
 * ```ts
 * import { Pegasos } from "motelearn";
 *
 * const learner = new Pegasos({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Pegasos extends LinearClassifier {
  private readonly options: ResolvedOptions<typeof PEGASOS_OPTIONS>;
  private readonly t = this.layout.at("t", this.range);
  private readonly next = this.layout.at("next", this.range);

  constructor(options: PegasosOptions) {
    const resolved = resolveOptions("pegasos", PEGASOS_OPTIONS, options);
    super(resolved.dimension, pegasosLayout(resolved), options.memory);
    this.options = resolved;
  }

  protected update(y: number, decision: number): void {
    const { bits } = this.f32;
    const t = bits[this.t] < MOST_COUNTED ? bits[this.t] + 1 : MOST_COUNTED;
    if (this.step(y, decision, t)) bits[this.t] = t;
    else this.increment(COUNT.overflowed);
  }

  /** False, with nothing changed, if float32 can't hold the result. */
  private step(y: number, decision: number, t: number): boolean {
    const { f32, w, next, input, width } = this;
    const { lambda, project } = this.options;
    f32.copy(next, w, width);
    f32.scale(next, 1 - 1 / t, width);
    if (y * decision < 1 && !f32.addScaled(next, y / (lambda * t), input, width)) return false;
    if (project) {
      const squared = lambda * f32.dot(next, next, width);
      if (squared - squared !== 0) return false;
      if (squared > 1) f32.scale(next, 1 / Math.sqrt(squared), width);
    }
    f32.copy(w, next, width);
    return true;
  }
}

export const PEGASOS: readonly Family[] = frozen([
  {
    name: "pegasos",
    task: "classification",
    title: "Pegasos, linear",
    paper:
      "Shalev-Shwartz, Singer, Srebro, Cotter: Pegasos: primal estimated sub-gradient solver for SVM. Mathematical Programming 127(1), 2011",
    options: PEGASOS_OPTIONS,
    traits: { searched: [{ option: "lambda", values: [1e-4, 1e-3, 0.01, 0.1] }, SEARCHED.bias] },
    layout: (options) => pegasosLayout(resolveOptions("pegasos", PEGASOS_OPTIONS, options)),
    create: (options) => new Pegasos(options as PegasosOptions),
  },
]);
