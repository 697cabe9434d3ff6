/**
 * Each column's figures over a stream, in the units of the reading; readings that are missing (NaN) don't
 * count.
 */
export interface ColumnStatistics {
  /** Arithmetic mean. */
  mean: Float64Array;
  /** Standard deviation (of the population). */
  deviation: Float64Array;
  /** Least reading. */
  low: Float64Array;
  /** Greatest reading. */
  high: Float64Array;
}

/** The figures of so many rows, each of `dimension` readings; `next` returns one after the other. */
export function runningStatistics(
  dimension: number,
  count: number,
  next: () => Float32Array,
): ColumnStatistics {
  const low = new Float64Array(dimension).fill(Infinity);
  const high = new Float64Array(dimension).fill(-Infinity);
  const running = new RunningVariance(dimension);
  for (let i = 0; i < count; i++) {
    const row = next();
    running.add(row);
    for (let j = 0; j < dimension; j++) {
      if (row[j] < low[j]) low[j] = row[j];
      if (row[j] > high[j]) high[j] = row[j];
    }
  }
  for (let j = 0; j < dimension; j++) if (low[j] > high[j]) low[j] = high[j] = 0;
  const deviation = Float64Array.from({ length: dimension }, (_, j) => Math.sqrt(running.variance(j)));
  return { mean: running.mean, deviation, low, high };
}

/** Mean and variance of each column so far, by Welford's recurrence; NaN doesn't count. */
export class RunningVariance {
  readonly mean: Float64Array;
  private readonly squares: Float64Array;
  private readonly counts: Float64Array;

  constructor(dimension: number) {
    this.mean = new Float64Array(dimension);
    this.squares = new Float64Array(dimension);
    this.counts = new Float64Array(dimension);
  }

  add(row: Float32Array): void {
    for (let j = 0; j < this.mean.length; j++) {
      if (Number.isNaN(row[j])) continue;
      const difference = row[j] - this.mean[j];
      this.mean[j] += difference / ++this.counts[j];
      this.squares[j] += difference * (row[j] - this.mean[j]);
    }
  }

  /** Of the population; 0 before the second reading. */
  variance(column: number): number {
    return this.counts[column] === 0 ? 0 : this.squares[column] / this.counts[column];
  }
}
