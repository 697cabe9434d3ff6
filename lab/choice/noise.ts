import { average, total } from "../../host/statistics.ts";

/** Most stretches of a pass with separate sums of losses. */
const STRETCHES = 50;
/** Stays count where they make at most this share of so many stretches: shorter ones end within a stretch, and don't join two. */
const STAYS_MOST = 0.8;

/** The losses of a pass, summed by stretches of nearly equal length, from which its noise is estimated. */
export interface Losses {
  readonly sums: Float64Array;
  /** Samples of each stretch. */
  readonly counts: Float64Array;
  /** The same by stretches that end where the label changes: errors in one stay of a machine's state depend on one another. */
  readonly stays?: Losses;
}

/** Adds up the losses of a pass of `count` samples. */
export class LossSums implements Losses {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  readonly stays?: Losses;

  /** @param stretchOf the stretch of whole stays to which each sample belongs, see `stretchesOfStays`. */
  constructor(
    private readonly count: number,
    private readonly stretchOf?: Uint8Array,
  ) {
    this.sums = new Float64Array(Math.min(STRETCHES, count));
    this.counts = new Float64Array(this.sums.length);
    const stretches = count > 0 && stretchOf ? stretchOf[count - 1] + 1 : Number.POSITIVE_INFINITY;
    if (stretches <= STAYS_MOST * this.sums.length)
      this.stays = { sums: new Float64Array(stretches), counts: new Float64Array(stretches) };
  }

  /** The loss of the sample at that place of the pass, from 0. Returns its stretch. */
  add(place: number, loss: number): number {
    const { stays, stretchOf } = this;
    const stretch = Math.floor((place * this.sums.length) / this.count);
    this.sums[stretch] += loss;
    this.counts[stretch]++;
    if (stays && stretchOf) {
      stays.sums[stretchOf[place]] += loss;
      stays.counts[stretchOf[place]]++;
    }
    return stretch;
  }
}

/** For each sample, by the labels in the order of a pass, its stretch of whole stays: those that begin in the same part of the pass. */
export function stretchesOfStays(labels: ArrayLike<number>): Uint8Array {
  const { length } = labels;
  const stretches = new Uint8Array(length);
  const parts = Math.min(STRETCHES, length);
  for (let place = 1, part = 0; place < length; place++) {
    const own = Math.floor((place * parts) / length);
    const isNext = labels[place] !== labels[place - 1] && own > part;
    stretches[place] = stretches[place - 1] + (isNext ? 1 : 0);
    if (isNext) part = own;
  }
  return stretches;
}

/** How often the label changes, and the first: samples without one don't count. */
export function staysIn(labels: Float64Array): number {
  const known = labels.filter((label) => !Number.isNaN(label));
  return known.reduce(
    (stays, label, place) => stays + (place === 0 || label !== known[place - 1] ? 1 : 0),
    0,
  );
}

/** A mean, and its standard error by the noise of the samples. */
export interface Estimate {
  readonly mean: number;
  readonly standardError: number;
}

/** The stretches from that share of the pass on. */
export function tailLosses({ sums, counts }: Losses, share: number): Losses {
  const first = Math.floor(share * sums.length);
  return { sums: sums.subarray(first), counts: counts.subarray(first) };
}

/**
 * The mean, and its standard error from the differences of neighbouring stretches (von Neumann, 1941):
 * neither a learner's progress nor a drift counts as noise, but correlated samples do. Where labels stay longer than a stretch, the error
 * of whole stays is larger, and counts.
 */
export function estimateLoss({ sums, counts, stays }: Losses): Estimate {
  const all = total(counts);
  const mean = total(sums) / all;
  const residuals = Array.from(sums, (sum, i) => sum - mean * counts[i]);
  const { length } = residuals;
  const squares = residuals.slice(1).reduce((sum, residual, i) => sum + (residual - residuals[i]) ** 2, 0);
  const own = length > 1 ? Math.sqrt((squares * length) / (2 * (length - 1))) / all : 0;
  return { mean, standardError: stays ? Math.max(own, estimateLoss(stays).standardError) : own };
}

/** Its loss above `other`'s on the same samples: common losses aren't noise of the difference. */
export function estimateDifference(own: Losses, other: Losses): Estimate {
  return estimateLoss(differences(own, other));
}

function differences({ sums, counts, stays }: Losses, other: Losses): Losses {
  const difference = { sums: sums.map((sum, i) => sum - other.sums[i]), counts };
  return stays && other.stays ? { ...difference, stays: differences(stays, other.stays) } : difference;
}

/**
 * The mean of estimates from several passes over the same samples. All passes share the noise of the samples,
 * so it doesn't average out; the effect of the order does.
 */
export function acrossPasses(all: readonly Estimate[]): Estimate {
  const mean = average(all.map((each) => each.mean));
  const ofSamples = average(all.map((each) => each.standardError ** 2));
  const spread = all.reduce((sum, each) => sum + (each.mean - mean) ** 2, 0);
  const ofOrder = all.length > 1 ? spread / (all.length - 1) / all.length : 0;
  return { mean, standardError: Math.sqrt(ofSamples + ofOrder) };
}
