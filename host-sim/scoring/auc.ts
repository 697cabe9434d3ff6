import type { Figure } from "./result.ts";

const NONE = new Float64Array(0);
/** Numbers that a list has room for at first. */
const FIRST = 256;

/** A list of numbers that grows by doubling. */
class Scores {
  private values = NONE;
  private count = 0;

  add(score: number): void {
    if (this.count === this.values.length) {
      const values = new Float64Array(Math.max(FIRST, 2 * this.count));
      values.set(this.values);
      this.values = values;
    }
    this.values[this.count++] = score;
  }

  sortValues(): Float64Array {
    return this.values.slice(0, this.count).sort();
  }
}

/**
 * The area under the ROC curve: the probability that a sample of class +1 has a larger decision value than
 * one of class -1, a tie counting half. Exact: keeps 8 bytes a sample and sorts them when asked.
 */
export class Auc {
  private readonly positives = new Scores();
  private readonly negatives = new Scores();

  /** @param score the decision value. NaN is a RangeError. */
  add(truth: number, score: number): void {
    if (Number.isNaN(score)) throw new RangeError("score: got NaN, takes a number");
    (truth > 0 ? this.positives : this.negatives).add(score);
  }

  /** Undefined while one of the two classes has no sample. */
  get value(): Figure {
    const positives = this.positives.sortValues();
    const negatives = this.negatives.sortValues();
    if (positives.length === 0) return { why: "no sample of class 1" };
    if (negatives.length === 0) return { why: "no sample of class -1" };
    let halves = 0; // twice the pairs in order, an integer
    let below = 0;
    let notAbove = 0;
    for (let i = 0; i < positives.length; i++) {
      const score = positives[i];
      while (below < negatives.length && negatives[below] < score) below++;
      while (notAbove < negatives.length && negatives[notAbove] <= score) notAbove++;
      halves += below + notAbove;
    }
    return halves / (2 * positives.length * negatives.length);
  }
}
