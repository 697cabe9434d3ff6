/** Each column's figures over a stream, in the units of the reading. */
export interface ColumnStatistics {
  mean: Float64Array;
  /** Standard deviation (of the population). */
  deviation: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

/**
 * @param rows count x dimension, row by row, one row or more; else a RangeError.
 */
export function columnStatistics(rows: Float32Array, dimension: number): ColumnStatistics {
  const count = rows.length / dimension;
  if (!Number.isInteger(count) || count < 1) {
    throw new RangeError(`rows: got ${rows.length} numbers, takes one or more rows of ${dimension}`);
  }
  const low = Float64Array.from(rows.subarray(0, dimension));
  const high = low.slice();
  const running = new RunningVariance(dimension);
  for (let start = 0; start < rows.length; start += dimension) {
    const row = rows.subarray(start, start + dimension);
    running.add(row);
    for (let j = 0; j < dimension; j++) {
      if (row[j] < low[j]) low[j] = row[j];
      if (row[j] > high[j]) high[j] = row[j];
    }
  }
  const deviation = Float64Array.from({ length: dimension }, (_, j) => Math.sqrt(running.variance(j)));
  return { mean: running.mean, deviation, low, high };
}

/** Mean and variance of each column so far, by Welford's recurrence. */
export class RunningVariance {
  readonly mean: Float64Array;
  private readonly squares: Float64Array;
  private count = 0;

  constructor(dimension: number) {
    this.mean = new Float64Array(dimension);
    this.squares = new Float64Array(dimension);
  }

  add(row: Float32Array): void {
    this.count++;
    for (let j = 0; j < this.mean.length; j++) {
      const difference = row[j] - this.mean[j];
      this.mean[j] += difference / this.count;
      this.squares[j] += difference * (row[j] - this.mean[j]);
    }
  }

  /** Of the population; 0 before the second row. */
  variance(column: number): number {
    return this.count === 0 ? 0 : this.squares[column] / this.count;
  }
}
