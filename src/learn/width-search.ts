import { ceil4, components, type Primitives, rowWords } from "../math/primitives.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";

/** The most inputs whose distances determine the width. */
const MOST_INPUTS = 16;

/** REPEATS repeated inputs in a row end the search if FEW_INPUTS different ones are held. */
const REPEATS = 64;
const FEW_INPUTS = 4;
/** The place of a label's confidence beside its source in a word. */
const CONFIDENCE_SHIFT = 16;
const SOURCE_MASK = 0xffff;

/** Words behind sigma: inputs held, different inputs met, interval less one at which they are held, repeats in a row. */
const HELD = 1;
const MET = 2;
const INTERVAL = 3;
const REPEATED = 4;
/** Once the width is found: the median of squared distances, and sigma in medians. */
export const MEDIAN = 3;
export const MEDIANS = 4;
/** Words of sigma and of the search or the watch behind it. */
export const WORDS = 7;

/** Words for the distances of n inputs, by default the most, with the words that a row writes beyond its end. */
export function distanceWords(n = MOST_INPUTS): number {
  return (n * (n - 1)) / 2 + 3;
}

/** Where the distances of n inputs lie: in rows that are free, else where the kernel row does. */
function fitsInRows(n: number, budget: number, form: number): boolean {
  return distanceWords(n) <= (ceil4(budget) - ceil4(n)) * rowWords(form);
}

/** Inputs that determine the width, for rows of this form: 2 to 16. `isFree`: whether their distances have a place of their own. */
export function inputsForWidth(budget: number, form: number, isFree = false): number {
  let n = budget < MOST_INPUTS ? budget : MOST_INPUTS;
  while (!isFree && n > 2 && !fitsInRows(n, budget, form) && distanceWords(n) > ceil4(budget)) n--;
  return n < 2 ? 2 : n;
}

/** A learner's own memory, in which inputs wait for the width; afterwards, the vectors that it stores there. */
export interface WaitingRows {
  /** Rows there is room for. */
  readonly capacity: number;
  /** Vectors stored now; undefined where none ever is. */
  readonly size?: number;
  /** The form of rows for the primitives. */
  readonly form: number;
  /** Word at which `distanceWords(16)` words are free for distances; default: behind the waiting rows, else where the kernel row lies. */
  readonly distances?: number;
  /** Word of the first row, of the first coefficient, and of the first birth. */
  readonly rows: number;
  readonly coefficients: number;
  readonly births: number;
}

/**
 * The search for the width of a Gaussian in the first inputs. sigma is half the lower median of the distances between n of them, n <= 16; a
 * family may take another multiple of the median. The inputs wait with their labels in the dictionary's own memory, which is still empty: the
 * rows hold the inputs, the coefficients their labels, the births the labels' sources and confidences. A repeated input counts once, with its
 * latest label. After 64 repeats in a row, four different inputs determine the width; one glitch among them doesn't spoil it.
 *
 * With rows of 16 bits, an input outside its ranges isn't learned: its stored form would lie elsewhere.
 *
 * A classifier's inputs must show both classes. While they show one and there is no room, every other input leaves, and from then on only
 * every second, fourth, ... input is held. The first input of the other class ends that.
 */
export class WidthSearch {
  /** Word of sigma. */
  readonly at: number;
  protected readonly f32: Primitives;
  private readonly row: number;
  protected readonly spare: number;
  protected readonly dimension: number;
  /** Inputs that determine the width. */
  readonly inputs: number;
  /** Word of the distances between them. */
  private readonly distances: number;

  constructor(
    /** Its rows hold the inputs, its coefficients their labels, its births the labels' sources and confidences. */
    protected readonly dictionary: WaitingRows,
    layout: Layout,
    range: MemoryRange,
    /** True if labels are classes; then both must occur. */
    protected readonly classes: boolean,
    /** sigma in median distances. */
    readonly medians: number,
  ) {
    const { capacity, form, rows } = dictionary;
    this.f32 = range.f32;
    this.at = layout.at("width", range);
    this.row = layout.at("row", range);
    this.spare = layout.at("spare", range);
    this.dimension = components(form);
    const { distances } = dictionary;
    this.inputs = inputsForWidth(capacity, form, distances !== undefined);
    const behind = rows + ceil4(this.inputs) * rowWords(form);
    this.distances = distances ?? (fitsInRows(this.inputs, capacity, form) ? behind : this.row);
  }

  /** sigma; 0 until it is found. */
  get width(): number {
    return this.f32.words[this.at];
  }

  /** Inputs held. */
  get held(): number {
    return this.f32.bits[this.at + HELD];
  }

  /** The label of the held input that is nearest to the vector at word x; 0 if none is held. */
  guess(x: number): number {
    const { held } = this;
    return held === 0 ? 0 : this.storedLabel(this.nearest(x, held));
  }

  /**
   * Takes an input with its label, and the label's source and confidence. Returns 0 until the width is found; then the number of inputs
   * that wait to be learned, this one included.
   */
  meet(x: number, y: number, source: number, confidence: number): number {
    const { f32, at, held, inputs } = this;
    const { bits } = f32;
    const j = held === 0 ? -1 : this.nearest(x, held);
    if (j >= 0 && f32.words[this.row + j] === 0) {
      this.label(j, y, source, confidence);
      const isLasting = ++bits[at + REPEATED] >= REPEATS && held >= FEW_INPUTS && this.isEnough(y, held);
      return isLasting && this.find(held) ? held : 0;
    }
    const turn = bits[at + MET]++;
    bits[at + REPEATED] = 0;
    const full = held === inputs - 1;
    if ((full || (held > 0 && bits[at + INTERVAL] > 0)) && this.isEnough(y, held)) {
      this.hold(x, y, source, confidence);
      return this.find(held + 1) ? held + 1 : 0;
    }
    if (full) this.thin(held);
    if ((turn & bits[at + INTERVAL]) === 0 && this.held < inputs - 1) this.hold(x, y, source, confidence);
    return 0;
  }

  /** True if the held labels and y show both classes; true for labels that aren't classes. */
  private isEnough(y: number, held: number): boolean {
    return !this.classes || this.isOther(y, held) || this.isOther(this.storedLabel(0), held);
  }

  private hold(x: number, y: number, source: number, confidence: number): void {
    const { held } = this;
    this.holdAs(held, x, y, source, confidence);
    this.f32.bits[this.at + HELD] = held + 1;
  }

  /** Holds an input in place i, where there is room behind the dictionary's vectors. */
  holdAs(i: number, x: number, y: number, source: number, confidence: number): void {
    this.f32.storeRow(this.dictionary.rows, i, x, this.dictionary.form);
    this.label(i, y, source, confidence);
  }

  /** True if input i has a place for its label: of two inputs, under a budget of one, that which came last has none. */
  hasLabel(i: number): boolean {
    return i < this.dictionary.capacity;
  }

  private label(i: number, y: number, source: number, confidence: number): void {
    if (!this.hasLabel(i)) return;
    this.f32.words[this.dictionary.coefficients + i] = y;
    this.f32.bits[this.dictionary.births + i] = (confidence << CONFIDENCE_SHIFT) | source;
  }

  /** Copies held input i, i = 0, 1, ... in turn, to word x. */
  read(i: number, x: number): void {
    this.f32.fetchRow(x, this.dictionary.rows, i, this.dictionary.form);
  }

  storedLabel(i: number): number {
    return this.f32.words[this.dictionary.coefficients + i];
  }

  /** Source and confidence of the label of held input i. */
  storedSource(i: number): number {
    return this.f32.bits[this.dictionary.births + i] & SOURCE_MASK;
  }

  storedConfidence(i: number): number {
    return this.f32.bits[this.dictionary.births + i] >>> CONFIDENCE_SHIFT;
  }

  private nearest(x: number, held: number): number {
    return this.f32.nearestRow(this.row, this.dictionary.rows, x, held, this.dictionary.form);
  }

  /** True if y differs from a held label. */
  private isOther(y: number, held: number): boolean {
    for (let i = 0; i < held; i++) if (this.storedLabel(i) !== y) return true;
    return false;
  }

  /** Removes every other input. */
  private thin(held: number): void {
    const { f32, spare } = this;
    const { rows, coefficients: labels, births: origins, form } = this.dictionary;
    const { words, bits } = f32;
    const kept = (held + 1) >> 1;
    for (let i = 1; i < kept; i++) {
      f32.fetchRow(spare, rows, 2 * i, form);
      f32.storeRow(rows, i, spare, form);
      words[labels + i] = words[labels + 2 * i];
      bits[origins + i] = bits[origins + 2 * i];
    }
    for (let i = kept; i < held; i++) this.clear(i);
    bits[this.at + HELD] = kept;
    bits[this.at + INTERVAL] = (bits[this.at + INTERVAL] << 1) | 1;
  }

  /** Leaves the place of held input i empty. */
  clear(i: number): void {
    const { rows, coefficients: labels, births: origins, form } = this.dictionary;
    const { words, bits } = this.f32;
    const end = rows + 4 * rowWords(form) * ((i >> 2) + 1);
    for (let r = rows + 4 * rowWords(form) * (i >> 2) + (i & 3); r < end; r += 4) bits[r] = 0;
    if (!this.hasLabel(i)) return;
    words[labels + i] = 0;
    bits[origins + i] = 0;
  }

  /** Finds sigma from n inputs. False, with none held, if float32 holds no such kernel. */
  private find(n: number): boolean {
    const { f32, at } = this;
    const squared = this.medianHeld(n);
    const sigma = Math.fround(this.medians * Math.sqrt(squared));
    const found = isWidth(sigma);
    if (!found) for (let i = 0; i < n; i++) this.clear(i);
    f32.bits.fill(0, at + HELD, at + WORDS);
    if (!found) return false;
    f32.words[at] = sigma;
    f32.words[at + MEDIAN] = squared;
    f32.words[at + MEDIANS] = this.medians;
    return true;
  }

  /** The median of the squared distances between rows 0..n-1. */
  private medianHeld(n: number): number {
    const { f32, spare, distances } = this;
    const { rows, form } = this.dictionary;
    let end = distances;
    for (let i = 1; i < n; i++) {
      f32.fetchRow(spare, rows, i, form);
      f32.squaredDistances(end, rows, spare, i, form);
      end += i;
    }
    const squared = this.median(distances, end);
    f32.bits.fill(0, distances, end + 3);
    return squared;
  }

  /** The lower median of the words from `from` to `end`, infinities left out. */
  private median(from: number, end: number): number {
    const { f32 } = this;
    const count = end - from;
    let least = 0;
    for (let rank = 0; 2 * rank < count; rank++) {
      const j = from + f32.argmin(from, count);
      least = f32.words[j];
      f32.words[j] = Infinity;
    }
    return least;
  }
}

/** True if float32 holds a kernel of that sigma. */
export function isWidth(sigma: number): boolean {
  const gamma = Math.fround(1 / (2 * sigma * sigma));
  return gamma > 0 && gamma < Infinity;
}
