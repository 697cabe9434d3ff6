import type { Random } from "../../host/random.ts";
import { Elementary } from "../../src/math/elementary.ts";
import { numberOption, type OptionSpec, withDefaults } from "./options.ts";
import type { SignalStage, StageContext } from "./stage.ts";
import { type ColumnStatistics, RunningVariance } from "./statistics.ts";

export interface NoiseOptions {
  snrDb: number;
}

export const NOISE_OPTIONS: readonly OptionSpec[] = [
  numberOption(
    "snrDb",
    [-60, 120],
    20,
    "signal-to-noise ratio in dB, of each column's variance to the noise's",
  ),
];

const LN10_BY_10 = 0.23025850929940458;

/** 10^(dB / 10), in float32 precision. */
export function powerRatio(decibels: number): number {
  return new Elementary().exp(Math.fround(decibels * LN10_BY_10));
}

/**
 * Adds white Gaussian noise to every component. A column's signal power is its variance, since a constant
 * part such as 20 degrees carries no signal. With statistics it is the whole stream's variance; else the
 * running one, this sample included, so the first sample gets no noise.
 */
export class Noise implements SignalStage {
  private readonly ratio: number;
  private readonly random: Random;
  private readonly statistics: ColumnStatistics | undefined;
  private readonly running: RunningVariance;

  constructor(options: Partial<NoiseOptions>, context: StageContext) {
    const { snrDb } = withDefaults<NoiseOptions>("noise", NOISE_OPTIONS, options);
    this.ratio = powerRatio(snrDb);
    this.random = context.random;
    this.statistics = context.statistics;
    this.running = new RunningVariance(context.dimension);
  }

  apply(x: Float32Array): boolean {
    if (!this.statistics) this.running.add(x);
    for (let j = 0; j < x.length; j++) {
      const deviation = this.statistics?.deviation[j];
      const power = deviation === undefined ? this.running.variance(j) : deviation * deviation;
      x[j] += Math.sqrt(power / this.ratio) * this.random.normal();
    }
    return true;
  }
}
