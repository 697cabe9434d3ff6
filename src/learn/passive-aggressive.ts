import { frozen } from "../memory/frozen.ts";
import { Layout } from "../memory/layout.ts";
import { aggressiveness, ERRORS, errorRegions } from "./aggressiveness.ts";
import { classes, isLabel, problems } from "./classes.ts";
import type { Family } from "./family.ts";
import { COUNT, commonRegions, Learner } from "./learner.ts";
import type { PassiveAggressiveOptions } from "./learner-options.ts";
import { bias, inputWidth } from "./linear.ts";
import { dimension, type ResolvedOptions, resolveOptions } from "./options.ts";
import { LINEAR_TERMS } from "./terms.ts";
import { SEARCHED } from "./traits.ts";

const PA_OPTIONS = frozen({
  dimension,
  C: aggressiveness("C, weight of the loss and largest step", "d"),
  bias,
  classes,
});

function paLayout(resolved: ResolvedOptions<typeof PA_OPTIONS>): Layout {
  const vectors = problems(resolved.classes);
  const width = inputWidth(resolved);
  return new Layout([
    { name: "w", kind: "state", words: vectors * width },
    ...errorRegions(resolved.C),
    ...commonRegions(width),
    { name: "scores", kind: "scratch", words: vectors },
    { name: "next", kind: "scratch", words: width },
  ]);
}

/**
 * The least change of the weights that meets the new label with margin 1, bounded by C.
 *
 *     l = max(0, 1 - y w.x);   w <- w + min(C, l / |x|^2) y x
 *
 * When to use it: The least bytes and instructions. The boundary is a plane, and most labels are right.
 *
 * This is PA-I, the baseline of the LOL paper. At each sample w is the minimum of 1/2 |w - w_t|^2 + C xi under y w.x >= 1 - xi, xi >= 0. With three
 * classes or more there is a w_c for each, the constraint is w_y.x - w_r.x >= 1 - xi for the best of the other classes, r = argmax_{c != y} w_c.x
 * (the lowest on ties), and predict gives argmax_c w_c.x:
 *
 *     l = max(0, 1 - w_y.x + w_r.x);   e = min(C, l / (2 |x|^2));   w_y <- w_y + e x;   w_r <- w_r - e x
 *
 * (Crammer et al., section 7, the max-loss update). The paper has no offset; `bias` appends a constant 1
 * to x, which counts in |x|^2 and |w|^2 too. It stores no vectors.
 *
 * C = 0, the default, takes C of each sample from the errors, see `ERRORS`: the aggressiveness divided by |x|^2 of a standardised
 * input, which is d, and 1 more with an offset.
 *
 * It has no option `sources`: each step moves f until it agrees with the label, however uncertain that label is. `arow` is the linear learner
 * that has the option.
 *
 * @param options see `PassiveAggressiveOptions`. Throws an OptionError that names the invalid option.
 * @see Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online passive-aggressive algorithms. JMLR 7, 2006
 * @example
 * ```ts
 * import { PassiveAggressive } from "motelearn";
 *
 * const learner = new PassiveAggressive({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class PassiveAggressive extends Learner {
  private readonly w = this.layout.at("w", this.range);
  private readonly scores = this.layout.at("scores", this.range);
  private readonly next = this.layout.at("next", this.range);
  /** Vectors w: one, or one a class. */
  private readonly vectors: number;
  /** Components of each, and of the input with the 1 of the offset. */
  private readonly width: number;
  /** Word of `ERRORS`; 0 where the user sets C. */
  private readonly errorsAt: number = 0;
  private readonly C: number;

  constructor(options: PassiveAggressiveOptions) {
    const resolved = resolveOptions("pa", PA_OPTIONS, options);
    const layout = paLayout(resolved);
    const task = resolved.classes > 2 ? "multiclass" : "classification";
    super(task, resolved.dimension, layout, options.memory ?? layout.ownRange());
    this.vectors = problems(resolved.classes);
    this.width = inputWidth(resolved);
    this.C = resolved.C;
    if (resolved.C === 0) this.errorsAt = layout.at(ERRORS.name, this.range);
  }

  get size(): number {
    return 0;
  }

  get capacity(): number {
    return 0;
  }

  protected override takesLabel(y: number): boolean {
    return isLabel(y, this.vectors);
  }

  predict(x: ArrayLike<number>): number {
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const { f32, scores, vectors, width } = this;
    if (width > this.dimension) f32.words[this.input + this.dimension] = 1;
    if (vectors === 1) {
      const f = f32.dot(this.w, this.input, width);
      return f - f === 0 ? f : Number.NaN;
    }
    for (let c = 0; c < vectors; c++) {
      f32.words[scores + c] = f32.dot(this.w + c * width, this.input, width);
    }
    return f32.finite(scores, vectors) ? this.best(-1) : Number.NaN;
  }

  /** The class with the largest score, the lowest on ties; not `except`. */
  private best(except: number): number {
    const { words } = this.f32;
    let best = except === 0 ? 1 : 0;
    for (let c = best + 1; c < this.vectors; c++) {
      if (c !== except && words[this.scores + c] > words[this.scores + best]) best = c;
    }
    return best;
  }

  protected update(y: number, decision: number): void {
    const { f32, errorsAt, vectors, width } = this;
    const C = errorsAt ? f32.aggressiveness(errorsAt, y, decision, vectors) / width : this.C;
    const taken = vectors === 1 ? this.separate(y, 1 - y * decision, C) : this.rank(y, C);
    if (!taken) this.increment(COUNT.overflowed);
  }

  /** The update of two classes; false if float32 can't hold it. */
  private separate(y: number, loss: number, C: number): boolean {
    if (!(loss > 0)) return true;
    const { f32, input, width } = this;
    const e = loss / f32.dot(input, input, width);
    return f32.addScaled(this.w, y * (e < C ? e : C), input, width);
  }

  /** The update of several classes: both vectors or none. */
  private rank(y: number, C: number): boolean {
    const { f32, input, width, next, scores } = this;
    const rival = this.best(y);
    const loss = 1 - f32.words[scores + y] + f32.words[scores + rival];
    if (!(loss > 0)) return true;
    const exact = loss / (2 * f32.dot(input, input, width));
    const e = exact < C ? exact : C;
    f32.copy(next, this.w + rival * width, width);
    if (!f32.addScaled(next, -e, input, width)) return false;
    if (!f32.addScaled(this.w + y * width, e, input, width)) return false;
    f32.copy(this.w + rival * width, next, width);
    return true;
  }
}

export const PASSIVE_AGGRESSIVE: readonly Family[] = frozen([
  {
    name: "pa",
    task: "classification",
    title: "Passive-aggressive, PA-I, linear",
    paper:
      "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online passive-aggressive algorithms. JMLR 7, 2006",
    options: PA_OPTIONS,
    manyClasses: true,
    traits: {
      searched: [{ option: "C", values: [0, 0.001, 0.01, 1] }, SEARCHED.bias],
      decision: LINEAR_TERMS,
    },
    layout: (options) => paLayout(resolveOptions("pa", PA_OPTIONS, options)),
    create: (options) => new PassiveAggressive(options as PassiveAggressiveOptions),
  },
]);
