import { type Metric, Undefined } from "./metric.ts";

/** The mean of the squared difference between estimate and truth. */
export class MeanSquaredError implements Metric {
  readonly name: string = "mse";
  readonly takes = "value";
  private count = 0;
  private sum = 0;

  add(truth: number, estimate: number): void {
    this.count++;
    this.sum += (estimate - truth) * (estimate - truth);
  }

  value(): number | Undefined {
    return this.count === 0 ? new Undefined("no samples") : this.sum / this.count;
  }
}

/** The square root of `MeanSquaredError`, in the truth's own unit. */
export class RootMeanSquaredError extends MeanSquaredError {
  override readonly name = "rmse";

  override value(): number | Undefined {
    const mean = super.value();
    return typeof mean === "number" ? Math.sqrt(mean) : mean;
  }
}
