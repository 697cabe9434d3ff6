import { numberOption, type OptionSpec, withDefaults } from "./options.ts";
import type { SignalStage, StageContext } from "./stage.ts";

export interface DriftOptions {
  gain: number;
  offset: number;
}

export const DRIFT_OPTIONS: readonly OptionSpec[] = [
  numberOption("gain", [0, 1], 1e-5, "growth or fall of the gain, per sample"),
  numberOption(
    "offset",
    [0, 100],
    1e-4,
    "rise or fall of the offset, in standard deviations of the column per sample",
  ),
];

/**
 * Sample i of a column becomes x (1 +- gain i) +- offset deviation i; each column draws its two signs once.
 */
export class Drift implements SignalStage {
  private readonly gain: Float64Array;
  private readonly offset: Float64Array;

  constructor(options: Partial<DriftOptions>, { dimension, random, statistics }: StageContext) {
    const { gain, offset } = withDefaults<DriftOptions>("drift", DRIFT_OPTIONS, options);
    const drawSign = (size: number) => (random.below(2) === 0 ? size : -size);
    this.gain = Float64Array.from({ length: dimension }, () => drawSign(gain));
    this.offset = Float64Array.from({ length: dimension }, (_, j) =>
      drawSign(offset * (statistics?.deviation[j] ?? 1)),
    );
  }

  apply(x: Float32Array, index: number): boolean {
    for (let j = 0; j < x.length; j++) x[j] = x[j] * (1 + this.gain[j] * index) + this.offset[j] * index;
    return true;
  }
}
