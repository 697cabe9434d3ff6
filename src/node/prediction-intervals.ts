import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, FINITE, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { CERTAIN, REMARK, REMARK_BYTE } from "./ports.ts";
import type { Coverage } from "./prediction-sets.ts";

/** Half widths are 2^(k / 4), k from -124 to 127; a byte holds k + 128. */
const LEAST = -124;
const MOST = 127;
const ZERO = 128;
/** 2^0, 2^(1/4), 2^(2/4), 2^(3/4). */
const QUARTERS = frozen([1, 1.189207115002721, Math.SQRT2, 1.681792830507429]);
/** Step of the level, in quarters of a power of two: .05 of a logarithm. */
const STEP = 0.29;
/** Labels that find the level, by longer steps: 100 / (25 + n). */
const FIRST_LABELS = 200;
const LONGER = 100;
const SHORTENED = 25;
/** Where more labels are gross, the rest teaches nothing. */
const GROSS_MOST = 0.9;
/** Samples whose levels a word holds. */
const IN_A_WORD = 4;
/**
 * The verdict on a label: inside the issued interval, or outside; there was none; it is the first, plus its
 * error's byte.
 */
const WITHIN = 0;
const OUTSIDE = 1;
const NONE = 2;
const FIRST = 3;

/** 2^(k / 4), exact but for the rounding of a root of 2. */
function power(k: number): number {
  const whole = k >> 2;
  return QUARTERS[k & 3] * (whole < 0 ? 1 / ((1 << -whole) >>> 0) : (1 << whole) >>> 0);
}

/** The byte of the narrowest half width that holds this error. */
function byteOf(error: number): number {
  let k = LEAST;
  while (k < MOST && power(k) < error) k++;
  return k + ZERO;
}

/** The half width of a prediction interval, by the second byte of its prediction's remarks: 2^((b - 128) / 4), b 4..255. */
export function halfWidth(b: number): number {
  return power(b - ZERO);
}

/**
 * Prediction intervals of a regression, which hold the true value of a share 1 - alpha of samples, whatever the learner is worth:
 * adaptive conformal inference. The interval of a sample is its estimate, -+ 2^(k / 4) with k the level L, rounded. Estimate and k are kept
 * with the sample that waits. When a label comes, miss = 1 if it lies outside of the interval as it was issued:
 *
 *     e = (miss - g) / (1 - g);   L <- clip(L + s (e - alpha), -124, 127);   s = .29
 *
 * The first 200 labels find L: each is judged by the interval at the time when it comes, so that a delay doesn't add misses up, and label n
 * has s = 100 / (25 + n). g is the share of gross labels, which lie far off whatever the truth: the node's option `grossLabels`, or 1 -
 * c/255 of a label that isn't certain, by its confidence c. L begins at the first label's error; no interval is issued before.
 *
 * Two words of state; a word and a byte for each sample that may wait.
 *
 * @see Gibbs, Candes: Adaptive conformal inference under distribution shift. NeurIPS 34, 2021
 */
export class PredictionIntervals implements Coverage {
  private readonly f32: Primitives;
  private readonly level: number;
  private readonly count: number;
  private readonly estimates: number;
  private readonly levels: number;
  private readonly alpha: number;

  static regions(pending: number): Region[] {
    return [
      { name: "intervals", kind: "state", words: 2, holds: [FINITE, FIRST_LABELS] },
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
    this.count = this.level + 1;
    this.estimates = layout.at("intervals.estimates", range);
    this.levels = layout.at("intervals.levels", range);
    this.alpha = 1 - coverage;
  }

  issue(seq: number, estimate: number): number {
    const isBegun = this.f32.bits[this.count] > 0;
    const b = isBegun ? this.k + ZERO : 0;
    this.keep(seq, estimate, b);
    return isBegun ? REMARK.set + REMARK_BYTE * b : 0;
  }

  /** The level, rounded. */
  private get k(): number {
    const level = this.f32.words[this.level];
    return level < LEAST ? LEAST : level > MOST ? MOST : Math.floor(level + 0.5);
  }

  take(seq: number, y: number): number {
    const { words, bits } = this.f32;
    const slot = seq % this.pending;
    const distance = y - words[this.estimates + slot];
    const error = distance < 0 ? -distance : distance;
    const b = (bits[this.levels + ((slot / IN_A_WORD) | 0)] >>> (8 * (slot % IN_A_WORD))) & 255;
    this.keep(seq, 0, 0);
    if (error - error !== 0) return NONE;
    const n = bits[this.count];
    if (n === 0) return FIRST + byteOf(error);
    if (n >= FIRST_LABELS && b === 0) return NONE;
    return error > power(n < FIRST_LABELS ? this.k : b - ZERO) ? OUTSIDE : WITHIN;
  }

  learn(taken: number, _y: number, _source: number, confidence: number): void {
    const { words, bits } = this.f32;
    const g = confidence < CERTAIN ? 1 - confidence / CERTAIN : this.gross;
    if (taken >= FIRST) this.begin(taken - FIRST);
    if (taken >= NONE || g > GROSS_MOST) return;
    const n = bits[this.count];
    const step = n < FIRST_LABELS ? LONGER / (SHORTENED + n) : STEP;
    const e = (taken - g) / (1 - g);
    const level = words[this.level] + step * (e - this.alpha);
    words[this.level] = level < LEAST ? LEAST : level > MOST ? MOST : level;
    if (n < FIRST_LABELS) bits[this.count] = n + 1;
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
