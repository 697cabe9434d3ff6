import { ANY, type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { isWidth, MEDIAN, MEDIANS, type WaitingRows, WidthSearch, WORDS } from "./width-search.ts";

/** Inputs from one check whether they vary to the next. After as many negative checks in a row the width is lost. */
const PERIOD = 8;
const PATIENCE = 16;
/** Share of the width within which inputs don't vary. */
const STILL = 1 / 1024;

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

/** Words behind sigma: labels, answers "no" in a row; labels that only one of two widths predicted. */
const LABELS = 1;
const IDLE = 2;
const WIDE_RIGHT = 5;
const NARROW_RIGHT = 6;

/** Factor by which the kernel on trial is narrower, and labels from one look to the next on which it is tried. */
const NARROWER = 2;
const TRIALS = 64;
/** sigma in medians isn't halved below it. */
const LEAST_MEDIANS = 9.094947017729282e-13; // 2^-40
/**
 * Lead in labels that the narrower kernel needs: at least SURPLUS, and a square above DEVIATIONS times the labels that only one of the two
 * predicted.
 */
const SURPLUS = 5;
const DEVIATIONS = 2.5;
/** Where labels are wrong at known rates: labels before the first trial, labels of each, and squares of deviations. */
const WARY_FIRST = 256;
const WARY_TRIALS = 1024;
const WARY_DEVIATIONS = 5;
/** There the words WIDE_RIGHT and NARROW_RIGHT are float32: the lead of the narrower kernel in right labels, and the sum of squares. */
const GAIN = WIDE_RIGHT;
const SQUARES = NARROW_RIGHT;

/**
 * The width of a Gaussian: `WidthSearch` finds it in the first inputs, and the probe follows it in later ones.
 *
 * An input a thousand times as far as the others (a glitch at power-up) may have made the width. Where the inputs then don't vary
 * by a thousandth of it for 128 in a row, though they differ, the width is `lost`.
 *
 * The first inputs of a slow stream lie close together; a scaler's first outputs lie far apart. So the probe follows the median of the
 * squared distances between inputs: each input is compared with a stored vector, another one each time, and the median grows or shrinks by
 * a 32nd. Stored vectors come from the whole past, while the last inputs of a slow stream are near. Vectors a thousand times as far, which
 * a glitch left, don't count. A learner that stores none compares with the input at the latest power of two of labels. After 32, 64 and 128
 * labels sigma follows the median if they differ by a factor of 1.2; after 256, 512, ... only if sigma becomes 1.5 times as wide.
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
export class WidthProbe extends WidthSearch {
  private readonly reference: number;

  static regions(dimension: number): Region[] {
    return [
      { name: "width", kind: "state", words: 1, holds: [POSITIVE] },
      // Right behind it.
      { name: "probe", kind: "state", words: WORDS - 1, holds: [ANY] },
      { name: "reference", kind: "state", words: dimension },
    ];
  }

  constructor(
    dictionary: WaitingRows,
    layout: Layout,
    range: MemoryRange,
    classes: boolean,
    medians: number,
    /** True if labels are wrong at known rates. */
    private readonly wary = false,
  ) {
    super(dictionary, layout, range, classes, medians);
    this.reference = layout.at("reference", range);
  }

  /** Words of the probe's state, from sigma's on. */
  get words(): number {
    return WORDS + this.dimension;
  }

  /** sigma in median distances: as given, less where labels narrowed it. */
  get share(): number {
    return this.width > 0 ? this.f32.words[this.at + MEDIANS] : this.medians;
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
