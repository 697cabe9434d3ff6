import type { DataSet } from "../../host-sim/streams/table.ts";

/** Samples whose distances are taken: spread over the file evenly. */
const SAMPLES = 300;

/**
 * gamma of exp(-gamma |u-v|^2) by the median heuristic: one over the median squared distance between two samples, to four
 * digits; null where that is 0 or not finite, as with many equal samples.
 */
export function medianGamma({ rows, dimension, count }: DataSet): number | null {
  const chosen = Math.min(SAMPLES, count);
  const at = Array.from({ length: chosen }, (_, i) => dimension * Math.floor((i * count) / chosen));
  const distances = at.flatMap((a, i) => at.slice(0, i).map((b) => squaredDistance(rows, a, b, dimension)));
  const median = distances.sort((a, b) => a - b)[distances.length >> 1];
  const gamma = Number((1 / median).toPrecision(4));
  return gamma > 0 && gamma < Infinity && Math.fround(gamma) > 0 ? gamma : null;
}

function squaredDistance(rows: Float32Array, a: number, b: number, dimension: number): number {
  let sum = 0;
  for (let j = 0; j < dimension; j++) sum += (rows[a + j] - rows[b + j]) ** 2;
  return sum;
}
