import type { Elementary } from "../../../../src/math/elementary.ts";

const SQRT_TWO_PI = 2.5066282746310002;
/** A standard deviation of 0 counts as this. */
const LEAST_DEVIATION = 1e-3;
/** Abramowitz and Stegun, 26.2.17: the error is less than 7.5e-8. */
const P = 0.2316419;
const B = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];

/** Weight, mean and sum of squared deviations of a number, updated as West (1979) does: three words. */
export class Moments {
  weight = 0;
  private mean = 0;
  private squares = 0;

  constructor(private readonly elementary: Elementary) {}

  add(value: number, weight: number): void {
    this.weight += weight;
    const change = value - this.mean;
    this.mean += (weight / this.weight) * change;
    this.squares += weight * change * (value - this.mean);
  }

  /** log N(value; mean, variance). */
  logDensity(value: number): number {
    const z = (value - this.mean) / this.deviation;
    return -0.5 * z * z - this.elementary.log(this.deviation * SQRT_TWO_PI);
  }

  /** The weight of a Gaussian of these moments that lies at or below a value. */
  below(value: number): number {
    const z = (value - this.mean) / this.deviation;
    const t = 1 / (1 + P * Math.abs(z));
    const tail =
      (this.elementary.exp(-0.5 * z * z) / SQRT_TWO_PI) * t * B.reduceRight((sum, b) => sum * t + b, 0);
    return this.weight * (z >= 0 ? 1 - tail : tail);
  }

  private get deviation(): number {
    const variance = this.weight > 1 ? this.squares / (this.weight - 1) : 0;
    return Math.max(LEAST_DEVIATION, Math.sqrt(variance));
  }
}
