import { Usage } from "../dictionary/usage.ts";
import { ceil4, packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import { KernelExpansion } from "./expansion.ts";
import { expansionLayout, staleAfter } from "./expansion-layout.ts";
import type { Family } from "./family.ts";
import { sources } from "./label-noise.ts";
import { COUNT, KERNEL_WORK, TURN_WORK } from "./learner.ts";
import type { ProjectronOptions, ProjectronPlusPlusOptions } from "./learner-options.ts";
import { expansionOptions, type ResolvedOptions, real, resolveOptions } from "./options.ts";

const PAPER =
  "Orabona, Keshet, Caputo: Bounded kernel-based online learning. Journal of Machine Learning Research 10, 2009";

const PROJECTRON_OPTIONS = frozen({
  ...expansionOptions,
  projectionThreshold: real(
    { default: 0.1, above: 0 },
    "eta, distance from the stored vectors' span, in feature space, up to which a mistake is projected onto it",
  ),
  staleAfter,
  sources,
});

type ResolvedProjectronOptions = ResolvedOptions<typeof PROJECTRON_OPTIONS>;

function projectronLayout(resolved: ResolvedProjectronOptions): Layout {
  return expansionLayout(resolved, [
    { name: "factor", kind: "state", words: packedWords(resolved.budget) },
    ...Usage.regions(resolved.budget),
    { name: "distances", kind: "scratch", words: ceil4(resolved.budget) },
  ]);
}

/**
 * At a mistake it projects the new vector on those that it has; it stores the vector only if the projection loses
 * much.
 *
 *     d = K^-1 k;   delta^2 = k(x, x) - k.d
 *     at a mistake: a <- a + y d if delta <= eta, else append y
 *
 * When to use it: Inputs lie in a small region of the kernel's space, so that few vectors span them. Learning
 * costs the square of their number.
 *
 * k is the kernel row of x, K the stored vectors' kernel matrix, delta the distance of x from their span in feature space, and y d the projection of
 * the perceptron's step. At the full budget a stale vector leaves for x, see `Usage`. Without a stale vector every mistake is projected, as the paper
 * does it in bounded memory (counted as `forced`; where delta <= eta, as `quantized`).
 *
 * The paper stores K^-1; this learner stores the Cholesky factor L of K, packed, which only gains rows: with
 * l = L^-1 k, k.d = |l|^2, d = L'^-1 l, and an appended x adds the row (l, delta). An explicit inverse in
 * float32 can diverge where eta is small; the factor doesn't. Where delta^2 is below 10 size 2^-24 k(x,x),
 * which float32 doesn't resolve, x counts as in the span.
 *
 * Where the width of a found kernel changes, vectors and coefficients stay, and L is made anew, some rows with each label. A vector that is
 * then in the span of those before it is projected. Until L is complete, a mistake is stored, or added to a near vector.
 *
 * With the option `sources` the likelihood of the received label replaces this step, see `correct` of `KernelExpansion`.
 * The corrected step is projected likewise.
 *
 * @param options see `ProjectronOptions`. Throws an OptionError that names the invalid option.
 * @see Orabona, Keshet, Caputo: Bounded kernel-based online learning. Journal of Machine Learning Research 10, 2009
 * @example
 * ```ts
 * import { Projectron } from "motelearn";
 *
 * const learner = new Projectron({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Projectron extends KernelExpansion {
  protected readonly eta: number;
  private readonly usage: Usage;
  private readonly distances = this.layout.at("distances", this.range);
  /** Word of L. */
  private readonly factor = this.layout.at("factor", this.range);
  /** True if rows of L wait, as `pass` leaves it. */
  protected rowsWait = false;

  constructor(options: ProjectronOptions, name: "projectron" | "projectron-pp" = "projectron") {
    const resolved = resolveOptions(name, PROJECTRON_OPTIONS, options);
    const layout = projectronLayout(resolved);
    super("classification", resolved, layout, options.memory);
    this.eta = resolved.projectionThreshold;
    this.usage = new Usage(this.f32, layout, this.range, resolved.staleAfter);
  }

  /** Coefficients stay. All rows of L wait, which are 0 until `refactor` makes them. */
  protected override rescale(): void {
    const { f32, factor, capacity } = this;
    f32.bits.fill(0, factor, factor + packedWords(capacity));
    this.refactor();
  }

  protected update(y: number, decision: number): void {
    this.pass();
    if (!this.correct(y, decision) && y * decision <= 0) this.stepBy(y);
    if (this.rowsWait) this.refactor();
  }

  /** Vectors that have a row of L: the first of them. */
  private get factored(): number {
    const { words } = this.f32;
    let n = this.size;
    while (n > 0 && words[this.factor + packedWords(n) - 1] === 0) n--;
    return n;
  }

  /** Makes rows of L that wait, as many as one label's turn allows. Each takes its vector as `stepBy` does an input: projected, or kept. */
  protected refactor(): void {
    const { dictionary, f32, row, spare, usage } = this;
    let n = this.factored;
    for (
      let work = TURN_WORK;
      n < this.size && work > 0;
      work -= n * (this.dimension + KERNEL_WORK + n / 2)
    ) {
      f32.fetchRow(spare, dictionary.rows, n, this.rowForm);
      this.kernel.row(row, dictionary.rows, spare, n);
      const self = this.kernel.self(spare);
      const squared = self - this.project(n);
      if (this.isClose(squared, n, self)) {
        this.step(dictionary.coefficient(n), n);
        usage.removeInOrder(n, this.size);
        dictionary.removeInOrder(n);
        this.increment(COUNT.evicted);
      } else {
        this.appendRow(n++, squared);
      }
    }
  }

  /** True if a vector counts as in the span of n others, from its squared distance to that; NaN counts as 0. */
  private isClose(squared: number, n: number, self: number): boolean {
    return !(squared > this.eta * this.eta && squared > ((10 * n) / 16777216) * self);
  }

  /** The row of L for vector n, from l in `row`. */
  private appendRow(n: number, squared: number): void {
    const last = this.factor + packedWords(n);
    this.f32.copy(last, this.row, n);
    this.f32.words[last + n] = Math.sqrt(squared);
  }

  /** f <- f + a k(x, .) while rows of L wait. At the full budget only a near vector can take over the step. */
  private stepUnfactored(a: number): boolean {
    const { dictionary, usage, size } = this;
    if (dictionary.full) {
      const isTaken = this.projectOntoNearest(1, a, this.distances);
      if (!isTaken) this.increment(COUNT.declined);
      return isTaken;
    }
    this.stepTo(1, a, 0);
    usage.begin(size);
    return true;
  }

  protected override stepCorrected(keep: number, a: number): void {
    // In this order, a step that float32 can't hold changes nothing.
    if (a === 0 || this.stepBy(a / keep)) this.f32.scale(this.dictionary.coefficients, keep, this.size);
  }

  /** Finds the nearest vector, counts the sample as its use, and looks whether rows of L wait. */
  protected pass(): void {
    const { dictionary, f32 } = this;
    const { size } = dictionary;
    const i = size > 0 ? dictionary.nearest(this.input, this.distances) : -1;
    this.usage.pass(i, f32.words[this.row + i], this.kernel.self(this.input));
    this.rowsWait = size > 0 && f32.words[this.factor + packedWords(size) - 1] === 0;
  }

  /** True if a stale vector left the full dictionary; `row` is then the kernel row without it. */
  private makesRoom(): boolean {
    const { dictionary, f32, size } = this;
    const i = this.usage.stale(size);
    if (i < 0) return false;
    f32.deleteFactorRow(this.factor, size, i, -1, -1);
    this.usage.removeInOrder(i, size);
    dictionary.removeInOrder(i);
    this.increment(COUNT.evicted);
    if (!f32.finite(this.factor, packedWords(size))) this.reset(true);
    this.valueAt(this.input);
    return true;
  }

  /** f <- f + a k(x, .), or a times its projection. If the result isn't finite, counts it, changes nothing and returns false. */
  private stepBy(a: number): boolean {
    const { dictionary, usage, size } = this;
    if (this.rowsWait) return this.stepUnfactored(a);
    const k = this.kernel.self(this.input);
    const squared = k - this.project();
    if (squared - squared !== 0) {
      this.increment(COUNT.overflowed);
      return false;
    }
    const close = this.isClose(squared, size, k);
    if (!close && dictionary.full && this.makesRoom()) return this.stepBy(a);
    if (close || dictionary.full) {
      if (!this.step(a)) return false;
      this.increment(close ? COUNT.quantized : COUNT.forced);
      return true;
    }
    this.appendRow(size, squared);
    this.stepTo(1, a, 0);
    usage.begin(size);
    return true;
  }

  /** `row` = l, from the kernel row that `predict` left there; returns |l|^2 = k.d. */
  protected project(n = this.size): number {
    const { f32, row, factor } = this;
    f32.solveLower(factor, row, n);
    return f32.dot(row, row, n);
  }

  /** a += step d, from l in `row`. If the result isn't finite, counts it, changes nothing and returns false. */
  protected step(step: number, n = this.size): boolean {
    const { f32, row, factor } = this;
    f32.solveLowerTransposed(factor, row, n);
    if (f32.addScaled(this.dictionary.coefficients, step, row, n)) return true;
    this.increment(COUNT.overflowed);
    return false;
  }
}

/**
 * The Projectron, which also learns from right decisions within the margin.
 *
 *     l = 1 - y f(x);   p = k.d;   tau = min(l / p, 2 (l - delta / eta) / p, 1)
 *     if 0 < y f(x) < 1 and l - delta / eta >= 0: a <- a + y tau d
 *
 * When to use it: As the Projectron, where mistakes are too seldom to learn from.
 *
 * d and delta are those of the Projectron. Such a step counts as `quantized`. With the option `sources` it is the Projectron with that option: there
 * is no margin.
 *
 * @param options see `ProjectronPlusPlusOptions`. Throws an OptionError that names the invalid option.
 * @see Orabona, Keshet, Caputo: Bounded kernel-based online learning. Journal of Machine Learning Research 10, 2009
 * @example
 * ```ts
 * import { ProjectronPlusPlus } from "motelearn";
 *
 * const learner = new ProjectronPlusPlus({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class ProjectronPlusPlus extends Projectron {
  constructor(options: ProjectronPlusPlusOptions) {
    super(options, "projectron-pp");
  }

  protected override update(y: number, decision: number): void {
    const margin = y * decision;
    if (this.correction || margin <= 0) {
      super.update(y, decision);
      return;
    }
    this.pass();
    if (this.rowsWait) this.refactor();
    else if (margin < 1) this.learnMargin(y, 1 - margin);
  }

  private learnMargin(y: number, loss: number): void {
    const p = this.project();
    const squared = this.kernel.self(this.input) - p;
    if (squared - squared !== 0) {
      this.increment(COUNT.overflowed);
      return;
    }
    const left = loss - (squared > 0 ? Math.sqrt(squared) : 0) / this.eta;
    if (left < 0) return;
    let tau = loss < p ? loss / p : 1;
    if (2 * left < tau * p) tau = (2 * left) / p;
    if (this.step(y * tau)) this.increment(COUNT.quantized);
  }
}

export const PROJECTRON: readonly Family[] = frozen([
  {
    name: "projectron",
    task: "classification",
    title: "Projectron",
    paper: PAPER,
    options: PROJECTRON_OPTIONS,
    traits: { searched: [{ option: "projectionThreshold", values: [0.1, 0.3] }] },
    layout: (options) => projectronLayout(resolveOptions("projectron", PROJECTRON_OPTIONS, options)),
    create: (options) => new Projectron(options as ProjectronOptions),
  },
  {
    name: "projectron-pp",
    task: "classification",
    title: "Projectron++",
    paper: PAPER,
    options: PROJECTRON_OPTIONS,
    traits: { searched: [{ option: "projectionThreshold", values: [0.1, 0.3] }] },
    layout: (options) => projectronLayout(resolveOptions("projectron-pp", PROJECTRON_OPTIONS, options)),
    create: (options) => new ProjectronPlusPlus(options as ProjectronPlusPlusOptions),
  },
]);
