import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { COUNT } from "./learner.ts";
import type { PerceptronOptions } from "./learner-options.ts";
import { ClippingClassifier, inputLimit, linearLayout } from "./linear.ts";
import { dimension, flag, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { OutlierLimit } from "./outlier-limit.ts";
import { OFFSET_TERMS } from "./terms.ts";
import { SEARCHED } from "./traits.ts";

const PERCEPTRON_OPTIONS = frozen({
  dimension,
  eta: real({ default: 1, above: 0 }, "eta, step size"),
  decaySamples: real(
    { default: 0, min: 0 },
    "T, samples in which the step shrinks by a factor e: eta exp(-t/T) at the t-th; 0 = off: it stays eta",
  ),
  bias: flag(true, "whether f has an offset b"),
  outlierLimit: inputLimit,
});

/** t stops here: a word holds no more. */
const MOST_COUNTED = 0xffffffff;

function perceptronLayout({ dimension }: ResolvedOptions<typeof PERCEPTRON_OPTIONS>): Layout {
  return linearLayout(dimension, [
    { name: "bias", kind: "state", words: 1 },
    { name: "t", kind: "state", words: 1, holds: [MOST_COUNTED] },
    OutlierLimit.region(),
  ]);
}

/**
 * A step towards each sample that was classified wrongly; steps fade if you ask for that.
 *
 *     if y f(x) <= 0: w <- w + eta_t y x,   b <- b + eta_t y,   eta_t = eta exp(-t / T)
 *
 * When to use it: As a baseline.
 *
 * f(x) is w.x + b, and t counts all samples learned, from 1. The OLK paper's baseline has eta = 1, T = 50, so that it stops learning after some
 * thousand samples. A step that stays the same (`decaySamples` = 0) scales f and changes no decision. x is clipped, see `OutlierLimit`.
 *
 * It has no option `sources`: it learns from the sign of f alone, and a corrected step needs its size. `arow` is the linear learner that has
 * the option.
 *
 * @param options see `PerceptronOptions`. Throws an OptionError that names the invalid option.
 * @see Rosenblatt: The perceptron. Psychological Review 65(6), 1958
 * @example
 * ```ts
 * import { Perceptron } from "motelearn";
 *
 * const learner = new Perceptron({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Perceptron extends ClippingClassifier {
  private readonly options: ResolvedOptions<typeof PERCEPTRON_OPTIONS>;
  private readonly bias = this.layout.at("bias", this.range);
  private readonly t = this.layout.at("t", this.range);

  constructor(options: PerceptronOptions) {
    const resolved = resolveOptions("perceptron", PERCEPTRON_OPTIONS, options);
    super(resolved.dimension, perceptronLayout(resolved), resolved.outlierLimit, options.memory);
    this.options = resolved;
  }

  /** w.x + b. */
  override predict(x: ArrayLike<number>): number {
    return super.predict(x) + this.f32.words[this.bias];
  }

  protected begin(): void {}

  protected override decide(): number {
    return super.decide() + this.f32.words[this.bias];
  }

  protected take(y: number, decision: number): void {
    const { f32, t } = this;
    const next = f32.bits[t] < MOST_COUNTED ? f32.bits[t] + 1 : MOST_COUNTED;
    if (y * decision > 0 || this.step(y * this.stepSize(next))) f32.bits[t] = next;
    else this.increment(COUNT.overflowed);
  }

  private stepSize(t: number): number {
    const { eta, decaySamples: T } = this.options;
    return T > 0 ? eta * this.f32.exp(-t / T) : eta;
  }

  /** False, with nothing changed, if float32 can't hold the result. */
  private step(size: number): boolean {
    const { f32, bias } = this;
    const b = Math.fround(f32.words[bias] + (this.options.bias ? size : 0));
    if (b - b !== 0 || !f32.addScaled(this.w, size, this.input, this.dimension)) return false;
    f32.words[bias] = b;
    return true;
  }
}

export const PERCEPTRON: readonly Family[] = frozen([
  {
    name: "perceptron",
    task: "classification",
    title: "Perceptron, linear",
    paper: "Rosenblatt: The perceptron. Psychological Review 65(6), 1958",
    options: PERCEPTRON_OPTIONS,
    traits: { searched: [SEARCHED.bias], decision: OFFSET_TERMS },
    layout: (options) => perceptronLayout(resolveOptions("perceptron", PERCEPTRON_OPTIONS, options)),
    create: (options) => new Perceptron(options as PerceptronOptions),
  },
]);
