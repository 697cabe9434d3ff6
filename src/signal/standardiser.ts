import type { Primitives } from "../math/primitives.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";

export interface StandardiserOptions {
  /** d, components of a vector: 1..4096. */
  readonly dimension: number;
  /** N, samples that count in full, after which older ones are forgotten: 2..65536; default 4096. */
  readonly horizon?: number;
  readonly memory?: MemoryRange;
}

/** What a standardiser counts, each a 32-bit word that wraps. */
export const STANDARDISER_COUNTERS = [
  /** vectors refused because a component wasn't finite */
  "refused",
  /** vectors refused because a variance or a standardised component was more than float32 holds */
  "overflowed",
] as const;

export type StandardiserCounter = (typeof STANDARDISER_COUNTERS)[number];

/** 2^-126: below it float32 loses precision, and a component counts as constant. */
const LEAST_VARIANCE = 1.1754943508222875e-38;

function settleStandardiser({ dimension, horizon = 4096 }: StandardiserOptions) {
  check("dimension", dimension, 1, 4096);
  check("horizon", horizon, 2, 65536);
  return { dimension, horizon };
}

function check(name: string, got: number, min: number, max: number): void {
  if (Number.isInteger(got) && got >= min && got <= max) return;
  throw new RangeError(
    `standardiser: option ${name}: got ${got}; takes a whole number >= ${min} and <= ${max}`,
  );
}

/**
 * Running standardisation of every component to mean 0 and variance 1, in fixed memory (Welford 1962):
 *
 *     n <- min(n + 1, N);   delta = x - mean
 *     mean <- mean + delta / n
 *     variance <- variance + (delta (x - mean) - variance) / n        (with the new mean)
 *     z = (x - mean) / sqrt(variance);   0 where the variance is less than 2^-126
 *
 * So these are the mean and the (population) variance of all samples until there are N, and from then on old samples are
 * forgotten by a factor 1 - 1/N each: a node follows a drift, and float32 never stalls. N is at most 2^16, so that a
 * step of 1/N of the variance is still 2^8 units in its last place; the mean is kept in two words, its float32 value
 * and what that leaves out, so that an offset however large beside the deviation doesn't hold it up.
 *
 * Warm-up: before the first sample, and for a component that never varied, z is 0. A vector that was observed first and
 * then standardised has |z| <= sqrt(n - 1), n <= N: the first gives 0, the second -1 and +1, and no spike comes of small n.
 */
export class Standardiser {
  readonly layout: Layout;
  readonly range: MemoryRange;
  readonly dimension: number;
  readonly horizon: number;
  private readonly f32: Primitives;
  private readonly mean: number;
  private readonly meanRest: number;
  private readonly variance: number;
  private readonly seen: number;
  private readonly counts: number;

  /** Its memory, to the byte, without making it. Throws a RangeError that names the option. */
  static layout(options: StandardiserOptions): Layout {
    const { dimension } = settleStandardiser(options);
    return new Layout([
      { name: "mean", kind: "state", words: dimension },
      { name: "meanRest", kind: "state", words: dimension },
      { name: "variance", kind: "state", words: dimension },
      { name: "seen", kind: "state", words: 1 },
      { name: "counters", kind: "counters", words: STANDARDISER_COUNTERS.length },
    ]);
  }

  constructor(options: StandardiserOptions) {
    const { dimension, horizon } = settleStandardiser(options);
    this.dimension = dimension;
    this.horizon = horizon;
    this.layout = Standardiser.layout(options);
    this.range = options.memory ?? this.layout.ownRange();
    this.f32 = this.range.f32;
    this.mean = this.layout.at("mean", this.range);
    this.meanRest = this.layout.at("meanRest", this.range);
    this.variance = this.layout.at("variance", this.range);
    this.seen = this.layout.at("seen", this.range);
    this.counts = this.layout.at("counters", this.range);
    this.f32.bits.fill(0, this.range.state, this.range.state + this.layout.state);
    this.f32.bits.fill(0, this.range.counters, this.range.counters + this.layout.counters);
  }

  /** n, samples observed, at most the horizon. */
  get size(): number {
    return this.f32.bits[this.seen];
  }

  /** How often `name` was counted. */
  count(name: StandardiserCounter): number {
    return this.f32.bits[this.counts + (name === "refused" ? 0 : 1)];
  }

  /** Takes the vector at word x into mean and variance. False, counted, and nothing changed, if it is refused. */
  observe(x: number): boolean {
    const { words, bits } = this.f32;
    if (!this.takes(x)) return false;
    const n = this.size < this.horizon ? this.size + 1 : this.horizon;
    for (let j = 0; j < this.dimension; j++) {
      if (!Number.isFinite(Math.fround(this.varianceAfter(x, j, n)))) return this.overflow();
    }
    for (let j = 0; j < this.dimension; j++) {
      const variance = this.varianceAfter(x, j, n);
      const mean = this.meanAfter(x, j, n);
      words[this.mean + j] = mean;
      words[this.meanRest + j] = mean - words[this.mean + j];
      words[this.variance + j] = variance;
    }
    bits[this.seen] = n;
    return true;
  }

  /** The vector at word x becomes z. False, counted, and x left as it was, if it is refused. Changes no state. */
  apply(x: number): boolean {
    const { words } = this.f32;
    if (!this.takes(x)) return false;
    for (let j = 0; j < this.dimension; j++) {
      if (!Number.isFinite(Math.fround(this.standardised(x, j)))) return this.overflow();
    }
    for (let j = 0; j < this.dimension; j++) words[x + j] = this.standardised(x, j);
    return true;
  }

  private takes(x: number): boolean {
    if (this.f32.finite(x, this.dimension)) return true;
    this.f32.bits[this.counts]++;
    return false;
  }

  private overflow(): boolean {
    this.f32.bits[this.counts + 1]++;
    return false;
  }

  private meanOf(j: number): number {
    return this.f32.words[this.mean + j] + this.f32.words[this.meanRest + j];
  }

  private meanAfter(x: number, j: number, n: number): number {
    const mean = this.meanOf(j);
    return mean + (this.f32.words[x + j] - mean) / n;
  }

  private varianceAfter(x: number, j: number, n: number): number {
    const value = this.f32.words[x + j];
    const variance = this.f32.words[this.variance + j];
    return variance + ((value - this.meanOf(j)) * (value - this.meanAfter(x, j, n)) - variance) / n;
  }

  private standardised(x: number, j: number): number {
    const variance = this.f32.words[this.variance + j];
    return variance >= LEAST_VARIANCE ? (this.f32.words[x + j] - this.meanOf(j)) / Math.sqrt(variance) : 0;
  }
}
