import { Elementary } from "../../../../src/math/elementary.ts";
import { logisticSlope, type Peer, type PeerMethod, WORD } from "./peer.ts";

/** eta, the learning rate of the paper's implementation. */
const RATE = 0.5;
/** w, s and G of each component. */
const WORDS = 3;

/**
 * Normalised adaptive gradient: a linear function whose steps depend neither on a feature's scale nor on how often it occurs. s_i is the
 * largest |x_i| so far, G_i the sum of squared gradients; where s_i grows, w_i <- w_i s_i / |x_i| first; then
 *
 *     N <- N + sum_i x_i^2 / s_i^2;   G_i <- G_i + g_i^2;   w_i <- w_i - eta sqrt(t / N) g_i / (s_i sqrt(G_i))
 *
 * with g the gradient of the logistic loss. A component 1 is the offset. Ross, Mineiro, Langford, Algorithm 2.
 */
class Nag implements Peer {
  readonly bytes: number;
  private readonly w: Float64Array;
  private readonly scale: Float64Array;
  private readonly squares: Float64Array;
  private readonly elementary = new Elementary();
  private normalised = 0;
  private labels = 0;

  constructor(dimension: number) {
    const words = dimension + 1;
    this.bytes = nagBytes(dimension);
    this.w = new Float64Array(words);
    this.scale = new Float64Array(words);
    this.squares = new Float64Array(words);
  }

  decide(x: Float32Array): number {
    return x.reduce((sum, value, i) => sum + value * this.w[i], this.w[x.length]);
  }

  learn(x: Float32Array, y: number): void {
    const all = [...x, 1];
    all.forEach((value, i) => {
      this.rescale(i, Math.abs(value));
    });
    const slope = logisticSlope(this.decide(x), y, (z) => this.elementary.exp(z));
    this.labels++;
    this.normalised += all.reduce((sum, value, i) => sum + (value && (value / this.scale[i]) ** 2), 0);
    const rate = RATE * Math.sqrt(this.labels / this.normalised);
    all.forEach((value, i) => {
      const gradient = slope * value;
      if (gradient === 0) return;
      this.squares[i] += gradient ** 2;
      this.w[i] -= (rate * gradient) / (this.scale[i] * Math.sqrt(this.squares[i]));
    });
  }

  private rescale(i: number, magnitude: number): void {
    if (magnitude <= this.scale[i]) return;
    this.w[i] *= this.scale[i] / magnitude;
    this.scale[i] = magnitude;
  }
}

function nagBytes(dimension: number): number {
  return WORD * (WORDS * (dimension + 1) + 2);
}

/** Ross, Mineiro, Langford: Normalized online learning. UAI 2013. */
export const NAG: PeerMethod = {
  name: "nag",
  grows: false,
  create: (dimension, bytes) => (nagBytes(dimension) <= bytes ? new Nag(dimension) : undefined),
};
