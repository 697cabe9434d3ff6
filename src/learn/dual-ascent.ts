import { findsWidth } from "../kernel/kernel.ts";
import { DUAL_FLAGS, STEP } from "../math/bound.ts";
import { LEAVING } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";
import { aggressiveness } from "./aggressiveness.ts";
import { KernelExpansion } from "./expansion.ts";
import { evict, expansionLayout } from "./expansion-layout.ts";
import { sources } from "./label-noise.ts";
import { COUNT, KERNEL_WORK, TURN_WORK } from "./learner.ts";
import { flag, type ResolvedOptions } from "./options.ts";
import { storedExpansion } from "./storage.ts";
import type { CostTraits } from "./traits.ts";

/** The paper of all three. */
export const PAPER =
  "Sun, Li: An online learning algorithmic framework with forgetting property. Journal of National University of Defense Technology 36(4), 2014";

/** The options that all three take. */
export const DUAL_OPTIONS = frozen({
  ...storedExpansion,
  C: aggressiveness("C, weight of the loss and bound of a coefficient"),
  forget: flag(false, "whether old coefficients may shrink by 1 - eta"),
  evict,
  sources,
});

export type DualOptions = ResolvedOptions<typeof DUAL_OPTIONS>;

/** While W is recomputed, one more than the vectors that it includes; else 0. */
const RENEWAL = "renewal";

export function dualLayout(resolved: DualOptions): Layout {
  return expansionLayout({ ...resolved, aggressiveness: resolved.C }, [
    { name: "W", kind: "state", words: 1 },
    { name: "S", kind: "state", words: 1 },
    // Right behind them, where `f32_is_routine` also looks.
    ...(findsWidth(resolved.kernel)
      ? [{ name: RENEWAL, kind: "state", words: 1, holds: [resolved.budget] } as const]
      : []),
    { name: "step", kind: "scratch", words: 3 },
  ]);
}

/** The least rows of kernel values that one label computes while W is recomputed. */
const LEAST_ROWS = 8;

/** The rows of `size` kernel values that one label computes while W is recomputed. */
function rowsOfWork(size: number, dimension: number): number {
  const rows = TURN_WORK / (size * (dimension + KERNEL_WORK));
  return rows > LEAST_ROWS ? rows : LEAST_ROWS;
}

/** value clipped to [0, 1]; 0 for NaN. */
export function unit(value: number): number {
  if (value >= 1) return 1;
  if (value > 0) return value;
  return 0;
}

/**
 * Online learning as ascent of the dual of 1/2 |w|^2 + C sum_i max(0, 1 - y_i w.x_i), with forgetting. Coefficients are
 * c_i = C alpha_i y_i, 0 <= alpha_i <= 1; W = |omega|^2, S = sum_i alpha_i, the dual is D = C S - W/2. A sample with
 * m = y f(x), k = k(x,x) gets an alpha, and all others shrink by 1 - eta (9), (11), so that the dual becomes (10):
 *
 *     D_t(alpha, eta) = -1/2 [(1-eta)^2 W + 2 (1-eta) C alpha m + C^2 alpha^2 k] + C (1-eta) S + C alpha
 *     c <- (1-eta) c, append C alpha y if alpha > 0;   S <- (1-eta) S + alpha
 *     W <- (1-eta)^2 W + 2 (1-eta) C alpha m + C^2 alpha^2 k
 *
 * Families differ in how they choose alpha and eta in [0, 1]. 1 - eta and C alpha are rounded to float32 first and
 * then used for W, S and coefficients alike, so that all three describe the same model.
 *
 * At a full budget a centre c with coefficient a leaves after the step, with its part of W and S (f is the new model's decision, from
 * one kernel row at c):
 *
 *     W <- W - 2 a f(c) + a^2 k(c,c);   S <- S - |a| / C
 *
 * If it merges with c_j, a_j into z, a_z instead, S stays, as z stands for the samples of both, and W changes by
 *
 *     W <- W + 2 (a_z f(z) - a_j f(c_j) - a f(c)) - (a^2 + 2 a a_j k(c,c_j) - a_z^2)
 *
 * Only a removal or a merge may lower the dual. With `evict: "refuse"` a full budget leaves alpha = 0 and the choice of eta, so the dual never falls.
 *
 * C = 0, the default, takes the C of each sample from the errors, see `ERRORS`. The problem is then 1/2 |w|^2 + sum_i C_i max(0,
 * 1 - y_i w.x_i), with S = sum_i C_i alpha_i, and C S of the equations above is S.
 *
 * With the option `sources` the likelihood of the received label replaces this step, see `correct` of `KernelExpansion`. W and S, which belong
 * to the hinge's dual, then stay 0.
 *
 * Scratch region `step` holds the last step: alpha, eta, and the change of the dual before any eviction.
 * Errata of the paper: the test in its Figure 2 must read |omega|^2 - C sum alpha > 0, as (13) has it; (12) uses x_t;
 * (15) needs the Hessian of -D.
 */
export abstract class DualAscent extends KernelExpansion {
  private readonly W = this.layout.at("W", this.range);
  private readonly S = this.layout.at("S", this.range);
  /** Word of `RENEWAL`, where the width is found. */
  private readonly renewal: number;
  private readonly step = this.layout.at("step", this.range);
  /** C of this sample. */
  protected C: number;
  /** An alpha's part of S: 1, or C of this sample where that follows from the errors. */
  private share = 1;
  /** The step from `choose`: alpha, and 1 - eta. */
  protected alpha = 0;
  protected keep = 1;

  /** C as given, 0: from the errors; and whether old coefficients may shrink. */
  private readonly givenC: number;
  protected readonly forget: boolean;

  constructor(options: DualOptions, memory?: MemoryRange) {
    const layout = dualLayout(options);
    super("classification", { ...options, aggressiveness: options.C }, layout, memory);
    this.C = this.givenC = options.C;
    this.forget = options.forget;
    this.renewal = this.gathers ? layout.at(RENEWAL, this.range) : 0;
  }

  /** |omega|^2. */
  get squaredNorm(): number {
    return this.f32.words[this.W];
  }

  /** S: sum_i alpha_i, or sum_i C_i alpha_i where C follows from the errors. */
  get alphaSum(): number {
    return this.f32.words[this.S];
  }

  /** C S / C, for C of this sample. */
  protected get alphas(): number {
    return this.f32.words[this.S] / this.share;
  }

  /** D = C S - W/2. */
  get dual(): number {
    const { givenC: C } = this;
    return (C > 0 ? C : 1) * this.alphaSum - this.squaredNorm / 2;
  }

  /** Sets `alpha` and `keep` for a sample of margin m, k(x,x) = k; alpha = 0 unless the sample may be stored. */
  protected abstract choose(m: number, k: number, storable: boolean): void;

  /** Binds the whole step: see `bindStep`. W and S lie one behind the other. */
  protected bindAscent(rate: number, flags: number): void {
    const { givenC: C, forget, W: word, step: more } = this;
    const all = flags + (forget ? DUAL_FLAGS.forget : 0);
    this.bindStep({ step: STEP.dual, a: rate, b: C, c: 1, word, more, flags: all });
  }

  /**
   * Coefficients stay, and W is recomputed from them with the kernel's new width, a bounded number of terms with each label. Until it is
   * complete no step can be chosen, so labels are declined. With the option `sources` W isn't used.
   */
  protected override rescale(): void {
    if (this.correction) return;
    this.f32.words[this.W] = 0;
    this.f32.bits[this.renewal] = 1;
    this.renew();
  }

  /** Adds more vectors to W, each with those before it; true when W includes all. */
  private renew(): boolean {
    const { dictionary, f32, spare, W, renewal } = this;
    const { words, bits } = f32;
    const { size } = dictionary;
    let values = size * rowsOfWork(size, this.dimension);
    let i = bits[renewal] - 1;
    let sum = words[W];
    for (; i < size && values > 0; i++) {
      f32.fetchRow(spare, dictionary.rows, i, this.rowForm);
      this.kernel.row(this.row, dictionary.rows, spare, i + 1);
      const a = dictionary.coefficient(i);
      sum += a * (2 * f32.dot(dictionary.coefficients, this.row, i) + a * words[this.row + i]);
      values -= i + 1;
    }
    bits[renewal] = i < size ? i + 1 : 0;
    this.store(sum, this.alphas, 0);
    return i === size;
  }

  protected update(y: number, decision: number): void {
    if (this.correct(y, decision)) return;
    if (this.errorsAt) this.share = this.C = this.f32.aggressiveness(this.errorsAt, y, decision, 1);
    if (this.gathers && this.f32.bits[this.renewal] > 0) {
      if (!this.renew()) {
        this.increment(COUNT.declined);
        return;
      }
      this.valueAt(this.input);
    }
    const k = this.kernel.self(this.input);
    const m = y * decision;
    this.choose(m, k, true);
    const declined = this.alpha > 0 && this.dictionary.full && this.leaving === LEAVING.refuse;
    if (declined) this.choose(m, k, false);
    if (!this.take(y, m, k)) this.increment(COUNT.overflowed);
    else if (declined) this.increment(COUNT.declined);
  }

  /** Takes the chosen step. Returns false, and changes nothing, if a result isn't finite. */
  private take(y: number, m: number, k: number): boolean {
    const { C } = this;
    const dictionary = this.dictionary;
    const f32 = this.f32;
    const step = this.step;
    const keep = Math.fround(this.keep);
    const added = Math.fround(C * this.alpha);
    const norm = this.squaredNorm;
    const sum = this.alphas;
    let W = keep * keep * norm + 2 * keep * added * m + added * added * k;
    let S = keep * sum + added / C;
    const change = C * S - W / 2 - (C * sum - norm / 2);
    let leaving = this.leaving;
    if (added > 0 && dictionary.full && (leaving === LEAVING.oldest || leaving === LEAVING.smallest)) {
      leaving = dictionary.leaving(leaving);
      const a = Math.fround(keep * dictionary.coefficient(leaving));
      const across = f32.words[this.row + leaving];
      f32.fetchRow(this.spare, dictionary.rows, leaving, this.rowForm);
      const f = keep * this.valueAt(this.spare) + y * added * across;
      W += a * (a * f32.words[this.row + leaving] - 2 * f);
      S -= Math.abs(a) / C;
    }
    if (!this.store(W, S, added)) return false;
    if (added > 0 && dictionary.full && leaving === LEAVING.merge) this.mergeTo(keep, y * added);
    else this.stepTo(keep, added > 0 ? y * added : 0, 0, leaving);
    f32.words[step] = added / C;
    f32.words[step + 1] = 1 - keep;
    f32.words[step + 2] = change;
    return true;
  }

  /** The step at the full budget where vectors merge, as `stepExpansion` takes it. */
  private mergeTo(keep: number, a: number): void {
    const { dictionary, f32, spare } = this;
    const { coefficients } = dictionary;
    f32.scale(coefficients, keep, dictionary.capacity);
    const least = dictionary.smallest();
    const stored = dictionary.coefficient(least);
    if (Math.abs(a) < Math.abs(stored)) {
      f32.copy(spare, this.input, this.dimension);
      this.increment(COUNT.inserted);
      this.increment(COUNT.evicted);
      this.mergeNearest(a);
    } else {
      f32.fetchRow(spare, dictionary.rows, least, this.rowForm);
      this.stepTo(1, a, 0, least);
      this.mergeNearest(stored);
    }
  }

  /** Keeps W equal to |f|^2: once after the merging vector has left, and once after it has merged. */
  protected override mergeNearest(odd: number): number {
    const { dictionary, f32, row, spare } = this;
    const { words } = f32;
    let W = this.squaredNorm - odd * (2 * this.valueAt(spare) + odd);
    const j = super.mergeNearest(odd);
    if (j < 0) {
      this.store(W, this.alphas - Math.abs(odd) / this.C, 0);
      return j;
    }
    const before = words[row];
    const after = dictionary.coefficient(j);
    const fBefore = this.valueAt(spare);
    const across = words[row + j];
    f32.fetchRow(spare, dictionary.rows, j, this.rowForm);
    const fAfter = this.valueAt(spare);
    W += 2 * (after * fAfter - before * fBefore) - (after * (after - 2 * before * across) + before * before);
    this.store(W, this.alphas, 0);
    return j;
  }

  /** Stores W and S, or 0 if rounding made them negative. Stores nothing if they or the new coefficient aren't finite. */
  private store(W: number, S: number, coefficient: number): boolean {
    const { words } = this.f32;
    const sum = S * this.share;
    if (!Number.isFinite(Math.fround(W) + Math.fround(sum) + coefficient)) return false;
    words[this.W] = W;
    if (W < 0) words[this.W] = 0;
    words[this.S] = sum;
    if (sum < 0) words[this.S] = 0;
    return true;
  }
}

/** Another width changes |f|^2: a label computes rows of `rowsOfWork`, and one beyond it, until half of all values are known. */
export const DUAL_COSTS: CostTraits = frozen({
  renewedRows: (size, dimension) => Math.min((size + 1) / 2, rowsOfWork(size, dimension)) + 1,
});
