import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";

export interface StandardiserOptions {
  /** d, components of a vector: 1..4096. */
  readonly dimension: number;
  /** N, samples that count in full, after which older ones are forgotten: 2..65536; default 4096. */
  readonly horizon?: number;
  readonly memory?: MemoryRange;
}

/** What a standardiser counts, each a 32-bit word that wraps. */
export const STANDARDISER_COUNTERS = frozen([
  /** vectors refused because a component wasn't finite */
  "refused",
  /** vectors refused because a variance or a standardised component was more than float32 holds */
  "overflowed",
] as const);

export type StandardiserCounter = (typeof STANDARDISER_COUNTERS)[number];

function settleStandardiser({ dimension, horizon = 4096 }: StandardiserOptions) {
  check("dimension", dimension, 1, 4096);
  check("horizon", horizon, 2, 65536);
  return { dimension, horizon };
}

function check(name: string, got: number, min: number, max: number): void {
  if (Number.isInteger(got) && got >= min && got <= max) return;
  throw new OptionError("standardiser", name, got, `a whole number >= ${min} and <= ${max}`);
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
  /** Word of the means, their rests and the variances, one after the other. */
  private readonly moments: number;
  private readonly seen: number;
  private readonly counts: number;

  /** Its memory, to the byte, without making it. Throws an OptionError that names the option. */
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
    this.moments = this.layout.at("mean", this.range);
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
    const { bits } = this.f32;
    if (!this.takes(x)) return false;
    const n = this.size < this.horizon ? this.size + 1 : this.horizon;
    if (!this.f32.observe(this.moments, x, this.dimension, n)) return this.overflow();
    bits[this.seen] = n;
    return true;
  }

  /** The vector at word x becomes z. False, counted, and x left as it was, if it is refused. Changes no state. */
  apply(x: number): boolean {
    if (!this.takes(x)) return false;
    return this.f32.standardise(this.moments, x, this.dimension) || this.overflow();
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
}
