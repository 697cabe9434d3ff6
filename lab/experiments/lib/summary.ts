import { average } from "../../../host/statistics.ts";
import {
  ANY,
  type Difference,
  difference,
  differenceRange,
  type Estimate,
  estimateMean,
  NOT_NEGATIVE,
  type Range,
} from "../../sweep/statistics/statistics.ts";
import type { Curve, RunMeasures } from "./experiment.ts";

/** Mean and standard deviation (of a sample: n - 1; NaN for one run, which has none) over the runs that have the number. */
export interface Statistic {
  readonly mean: number;
  readonly deviation: number;
  readonly runs: number;
  /** The 95 % interval of the mean, within the number's range; null for one run. */
  readonly low: number | null;
  readonly high: number | null;
}

/** All runs of an experiment, summed up. Asking for a name that no run has is a fault, and throws. */
export class Summary {
  readonly numbers: { readonly [name: string]: Statistic };
  readonly timings: { readonly [name: string]: Statistic };
  readonly curves: { readonly [name: string]: Curve };

  /** @param rangeOf the values that a number can have. */
  constructor(
    private readonly measured: readonly RunMeasures[],
    private readonly rangeOf: (name: string) => Range = () => ANY,
  ) {
    this.numbers = statistics(
      measured.map(({ numbers }) => numbers),
      rangeOf,
    );
    this.timings = statistics(
      measured.map(({ timings = {} }) => timings),
      () => NOT_NEGATIVE,
    );
    const curves = measured.map(({ curves = {} }) => curves);
    this.curves = Object.fromEntries(
      unionOfNames(curves).map((name) => [name, meanCurve(curves.map((each) => each[name]).filter(Boolean))]),
    );
  }

  get runs(): number {
    return this.measured.length;
  }

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

  /** The number in each run, in the order of the seeds; undefined where a run has none. */
  values(name: string): (number | undefined)[] {
    this.statistic(name);
    return this.measured.map(({ numbers }) => numbers[name]);
  }

  /** "0.0227 [0.0215, 0.0239]": the mean and its 95 % interval. */
  text(name: string, digits: number): string {
    return withInterval(this.statistic(name), digits);
  }

  /**
   * Mean of a - b over the runs that have both, with its 95 % interval: runs are paired by seed. Of one run it has no interval, and shows
   * nothing.
   */
  difference(a: string, b: string): Difference {
    const second = this.values(b);
    const pairs = this.values(a).flatMap((value, i) => {
      const other = second[i];
      return value === undefined || other === undefined ? [] : [[value, other]];
    });
    const range = differenceRange(this.rangeOf(a), this.rangeOf(b));
    return difference(
      pairs.map(([value, other]) => value - other),
      range,
    );
  }
}

/** A mean and its 95 % interval, each times `times`: "0.013 [0.011, 0.015]"; of one run the mean alone. */
export function withInterval(
  estimate: Pick<Estimate, "mean" | "low" | "high">,
  digits: number,
  times = 1,
): string {
  return `${(times * estimate.mean).toFixed(digits)}${withSpace(intervalText(estimate, digits, times))}`;
}

/** "[0.011, 0.015]"; of one run nothing. */
export function intervalText(
  { low, high }: Pick<Estimate, "low" | "high">,
  digits: number,
  times = 1,
): string {
  if (low === null || high === null) return "";
  return `[${(times * low).toFixed(digits)}, ${(times * high).toFixed(digits)}]`;
}

const withSpace = (text: string) => (text === "" ? "" : ` ${text}`);

/** True if the 95 % interval of a difference lies above 0. */
export function isAbove({ mean, shown }: Difference): boolean {
  return shown && mean > 0;
}

/** True if it lies below 0. */
export function isBelow({ mean, shown }: Difference): boolean {
  return shown && mean < 0;
}

function unionOfNames(records: readonly { readonly [name: string]: unknown }[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function statistics(
  records: readonly { readonly [name: string]: number }[],
  rangeOf: (name: string) => Range,
): { [name: string]: Statistic } {
  return Object.fromEntries(
    unionOfNames(records).map((name) => {
      const values = records.map((each) => each[name]).filter((value) => value !== undefined);
      return [name, statistic(values, rangeOf(name))];
    }),
  );
}

function statistic(values: readonly number[], range: Range): Statistic {
  const { mean, low, high, count } = estimateMean(values, range);
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const deviation = count > 1 ? Math.sqrt(squares / (count - 1)) : Number.NaN;
  return { mean, deviation, runs: count, low, high };
}

function meanCurve(curves: readonly Curve[]): Curve {
  const [{ at, value }, ...others] = curves;
  const same = others.every(
    (other) => other.at.length === at.length && other.at.every((x, i) => x === at[i]),
  );
  if (!same) return { at, value };
  return { at, value: value.map((_, i) => average(curves.map((curve) => curve.value[i]))) };
}
