import { type Primitives, packedWords } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/** The share of the learned information that is left a label later; it is forgotten only while variances are below MOST_VARIANCE on average. */
const KEEP = 0.9995;
const MOST_VARIANCE = 4;
/** Initial variance of each weight. With more, many wrong labels make the first few hundred samples noise. */
const FIRST_VARIANCE = 0.1;
/** p (1 - p) is this at least: a sure prediction that is wrong may not move everything. */
const LEAST_CURVATURE = 0.02;
/** A score beyond it has a probability of 0 or 1 in float32. */
export const MOST_LOGIT = 60;

/**
 * Logistic regression by a Kalman filter: P(y = +1) = sigmoid(w.z), P the covariance of w, I / 10 at the start. A label does
 *
 *     q = sigmoid(w.z);  h = max(q (1 - q), .02);  g = P z;  k = 1 / (1 + h z.g)
 *     w <- w + k ([y = +1] - q) g;   P <- P - h k g g';   P <- P / .9995 while its trace is below 4 n
 *
 * (The extended Kalman filter of the logistic model, which is online Newton with forgetting.)
 */
export class Stack {
  private readonly f32: Primitives;
  private readonly w: number;
  private readonly covariance: number;
  private readonly product: number;

  static regions(inputs: number): Region[] {
    return [
      { name: "stack.w", kind: "state", words: inputs },
      { name: "stack.covariance", kind: "state", words: packedWords(inputs) },
      { name: "stack.product", kind: "scratch", words: inputs },
    ];
  }

  /** @param weight initial weight of inputs `from` to `to`, exclusive; the others begin at 0. */
  constructor(
    layout: Layout,
    range: MemoryRange,
    private readonly inputs: number,
    from: number,
    to: number,
    weight: number,
  ) {
    this.f32 = range.f32;
    this.w = layout.at("stack.w", range);
    this.covariance = layout.at("stack.covariance", range);
    this.product = layout.at("stack.product", range);
    this.f32.words.fill(weight, this.w + from, this.w + to);
    this.restart();
  }

  /** P = I / 10. */
  restart(): void {
    const { covariance, f32, inputs } = this;
    f32.words.fill(0, covariance, covariance + packedWords(inputs));
    for (let j = 0; j < inputs; j++) {
      f32.words[covariance + packedWords(j) + j] = FIRST_VARIANCE;
    }
  }

  /** w.z of the inputs at word z. */
  score(z: number): number {
    return this.f32.dot(this.w, z, this.inputs);
  }

  /** sigmoid of a score. */
  probability(score: number): number {
    const far = score < -MOST_LOGIT ? MOST_LOGIT : score > MOST_LOGIT ? -MOST_LOGIT : -score;
    return 1 / (1 + this.f32.exp(far));
  }

  /** Learns the label y, -1 or +1, of the inputs at word z. */
  learn(z: number, y: number): void {
    const { f32, inputs, w, covariance, product } = this;
    const q = this.probability(this.score(z));
    const curvature = q * (1 - q);
    const h = curvature < LEAST_CURVATURE ? LEAST_CURVATURE : curvature;
    f32.symmetricProduct(product, covariance, z, inputs);
    const variance = f32.dot(z, product, inputs);
    if (!(variance > 0)) {
      this.restart();
      return;
    }
    const k = 1 / (1 + h * variance);
    if (!f32.addScaled(w, k * ((y > 0 ? 1 : 0) - q), product, inputs)) return;
    f32.symmetricRankOne(covariance, -h * k, product, inputs);
    if (!(this.trace() < MOST_VARIANCE * inputs)) return;
    f32.scale(covariance, 1 / KEEP, packedWords(inputs));
    if (!f32.finite(covariance, packedWords(inputs))) this.restart();
  }

  private trace(): number {
    let sum = 0;
    for (let j = 0; j < this.inputs; j++) sum += this.f32.words[this.covariance + packedWords(j) + j];
    return sum;
  }
}
