import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, FINITE, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { type Coverage, shareAt } from "./coverage.ts";
import { CERTAIN, REMARK, REMARK_BYTE } from "./ports.ts";

/** Half widths are 2^(k / 4), k from -124 to 127; a byte holds k + 128. */
const LEAST = -124;
const MOST = 127;
const ZERO = 128;
/** 2^0, 2^(1/4), 2^(2/4), 2^(3/4). */
const QUARTERS = frozen([1, 1.189207115002721, Math.SQRT2, 1.681792830507429]);
/** Step of the level and of its offset, in quarters of a power of two: .05 of a logarithm. The offset's bound. */
const STEP = 0.29;
const OFFSET_MOST = 32;
/** Labels that find the level, by longer steps: 100 / (25 + n). */
const FIRST_LABELS = 200;
const LONGER = 100;
const SHORTENED = 25;
/** Where more labels are gross, the rest teaches nothing. */
const GROSS_MOST = 0.9;
/** Samples whose levels a word holds. */
const IN_A_WORD = 4;
/** The verdict on a label: inside the issued interval, or outside; there was none. */
const WITHIN = 0;
const OUTSIDE = 1;
const NONE = 2;

/** 2^(k / 4), exact but for the rounding of a root of 2. */
function power(k: number): number {
  const whole = k >> 2;
  return QUARTERS[k & 3] * (whole < 0 ? 1 / ((1 << -whole) >>> 0) : (1 << whole) >>> 0);
}

/** The byte of the narrowest half width that holds this error. */
function errorByte(error: number): number {
  let k = LEAST;
  while (k < MOST && power(k) < error) k++;
  return k + ZERO;
}

/** A level as the whole number that a byte holds. */
function roundLevel(level: number): number {
  return level < LEAST ? LEAST : level > MOST ? MOST : Math.floor(level + 0.5);
}

function distance(a: number, b: number): number {
  return a < b ? b - a : a - b;
}

/** The half width of a prediction interval, by the second byte of its prediction's remarks: 2^((b - 128) / 4), b 4..255. */
export function halfWidth(b: number): number {
  return power(b - ZERO);
}

/**
 * Prediction intervals of a regression, which hold the true value of a share 1 - alpha of samples, whatever the learner is worth:
 * adaptive conformal inference. The interval of a sample is its estimate, -+ 2^(k / 4) with k = L + B rounded: the level L and its offset B. Estimate
 * and k are kept with the sample that waits. When a label comes, a miss is 1 if it lies outside of an interval, and
 *
 *     e(miss) = (miss - g) / (1 - g)
 *
 * The label moves L by the interval that the learner would issue for its sample now, with level L, before it learns the label. It moves B by the interval as
 * it was issued, and by the less the later it comes (`shareAt`):
 *
 *     L <- clip(L + s (e(miss now) - alpha), -124, 127);   s = .29, of the first 200 labels 100 / (25 + n)
 *     B <- clip(B + .29 / (1 + (lag / 30)^2) (e(miss as issued) - alpha), -32, 32)
 *
 * g is the share of gross labels, which lie far off whatever the truth: the node's option `grossLabels`, or 1 - c/255 of a label that isn't certain,
 * by its confidence c. L begins at the first label's error; no interval is issued before.
 *
 * Three words of state; a word and a byte for each sample that may wait.
 *
 * @see Gibbs, Candes: Adaptive conformal inference under distribution shift. NeurIPS 34, 2021
 */
export class PredictionIntervals implements Coverage {
  private readonly f32: Primitives;
  private readonly level: number;
  private readonly offset: number;
  private readonly count: number;
  private readonly estimates: number;
  private readonly levels: number;
  private readonly alpha: number;

  static regions(pending: number): Region[] {
    return [
      { name: "intervals", kind: "state", words: 3, holds: [FINITE, FINITE, FIRST_LABELS] },
      { name: "intervals.estimates", kind: "state", words: pending, holds: [ANY] },
      { name: "intervals.levels", kind: "state", words: Math.ceil(pending / IN_A_WORD), holds: [ANY] },
    ];
  }

  /** @param coverage 1 - alpha, 0..1. @param gross g of a label that is certain. */
  constructor(
    layout: Layout,
    range: MemoryRange,
    coverage: number,
    private readonly pending: number,
    private readonly gross: number,
  ) {
    this.f32 = range.f32;
    this.level = layout.at("intervals", range);
    this.offset = this.level + 1;
    this.count = this.level + 2;
    this.estimates = layout.at("intervals.estimates", range);
    this.levels = layout.at("intervals.levels", range);
    this.alpha = 1 - coverage;
  }

  issue(seq: number, estimate: number): number {
    const { words, bits } = this.f32;
    const isBegun = bits[this.count] > 0;
    const b = isBegun ? roundLevel(words[this.level] + words[this.offset]) + ZERO : 0;
    this.keep(seq, estimate, b);
    return isBegun ? REMARK.set + REMARK_BYTE * b : 0;
  }

  take(seq: number, y: number): number {
    const { words, bits } = this.f32;
    const slot = seq % this.pending;
    const error = distance(y, words[this.estimates + slot]);
    const b = (bits[this.levels + ((slot / IN_A_WORD) | 0)] >>> (8 * (slot % IN_A_WORD))) & 255;
    this.keep(seq, 0, 0);
    if (b === 0 || error - error !== 0) return NONE;
    return error > power(b - ZERO) ? OUTSIDE : WITHIN;
  }

  learn(issued: number, y: number, decision: number, lag: number, _source: number, confidence: number): void {
    const g = confidence < CERTAIN ? 1 - confidence / CERTAIN : this.gross;
    const error = distance(y, decision);
    if (error - error !== 0) return;
    if (this.f32.bits[this.count] === 0) {
      this.begin(errorByte(error));
      return;
    }
    if (g > GROSS_MOST) return;
    this.track(error, g);
    if (issued !== NONE)
      this.move(this.offset, STEP * shareAt(lag) * this.excess(issued, g), -OFFSET_MOST, OFFSET_MOST);
  }

  /** The level, by the interval that the sample would have now. */
  private track(error: number, g: number): void {
    const { words, bits } = this.f32;
    const n = bits[this.count];
    const step = n < FIRST_LABELS ? LONGER / (SHORTENED + n) : STEP;
    const miss = error > power(roundLevel(words[this.level])) ? OUTSIDE : WITHIN;
    this.move(this.level, step * this.excess(miss, g), LEAST, MOST);
    if (n < FIRST_LABELS) bits[this.count] = n + 1;
  }

  /** By how much a miss exceeds the share of misses. */
  private excess(miss: number, g: number): number {
    return (miss - g) / (1 - g) - this.alpha;
  }

  private move(word: number, by: number, least: number, most: number): void {
    const { words } = this.f32;
    const value = words[word] + by;
    words[word] = value < least ? least : value > most ? most : value;
  }

  private begin(b: number): void {
    const { words, bits } = this.f32;
    words[this.level] = b - ZERO;
    bits[this.count] = 1;
  }

  private keep(seq: number, estimate: number, b: number): void {
    const slot = seq % this.pending;
    const word = this.levels + ((slot / IN_A_WORD) | 0);
    const shift = 8 * (slot % IN_A_WORD);
    this.f32.words[this.estimates + slot] = estimate;
    this.f32.bits[word] = (this.f32.bits[word] & ~(255 << shift)) | (b << shift);
  }
}
