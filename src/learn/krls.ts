import { ceil4, packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import {
  KernelRegression,
  type RegressionOptions,
  regression,
  regressionLayout,
} from "./kernel-regression.ts";
import { COUNT } from "./learner.ts";
import type { KrlsAldOptions } from "./learner-options.ts";
import { expansionOptions, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { withResidual } from "./residual.ts";

const ENGEL =
  "Engel, Mannor, Meir: The kernel recursive least-squares algorithm. IEEE Transactions on Signal Processing 52(8), 2004";
/** Options of every KRLS with a growing dictionary. */
export const krlsOptions = frozen({
  ...expansionOptions,
  ...regression,
});

const KRLS_ALD_OPTIONS = frozen({
  ...krlsOptions,
  nu: real(
    { default: 0.04, min: 0 },
    "nu, threshold on the squared residual delta: an input is stored if delta > nu",
  ),
});

/** Layout of a learner with a factor of `most` rows, and `models` vectors b. */
export function krlsLayout(
  resolved: RegressionOptions,
  own: readonly Region[] = [],
  most = resolved.budget,
  models = 1,
): Layout {
  return regressionLayout(resolved, [
    { name: "factor", kind: "state", words: packedWords(most) },
    { name: "whitened", kind: "state", words: models * most },
    ...own,
    { name: "solution", kind: "scratch", words: ceil4(most) },
  ]);
}

function aldLayout(resolved: ResolvedOptions<typeof KRLS_ALD_OPTIONS>): Layout {
  return krlsLayout(resolved, [
    { name: "covariance", kind: "state", words: packedWords(resolved.budget) },
    { name: "gain", kind: "scratch", words: resolved.budget },
    { name: "moved", kind: "scratch", words: resolved.budget },
  ]);
}

/**
 * Least squares over a growing dictionary; a stale vector leaves a full one. The state is the Cholesky factor L of K + reg I, packed, and
 * never the inverse, which float32 can't represent: at nu = 0.001 it would already lead to another dictionary. The learner updates
 * b = L' a, the coefficients on an orthonormal basis of the dictionary's span, and computes a from b each time: a itself is
 * large where K is nearly singular, and would gather rounding errors. With h the kernel row of x, e = y - f(x):
 *
 *     w = L^-1 h;   r = reg + k(x, x) - w.w
 *     x becomes a centre:   L <- [[L, 0], [w', sqrt r]];   b <- [b; e / sqrt r];   a = L'^-1 b
 *
 * which is a <- [a - z e/r; e/r], z = (K + reg I)^-1 h. r is the squared residual of k(x, .) outside the dictionary's span. An r below
 * (n + 8) 2^-24 (reg + k(x, x)) is only rounding error. When a vector leaves, f is projected on the span of the others
 * (`deleteFactorRow` turns b and L so that the complement is b's last entry). y is clipped, see `OutlierLimit`.
 */
export abstract class Krls extends KernelRegression {
  protected readonly factor = this.layout.at("factor", this.range);
  /** Word of b. */
  protected readonly whitened = this.layout.at("whitened", this.range);
  /** Word of a vector of scratch. */
  protected readonly solution = this.layout.at("solution", this.range);
  private readonly regularization: number;

  constructor(options: RegressionOptions, regularization: number, layout: Layout, memory?: MemoryRange) {
    super(options, layout, memory);
    this.regularization = Math.fround(regularization);
  }

  /** Word of another packed matrix on the orthonormal basis; -1 without one. */
  protected get form(): number {
    return -1;
  }

  protected override rescale(): void {
    this.reset(true);
  }

  protected forget(i: number): void {
    const { f32, factor, whitened, size, dictionary } = this;
    f32.deleteFactorRow(factor, size, i, whitened, this.form);
    this.removeInOrder(i);
    f32.copy(dictionary.coefficients, whitened, this.size);
    f32.solveLowerTransposed(factor, dictionary.coefficients, this.size);
    if (!this.isFinite) this.reset(true);
  }

  /** True if the state is finite after a vector left. */
  private get isFinite(): boolean {
    const { f32, factor, whitened, form, size, dictionary } = this;
    const words = packedWords(size);
    if (form >= 0 && !f32.finite(form, words)) return false;
    return (
      f32.finite(factor, words) && f32.finite(whitened, size) && f32.finite(dictionary.coefficients, size)
    );
  }

  /** f(x), `row` holding h. */
  protected valueOfRow(): number {
    return this.f32.dot(this.dictionary.coefficients, this.row, this.size);
  }

  /** r; `row`, which holds h, then holds w. */
  protected residual(): number {
    const { f32, row, size } = this;
    f32.solveLower(this.factor, row, size);
    return this.regularization + this.kernel.self(this.input) - f32.dot(row, row, size);
  }

  /** True if a residual is more than rounding leaves. */
  protected resolved(r: number): boolean {
    return r > ((this.size + 8) / 16777216) * (this.regularization + this.kernel.self(this.input));
  }

  /** Makes the input a centre; `row` holds w, and there is room. Returns false, and changes nothing, if it refuses. */
  protected extend(error: number, r: number): boolean {
    const { f32, factor, whitened, row, solution, size, dictionary } = this;
    const root = Math.fround(Math.sqrt(r));
    const component = Math.fround(error / root);
    const coefficient = Math.fround(component / root);
    if (!this.resolved(r) || !Number.isFinite(component) || !Number.isFinite(coefficient)) return false;
    f32.copy(solution, whitened, size);
    if (!f32.addScaled(solution, -coefficient, row, size)) return false;
    f32.solveLowerTransposed(factor, solution, size);
    if (!f32.finite(solution, size)) return false;
    f32.copy(dictionary.coefficients, solution, size);
    f32.words[whitened + size] = component;
    const last = factor + packedWords(size);
    f32.copy(last, row, size);
    f32.words[last + size] = root;
    dictionary.insert(this.input, coefficient);
    return true;
  }
}

/**
 * Recursive least squares over a dictionary of vectors that the others don't nearly span.
 *
 *     delta = k(x, x) - h.K^-1 h
 *     delta > nu: store x;   else P <- P - P u u' P / (1 + u.P u),   a <- a + K^-1 P u e / (1 + u.P u)
 *
 * When to use it: The function is smooth, and every sample should count, those that aren't stored included.
 *
 * At every sample f is the least squares solution over the dictionary's span, with each input's kernel function replaced by its projection. With L
 * the Cholesky factor of K and b = L' a (see `Krls`; reg = 0), h the kernel row of x, e = y - f(x):
 *
 *     w = L^-1 h;   delta = k(x, x) - w.w;   v = R w
 *     delta > nu:  x is stored:  L <- [[L, 0], [w', sqrt delta]];   b <- [b; e / sqrt delta]
 *                                R <- [[R, -v / sqrt delta], [-v' / sqrt delta, (1 + w.v) / delta]]
 *     else:        den = 1 + w.v;   R <- R - v v' / den;   b <- b + v e / den
 *     a = L'^-1 b
 *
 * The paper carries K^-1, P = L R L' and a: stored with P <- blockdiag(P, 1), a <- [a - K^-1 h e/delta; e/delta], else as above with u = K^-1 h. The
 * first input is stored for any nu, unless k(x, x) = 0. v v' is formed as a symmetric product and R is packed: otherwise rounding would ruin R's
 * symmetry, and then its definiteness.
 *
 * A full budget without a stale vector takes every input as dependent (counted as `declined` where delta > nu), so the coefficients still learn.
 *
 * @param options see `KrlsAldOptions`. Throws an OptionError that names the invalid option.
 * @see Engel, Mannor, Meir: The kernel recursive least-squares algorithm. IEEE Transactions on Signal Processing 52(8), 2004
 * @example
 * ```ts
 * import { KrlsAld } from "motelearn";
 *
 * const learner = new KrlsAld({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.500
 * ```
 */
export class KrlsAld extends Krls {
  private readonly options: ResolvedOptions<typeof KRLS_ALD_OPTIONS>;
  /** Word of R, packed. */
  private readonly covariance = this.layout.at("covariance", this.range);
  /** Words of v and of the new b: scratch. */
  private readonly gain = this.layout.at("gain", this.range);
  private readonly moved = this.layout.at("moved", this.range);

  constructor(options: KrlsAldOptions) {
    const resolved = resolveOptions("krls-ald", KRLS_ALD_OPTIONS, options);
    super(resolved, 0, aldLayout(resolved), options.memory);
    this.options = resolved;
  }

  protected override get form(): number {
    return this.covariance;
  }

  protected take(y: number, decision: number): void {
    const { f32, row, gain, size } = this;
    const error = y - decision;
    const delta = this.residual();
    f32.symmetricProduct(gain, this.covariance, row, size);
    const den = 1 + f32.dot(row, gain, size);
    const independent = delta > (size === 0 ? 0 : this.options.nu) && this.resolved(delta);
    if (independent && size === this.capacity && this.makeRoom()) {
      this.take(y, this.valueOfRow());
      return;
    }
    const stored = independent && size < this.capacity;
    if (!(stored ? this.store(error, delta, den) : this.reduce(error, den))) this.increment(COUNT.overflowed);
    else if (independent) this.increment(stored ? COUNT.inserted : COUNT.declined);
  }

  /** Stores an independent input; `row` holds w, `gain` v. Returns false, and changes nothing, if it refuses. */
  private store(error: number, delta: number, den: number): boolean {
    const { f32, gain, size } = this;
    const corner = Math.fround(den / delta);
    f32.scale(gain, -1 / Math.sqrt(delta), size);
    if (!Number.isFinite(corner) || !f32.finite(gain, size) || !this.extend(error, delta)) return false;
    const last = this.covariance + packedWords(size);
    f32.copy(last, gain, size);
    f32.words[last + size] = corner;
    return true;
  }

  /** The update of a dependent input; `row` holds w, `gain` v. Returns false, and changes nothing, if it refuses. */
  private reduce(error: number, den: number): boolean {
    const { f32, factor, covariance, whitened, gain, solution, moved, size } = this;
    // As R is positive definite, den >= 1: a smaller den means that rounding has ruined R.
    if (!(den > 0.5)) return false;
    f32.copy(moved, whitened, size);
    if (!f32.addScaled(moved, error / den, gain, size)) return false;
    f32.copy(solution, moved, size);
    f32.solveLowerTransposed(factor, solution, size);
    if (!f32.finite(solution, size) || !f32.symmetricRankOne(covariance, -1 / den, gain, size)) return false;
    f32.copy(whitened, moved, size);
    f32.copy(this.dictionary.coefficients, solution, size);
    return true;
  }
}

export const KRLS: readonly Family[] = withResidual([
  {
    name: "krls-ald",
    task: "regression",
    title: "Kernel recursive least squares, ALD",
    paper: ENGEL,
    options: KRLS_ALD_OPTIONS,
    traits: { searched: [{ option: "nu", values: [0.01, 0.04, 0.2] }] },
    layout: (options) => aldLayout(resolveOptions("krls-ald", KRLS_ALD_OPTIONS, options)),
    create: (options) => new KrlsAld(options as KrlsAldOptions),
  },
]);
