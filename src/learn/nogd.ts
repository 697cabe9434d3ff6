import { Usage } from "../dictionary/usage.ts";
import { eigenScratch, SymmetricEigen } from "../math/eigen.ts";
import { ceil4, packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { expansionLayout, KernelExpansion, staleAfter } from "./expansion.ts";
import type { Family } from "./family.ts";
import { sources } from "./label-noise.ts";
import { COUNT } from "./learner.ts";
import type { NogdOptions } from "./learner-options.ts";
import { budget, dimension, formerly, kernel, real, type Settled, settle, whole } from "./options.ts";

const NOGD_OPTIONS = frozen({
  dimension,
  budget,
  kernel,
  rank: whole({ default: 16, min: 1, max: 4096 }, "k, eigenvectors of the kernel matrix that are kept"),
  eta: real({ default: 0.5, above: 0 }, "eta, coefficient of a vector while there is room"),
  etaFeatures: formerly(
    "eta_w",
    real({ default: 0.5, above: 0 }, "eta_w, step size of w, on the features z, afterwards"),
  ),
  staleAfter,
  sources,
});

type NogdSettled = Settled<typeof NOGD_OPTIONS>;

function settleNogd(given: object): NogdSettled {
  const settled = settle("nogd", NOGD_OPTIONS, given);
  const { rank, budget } = settled;
  if (rank > budget) {
    throw new OptionError("nogd", "rank", rank, `a whole number <= budget, which is ${budget}`);
  }
  return settled;
}

function nogdLayout(settled: NogdSettled): Layout {
  const { budget, rank } = settled;
  return expansionLayout(settled, [
    { name: "features", kind: "state", words: ceil4(rank) * budget },
    { name: "w", kind: "state", words: rank },
    ...Usage.regions(budget),
    // A kernel row is written in fours: up to three words more than the last row of the matrix has.
    { name: "gram", kind: "scratch", words: packedWords(budget) + 3 },
    { name: "vectors", kind: "scratch", words: rank * budget },
    { name: "eigen", kind: "scratch", words: eigenScratch(budget) },
    { name: "z", kind: "scratch", words: ceil4(rank) },
    { name: "distances", kind: "scratch", words: ceil4(budget) },
  ]);
}

/**
 * Nystroem online gradient descent. Until the budget B is full: append x with coefficient eta y if y
 * f(x) < 1. With the B-th vector the kernel matrix is decomposed, once, K = V D V', and with its k largest
 * eigenvalues D_k the expansion becomes linear in features, w starting at the coefficients' projection:
 *
 *     z(x) = D_k^(-1/2) V_k' k(x);   w = D_k^(1/2) V_k' a;   f(x) = w.z(x);   if y f(x) < 1: w += eta_w y z(x)
 *
 * The vectors stay as they are from then on, while they serve: an x with |k(x, .) - its projection|^2 > k(x, x) / 2 that
 * loses, where a quarter of the vectors is stale (see `Usage`; a sample that loses nothing counts for nothing), ends that. f
 * becomes an expansion again, without the stale ones, and is appended to until the budget is full once more. Features of eigenvalues below B 2^-22 times the largest, which
 * float32 doesn't resolve, are 0. The decomposition takes about 4/3 B^3 multiplications, all in the one
 * `learn` that fills the budget: spread over several, its half-done matrices would be state to save, and that label would
 * wait for its answer. If it isn't finite, that vector is refused.
 *
 * With the option `sources` the squared loss on corrected labels takes the place of this step, see `correct` of `KernelExpansion`,
 * whose a k(x, .) is w += a z(x) on the features. Until the budget is full, a vector near to x takes the step upon itself, so that the
 * features aren't those of the first samples alone.
 *
 * @param options see `NogdOptions`. Throws an OptionError that names what can't be used.
 * @see Lu, Hoi, Wang, Zhao, Liu: Large scale online kernel learning. Journal of Machine Learning Research 17, 2016
 * @example
 * ```ts
 * import { Nogd } from "motelearn";
 *
 * const learner = new Nogd({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Nogd extends KernelExpansion {
  private readonly options: NogdSettled;
  /** Word of D_k^(-1/2) V_k', a row a feature, interleaved. */
  private readonly features: number;
  private readonly w: number;
  /** Words of the kernel matrix, packed, and of its eigenvectors: scratch. */
  private readonly gram: number;
  private readonly vectors: number;
  private readonly eigen: SymmetricEigen;
  /** Word of z of the input: scratch. */
  private readonly z: number;
  private readonly usage: Usage;
  private readonly distances: number;

  constructor(options: NogdOptions) {
    const settled = settleNogd(options);
    const layout = nogdLayout(settled);
    super("classification", settled, layout, options.memory);
    this.options = settled;
    this.features = layout.at("features", this.range);
    this.w = layout.at("w", this.range);
    this.gram = layout.at("gram", this.range);
    this.vectors = layout.at("vectors", this.range);
    this.eigen = new SymmetricEigen(this.f32, settled.budget, layout.at("eigen", this.range));
    this.z = layout.at("z", this.range);
    this.usage = new Usage(this.f32, layout, this.range, settled.staleAfter);
    this.distances = layout.at("distances", this.range);
  }

  override predict(x: ArrayLike<number>): number {
    if (!this.dictionary.full) return super.predict(x);
    const { f32, row, z, capacity } = this;
    const { rank } = this.options;
    if (!f32.load(this.input, x, this.dimension)) return Number.NaN;
    this.kernel.row(row, this.dictionary.rows, this.input, capacity);
    f32.innerProducts(z, this.features, row, rank, capacity);
    const f = f32.dot(this.w, z, rank);
    return f - f === 0 ? f : Number.NaN;
  }

  protected override rescale(): void {
    this.startOver(true);
  }

  protected update(y: number, decision: number): void {
    if (this.correct(y, decision) || y * decision >= 1) return;
    this.pass();
    this.stepBy(this.options.eta * y, this.options.etaFeatures * y);
  }

  /** Says to whom the sample is of use. */
  private pass(): void {
    const { dictionary, usage } = this;
    const i = dictionary.size > 0 ? dictionary.nearest(this.input, this.distances) : -1;
    usage.pass(i, this.f32.words[this.row + i], this.kernel.self(this.input));
  }

  protected override approach(keep: number, a: number): void {
    this.pass();
    // Each label is a step: stored at each, the first samples alone would be what the features are of.
    if (!this.dictionary.full && this.lend(keep, a, this.distances)) return;
    // That way round, a step that float32 can't hold leaves all as it was.
    if (a !== 0 && !this.stepBy(a / keep, a / keep)) return;
    const { dictionary, f32 } = this;
    if (dictionary.full) f32.scale(this.w, keep, this.options.rank);
    else f32.scale(dictionary.coefficients, keep, this.size);
  }

  /** f <- f + a k(x, .), or as features have it w <- w + step z(x). False, counted, and nothing changed where the result isn't finite. */
  private stepBy(a: number, step: number): boolean {
    if (this.dictionary.full && !this.reopens()) {
      if (this.f32.addScaled(this.w, step, this.z, this.options.rank)) return true;
      this.tally(COUNT.overflowed);
      return false;
    }
    return this.append(a);
  }

  /** Appends the input with coefficient a; with the last that there is room for, the features take over. */
  private append(a: number): boolean {
    const { size, dictionary } = this;
    const isLast = size === this.capacity - 1;
    if (isLast && !this.decompose(a)) {
      this.tally(COUNT.overflowed);
      return false;
    }
    this.stepTo(1, a, 0);
    this.usage.begin(size);
    if (isLast) this.f32.bits.fill(0, dictionary.coefficients, dictionary.coefficients + this.capacity);
    return true;
  }

  /** Whether the input is so little of what the features hold, and so many vectors are stale, that these leave. */
  private reopens(): boolean {
    const { f32, z, size, usage, dictionary } = this;
    const k = this.kernel.self(this.input);
    if (!(2 * f32.dot(z, z, this.options.rank) < k) || !usage.isQuarterStale(size)) return false;
    this.expand();
    for (let i = usage.stale(this.size); i >= 0; i = usage.stale(this.size)) {
      usage.remove(i, this.size);
      dictionary.remove(i);
      this.tally(COUNT.evicted);
    }
    this.valueAt(this.input);
    return true;
  }

  /** f as an expansion: coefficients V_k D_k^(-1/2) w, and no features. */
  private expand(): void {
    const { f32, features, w, dictionary, capacity } = this;
    const { words, bits } = f32;
    const { rank } = this.options;
    const { coefficients } = dictionary;
    for (let j = 0; j < capacity; j++) {
      let sum = 0;
      for (let r = 0; r < rank; r++)
        sum += words[w + r] * words[features + 4 * capacity * (r >> 2) + 4 * j + (r & 3)];
      const a = Math.fround(sum);
      words[coefficients + j] = a - a === 0 ? a : 0;
    }
    bits.fill(0, features, features + ceil4(rank) * capacity);
    bits.fill(0, w, w + rank);
  }

  /**
   * Features and w of the stored vectors and the input, whose coefficient is a. False, and the state as it
   * was, if not finite.
   */
  private decompose(a: number): boolean {
    const { f32, gram, features, w, z, vectors, capacity } = this;
    const { rank } = this.options;
    const largest = this.normalisedGram();
    if (!f32.finite(gram, packedWords(capacity))) return false;
    this.eigen.largest(gram, rank, z, vectors);
    const least = (f32.words[z] * capacity) / 4194304;
    for (let r = 0; r < rank; r++) {
      if (f32.words[z + r] > least) this.takeFeature(r, Math.sqrt(f32.words[z + r] * largest), a);
    }
    const words = ceil4(rank) * capacity;
    if (f32.finite(features, words) && f32.finite(w, rank)) return true;
    f32.bits.fill(0, features, features + words);
    f32.bits.fill(0, w, w + rank);
    return false;
  }

  /**
   * Scratch `gram` = the kernel matrix, the input last, over its largest diagonal entry, which it returns.
   */
  private normalisedGram(): number {
    const { dictionary, f32, gram, row, spare, size, capacity } = this;
    for (let i = 0; i < size; i++) {
      f32.fetchRow(spare, dictionary.rows, i, this.dimension);
      this.kernel.row(gram + packedWords(i), dictionary.rows, spare, i + 1);
    }
    const last = gram + packedWords(size);
    f32.copy(last, row, size);
    f32.words[last + size] = this.kernel.self(this.input);
    let largest = 0;
    for (let i = 1, at = gram; i <= capacity; at += ++i) {
      if (f32.words[at] > largest) largest = f32.words[at];
    }
    if (largest === 0) return 1;
    f32.scale(gram, 1 / largest, packedWords(capacity));
    return largest;
  }

  /** Feature r and its w, `root` being the root of the eigenvalue. */
  private takeFeature(r: number, root: number, a: number): void {
    const { f32, size, capacity } = this;
    const { words } = f32;
    const vector = this.vectors + r * capacity;
    words[this.w + r] =
      root * (f32.dot(this.dictionary.coefficients, vector, size) + a * words[vector + size]);
    for (let j = 0; j < capacity; j++) words[vector + j] = words[vector + j] / root;
    f32.storeRow(this.features, r, vector, capacity);
  }
}

export const NOGD: readonly Family[] = frozen([
  {
    name: "nogd",
    task: "classification",
    title: "Nystroem online gradient descent",
    paper:
      "Lu, Hoi, Wang, Zhao, Liu: Large scale online kernel learning. Journal of Machine Learning Research 17, 2016",
    options: NOGD_OPTIONS,
    layout: (given) => nogdLayout(settleNogd(given)),
    create: (given) => new Nogd(given as NogdOptions),
  },
]);
