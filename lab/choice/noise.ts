/** Most stretches of a pass with separate sums of losses. */
const STRETCHES = 50;

/** The losses of a pass, summed by stretches of nearly equal length, from which its noise is estimated. */
export interface Losses {
  readonly sums: Float64Array;
  /** Samples of each stretch. */
  readonly counts: Float64Array;
}

/** Adds up the losses of a pass of `count` samples. */
export class LossSums implements Losses {
  readonly sums: Float64Array;
  readonly counts: Float64Array;

  constructor(private readonly count: number) {
    this.sums = new Float64Array(Math.min(STRETCHES, count));
    this.counts = new Float64Array(this.sums.length);
  }

  /** The loss of the sample at that place of the pass, from 0. Returns its stretch. */
  add(place: number, loss: number): number {
    const stretch = Math.floor((place * this.sums.length) / this.count);
    this.sums[stretch] += loss;
    this.counts[stretch]++;
    return stretch;
  }
}

/** A mean, and its standard error by the noise of the samples. */
export interface Estimate {
  readonly mean: number;
  readonly standardError: number;
}

const total = (values: Float64Array) => values.reduce((sum, each) => sum + each, 0);

/** The stretches from that share of the pass on. */
export function tailOf({ sums, counts }: Losses, share: number): Losses {
  const first = Math.floor(share * sums.length);
  return { sums: sums.subarray(first), counts: counts.subarray(first) };
}

/**
 * The mean, and its standard error from the differences of neighbouring stretches (von Neumann, 1941):
 * neither a learner's progress nor a drift counts as noise, but correlated samples do.
 */
export function estimateOf({ sums, counts }: Losses): Estimate {
  const means = Array.from(sums, (sum, i) => sum / counts[i]);
  const squares = means.slice(1).reduce((sum, mean, i) => sum + (mean - means[i]) ** 2, 0);
  const variance = means.length > 1 ? squares / (2 * (means.length - 1)) / means.length : 0;
  return { mean: total(sums) / total(counts), standardError: Math.sqrt(variance) };
}

/** Its loss above `other`'s on the same samples: common losses aren't noise of the difference. */
export function differenceOf({ sums, counts }: Losses, other: Losses): Estimate {
  return estimateOf({ sums: sums.map((sum, i) => sum - other.sums[i]), counts });
}

/**
 * The mean of estimates from several passes over the same samples. All passes share the noise of the samples,
 * so it doesn't average out; the effect of the order does.
 */
export function acrossPasses(all: readonly Estimate[]): Estimate {
  const average = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / all.length;
  const mean = average(all.map((each) => each.mean));
  const ofSamples = average(all.map((each) => each.standardError ** 2));
  const spread = all.reduce((sum, each) => sum + (each.mean - mean) ** 2, 0);
  const ofOrder = all.length > 1 ? spread / (all.length - 1) / all.length : 0;
  return { mean, standardError: Math.sqrt(ofSamples + ofOrder) };
}
