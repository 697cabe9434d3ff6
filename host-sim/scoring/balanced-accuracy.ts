import { type Metric, Undefined } from "./metric.ts";

/** The mean over the classes of the share of their samples that were predicted so, 0..1. */
export class BalancedAccuracy implements Metric {
  readonly name = "balancedAccuracy";
  readonly takes = "label";
  private readonly counts: number[];
  private readonly right: number[];

  /** @param labels of the classes. Default -1 and +1. A true label that isn't among them is a RangeError. */
  constructor(private readonly labels: readonly number[] = [-1, 1]) {
    this.counts = labels.map(() => 0);
    this.right = labels.map(() => 0);
  }

  add(truth: number, prediction: number): void {
    const index = this.labels.indexOf(truth);
    if (index < 0) throw new RangeError(`truth: got ${truth}, takes one of ${this.labels.join(", ")}`);
    this.counts[index]++;
    if (prediction === truth) this.right[index]++;
  }

  /** Undefined while a class has no sample. */
  value(): number | Undefined {
    const absent = this.counts.indexOf(0);
    if (absent >= 0) return new Undefined(`no sample of class ${this.labels[absent]}`);
    const recalls = this.counts.map((count, i) => this.right[i] / count);
    return recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
  }
}
