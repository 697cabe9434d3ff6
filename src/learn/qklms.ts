import type { Evict } from "../dictionary/eviction.ts";
import { LEAVING } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Family } from "./family.ts";
import { CodebookRegression, epsilon, reach, regression, regressionLayout } from "./kernel-regression.ts";
import { COUNT } from "./learner.ts";
import type { QklmsOptions } from "./learner-options.ts";
import { choice, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { withResidual } from "./residual.ts";
import { storedExpansion } from "./storage.ts";
import { SEARCHED } from "./traits.ts";

const QKLMS_OPTIONS = frozen({
  ...storedExpansion,
  epsilon,
  eta: real({ default: 0.5, above: 0 }, "eta, step size"),
  reach,
  evict: choice<Evict>(
    ["refuse", "merge"],
    "refuse",
    "when the budget is full and no centre is stale: refuse declines the input; merge merges the centre of least |coefficient| with the nearest of its sign, and the input becomes a centre. If the kernel isn't Gaussian, merge is refuse",
  ),
  ...regression,
});

/**
 * Least mean squares in the kernel's space; an input near a centre changes that centre's coefficient.
 *
 *     dist = min_j |x - c_j|   (Table I)
 *     e = y - f(x);   a_j <- a_j + eta e if dist <= epsilon, else append eta e
 *
 * When to use it: Regression in few instructions. It converges more slowly than QKRLS.
 *
 * This is the QKRLS paper's baseline, with the lowest j on ties. For a full codebook see `CodebookRegression`, or with `evict: "merge"`
 * `KernelExpansion`: then every input beyond epsilon becomes a centre, and two others merge. y is clipped, see `OutlierLimit`.
 *
 * @param options see `QklmsOptions`. Throws an OptionError that names the invalid option.
 * @see Chen, Zhao, Zhu, Principe: Quantized kernel least mean square algorithm. IEEE TNNLS 23(1), 2012
 * @example
 * ```ts
 * import { Qklms } from "motelearn";
 *
 * const learner = new Qklms({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.511
 * ```
 */
export class Qklms extends CodebookRegression {
  private readonly options: ResolvedOptions<typeof QKLMS_OPTIONS>;

  constructor(options: QklmsOptions) {
    const resolved = resolveOptions("qklms", QKLMS_OPTIONS, options);
    super(resolved, regressionLayout(resolved), options.memory);
    this.options = resolved;
  }

  /** True if there is room for the input, a stale centre having left, or two having merged, if need be. */
  protected override makeRoom(): boolean {
    if (super.makeRoom()) return true;
    if (this.leaving !== LEAVING.merge) return false;
    const { dictionary, f32 } = this;
    const least = dictionary.smallest();
    const a = dictionary.coefficient(least);
    f32.fetchRow(this.spare, dictionary.rows, least, this.rowForm);
    this.remove(least);
    this.increment(COUNT.evicted);
    this.mergeNearest(a);
    return true;
  }

  protected take(y: number, decision: number): void {
    const { dictionary, f32 } = this;
    const j = this.place();
    if (j < 0) return;
    const step = this.options.eta * (y - decision);
    const moved = Math.fround(j < this.size ? dictionary.coefficient(j) + step : step);
    if (!Number.isFinite(moved)) {
      this.increment(COUNT.overflowed);
    } else if (j < this.size) {
      f32.words[dictionary.coefficients + j] = moved;
      this.tallyPlaced();
    } else {
      dictionary.insert(this.input, step);
      this.increment(COUNT.inserted);
    }
  }

  protected forget(i: number): void {
    this.remove(i);
  }
}

export const QKLMS: readonly Family[] = withResidual([
  {
    name: "qklms",
    task: "regression",
    title: "Quantized kernel least mean squares",
    paper: "Chen, Zhao, Zhu, Principe: Quantized kernel least mean square algorithm. IEEE TNNLS 23(1), 2012",
    options: QKLMS_OPTIONS,
    traits: { searched: [SEARCHED.quantization, { option: "eta", values: [0.1, 0.2, 0.5] }] },
    layout: (options) => regressionLayout(resolveOptions("qklms", QKLMS_OPTIONS, options)),
    create: (options) => new Qklms(options as QklmsOptions),
  },
]);
