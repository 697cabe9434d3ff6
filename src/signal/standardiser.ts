import type { Primitives } from "../math/primitives.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";

/** Options of a `Standardiser`. */
export interface StandardiserOptions {
  /** d, components of a vector: 1..4096. */
  readonly dimension: number;
  /** N, samples that count in full, after which older ones are forgotten: 32..65536; default 2000. */
  readonly horizon?: number;
  /**
   * E, readings in a row that lie beyond 4 deviations on one side, after which a component restarts there: 8..65536; default 32.
   * A larger E ignores a fault's readings for longer, and follows a step of the signal later. 32 is chosen on the generated streams
   * `lab/bench/lasting-faults.json` and `lasting-steps.json`.
   */
  readonly stepAfter?: number;
  /** Where it lies; default: a range of its own. */
  readonly memory?: MemoryRange;
}

/** Defaults of `horizon` and `stepAfter`. */
export const HORIZON = 2000;
export const STEP_AFTER = 32;

/** The options with defaults filled in. Throws an OptionError that names the option. */
function resolveStandardiser({ dimension, horizon = HORIZON, stepAfter = STEP_AFTER }: StandardiserOptions) {
  const resolved = { dimension, horizon, stepAfter };
  checkStandardiser(resolved, "standardiser");
  return resolved;
}

function standardiserLayout(options: StandardiserOptions): Layout {
  const { dimension } = resolveStandardiser(options);
  return new Layout([
    { name: "mean", kind: "state", words: dimension },
    { name: "meanRest", kind: "state", words: dimension },
    { name: "variance", kind: "state", words: dimension },
    { name: "count", kind: "state", words: dimension },
    { name: "run", kind: "state", words: dimension },
    { name: "refused", kind: "counters", words: 1 },
  ]);
}

/** Throws an OptionError that names the option, under the owner's name. */
export function checkStandardiser(
  { dimension, horizon, stepAfter }: { dimension: number; horizon: number; stepAfter: number },
  owner: string,
): void {
  check(owner, "dimension", dimension, 1, 4096);
  check(owner, "horizon", horizon, 32, 65536);
  check(owner, "stepAfter", stepAfter, 8, 65536);
}

function check(owner: string, name: string, got: number, min: number, max: number): void {
  if (Number.isInteger(got) && got >= min && got <= max) return;
  throw new OptionError(owner, name, got, `a whole number >= ${min} and <= ${max}`);
}

/**
 * Running standardisation of every component to mean 0 and variance 1, in fixed memory and robust to a single outlier. With the mean m, the
 * variance v, the count n and the run r of a component, delta = x - m:
 *
 *     z = clip(delta / sqrt(v), +-5)                                  with m and v before this sample
 *     n <- min(n + 1, N);   m <- m + delta / n;   v <- v + (delta (delta - delta / n) - v) / n       (Welford 1962)
 *
 * - From n = 32 on, delta is clipped at 4 deviations. The E-th in a row that is clipped on the same side is no glitch:
 *   the component starts again there, with m = x, n = 8 and the variance that it had. So a shorter burst moves it little,
 *   and a step of more than 4 deviations is followed within E samples.
 * - In the warm-up, 2 <= n < 32, the limit is wider: 4 deviations (1 + 20 / n). The component ignores a reading beyond it, and z is 0;
 *   after eight in a row it starts from the eighth, as at first.
 * - If two of the first three readings agree (to a twentieth of the distance to the third), the component ignores the third.
 * - A component that hasn't varied (v < 2^-126) has z = 0, and n stays at 3: its scale isn't known yet, so that the first
 *   other reading sets it. A component whose m or v overflows float32 starts from x, as at first.
 *
 * From N samples on, old ones are forgotten by a factor 1 - 1/N each: a node follows a drift, and float32 never stalls. N is at
 * most 2^16, so that a step of 1/N of the variance is still 2^8 units in its last place; the mean is kept in two words, its float32 value
 * and the remainder, so that it moves however large its offset is beside the deviation.
 *
 * Limits: after a sudden growth of the signal's gain, the variance grows by a factor of at most 1 + 15/n a sample. Glitches in both of
 * the first two samples set the scale; a range of the channel prevents that.
 */
export class Standardiser {
  /** Its regions, and so its bytes. */
  readonly layout: Layout;
  /** Where its regions lie. */
  readonly range: MemoryRange;
  /** Components of a vector. */
  readonly dimension: number;
  /** Samples that count in full, after which older ones are forgotten. */
  readonly horizon: number;
  /** Readings in a row beyond 4 deviations on one side, after which a component starts again. */
  readonly stepAfter: number;
  private readonly f32: Primitives;
  /** Word of the means; their rests, the variances, the counts and the runs follow. */
  private readonly moments: number;
  private readonly refusals: number;

  /** Its memory, to the byte, without making it. Throws an OptionError that names the option. */
  static layout(options: StandardiserOptions): Layout {
    return standardiserLayout(options);
  }

  constructor(options: StandardiserOptions) {
    const { dimension, horizon, stepAfter } = resolveStandardiser(options);
    this.dimension = dimension;
    this.horizon = horizon;
    this.stepAfter = stepAfter;
    this.layout = standardiserLayout(options);
    this.range = options.memory ?? this.layout.ownRange();
    this.f32 = this.range.f32;
    this.moments = this.layout.at("mean", this.range);
    this.refusals = this.layout.at("refused", this.range);
    this.f32.bits.fill(0, this.range.state, this.range.state + this.layout.state);
    this.f32.bits.fill(0, this.range.counters, this.range.counters + this.layout.counters);
  }

  /** Vectors refused because a component wasn't finite; a 32-bit word that wraps. */
  get refused(): number {
    return this.f32.bits[this.refusals];
  }

  /** The vector at word x becomes z, and the moments take it in. False, counted, and nothing changed, if x isn't finite. */
  standardise(x: number): boolean {
    const { dimension, stepAfter, f32, horizon, moments } = this;
    if (f32.standardise(moments, x, dimension, horizon, stepAfter)) return true;
    this.f32.bits[this.refusals]++;
    return false;
  }
}
