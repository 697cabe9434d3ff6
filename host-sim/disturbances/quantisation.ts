import { numberOption, type OptionSpec, optionFault, withDefaults } from "./options.ts";
import type { SignalStage, StageContext } from "./stage.ts";

export interface QuantisationOptions {
  bits: number;
  low: number | null;
  high: number | null;
}

export const QUANTISATION_OPTIONS: readonly OptionSpec[] = [
  {
    name: "bits",
    type: "integer",
    min: 1,
    max: 24,
    default: 12,
    doc: "of the analogue-to-digital converter",
  },
  numberOption(
    "low",
    [-1e30, 1e30],
    null,
    "least reading, of every column; default: each column's least in the stream",
  ),
  numberOption(
    "high",
    [-1e30, 1e30],
    null,
    "greatest reading, of every column; default: each column's greatest in the stream",
  ),
];

/**
 * Rounds every component to the nearest of the 2^bits levels from `low` to `high`, and clips readings beyond. A column whose low is its
 * high stays there. Without `low` and `high` it needs statistics, else throws an OptionError.
 */
export class Quantisation implements SignalStage {
  private readonly low: Float64Array;
  private readonly step: Float64Array;
  private readonly top: number;

  constructor(options: Partial<QuantisationOptions>, { dimension, statistics }: StageContext) {
    const { bits, low, high } = withDefaults<QuantisationOptions>(
      "quantisation",
      QUANTISATION_OPTIONS,
      options,
    );
    if (!statistics && (low === null || high === null)) {
      const takes = "low and high where the stream isn't known";
      throw optionFault("quantisation", "low", low, takes, "none");
    }
    this.top = (1 << bits) - 1;
    this.low = Float64Array.from({ length: dimension }, (_, j) => low ?? statistics?.low[j] ?? 0);
    this.step = this.low.map((least, j) => ((high ?? statistics?.high[j] ?? 0) - least) / this.top);
    if (this.step.some((step) => step < 0))
      throw optionFault("quantisation", "high", high, "no less than low");
  }

  apply(x: Float32Array): boolean {
    for (let j = 0; j < x.length; j++) {
      const code = this.step[j] === 0 ? 0 : Math.floor((x[j] - this.low[j]) / this.step[j] + 0.5);
      const kept = Math.max(0, Math.min(code, this.top));
      x[j] = this.low[j] + kept * this.step[j];
    }
    return true;
  }
}
