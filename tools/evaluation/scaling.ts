import type { DataSet } from "../../host-sim/streams/table.ts";

export const SCALES = ["none", "minmax", "standard"] as const;
export type Scale = (typeof SCALES)[number];

/** x_j -> (x_j - offset_j) * factor_j + shift, in double, rounded once to float32. */
interface Scaling {
  readonly offset: Float64Array;
  readonly factor: Float64Array;
  readonly shift: number;
}

/**
 * Scales the features of `train`, and of each other set in the same way: `minmax` takes the train set's range of each
 * feature to -1..1, `standard` its mean to 0 and its standard deviation to 1; a feature that is constant in `train` becomes
 * -1 or 0. Fitted to the whole train set before the pass, computed in double, rounded once.
 */
export function scaleLike(train: DataSet, scale: Scale, others: readonly DataSet[]): void {
  if (scale === "none") return;
  const scaling = scale === "minmax" ? fitRange(train) : fitMoments(train);
  for (const data of [train, ...others]) apply(scaling, data);
}

function fitRange({ dimension, rows }: DataSet): Scaling {
  const low = new Float64Array(dimension).fill(Infinity);
  const high = new Float64Array(dimension).fill(-Infinity);
  rows.forEach((value, i) => {
    const j = i % dimension;
    if (value < low[j]) low[j] = value;
    if (value > high[j]) high[j] = value;
  });
  return { offset: low, factor: low.map((value, j) => inverse(high[j] - value, 2)), shift: -1 };
}

function fitMoments({ dimension, rows, count }: DataSet): Scaling {
  const mean = new Float64Array(dimension);
  const variance = new Float64Array(dimension);
  rows.forEach((value, i) => {
    mean[i % dimension] += value / count;
  });
  rows.forEach((value, i) => {
    const j = i % dimension;
    variance[j] += (value - mean[j]) ** 2 / count;
  });
  return { offset: mean, factor: variance.map((value) => inverse(Math.sqrt(value), 1)), shift: 0 };
}

function inverse(width: number, numerator: number): number {
  return width > 0 ? numerator / width : 0;
}

function apply({ offset, factor, shift }: Scaling, { dimension, rows }: DataSet): void {
  for (let i = 0; i < rows.length; i++) {
    const j = i % dimension;
    rows[i] = (rows[i] - offset[j]) * factor[j] + shift;
  }
}
