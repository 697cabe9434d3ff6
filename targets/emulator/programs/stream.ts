import { TASK, type Task } from "../../../src/learn/learner.ts";

/** Label noise and novelties: one sample in so many. */
const ODD = 16;

/**
 * The stream that every engine sees: made from whole numbers, so that it is the same everywhere, and without allocation.
 * Components are multiples of 1/64 in [-2, 2); labels follow from products of them, with some noise.
 */
export class Stream {
  readonly x: Float32Array;
  private state: number;

  constructor(dimension: number, seed = 1) {
    this.x = new Float32Array(dimension);
    this.state = seed;
  }

  /** A whole number in [0, 256). */
  private byte(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) | 0;
    return this.state >>> 24;
  }

  /** Fills x with the next sample and returns its label. */
  next(task: Task): number {
    const { x } = this;
    for (let j = 0; j < x.length; j++) x[j] = (this.byte() - 128) / 64;
    const score = x[0] * x[1 % x.length] + x[2 % x.length];
    const odd = this.byte() % ODD === 0;
    if (task === TASK.regression) return score + (this.byte() - 128) / 1024;
    if (task === TASK.novelty) return this.novelty(odd);
    if (task === TASK.multiclass) return odd ? 0 : score < -0.75 ? 0 : score < 0.75 ? 1 : 2;
    return score >= 0 !== odd ? 1 : -1;
  }

  private novelty(odd: boolean): number {
    if (!odd) return this.byte() & 1;
    for (let j = 0; j < this.x.length; j++) this.x[j] += 4;
    return -1;
  }
}
