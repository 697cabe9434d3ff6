import { UserError } from "../../host/errors.ts";
import type { DataSet } from "../../host/streams/table.ts";
import type { ComponentRange } from "../../src/dictionary/grid.ts";
import { type FeaturesOption, featureRanges } from "../../src/signal/features.ts";
import { nodeFeatures } from "./features.ts";

/**
 * How features are scaled: `node` standardises them as a node does, sample by sample, from the samples so far; `minmax` and `standard` are
 * fitted to the whole train file before the first sample.
 */
export const SCALES = ["node", "none", "minmax", "standard"] as const;
export type Scale = (typeof SCALES)[number];

/** True if a node can scale so: it standardises as it samples, or takes its features as they are. */
export const isOfNode = (scale: Scale) => scale === "node" || scale === "none";

/** Throws a UserError where that flag asks for a node that scales as no node can. */
export function checkScaleOfNode(flag: string, scale: Scale): void {
  if (isOfNode(scale)) return;
  throw new UserError(
    `${flag}: a node standardises as it samples, or takes its features as they are; takes --scale node or none, got ${scale}`,
  );
}

/** The features of a node that standardises. */
export const STANDARDISED: FeaturesOption = { standardise: true };

/** x_j -> (x_j - offset_j) * factor_j + shift, in double, rounded once to float32. */
interface Scaling {
  readonly offset: Float64Array;
  readonly factor: Float64Array;
  readonly shift: number;
}

/** Scales a sample in place, and returns it. */
type ScaleRow = (x: Float32Array) => Float32Array;

/** A file's scaling: for each pass over the samples a new one, which may follow from the samples before. */
export interface Scaler {
  pass(): ScaleRow;
  /** The range of each feature, or one for all. */
  ranges(): readonly ComponentRange[];
}

/** Rows to read in the order of the file. */
interface Rows {
  readonly dimension: number;
  readonly count: number;
  /** In that order, or the file's. */
  each(order: Uint32Array | null, visit: (x: Float32Array, label: number) => void): void;
}

/**
 * Scales the features of `train`: `node` in the file's order; `minmax` takes the train set's range
 * of each feature to -1..1, `standard` its mean to 0 and its standard deviation to 1; a feature that is
 * constant in `train` becomes -1 or 0. Readings that are missing (NaN) don't count, and stay so. The last two are fitted to
 * the whole train set before the pass, computed in double, rounded once.
 */
export function scaleRows(train: DataSet, scale: Scale): void {
  if (scale === "none") return;
  const rows = inMemory(train);
  rows.each(null, fitScaler(rows, scale).pass());
}

/** The scaling of files like `train`, sample by sample. */
export function fitScaler(train: Rows, scale: Scale): Scaler {
  if (scale === "node")
    return {
      pass: () => asNode(train.dimension),
      ranges: () => featureRanges(undefined, STANDARDISED) as readonly ComponentRange[],
    };
  const scaled = fitScale(train, scale);
  return { pass: () => scaled, ranges: () => scaledRanges(train, scaled) };
}

/** Standardises as a node does; a sample that the node refuses becomes NaN. */
function asNode(dimension: number): ScaleRow {
  const next = nodeFeatures(dimension, STANDARDISED);
  return (x) => {
    x.set(next(x));
    return x;
  };
}

function fitScale(train: Rows, scale: Exclude<Scale, "node">): ScaleRow {
  if (scale === "none") return (x) => x;
  const { offset, factor, shift } = scale === "minmax" ? fitRange(train) : fitMoments(train);
  return (x) => {
    for (let j = 0; j < x.length; j++) x[j] = (x[j] - offset[j]) * factor[j] + shift;
    return x;
  };
}

/** The ranges of scaled features; a constant feature gets the range from its value to 1 more. */
function scaledRanges(rows: Rows, scaled: ScaleRow): [number, number][] {
  const ranges = Array.from({ length: rows.dimension }, (): [number, number] => [Infinity, -Infinity]);
  rows.each(null, (x) => {
    scaled(x).forEach((value, j) => {
      if (value < ranges[j][0]) ranges[j][0] = value;
      if (value > ranges[j][1]) ranges[j][1] = value;
    });
  });
  return ranges.map(([least, largest]) => [least, largest > least ? largest : least + 1]);
}

/** The same for unscaled features. */
export function measureRanges(data: DataSet): [number, number][] {
  return scaledRanges(inMemory(data), (x) => x);
}

export function inMemory({ dimension, count, rows, labels }: DataSet): Rows {
  return {
    dimension,
    count,
    each(order, visit) {
      for (let i = 0; i < count; i++) {
        const row = order ? order[i] : i;
        visit(rows.subarray(row * dimension, (row + 1) * dimension), labels[row]);
      }
    },
  };
}

function fitRange(rows: Rows): Scaling {
  const low = new Float64Array(rows.dimension).fill(Infinity);
  const high = new Float64Array(rows.dimension).fill(-Infinity);
  rows.each(null, (x) => {
    for (let j = 0; j < x.length; j++) {
      if (x[j] < low[j]) low[j] = x[j];
      if (x[j] > high[j]) high[j] = x[j];
    }
  });
  return { offset: low, factor: low.map((value, j) => inverse(high[j] - value, 2)), shift: -1 };
}

function fitMoments(rows: Rows): Scaling {
  const { dimension } = rows;
  const mean = new Float64Array(dimension);
  const variance = new Float64Array(dimension);
  const counts = new Float64Array(dimension);
  const overReadings = (visit: (value: number, j: number) => void) =>
    rows.each(null, (x) => {
      for (let j = 0; j < x.length; j++) if (!Number.isNaN(x[j])) visit(x[j], j);
    });
  overReadings((_, j) => counts[j]++);
  overReadings((value, j) => {
    mean[j] += value / counts[j];
  });
  overReadings((value, j) => {
    variance[j] += (value - mean[j]) ** 2 / counts[j];
  });
  return { offset: mean, factor: variance.map((value) => inverse(Math.sqrt(value), 1)), shift: 0 };
}

function inverse(width: number, numerator: number): number {
  return width > 0 ? numerator / width : 0;
}
