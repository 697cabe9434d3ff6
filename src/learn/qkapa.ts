import { findsWidth } from "../kernel/kernel.ts";
import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, type Layout } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { CodebookRegression, epsilon, reach, regression, regressionLayout } from "./kernel-regression.ts";
import { COUNT } from "./learner.ts";
import type { QkapaOptions } from "./learner-options.ts";
import { choice, expansionOptions, type ResolvedOptions, real, resolveOptions, whole } from "./options.ts";
import { withResidual } from "./residual.ts";
import { SEARCHED } from "./traits.ts";

const QKAPA_OPTIONS = frozen({
  ...expansionOptions,
  epsilon,
  eta: real({ default: 0.08, above: 0 }, "eta, step size; in mode gradient stable below 2/W for a Gaussian"),
  windowSize: whole(
    { default: 20, min: 1, max: 256 },
    "W, sliding window: latest samples that each step projects on",
  ),
  mode: choice(
    ["gradient", "newton"],
    "gradient",
    "a step down the gradient of the window's errors (KAPA-1), or Newton's step (KAPA-2)",
  ),
  regularization: real(
    { default: 0.1, above: 0 },
    "mode newton: added to the diagonal of the window's kernel matrix",
  ),
  reach,
  ...regression,
});

/** The mode that solves; see `COUNT` for why it is no literal where it is asked for. */
const NEWTON = "newton";

/** Which inputs still wait though the width is found: see `KernelExpansion`. */
const WAITING = frozen({ name: "waiting", kind: "state", words: 1, holds: [ANY] } as const);

type ResolvedQkapaOptions = ResolvedOptions<typeof QKAPA_OPTIONS>;

function qkapaLayout(resolved: ResolvedQkapaOptions): Layout {
  const { budget, windowSize: W, mode } = resolved;
  return regressionLayout(resolved, [
    { name: "indices", kind: "state", words: W, holds: [budget - 1] },
    { name: "targets", kind: "state", words: W },
    { name: "ring", kind: "state", words: 2, holds: [W, W - 1] },
    ...(findsWidth(resolved.kernel) ? [WAITING] : []),
    { name: "moved", kind: "scratch", words: budget },
    { name: "errors", kind: "scratch", words: W },
    { name: "gram", kind: "scratch", words: mode === NEWTON ? packedWords(W) : 0 },
  ]);
}

/**
 * Affine projection: each label takes a step on the window of the latest pairs.
 *
 *     e_i = y_i - f(c_q(i)) over the latest W pairs
 *     a_q(i) <- a_q(i) + eta e_i, or + eta [(G + regularization I)^-1 e]_i
 *
 * When to use it: Between QKLMS and QKRLS in accuracy where inputs are correlated; each label takes W kernel rows.
 *
 * This is the QKRLS paper's third method: KAPA of Liu and Principe, EURASIP JASP 2008, with quantized inputs. An input counts as the nearest centre
 * if it lies within epsilon of it; else it becomes a centre with coefficient 0. q is the centre's index. The window includes the new pair, and all
 * errors are those of the present f. Mode gradient takes the first step; mode newton takes the second, where G is the kernel matrix of the window's
 * centres. A centre that occurs several times takes the sum. For a full codebook see `CodebookRegression`; y is clipped, see `OutlierLimit`.
 *
 * @param options see `QkapaOptions`. Throws an OptionError that names the invalid option.
 * @see Liu, Principe: Kernel affine projection algorithms. EURASIP Journal on Advances in Signal Processing 2008, with quantized inputs as in Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013
 * @example
 * ```ts
 * import { Qkapa } from "motelearn";
 *
 * const learner = new Qkapa({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(3));
 * // 0.506
 * ```
 */
export class Qkapa extends CodebookRegression {
  private readonly options: ResolvedQkapaOptions;
  /** Words of q_i, of y_i, then of how many there are and the slot that the next one takes. */
  private readonly indices = this.layout.at("indices", this.range);
  private readonly targets = this.layout.at("targets", this.range);
  private readonly ring = this.layout.at("ring", this.range);
  /** Word of the new coefficients: scratch. */
  private readonly moved = this.layout.at("moved", this.range);
  /** Word of e, newest first, and of G, packed, likewise: scratch. */
  private readonly errors = this.layout.at("errors", this.range);
  private readonly gram = this.layout.at("gram", this.range);

  constructor(options: QkapaOptions) {
    const resolved = resolveOptions("qkapa", QKAPA_OPTIONS, options);
    const layout = qkapaLayout(resolved);
    super(resolved, layout, options.memory);
    this.options = resolved;
    // A step predicts at all of the window.
    if (this.gathers) this.waiting = layout.at(WAITING.name, this.range);
  }

  /** The window's centres are stored. */
  override isSound(): boolean {
    const { bits } = this.f32;
    for (let i = bits[this.ring]; i > 0; i--)
      if (bits[this.indices + this.slot(i)] >= this.size) return false;
    return super.isSound();
  }

  protected take(y: number, decision: number): void {
    const q = this.place();
    if (q < 0) return;
    const isNew = q === this.size;
    if (!this.project(q, y, decision)) this.increment(COUNT.overflowed);
    else if (isNew) this.increment(COUNT.inserted);
    else this.tallyPlaced();
  }

  /** Cuts the window before its newest pair of the leaving centre. A stale centre has pairs there only if the window is longer than `staleAfter`. */
  protected forget(i: number): void {
    const { bits } = this.f32;
    const last = this.size - 1;
    for (let k = bits[this.ring]; k > 0; k--) {
      const at = this.indices + this.slot(k);
      if (bits[at] === i) bits[this.ring] = k - 1;
      else if (bits[at] === last) bits[at] = i;
    }
    this.remove(i);
  }

  /** One step with the new pair (q, y); q = size: the input becomes a new centre. Returns false, and changes nothing, if it refuses. */
  private project(q: number, y: number, decision: number): boolean {
    const { f32, ring, moved, errors, size, dictionary } = this;
    const { windowSize: W, eta, mode, regularization } = this.options;
    const { words, bits } = f32;
    const n = bits[ring] < W ? bits[ring] + 1 : W;
    words[errors] = y - (q === size ? decision : this.valueAtCentre(q));
    this.relate(0, q, q, n);
    for (let i = 1; i < n; i++) {
      const at = this.slot(i);
      const index = bits[this.indices + at];
      words[errors + i] = words[this.targets + at] - this.valueAtCentre(index);
      this.relate(i, index, q, n);
    }
    if (mode === NEWTON && !this.solve(n, regularization)) return false;
    f32.copy(moved, dictionary.coefficients, size);
    if (q === size) words[moved + q] = 0;
    for (let i = 0; i < n; i++) {
      const at = moved + (i === 0 ? q : bits[this.indices + this.slot(i)]);
      words[at] = words[at] + eta * words[errors + i];
    }
    if (!f32.finite(moved, q === size ? size + 1 : size)) return false;
    this.adopt(q, y);
    return true;
  }

  /** f(c_j); leaves k(c_i, c_j) in `row`. */
  private valueAtCentre(j: number): number {
    this.f32.fetchRow(this.spare, this.dictionary.rows, j, this.dimension);
    return this.valueAt(this.spare);
  }

  /** Slot of the i-th pair of the window, newest first; i = 0: the slot that the new pair takes. */
  private slot(i: number): number {
    const at = this.f32.bits[this.ring + 1] - i;
    return at < 0 ? at + this.options.windowSize : at;
  }

  /** Mode 2: column i of G, rows i..n-1, from `row`, which belongs to centre `index`; q is the new pair's. */
  private relate(i: number, index: number, q: number, n: number): void {
    if (this.options.mode !== NEWTON) return;
    const { words, bits } = this.f32;
    for (let j = i; j < n; j++) {
      const other = j === 0 ? q : bits[this.indices + this.slot(j)];
      const self = index === this.size && other === index;
      words[this.gram + packedWords(j) + i] = self ? this.kernel.self(this.input) : words[this.row + other];
    }
  }

  /** Mode newton: e <- (G + regularization I)^-1 e. False if the matrix is singular in float32. */
  private solve(n: number, regularization: number): boolean {
    const { f32, gram, errors } = this;
    for (let i = 0, diagonal = gram; i < n; i++, diagonal += i + 1) {
      f32.words[diagonal] = f32.words[diagonal] + regularization;
    }
    if (!f32.cholesky(gram, n)) return false;
    f32.solveLower(gram, errors, n);
    f32.solveLowerTransposed(gram, errors, n);
    return true;
  }

  /** Takes the new pair into the window, and the new coefficients over from scratch. */
  private adopt(q: number, y: number): void {
    const { f32, ring, dictionary } = this;
    const { words, bits } = f32;
    const at = bits[ring + 1];
    bits[this.indices + at] = q;
    words[this.targets + at] = y;
    bits[ring + 1] = at + 1 === this.options.windowSize ? 0 : at + 1;
    if (bits[ring] < this.options.windowSize) bits[ring]++;
    if (q === this.size) dictionary.insert(this.input, 0);
    f32.copy(dictionary.coefficients, this.moved, this.size);
  }
}

export const QKAPA: readonly Family[] = withResidual([
  {
    name: "qkapa",
    task: "regression",
    title: "Quantized kernel affine projection",
    paper:
      "Liu, Principe: Kernel affine projection algorithms. EURASIP Journal on Advances in Signal Processing 2008, with quantized inputs as in Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013",
    options: QKAPA_OPTIONS,
    traits: {
      searched: [SEARCHED.quantization, { option: "eta", values: [0.02, 0.08] }],
      costs: { leavesWaiting: true },
    },
    layout: (options) => qkapaLayout(resolveOptions("qkapa", QKAPA_OPTIONS, options)),
    create: (options) => new Qkapa(options as QkapaOptions),
  },
]);
