import { ceil4, LEAVING } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import { lambdaTimes } from "./bsgd.ts";
import { type ExpansionOptions, expansionLayout, KernelExpansion } from "./expansion.ts";
import { COUNT } from "./learner.ts";

/** What the binary learner's options say, checked by its family's table, and the number of classes. */
export type SharedOptions = ExpansionOptions & {
  readonly classes: number;
  readonly memory?: MemoryRange;
  readonly [name: string]: unknown;
};

/**
 * One step of a binary learner, f <- keep f + a k(x, .), y being -1 or +1: with gap = level - y f(x), a = 0 unless gap > 0, or gap = 0
 * where `ties`. Else a = y size, times min(gap / k(x, x), most) where `most` isn't 0.
 */
interface BinaryStep {
  readonly keep: number;
  readonly level: number;
  readonly ties: boolean;
  readonly most: number;
  readonly size: number;
  /** Vectors whose coefficients' norm is less are forgotten. */
  readonly threshold: number;
  /** BSGD's lambda, by which its f is divided; -1: f isn't divided. */
  readonly lambda: number;
}

/** t stops here. */
const MOST_STEPS = 4294967295;

/** Below it, the factor is multiplied into the coefficients. */
const LEAST_FACTOR = 0.001;

const PLAIN: BinaryStep = frozen({
  keep: 1,
  level: 0,
  ties: false,
  most: 0,
  size: 1,
  threshold: 0,
  lambda: -1,
});

function olkStep({ C, regularization, forgetThreshold }: SharedOptions): BinaryStep {
  const level = 1 + (regularization as number);
  const threshold = forgetThreshold as number;
  return { ...PLAIN, keep: 1 / level, level, most: C as number, size: 1 / level, threshold };
}

function perceptronStep({ eta }: SharedOptions): BinaryStep {
  return { ...PLAIN, ties: true, size: eta as number };
}

function bsgdStep({ lambda }: SharedOptions): BinaryStep {
  return { ...PLAIN, level: 1, lambda: lambda as number };
}

/** Binary learners whose classes can share a dictionary: of one sum over the vectors, without an offset a class. */
const STEPS: { readonly [family: string]: (options: SharedOptions) => BinaryStep } = frozen({
  "olk-c": olkStep,
  "kernel-perceptron": perceptronStep,
  bsgd: bsgdStep,
});

/** Whether the binary learner of that name has the option `shared`. */
export function canShare(family: string): boolean {
  return Object.hasOwn(STEPS, family);
}

/** BSGD names its rule otherwise. */
function expansionOptions(options: SharedOptions): ExpansionOptions {
  if (options.evict !== undefined) return options;
  return { ...options, evict: options.maintenance === "merge" ? "merge" : "oldest" };
}

/** The memory of one dictionary and K coefficients a vector. */
export function sharedLayout(options: SharedOptions): Layout {
  const { budget, classes, dimension } = options;
  const own: Region[] = [
    { name: "classes", kind: "state", words: ceil4(classes) * budget },
    { name: "labels", kind: "state", words: budget },
    { name: "steps", kind: "state", words: 1 },
    { name: "shrunk", kind: "state", words: 1 },
    { name: "scores", kind: "scratch", words: classes },
    { name: "sums", kind: "scratch", words: ceil4(classes) },
    { name: "changes", kind: "scratch", words: classes },
    { name: "merging", kind: "scratch", words: classes },
    { name: "norms", kind: "scratch", words: budget },
    { name: "merged", kind: "scratch", words: 2 * dimension },
  ];
  return expansionLayout(options, own);
}

/**
 * One-vs-all with one dictionary: a vector has a coefficient a_ic for each class c, and one kernel row serves all,
 *
 *     f_c(x) = sum_i a_ic k(c_i, x);   predict(x) = argmax_c f_c(x)   (the lowest c on ties)
 *
 * Class c takes the binary learner's step for +1 where the label is c, and for -1 elsewhere, on these f_c. x is stored if it gets a
 * coefficient from any class. While there is room, these are the functions that separate dictionaries hold.
 *
 * |a_i|, the norm of a vector's coefficients, stands where a binary learner's rules have the magnitude of its one: that of least norm
 * leaves, or merges, as a vector whose least norm loses least (Wang, Crammer and Vucetic, section 4). It merges with the nearest that was
 * stored for the same label, at z = h c_i + (1-h) c_j, with the h that `mergeNearest` finds for the norms; each class's coefficient there
 * is the projection a_zc = a_ic k(c_i, z) + a_jc k(c_j, z).
 *
 * The region `classes` holds the coefficients, `dictionary.coefficients` their norms, both divided by the factor `shrunk` (0 stands for
 * 1), so that a step needn't shrink each of them.
 *
 * @see Crammer, Singer: Ultraconservative online algorithms for multiclass problems. JMLR 3, 2003
 * @see Wang, Crammer, Vucetic: Breaking the curse of kernelization. JMLR 13, 2012
 */
export class SharedClasses extends KernelExpansion {
  private readonly step: BinaryStep;
  private readonly classes: number;
  /** Word of a_ic, rows c interleaved, of `capacity` components each. */
  private readonly coefficients: number;
  private readonly labels: number;
  private readonly steps: number;
  private readonly shrunk: number;
  private readonly scores: number;
  private readonly sums: number;
  /** Words of the K coefficients that x gets, and of those of the vector that merges: scratch. */
  private readonly changes: number;
  private readonly merging: number;
  private readonly norms: number;
  private readonly merged: number;

  constructor(family: string, options: SharedOptions) {
    const layout = sharedLayout(options);
    super("multiclass", expansionOptions(options), layout, options.memory);
    const { range } = this;
    this.step = STEPS[family](options);
    this.classes = options.classes;
    this.coefficients = layout.at("classes", range);
    this.labels = layout.at("labels", range);
    this.steps = layout.at("steps", range);
    this.shrunk = layout.at("shrunk", range);
    this.scores = layout.at("scores", range);
    this.sums = layout.at("sums", range);
    this.changes = layout.at("changes", range);
    this.merging = layout.at("merging", range);
    this.norms = layout.at("norms", range);
    this.merged = layout.at("merged", range);
  }

  protected override takesLabel(y: number): boolean {
    return Number.isInteger(y) && y >= 0 && y < this.classes;
  }

  override predict(x: ArrayLike<number>): number {
    const { f32, scores, sums, classes } = this;
    const { words, bits } = f32;
    if (!f32.load(this.input, x, this.dimension)) return Number.NaN;
    if (this.width === 0) {
      const label = this.guess();
      for (let c = 0; c < classes; c++) words[scores + c] = c === label ? 1 : 0;
      return label;
    }
    const { size, capacity, row } = this;
    this.kernel.row(row, this.dictionary.rows, this.input, size);
    if (size < capacity) bits.fill(0, row + size, row + capacity);
    f32.innerProducts(sums, this.coefficients, row, classes, capacity);
    const factor = this.factor() / this.divisor();
    let best = 0;
    for (let c = 0; c < classes; c++) {
      words[scores + c] = words[sums + c] * factor;
      if (words[scores + c] > words[scores + best]) best = c;
    }
    return f32.finite(scores, classes) ? best : Number.NaN;
  }

  protected update(y: number): void {
    const { f32, step, classes, scores, changes } = this;
    const { words, bits } = f32;
    const { level, ties, most, size } = step;
    const self = this.kernel.self(this.input);
    const factor = this.factor() * step.keep;
    const unit = size / factor;
    // Without a call a class: XS takes a thousand instructions for one.
    for (let c = 0; c < classes; c++) {
      const f = words[scores + c];
      const gap = c === y ? level - f : level + f;
      let a = 0;
      if (gap > 0 || (ties && gap === 0)) {
        const share = gap / self;
        a = most === 0 ? unit : (share < most ? share : most) * unit;
      }
      words[changes + c] = c === y ? a : -a;
    }
    const squares = f32.dot(changes, changes, classes);
    const norm = Math.fround(Math.sqrt(squares));
    if (!f32.finite(changes, classes) || norm - norm !== 0) {
      this.tally(COUNT.overflowed);
      return;
    }
    if (bits[this.steps] < MOST_STEPS) bits[this.steps]++;
    if (step.keep !== 1) words[this.shrunk] = factor;
    if (norm > 0) this.store(y, norm);
    if (step.threshold > 0) this.forgetSmall();
    if (factor < LEAST_FACTOR) this.shrink();
  }

  private factor(): number {
    return this.f32.words[this.shrunk] || 1;
  }

  private divisor(): number {
    const { lambda } = this.step;
    const t = this.f32.bits[this.steps];
    return lambda < 0 || t === 0 ? 1 : lambdaTimes(lambda, t);
  }

  /** Multiplies the factor into all coefficients. */
  private shrink(): void {
    const { f32, capacity } = this;
    const factor = this.factor();
    f32.scale(this.dictionary.coefficients, factor, capacity);
    f32.scale(this.coefficients, factor, ceil4(this.classes) * capacity);
    f32.words[this.shrunk] = 1;
  }

  private forgetSmall(): void {
    const { dictionary } = this;
    for (let n = this.size; n > 0; n--) {
      const i = dictionary.smallest();
      if (!(dictionary.coefficient(i) * this.factor() < this.step.threshold)) return;
      this.removeAt(i);
      this.tally(COUNT.dropped);
    }
  }

  /** Stores the input with the coefficients `changes`, for whose norm there may be no room. */
  private store(y: number, norm: number): void {
    const { f32, dictionary, leaving, spare } = this;
    if (!dictionary.full) {
      this.insert(y, norm);
      return;
    }
    if (leaving === LEAVING.refuse) {
      this.tally(COUNT.declined);
      return;
    }
    const merges = leaving === LEAVING.merge;
    const i = merges ? dictionary.smallest() : dictionary.leaving(leaving);
    this.tally(COUNT.evicted);
    if (!merges) {
      this.removeAt(i);
      this.insert(y, norm);
    } else if (dictionary.coefficient(i) > norm) {
      this.tally(COUNT.inserted);
      f32.copy(this.merging, this.changes, this.classes);
      f32.copy(spare, this.input, this.dimension);
      this.merge(y, norm);
    } else {
      const label = f32.bits[this.labels + i];
      const small = dictionary.coefficient(i);
      this.fetch(this.merging, i);
      f32.fetchRow(spare, dictionary.rows, i, dictionary.form);
      this.removeAt(i);
      this.insert(y, norm);
      this.merge(label, small);
    }
  }

  /** The coefficients of vector i, to the word `to`. */
  private fetch(to: number, i: number): void {
    const { classes, capacity } = this;
    const { words } = this.f32;
    const first = this.coefficients + 4 * i;
    for (let c = 0; c < classes; c++) words[to + c] = words[first + 4 * capacity * (c >> 2) + (c & 3)];
  }

  private keep(from: number, i: number): void {
    this.f32.storeColumn(this.coefficients, i, from, this.classes, this.capacity);
  }

  private insert(y: number, norm: number): void {
    const { f32, dictionary, size } = this;
    this.keep(this.changes, size);
    f32.bits[this.labels + size] = y;
    dictionary.insert(this.input, norm);
    this.tally(COUNT.inserted);
  }

  /** The last vector takes the place of vector i. */
  private removeAt(i: number): void {
    const { f32, dictionary, labels, sums } = this;
    const { bits } = f32;
    const last = this.size - 1;
    dictionary.remove(i);
    bits[labels + i] = bits[labels + last];
    bits[labels + last] = 0;
    this.fetch(sums, last);
    this.keep(sums, i);
    bits.fill(0, sums, sums + this.classes);
    this.keep(sums, last);
  }

  /** `spare`, with that label and the coefficients `merging` of that norm, joins the nearest of its label; it is lost if there is none. */
  private merge(label: number, norm: number): void {
    const { f32, dictionary, norms, spare, merged, dimension, size, labels, classes, merging, sums } = this;
    const { words, bits } = f32;
    const { coefficients } = dictionary;
    for (let j = 0; j < size; j++)
      words[norms + j] = bits[labels + j] === label ? words[coefficients + j] : 0;
    f32.copy(merged, spare, dimension);
    const gamma = this.gamma();
    const j = f32.mergeNearest(this.row, dictionary.rows, norms, size, dictionary.form, spare, norm, gamma);
    if (j < 0) return;
    const near = this.likeness(j, spare, gamma);
    const far = this.likeness(j, merged, gamma);
    this.fetch(sums, j);
    for (let c = 0; c < classes; c++) words[sums + c] = words[sums + c] * near + words[merging + c] * far;
    this.keep(sums, j);
    words[coefficients + j] = Math.sqrt(f32.dot(sums, sums, classes));
  }

  /** k of vector i and the vector at word x, which is lost. */
  private likeness(i: number, x: number, gamma: number): number {
    const { f32, dictionary, dimension } = this;
    const row = this.merged + dimension;
    f32.fetchRow(row, dictionary.rows, i, dictionary.form);
    f32.addScaled(x, -1, row, dimension);
    return f32.exp(-gamma * f32.dot(x, x, dimension));
  }
}
