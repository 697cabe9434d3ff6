import { average } from "../../host/statistics.ts";
/** Mean and sample standard deviation, 0 for a single value. */
export interface Mean {
  readonly mean: number;
  readonly sd: number;
}

/** Null if a value is. */
export function computeMean(values: readonly (number | null)[]): Mean | null {
  const known = values.filter((value) => value !== null);
  const n = known.length;
  if (n === 0 || n < values.length) return null;
  const mean = average(known);
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: n > 1 ? Math.sqrt(squares / (n - 1)) : 0 };
}
