import type { Curve, Measured, Row } from "./experiment.ts";

/** Mean and standard deviation (of a sample: n - 1; NaN for one run, which has none) over the runs that have the number. */
export interface Statistic {
  readonly mean: number;
  readonly deviation: number;
  readonly runs: number;
}

/** All runs of an experiment, summed up. Asking for a name that no run has is a fault, and throws. */
export class Summary {
  readonly numbers: { readonly [name: string]: Statistic };
  readonly timings: { readonly [name: string]: Statistic };
  readonly curves: { readonly [name: string]: Curve };

  constructor(private readonly measured: readonly Measured[]) {
    this.numbers = statistics(measured.map(({ numbers }) => numbers));
    this.timings = statistics(measured.map(({ timings = {} }) => timings));
    const curves = measured.map(({ curves = {} }) => curves);
    this.curves = Object.fromEntries(
      namesOf(curves).map((name) => [name, meanCurve(curves.map((each) => each[name]).filter(Boolean))]),
    );
  }

  get runs(): number {
    return this.measured.length;
  }

  /** Whether any run has that number. */
  has(name: string): boolean {
    return this.numbers[name] !== undefined;
  }

  statistic(name: string): Statistic {
    const found = this.numbers[name] ?? this.timings[name];
    if (!found) throw new Error(`no run measured ${name}`);
    return found;
  }

  mean(name: string): number {
    return this.statistic(name).mean;
  }

  deviation(name: string): number {
    return this.statistic(name).deviation;
  }

  /** The number in each run, in the order of the seeds; undefined where a run has none. */
  values(name: string): (number | undefined)[] {
    this.statistic(name);
    return this.measured.map(({ numbers }) => numbers[name]);
  }

  /**
   * Mean of a - b over the runs that have both, and the standard error of that mean: runs are paired by seed. Of one run it is NaN, so that no
   * difference exceeds any number of standard errors.
   */
  difference(a: string, b: string): { readonly mean: number; readonly error: number } {
    const first = this.values(a);
    const second = this.values(b);
    const differences = first.flatMap((value, i) => {
      const other = second[i];
      return value === undefined || other === undefined ? [] : [value - other];
    });
    const { mean, deviation, runs } = statistic(differences);
    return { mean, error: deviation / Math.sqrt(runs) };
  }
}

/** "standard error 0.15"; one run has none. */
export function standardErrorText(error: number, digits: number): string {
  return Number.isNaN(error) ? "one run: no standard error" : `standard error ${error.toFixed(digits)}`;
}

/** "0.013 ± 0.002"; of one run the mean alone. */
export function withErrorText(
  { mean, error }: { readonly mean: number; readonly error: number },
  digits: number,
  times = 1,
): string {
  const text = (times * mean).toFixed(digits);
  return Number.isNaN(error) ? text : `${text} ± ${(times * error).toFixed(digits)}`;
}

/** The rows whose mean lies farther than one published standard deviation from the published mean. */
export function outside(summary: Summary, rows: readonly Row[]): Row[] {
  return rows.filter(({ name, published }) => {
    if (typeof published !== "object") return false;
    return Math.abs(summary.mean(name) - published.mean) > published.deviation;
  });
}

function namesOf(records: readonly { readonly [name: string]: unknown }[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function statistics(records: readonly { readonly [name: string]: number }[]): { [name: string]: Statistic } {
  return Object.fromEntries(
    namesOf(records).map((name) => [
      name,
      statistic(records.map((each) => each[name]).filter((value) => value !== undefined)),
    ]),
  );
}

function statistic(values: readonly number[]): Statistic {
  const runs = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / runs;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, deviation: runs > 1 ? Math.sqrt(squares / (runs - 1)) : Number.NaN, runs };
}

function meanCurve(curves: readonly Curve[]): Curve {
  const [{ at, value }, ...others] = curves;
  const same = others.every(
    (other) => other.at.length === at.length && other.at.every((x, i) => x === at[i]),
  );
  if (!same) return { at, value };
  return {
    at,
    value: value.map((_, i) => curves.reduce((sum, curve) => sum + curve.value[i], 0) / curves.length),
  };
}
