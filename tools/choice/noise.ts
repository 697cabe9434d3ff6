/** Stretches of a pass whose losses are added up apart, at most. */
const STRETCHES = 50;

/** The losses of a pass, added up by stretches of equal length as far as they can be: its noise is estimated from them. */
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

  /** The loss of the sample at that place of the pass, from 0. */
  add(place: number, loss: number): void {
    const stretch = Math.floor((place * this.sums.length) / this.count);
    this.sums[stretch] += loss;
    this.counts[stretch]++;
  }
}

/** A mean, and the standard error that the noise of the samples gives it. */
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
 * The mean, and its standard error from the differences of neighbouring stretches (von Neumann, 1941): neither what a
 * learner gains as it learns nor a drift counts as noise, and samples that resemble their neighbours do.
 */
export function estimateOf({ sums, counts }: Losses): Estimate {
  const means = Array.from(sums, (sum, i) => sum / counts[i]);
  const squares = means.slice(1).reduce((sum, mean, i) => sum + (mean - means[i]) ** 2, 0);
  const variance = means.length > 1 ? squares / (2 * (means.length - 1)) / means.length : 0;
  return { mean: total(sums) / total(counts), standardError: Math.sqrt(variance) };
}

/** How much more than `other` it lost, on the same samples: what both lost alike isn't noise of the difference. */
export function differenceOf({ sums, counts }: Losses, other: Losses): Estimate {
  return estimateOf({ sums: sums.map((sum, i) => sum - other.sums[i]), counts });
}

/**
 * The mean of estimates from several passes over the same samples. The noise of the samples is in all of them, so it doesn't
 * average out; how a pass went by its order does.
 */
export function acrossPasses(all: readonly Estimate[]): Estimate {
  const average = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / all.length;
  const mean = average(all.map((each) => each.mean));
  const ofSamples = average(all.map((each) => each.standardError ** 2));
  const spread = all.reduce((sum, each) => sum + (each.mean - mean) ** 2, 0);
  const ofOrder = all.length > 1 ? spread / (all.length - 1) / all.length : 0;
  return { mean, standardError: Math.sqrt(ofSamples + ofOrder) };
}
