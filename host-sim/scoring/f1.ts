import { type Metric, Undefined } from "./metric.ts";

/** The harmonic mean of precision and recall of the class +1: 2 TP / (2 TP + FP + FN), 0..1. */
export class F1 implements Metric {
  readonly name = "f1";
  readonly takes = "label";
  private truePositives = 0;
  private falsePositives = 0;
  private falseNegatives = 0;

  add(truth: number, prediction: number): void {
    if (truth > 0 && prediction > 0) this.truePositives++;
    else if (prediction > 0) this.falsePositives++;
    else if (truth > 0) this.falseNegatives++;
  }

  /** Undefined while no sample is truly +1, since recall is. */
  value(): number | Undefined {
    const { truePositives, falsePositives, falseNegatives } = this;
    if (truePositives + falseNegatives === 0) return new Undefined("no sample of class 1");
    return (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives);
  }
}
