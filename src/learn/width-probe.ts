import { ceil4, components, type Primitives, rowWords } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";

/** The most inputs whose distances determine the width. */
const MOST_INPUTS = 16;
/** Inputs from one check whether they vary to the next. After as many negative checks in a row the width is lost. */
const PERIOD = 8;
const PATIENCE = 16;
/** Share of the width within which inputs don't vary. */
const STILL = 1 / 1024;

/** REPEATS repeated inputs in a row end the search if FEW_INPUTS different ones are held. */
const REPEATS = 64;
const FEW_INPUTS = 4;
/** The place of a label's confidence beside its source in a word. */
const CONFIDENCE_SHIFT = 16;
const SOURCE_MASK = 0xffff;

/** Labels before sigma is first compared with the distances of later inputs; then each time twice as many. */
const FIRST_LOOK = 32;
/** Least growth that changes sigma; up to EARLY labels the least change either way. */
const WIDER = 1.5;
const EARLY = 128;
const OTHER_EARLY = 1.2;
/** Factor by which the running median of squared distances moves with each label, if at least FEW_VECTORS vectors are stored. */
const STEP = 1.03125;
const FEW_VECTORS = 4;
/**
 * A squared distance beyond this many medians comes from a glitch, which may be stored for good, so it doesn't move the median. A
 * comparison with an earlier input does: all inputs may have become so large.
 */
const FAR = 1048576;
/** Maps a label's number to a row, out of step with recurring inputs: 2^32 divided by the golden ratio. */
const SCATTER = 0x9e3779b1;
/** Renewals of the reference over all labels so far. */
const RENEWALS = 4;

/**
 * Words behind sigma. The search: inputs held, different inputs met, interval less one at which they are
 * held, repeats in a row.
 */
const HELD = 1;
const MET = 2;
const INTERVAL = 3;
const REPEATED = 4;
/**
 * The watch: labels, answers "no" in a row, median of squared distances, sigma in medians, labels that only
 * one of two widths predicted.
 */
const LABELS = 1;
const IDLE = 2;
const MEDIAN = 3;
const MEDIANS = 4;
const WIDE_RIGHT = 5;
const NARROW_RIGHT = 6;
/** Words of sigma and those. */
const WORDS = 7;

/** Factor by which the kernel on trial is narrower, and labels from one look to the next on which it is tried. */
const NARROWER = 2;
const TRIALS = 64;
/**
 * Lead in labels that the narrower kernel needs: at least SURPLUS, and a square above DEVIATIONS times the labels that only one of the two
 * predicted.
 */
/** sigma in medians isn't halved below it. */
const LEAST_MEDIANS = 9.094947017729282e-13; // 2^-40
const SURPLUS = 5;
const DEVIATIONS = 2.5;
/** Where labels are wrong at known rates: labels before the first trial, labels of each, and squares of deviations. */
const WARY_FIRST = 256;
const WARY_TRIALS = 1024;
const WARY_DEVIATIONS = 5;
/** There the words WIDE_RIGHT and NARROW_RIGHT are float32: the lead of the narrower kernel in right labels, and the sum of squares. */
const GAIN = WIDE_RIGHT;
const SQUARES = NARROW_RIGHT;

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
 * The width of a Gaussian from the first inputs. sigma is half the lower median of the distances between n of them, n <= 16; a family may
 * take another multiple of the median. The inputs wait with their labels in the dictionary's own memory, which is still empty: the rows
 * hold the inputs, the coefficients their labels, the births the labels' sources and confidences. A repeated input counts once, with its
 * latest label. After 64 repeats in a row, four different inputs determine the width; one glitch among them doesn't spoil it.
 *
 * With rows of 16 bits, an input outside its ranges isn't learned: its stored form would lie elsewhere.
 *
 * A classifier's inputs must show both classes. While they show one and there is no room, every other input leaves, and from then on only
 * every second, fourth, ... input is held. The first input of the other class ends that.
 *
 * An input a thousand times as far as the others (a glitch at power-up) may have made the width. Where the inputs then don't vary
 * by a thousandth of it for 128 in a row, though they differ, the width is `lost`.
 *
 * The first inputs of a slow stream lie close together; a scaler's first outputs lie far apart. So the probe follows the median of the
 * squared distances between inputs: each input is compared with a stored vector, another one each time, and the median grows or shrinks by
 * a 32nd. Stored vectors come from the whole past, while the last inputs of a slow stream are near. Vectors a thousand times as far, which
 * a glitch left, don't count. A learner that stores none compares with the input at
 * the latest power of two of labels. After 32, 64 and 128 labels sigma follows the median if they differ by a factor of 1.2; after 256, 512, ... only
 * if sigma becomes 1.5 times as wide.
 *
 * Half the median is too wide where classes lie in many small regions. So on 64 labels from one such look to the next a classifier also
 * decides with sigma / 2 and the same coefficients. Labels that only one of the two widths predicted are counted. If the narrower one leads
 * by five, and by 1.6 standard deviations of chance, sigma is halved from then on, in medians. Where labels are wrong at known rates,
 * wrong ones would halve sigma again and again. There a look takes up to 1024 labels, 256 before the first, the lead must be 2.2 standard
 * deviations, and each label counts as its corrected target.
 *
 * State: sigma (0: not found). The search: inputs held, different inputs met, the interval less one at which these are held, repeats in a row.
 * The watch: labels, answers "no" in a row, the median, sigma in medians, the labels that only one of the two widths predicted (or lead
 * and sum of squares of corrected targets). Then an earlier input, which shows whether inputs vary.
 */
export class WidthProbe {
  /** Word of sigma. */
  readonly at: number;
  private readonly reference: number;
  private readonly f32: Primitives;
  private readonly row: number;
  private readonly spare: number;
  private readonly dimension: number;
  /** Inputs that determine the width. */
  readonly inputs: number;
  /** Word of the distances between them. */
  private readonly distances: number;

  static regions(dimension: number): Region[] {
    return [
      { name: "width", kind: "state", words: 1, holds: [POSITIVE] },
      // Right behind it.
      { name: "probe", kind: "state", words: WORDS - 1, holds: [ANY] },
      { name: "reference", kind: "state", words: dimension },
    ];
  }

  constructor(
    /** Its rows hold the inputs, its coefficients their labels, its births the labels' sources and confidences. */
    private readonly dictionary: WaitingRows,
    layout: Layout,
    range: MemoryRange,
    /** True if labels are classes; then both must occur. */
    private readonly classes: boolean,
    /** sigma in median distances. */
    readonly medians: number,
    /** True if labels are wrong at known rates. */
    private readonly wary = false,
  ) {
    const { capacity, form, rows } = dictionary;
    this.f32 = range.f32;
    this.at = layout.at("width", range);
    this.reference = layout.at("reference", range);
    this.row = layout.at("row", range);
    this.spare = layout.at("spare", range);
    this.dimension = components(form);
    const { distances } = dictionary;
    this.inputs = inputsForWidth(capacity, form, distances !== undefined);
    const behind = rows + ceil4(this.inputs) * rowWords(form);
    this.distances = distances ?? (fitsInRows(this.inputs, capacity, form) ? behind : this.row);
  }

  /** Words of the probe's state, from sigma's on. */
  get words(): number {
    return WORDS + this.dimension;
  }

  /** sigma; 0 until it is found. */
  get width(): number {
    return this.f32.words[this.at];
  }

  /** sigma in median distances: as given, less where labels narrowed it. */
  get share(): number {
    return this.width > 0 ? this.f32.words[this.at + MEDIANS] : this.medians;
  }

  /** Inputs held. */
  get held(): number {
    return this.f32.bits[this.at + HELD];
  }

  /** True if a search holds no more inputs than there is room for, and no vectors; or the found width is that of a kernel. */
  get isSound(): boolean {
    const { at, dictionary, f32, held, inputs, wary, width } = this;
    const { words } = f32;
    if (width === 0) return held < inputs && !dictionary.size;
    const median = words[at + MEDIAN];
    const medians = words[at + MEDIANS];
    const gain = wary ? words[at + GAIN] + words[at + SQUARES] : 0;
    return isWidth(width) && isPositive(median) && isPositive(medians) && gain - gain === 0;
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

  /**
   * Takes an input, at word x, before it is learned. Returns whether the inputs vary too little for a kernel
   * of that width.
   */
  isLost(x: number): boolean {
    const { f32, at, reference, dimension } = this;
    const { bits, words } = f32;
    const labels = ++bits[at + LABELS];
    if (labels === 1) f32.copy(reference, x, dimension);
    if (labels % PERIOD !== 0) {
      this.follow(x, labels);
      return false;
    }
    f32.copy(this.spare, reference, dimension);
    const squared = this.squaredToSpare(x);
    const still = STILL * words[at];
    const median = words[at + MEDIAN];
    if (isFar(squared, median) && isPositive(Math.fround(median * STEP))) words[at + MEDIAN] = median * STEP;
    if (!(squared < still * still)) {
      const isDue = this.dictionary.size === undefined ? isLook(labels) : labels % renewal(labels) === 0;
      if (isDue) f32.copy(reference, x, dimension);
      bits[at + IDLE] = 0;
    } else if (squared > 0) {
      bits[at + IDLE]++;
    }
    return bits[at + IDLE] >= PATIENCE;
  }

  /** The running median after another squared distance: to a stored vector, or to an earlier input where none is stored. */
  private follow(x: number, labels: number): void {
    const { f32, at, dictionary } = this;
    const { size } = dictionary;
    if (size === undefined) {
      f32.copy(this.spare, this.reference, this.dimension);
    } else {
      if (size < FEW_VECTORS) return;
      f32.fetchRow(this.spare, dictionary.rows, (Math.imul(labels, SCATTER) >>> 8) % size, dictionary.form);
    }
    const squared = this.squaredToSpare(x);
    const median = f32.words[at + MEDIAN];
    if (isFar(squared, median)) return;
    const next = Math.fround(squared > median ? median * STEP : median / STEP);
    if (squared > 0 && next > 0 && next < Infinity) f32.words[at + MEDIAN] = next;
  }

  /** The squared distance of the vector at word x to `spare`, which it changes. */
  private squaredToSpare(x: number): number {
    const { f32, spare, dimension } = this;
    return f32.addScaled(spare, -1, x, dimension) ? f32.dot(spare, spare, dimension) : Infinity;
  }

  /** True if on this label a narrower kernel is tried, too: on 64 from one look to the next, on more where labels are wrong at known rates. */
  get isTrial(): boolean {
    const labels = this.f32.bits[this.at + LABELS];
    const { wary } = this;
    const trials = wary ? WARY_TRIALS : TRIALS;
    if (!this.classes || labels < (wary ? WARY_FIRST : TRIALS)) return false;
    let apart = 1;
    while (labels > 2 * trials * apart) apart *= 2;
    return labels % apart === 0;
  }

  /** Halves sigma for one decision, and restores it. */
  tryNarrower(): void {
    this.f32.words[this.at] /= NARROWER;
  }

  endTrial(): void {
    this.f32.words[this.at] *= NARROWER;
  }

  /** Counts whether the decision, and the narrower kernel's, had predicted the label. */
  compare(isRight: boolean, isNarrowRight: boolean): void {
    if (isRight !== isNarrowRight) this.f32.bits[this.at + (isRight ? WIDE_RIGHT : NARROW_RIGHT)]++;
  }

  /**
   * As `compare`, for a label that is wrong at known rates. z is its corrected target, see `CorrectedTarget`: the comparison then has
   * weight |z|, so that its mean over the flips is the true class's comparison, whatever each class's rate.
   */
  compareCorrected(isRight: boolean, isNarrowRight: boolean, z: number): void {
    if (isRight === isNarrowRight) return;
    const { words } = this.f32;
    const worth = Math.abs(z);
    words[this.at + GAIN] += isNarrowRight ? worth : -worth;
    words[this.at + SQUARES] += z * z;
  }

  /** True if the narrower kernel predicted more of the labels that only one of the two predicted than chance explains. */
  private get isTooWide(): boolean {
    const { bits, words } = this.f32;
    if (this.wary) {
      const gain = words[this.at + GAIN];
      return gain >= SURPLUS && gain * gain > WARY_DEVIATIONS * words[this.at + SQUARES];
    }
    const wide = bits[this.at + WIDE_RIGHT];
    const narrow = bits[this.at + NARROW_RIGHT];
    const surplus = narrow - wide;
    return surplus >= SURPLUS && surplus * surplus > DEVIATIONS * (narrow + wide);
  }

  /** Call after each label: sets sigma and returns true if inputs and labels since then call for another width. */
  changes(): boolean {
    const { at } = this;
    const { words, bits } = this.f32;
    const labels = bits[at + LABELS];
    if (labels < FIRST_LOOK || !isLook(labels)) return false;
    const isTooWide = this.isTooWide && words[at + MEDIANS] > LEAST_MEDIANS;
    if (isTooWide) words[at + MEDIANS] /= NARROWER;
    bits.fill(0, at + WIDE_RIGHT, at + WORDS);
    const sigma = Math.fround(words[at + MEDIANS] * Math.sqrt(words[at + MEDIAN]));
    const isEarly = labels <= EARLY;
    const isWider = sigma >= (isEarly ? OTHER_EARLY : WIDER) * words[at];
    const isNarrower = isEarly && OTHER_EARLY * sigma <= words[at];
    if (!(isWider || isNarrower || isTooWide) || !isWidth(sigma)) return false;
    words[at] = sigma;
    return true;
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

/** True if that is a glitch's squared distance, in float32 as in C. */
function isFar(squared: number, median: number): boolean {
  return squared > Math.fround(FAR * median);
}

/** The number of labels between two renewals of the reference. It grows with the labels so far, as slow streams need. */
function renewal(labels: number): number {
  const long = Math.floor(labels / (PERIOD * RENEWALS));
  return PERIOD * (long < 1 ? 1 : long);
}

function isPositive(value: number): boolean {
  return value > 0 && value < Infinity;
}

/** True if it is a power of two: the labels at which sigma may change. */
function isLook(labels: number): boolean {
  return (labels & (labels - 1)) === 0;
}

/** True if float32 holds a kernel of that sigma. */
function isWidth(sigma: number): boolean {
  const gamma = Math.fround(1 / (2 * sigma * sigma));
  return gamma > 0 && gamma < Infinity;
}
