import type { Figure } from "./result.ts";

/** The mean of the squared difference between estimate and truth. */
export class SquaredError {
  private count = 0;
  private sum = 0;

  add(truth: number, estimate: number): void {
    this.count++;
    this.sum += (estimate - truth) * (estimate - truth);
  }

  get mean(): Figure {
    return this.count === 0 ? { why: "no samples" } : this.sum / this.count;
  }

  /** The mean's square root, in the truth's own unit. */
  get rootMean(): Figure {
    const { mean } = this;
    return typeof mean === "number" ? Math.sqrt(mean) : mean;
  }
}
