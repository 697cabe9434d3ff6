import type { Difference, Estimate } from "./statistics/statistics.ts";
import type { TaskSummary } from "./statistics/summary.ts";

/** The unit of a task's errors: per cent for a share, the label's for an RMSE. */
export class Unit {
  readonly times: number;
  /** Decimals of all of the task's figures. */
  private readonly digits: number;
  private readonly isShare: boolean;

  constructor({ measure, learners }: Pick<TaskSummary, "measure" | "learners">) {
    this.isShare = measure === "error";
    this.times = this.isShare ? 100 : 1;
    const halves = learners.flatMap(({ error: { mean, high } }) =>
      high !== null && high > mean ? [this.times * (high - mean)] : [],
    );
    const least = Math.min(...halves, this.isShare ? 1 : 0.01);
    this.digits = Math.min(6, Math.max(1, Math.ceil(-Math.log10(least)) + 1));
  }

  /** The figures' name, for a heading. */
  get heading(): string {
    return this.isShare ? "error, %" : "RMSE";
  }

  /** "12.13" */
  figure(value: number): string {
    const text = (this.times * value).toFixed(this.digits);
    return Number(text) === 0 ? text.replace("-", "") : text;
  }

  /** "12.13 %", or an RMSE. */
  amount(value: number): string {
    return `${this.figure(value)}${this.isShare ? " %" : ""}`;
  }

  /** The size of a difference above 0: "0.87 points [0.41, 1.33]"; of an RMSE without the word. */
  size(difference: Estimate): string {
    return `${this.figure(difference.mean)}${this.isShare ? " points" : ""} ${this.interval(difference)}`.trimEnd();
  }

  /** "[11.80, 12.46]"; nothing where there is no interval. */
  interval({ low, high }: Pick<Estimate, "low" | "high">): string {
    return low === null || high === null ? "" : `[${this.figure(low)}, ${this.figure(high)}]`;
  }

  /** "12.13 [11.80, 12.46]" */
  estimate(estimate: Estimate): string {
    return `${this.figure(estimate.mean)} ${this.interval(estimate)}`.trimEnd();
  }

  /** A difference to either side: "+0.87 [-0.41, 2.15]" */
  signed(difference: Estimate): string {
    return `${difference.mean > 0 ? "+" : ""}${this.estimate(difference)}`;
  }

  /** "12.13 +-0.33"; with the interval where it reaches farther to one side, and without where all seeds give the same. */
  withHalf(estimate: Estimate): string {
    const { mean, standardError, low, high } = estimate;
    if (low === null || high === null || standardError === 0) return this.figure(mean);
    const [half, other] = [this.figure(high - mean), this.figure(mean - low)];
    return half === other ? `${this.figure(mean)} +-${half}` : this.estimate(estimate);
  }

  /** A difference to the least, in words. */
  behind(difference: Difference | null): string {
    if (difference === null) return "least";
    if (difference.low === null || difference.shown) return this.signed(difference);
    return `no difference shown ${this.interval(difference)}`;
  }
}
