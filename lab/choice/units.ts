import type { DataSet } from "../../host/streams/table.ts";
import type { ChoiceTask } from "./candidates.ts";
import type { Units } from "./settings.ts";

/** Samples whose distances are taken: spread over the file evenly. */
const SAMPLES = 300;

/** The median squared distance between two samples. */
function medianSquare({ rows, dimension, count }: DataSet): number {
  const chosen = Math.min(SAMPLES, count);
  const at = Array.from({ length: chosen }, (_, i) => dimension * Math.floor((i * count) / chosen));
  const distances = at.flatMap((a, i) => at.slice(0, i).map((b) => squaredDistance(rows, a, b, dimension)));
  // One to a sample that lacks a reading is NaN.
  const known = distances.filter((distance) => !Number.isNaN(distance)).sort((a, b) => a - b);
  return known[known.length >> 1];
}

/** The median distance between two samples; null where it is 0 or not finite, as with many equal samples. */
export function medianDistance(data: DataSet): number | null {
  const median = medianSquare(data);
  return median > 0 && median < Infinity ? Math.sqrt(median) : null;
}

/**
 * gamma of exp(-gamma |u-v|^2) by the median heuristic: one over the median squared distance between two samples, to four
 * digits; null where that is 0 or not finite.
 */
export function medianGamma(data: DataSet): number | null {
  const gamma = Number((1 / medianSquare(data)).toPrecision(4));
  return gamma > 0 && gamma < Infinity && Math.fround(gamma) > 0 ? gamma : null;
}

function squaredDistance(rows: Float32Array, a: number, b: number, dimension: number): number {
  let sum = 0;
  for (let j = 0; j < dimension; j++) sum += (rows[a + j] - rows[b + j]) ** 2;
  return sum;
}

/** The standard deviation of the labels; null where they are all one. */
function labelDeviation(data: DataSet): number | null {
  const labels = data.labels.filter((label) => !Number.isNaN(label));
  const { length: count } = labels;
  const mean = labels.reduce((sum, label) => sum + label / count, 0);
  const variance = labels.reduce((sum, label) => sum + (label - mean) ** 2 / count, 0);
  return variance > 0 && variance < Infinity ? Math.sqrt(variance) : null;
}

export function measureUnits(train: DataSet, task: ChoiceTask): Units {
  return { distance: medianDistance(train), labels: task === "regression" ? labelDeviation(train) : null };
}
