import { type Metric, Undefined } from "./metric.ts";

/** The share of samples whose predicted label isn't the true one, 0..1, for any number of classes. */
export class ErrorRate implements Metric {
  readonly name = "error";
  readonly takes = "label";
  count = 0;
  errors = 0;

  add(truth: number, prediction: number): void {
    this.count++;
    if (prediction !== truth) this.errors++;
  }

  value(): number | Undefined {
    return this.count === 0 ? new Undefined("no samples") : this.errors / this.count;
  }
}
