import { TASK, type Task } from "../../../src/learn/learner.ts";

/** Label noise and novelties: one sample in so many. */
const ODD = 16;

/**
 * Where samples lie, other than usual, when a step can take longest. `near`: so close together that a Gaussian kernel of width
 * 1 is 1/2 or so between any two, and none 0, with which software multiplies fast. `far`: each out of sight of all
 * before it; inputs and a regression's labels begin so large that a learner that bounds them starts anew, once its dictionary
 * has filled.
 */
export type Place = "near" | "far";

/** From one far sample to the next. */
const APART = 8;
/** So many samples are huge, by so much. */
const HUGE_SAMPLES = 16;
const HUGE = 65536;

/**
 * The stream that every engine sees: made from whole numbers, so that it is the same everywhere, and without allocation.
 * Components are multiples of 1/64 in [-2, 2), where no place is named; labels follow from products of them, with some noise.
 */
export class Stream {
  readonly x: Float32Array;
  private state: number;
  private readonly scale: number;
  private readonly apart: number;
  private count = 0;

  /** @param classes of a learner of several, three unless more are given. */
  constructor(
    dimension: number,
    place?: Place,
    private readonly classes = 3,
    seed = 1,
  ) {
    this.x = new Float32Array(dimension);
    this.state = seed;
    this.scale = place === "near" ? 0.5 / Math.sqrt(dimension) : 1;
    this.apart = place === "far" ? APART : 0;
  }

  /** A whole number in [0, 256). */
  private byte(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) | 0;
    return this.state >>> 24;
  }

  /** Fills x with the next sample and returns its label. */
  next(task: Task): number {
    const { x, scale, apart } = this;
    const y = this.draw(task);
    this.count++;
    const by = apart > 0 && this.count <= HUGE_SAMPLES ? HUGE : scale;
    x[0] += apart * this.count;
    for (let j = 0; j < x.length; j++) x[j] *= by;
    return task === TASK.regression && by === HUGE ? HUGE * y : y;
  }

  private draw(task: Task): number {
    const { x } = this;
    for (let j = 0; j < x.length; j++) x[j] = (this.byte() - 128) / 64;
    const score = x[0] * x[1 % x.length] + x[2 % x.length];
    const odd = this.byte() % ODD === 0;
    if (task === TASK.regression) return score + (this.byte() - 128) / 1024;
    if (task === TASK.novelty) return this.novelty(odd);
    if (task === TASK.multiclass) return odd ? 0 : this.classOf(score);
    return score >= 0 !== odd ? 1 : -1;
  }

  /** One of three intervals about 0, or of as many as there are classes, between -3 and 3. */
  private classOf(score: number): number {
    const { classes } = this;
    if (classes === 3) return score < -0.75 ? 0 : score < 0.75 ? 1 : 2;
    const interval = Math.floor(((score + 3) * classes) / 6);
    return interval < 0 ? 0 : interval < classes ? interval : classes - 1;
  }

  private novelty(odd: boolean): number {
    if (!odd) return this.byte() & 1;
    for (let j = 0; j < this.x.length; j++) this.x[j] += 4;
    return -1;
  }
}
