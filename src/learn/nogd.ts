import { Usage } from "../dictionary/usage.ts";
import { eigenScratch, SymmetricEigen, tridiagonalWords } from "../math/eigen.ts";
import { ceil4, packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { FINITE, type Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { eigenLabelWork, eigenPieces, eigenPieceWork, spreadLabels } from "./eigen-pieces.ts";
import { KernelExpansion } from "./expansion.ts";
import { expansionLayout, staleAfter } from "./expansion-layout.ts";
import type { Family } from "./family.ts";
import { sources } from "./label-noise.ts";
import { COUNT } from "./learner.ts";
import type { NogdOptions } from "./learner-options.ts";
import { choice, expansionOptions, type ResolvedOptions, real, resolveOptions, whole } from "./options.ts";
import { type DecisionTerms, featureTerms } from "./terms.ts";

const NOGD_OPTIONS = frozen({
  ...expansionOptions,
  rank: whole({ default: 16, min: 1, max: 4096 }, "k, eigenvectors of the kernel matrix that are kept"),
  eta: real({ default: 0.5, above: 0 }, "eta, coefficient of a vector while there is room"),
  etaFeatures: real({ default: 0.5, above: 0 }, "eta_w, step size of w, on the features z, afterwards"),
  eigenproblem: choice(
    ["spread", "once"],
    "spread",
    "when the kernel matrix is decomposed: spread over the labels after the one that fills the budget; or once, at that label, which takes long",
  ),
  staleAfter,
  sources,
});

// Not by a literal, see `COUNT`.
const ONCE = "once";

/** Of region `solving`: the piece of the eigenproblem that comes next, counted from 1, 0 while there is none; the largest diagonal entry. */
const NEXT = 0;
const LARGEST = 1;

type ResolvedNogdOptions = ResolvedOptions<typeof NOGD_OPTIONS>;

function resolveNogd(options: object): ResolvedNogdOptions {
  const resolved = resolveOptions("nogd", NOGD_OPTIONS, options);
  const { rank, budget } = resolved;
  if (rank > budget) {
    throw new OptionError("nogd", "rank", rank, `a whole number <= budget, which is ${budget}`);
  }
  return resolved;
}

function nogdLayout(resolved: ResolvedNogdOptions): Layout {
  const { budget, rank } = resolved;
  return expansionLayout(resolved, [
    // During the eigenproblem: the eigenvectors one after the other, and their eigenvalues.
    { name: "features", kind: "state", words: ceil4(rank) * budget },
    { name: "w", kind: "state", words: rank },
    ...Usage.regions(budget),
    { name: "solving", kind: "state", words: 2, holds: [eigenPieces(budget, rank), FINITE] },
    // A kernel row is written in fours: up to three words more than the last row of the matrix has.
    { name: "gram", kind: "state", words: packedWords(budget) + 3 },
    { name: "tridiagonal", kind: "state", words: tridiagonalWords(budget) },
    // Or four features of as many words.
    { name: "eigen", kind: "scratch", words: Math.max(eigenScratch(budget), 4 * budget) },
    { name: "z", kind: "scratch", words: ceil4(rank) },
    { name: "distances", kind: "scratch", words: ceil4(budget) },
  ]);
}

/**
 * Kernel values against stored vectors become linear features by an eigenproblem (Nystroem); gradient descent
 * learns on those.
 *
 *     K = V D V';   z(x) = D_k^(-1/2) V_k' k(x)
 *     if y f(x) < 1: w <- w + eta_w y z(x)   (8)
 *
 * When to use it: The vectors of a short time describe the inputs of a long one. After the eigenproblem learning
 * is cheap.
 *
 * Until the budget B is full, x is appended with coefficient eta y if y f(x) < 1. With the B-th vector the kernel matrix is decomposed, once, and
 * with its k largest eigenvalues D_k the expansion becomes linear in features, f(x) = w.z(x). w begins at the coefficients' projection, D_k^(1/2)
 * V_k' a.
 *
 * From then on the vectors stay, until two things hold: a quarter of them is stale (see `Usage`; a sample without loss isn't counted), and
 * an x with a loss has |k(x, .) - its projection|^2 > k(x, x) / 2. Then f becomes an expansion again, without the stale vectors, and grows
 * until the budget is full once more. Features of eigenvalues below B 2^-22 times the largest, which float32 doesn't resolve, are 0.
 *
 * The decomposition takes about 4/3 B^3 multiplications, and many divisions. From the label that fills the budget on, each label does a
 * bounded piece of it: 64 vectors and a rank of 16 take 62 labels. The unfinished matrices are state, so the work resumes from a
 * checkpoint. Meanwhile f stays an expansion, and a sample with a loss takes its step at the nearest vector c: a k(x, .) projected there is
 * a k(c, x) / k(c, c) k(c, .). A small budget takes one label, as in the paper; with the option `eigenproblem` "once" every budget does. If
 * the features aren't finite, the last vector leaves. Where the width of a found kernel changes, vectors and coefficients stay, and the
 * eigenproblem begins anew.
 *
 * With the option `sources` the likelihood of the received label replaces this step, see `correct` of `KernelExpansion`; on the features its
 * a k(x, .) is w += a z(x). Until the budget is full, a vector near x takes over the step, so that the features describe more than the first
 * samples.
 *
 * @param options see `NogdOptions`. Throws an OptionError that names the invalid option.
 * @see Wang, Hoi, Zhao, Zhuang, Liu: Large scale online kernel classification. IJCAI 2013
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
  private readonly options: ResolvedNogdOptions;
  /** Word of D_k^(-1/2) V_k', a row a feature, interleaved. */
  private readonly features = this.layout.at("features", this.range);
  private readonly w = this.layout.at("w", this.range);
  /** Word of the eigenproblem's progress. */
  private readonly solving = this.layout.at("solving", this.range);
  /** Word of the kernel matrix, packed, as the eigenproblem leaves it; zeros while there is none. */
  private readonly gram = this.layout.at("gram", this.range);
  private readonly eigen: SymmetricEigen;
  /** Word of four vectors: scratch. */
  private readonly four = this.layout.at("eigen", this.range);
  private readonly pieces: number;
  /** See `eigenPieces` and `eigenLabelWork`. */
  private readonly work: number;
  /** Word of z of the input: scratch. */
  private readonly z = this.layout.at("z", this.range);
  private readonly usage: Usage;
  private readonly distances = this.layout.at("distances", this.range);
  /** The vector nearest to the input, as `pass` leaves it. */
  private nearest = -1;

  constructor(options: NogdOptions) {
    const resolved = resolveNogd(options);
    const layout = nogdLayout(resolved);
    super("classification", resolved, layout, options.memory);
    this.options = resolved;
    const { budget, rank } = resolved;
    const tridiagonal = layout.at("tridiagonal", this.range);
    const { f32, gram, w, features, four } = this;
    this.eigen = new SymmetricEigen(f32, budget, gram, tridiagonal, rank, w, features, four);
    this.pieces = eigenPieces(budget, rank);
    this.work = eigenLabelWork(budget, rank, this.dimension);
    this.usage = new Usage(this.f32, layout, this.range, resolved.staleAfter);
  }

  /** True if f is w.z(x); it is an expansion before. */
  get hasFeatures(): boolean {
    return this.dictionary.full && !this.isSolving;
  }

  /** Only a full dictionary has an eigenproblem. */
  override isSound(): boolean {
    return (this.dictionary.full || !this.isSolving) && super.isSound();
  }

  private get isSolving(): boolean {
    return this.f32.bits[this.solving + NEXT] > 0;
  }

  override predict(x: ArrayLike<number>): number {
    if (!this.hasFeatures) return super.predict(x);
    const { f32, row, z, capacity } = this;
    const { rank } = this.options;
    if (!f32.load(this.input, x, this.dimension)) return Number.NaN;
    this.kernel.row(row, this.dictionary.rows, this.input, capacity);
    f32.innerProducts(z, this.features, row, rank, capacity);
    const f = f32.dot(this.w, z, rank);
    return f - f === 0 ? f : Number.NaN;
  }

  /** Coefficients stay. Features are of the former width, so f becomes an expansion until the eigenproblem is solved anew. */
  protected override rescale(): void {
    if (!this.dictionary.full) return;
    if (this.isSolving) {
      this.clearProblem();
      this.clearFeatures();
    } else {
      this.expand();
    }
    this.beginProblem();
  }

  /** Another width would need other features; wrong labels don't justify that. */
  protected override get comparesWidths(): boolean {
    return this.correction === undefined;
  }

  protected update(y: number, decision: number): void {
    if (!this.correct(y, decision) && y * decision < 1) {
      this.pass();
      this.stepBy(this.options.eta * y, this.options.etaFeatures * y);
    }
    if (this.isSolving) this.solve(this.work);
  }

  /** Finds the nearest vector, and counts the sample as its use. */
  private pass(): void {
    const { dictionary, usage } = this;
    this.nearest = dictionary.size > 0 ? dictionary.nearest(this.input, this.distances) : -1;
    usage.pass(this.nearest, this.f32.words[this.row + this.nearest], this.kernel.self(this.input));
  }

  protected override stepCorrected(keep: number, a: number): void {
    this.pass();
    // Each label takes a step. If each were stored, the features would come from the first samples alone.
    if (!this.dictionary.full && this.projectOntoNearest(keep, a, this.distances)) return;
    // In this order, a step that float32 can't hold changes nothing.
    if (a !== 0 && !this.stepBy(a / keep, a / keep)) return;
    const { dictionary, f32 } = this;
    if (this.hasFeatures) f32.scale(this.w, keep, this.options.rank);
    else f32.scale(dictionary.coefficients, keep, this.size);
  }

  /** f <- f + a k(x, .), on features w <- w + step z(x). If the result isn't finite, counts it, changes nothing and returns false. */
  private stepBy(a: number, step: number): boolean {
    if (this.isSolving) return this.project(a);
    if (this.dictionary.full && !this.reopens()) {
      if (this.f32.addScaled(this.w, step, this.z, this.options.rank)) return true;
      this.increment(COUNT.overflowed);
      return false;
    }
    this.append(a);
    return true;
  }

  /** f <- f + a k(c, x) / k(c, c) k(c, .), with c the vector nearest to the input. If that isn't finite, counts it, changes nothing and returns false. */
  private project(a: number): boolean {
    const { f32, nearest, dictionary, spare } = this;
    const { words } = f32;
    f32.fetchRow(spare, dictionary.rows, nearest, this.dimension);
    const k = this.kernel.self(spare);
    const at = dictionary.coefficients + nearest;
    const taken = Math.fround(words[at] + (k > 0 ? (a * words[this.row + nearest]) / k : 0));
    if (taken - taken !== 0) {
      this.increment(COUNT.overflowed);
      return false;
    }
    words[at] = taken;
    this.increment(COUNT.quantized);
    return true;
  }

  /** Appends the input with coefficient a; with the last that there is room for, the eigenproblem begins. */
  private append(a: number): void {
    const { size } = this;
    this.stepTo(1, a, 0);
    if (this.size === size) return;
    this.usage.begin(size);
    if (this.dictionary.full) this.beginProblem();
  }

  private beginProblem(): void {
    this.f32.bits[this.solving + NEXT] = 1;
    if (this.options.eigenproblem === ONCE) this.solve(Number.POSITIVE_INFINITY);
  }

  /** True if stale vectors leave: the features represent little of the input, and many vectors are stale. */
  private reopens(): boolean {
    const { f32, z, size, usage, dictionary } = this;
    const k = this.kernel.self(this.input);
    if (!(2 * f32.dot(z, z, this.options.rank) < k) || !usage.isQuarterStale(size)) return false;
    this.expand();
    for (let i = usage.stale(this.size); i >= 0; i = usage.stale(this.size)) {
      usage.remove(i, this.size);
      dictionary.remove(i);
      this.increment(COUNT.evicted);
    }
    this.valueAt(this.input);
    return true;
  }

  /** f as an expansion: coefficients V_k D_k^(-1/2) w, and no features. */
  private expand(): void {
    const { f32, features, w, dictionary, capacity } = this;
    const { words } = f32;
    const { rank } = this.options;
    const { coefficients } = dictionary;
    for (let j = 0; j < capacity; j++) {
      let sum = 0;
      for (let r = 0; r < rank; r++)
        sum += words[w + r] * words[features + 4 * capacity * (r >> 2) + 4 * j + (r & 3)];
      const a = Math.fround(sum);
      words[coefficients + j] = a - a === 0 ? a : 0;
    }
    this.clearFeatures();
  }

  private clearFeatures(): void {
    const { f32, features, w, capacity } = this;
    const { rank } = this.options;
    f32.bits.fill(0, features, features + ceil4(rank) * capacity);
    f32.bits.fill(0, w, w + rank);
  }

  /** Does this much work on the eigenproblem, at least one piece. After the last piece the features replace the expansion. */
  private solve(work: number): void {
    const { f32, features, w, pieces, solving } = this;
    const { rank } = this.options;
    let piece = f32.bits[solving + NEXT] - 1;
    let left = work;
    do {
      left -= this.pieceWork(piece);
      this.solvePiece(piece++);
    } while (piece < pieces && left >= this.pieceWork(piece));
    f32.bits[solving + NEXT] = piece + 1;
    const holds =
      f32.finite(this.gram, packedWords(this.capacity) + 3) &&
      f32.finite(features, ceil4(rank) * this.capacity) &&
      f32.finite(w, rank);
    if (!holds) this.giveUp();
    else if (piece === pieces) this.finish();
  }

  private pieceWork(piece: number): number {
    return eigenPieceWork(piece, this.capacity, this.options.rank, this.dimension);
  }

  private solvePiece(piece: number): void {
    const { capacity, eigen, options } = this;
    const step = piece - capacity;
    if (step < 0) this.takeGramRow(piece);
    else if (step < eigen.steps) eigen.take(step);
    else this.takeFeatures(ceil4(options.rank) - 4 * (step - eigen.steps + 1));
  }

  /** The eigenproblem is solved. */
  private finish(): void {
    const { f32, dictionary, capacity } = this;
    f32.bits.fill(0, dictionary.coefficients, dictionary.coefficients + capacity);
    this.clearProblem();
  }

  /** The eigenproblem can't be solved: the newest vector leaves, and f stays an expansion. */
  private giveUp(): void {
    const { dictionary, usage, capacity } = this;
    this.clearProblem();
    this.clearFeatures();
    usage.remove(capacity - 1, capacity);
    dictionary.remove(capacity - 1);
    this.increment(COUNT.overflowed);
    this.increment(COUNT.evicted);
  }

  private clearProblem(): void {
    const { layout, range, solving } = this;
    const { bits } = this.f32;
    const end = layout.at("tridiagonal", range) + tridiagonalWords(this.capacity);
    bits.fill(0, solving, end);
  }

  /** Row i of the kernel matrix, over the largest diagonal entry. */
  private takeGramRow(i: number): void {
    const { dictionary, f32, gram, spare } = this;
    const { words } = f32;
    const largest = this.solving + LARGEST;
    if (i === 0) words[largest] = this.largestSelf();
    f32.fetchRow(spare, dictionary.rows, i, this.dimension);
    this.kernel.row(gram + packedWords(i), dictionary.rows, spare, i + 1);
    f32.scale(gram + packedWords(i), 1 / words[largest], i + 1);
  }

  /** The largest k(c, c); 1 if that is 0. */
  private largestSelf(): number {
    const { dictionary, f32, spare, capacity } = this;
    let largest = 0;
    for (let i = 0; i < capacity; i++) {
      f32.fetchRow(spare, dictionary.rows, i, this.dimension);
      const k = this.kernel.self(spare);
      if (k > largest) largest = k;
    }
    return largest === 0 ? 1 : largest;
  }

  /** Four features from `first` on replace their eigenvectors. The features of the largest eigenvalues come last. */
  private takeFeatures(first: number): void {
    const { f32, features, four, capacity, w } = this;
    const { words } = f32;
    const { rank } = this.options;
    const block = features + first * capacity;
    f32.copy(four, block, 4 * capacity);
    f32.bits.fill(0, block, block + 4 * capacity);
    for (let r = first + 3; r >= first; r--) {
      if (r >= rank) continue;
      const isResolved = words[w + r] > (words[w] * capacity) / 4194304;
      if (isResolved) this.takeFeature(r, four + (r - first) * capacity);
      else words[w + r] = 0;
    }
  }

  /** Feature r from the eigenvector at that word, and its w in place of the eigenvalue. */
  private takeFeature(r: number, vector: number): void {
    const { f32, capacity, w } = this;
    const { words } = f32;
    const root = Math.sqrt(words[w + r] * words[this.solving + LARGEST]);
    words[w + r] = root * f32.dot(this.dictionary.coefficients, vector, capacity);
    f32.scale(vector, 1 / root, capacity);
    f32.storeRow(this.features, r, vector, capacity);
  }
}

/** f on features once the eigenproblem is solved; before that on vectors. */
const FEATURE_TERMS: DecisionTerms = frozen({
  weights: ["w"],
  terms(learner) {
    if (!(learner as Nogd).hasFeatures) return undefined;
    return [featureTerms(learner, (j) => `feature ${j + 1}`)];
  },
});

export const NOGD: readonly Family[] = frozen([
  {
    name: "nogd",
    task: "classification",
    title: "Nystroem online gradient descent",
    paper: "Wang, Hoi, Zhao, Zhuang, Liu: Large scale online kernel classification. IJCAI 2013",
    options: NOGD_OPTIONS,
    traits: {
      searched: [
        { option: "etaFeatures", values: [0.1, 0.5] },
        { option: "rank", values: [16, 32] },
      ],
      decision: FEATURE_TERMS,
      costs: { spread: spreadLabels },
    },
    layout: (options) => nogdLayout(resolveNogd(options)),
    create: (options) => new Nogd(options as NogdOptions),
  },
]);
