import { type Metric, Undefined } from "./metric.ts";

/**
 * The area under the ROC curve: the probability that a sample of class +1 has a larger decision value than one of
 * class -1, a tie counting half. Exact: keeps 9 bytes a sample and sorts them when asked.
 */
export class Auc implements Metric {
  readonly name = "auc";
  readonly takes = "value";
  private scores = new Float64Array(1024);
  private positive = new Uint8Array(1024);
  private count = 0;

  /** @param score the decision value. NaN is a RangeError. */
  add(truth: number, score: number): void {
    if (Number.isNaN(score)) throw new RangeError("score: got NaN, takes a number");
    if (this.count === this.scores.length) this.grow();
    this.scores[this.count] = score;
    this.positive[this.count++] = truth > 0 ? 1 : 0;
  }

  /** Undefined while one of the two classes has no sample. */
  value(): number | Undefined {
    const positives = this.scoresOf(1);
    const negatives = this.scoresOf(0);
    if (positives.length === 0) return new Undefined("no sample of class 1");
    if (negatives.length === 0) return new Undefined("no sample of class -1");
    let halves = 0; // twice the pairs in order, an integer
    let below = 0;
    let notAbove = 0;
    for (const score of positives) {
      while (below < negatives.length && negatives[below] < score) below++;
      while (notAbove < negatives.length && negatives[notAbove] <= score) notAbove++;
      halves += below + notAbove;
    }
    return halves / (2 * positives.length * negatives.length);
  }

  private scoresOf(flag: 0 | 1): Float64Array {
    return this.scores
      .subarray(0, this.count)
      .filter((_, i) => this.positive[i] === flag)
      .sort();
  }

  private grow(): void {
    const scores = new Float64Array(2 * this.count);
    const positive = new Uint8Array(2 * this.count);
    scores.set(this.scores);
    positive.set(this.positive);
    this.scores = scores;
    this.positive = positive;
  }
}
