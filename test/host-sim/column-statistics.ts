import { type ColumnStatistics, runningStatistics } from "../../host-sim/disturbances/index.ts";

/** The figures of rows in memory: count x dimension, row by row. */
export function columnStatistics(rows: Float32Array, dimension: number): ColumnStatistics {
  let row = 0;
  const next = () => rows.subarray(row * dimension, ++row * dimension);
  return runningStatistics(dimension, rows.length / dimension, next);
}
