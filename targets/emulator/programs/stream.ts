import { TASK, type Task } from "../../../src/learn/learner.ts";

/** Label noise and novelties: one sample in so many. */
const ODD = 16;

/**
 * Unusual places of samples, at which a step takes longest. `near`: so close that a Gaussian kernel of width
 * 1 is about 1/2 between any two and never 0, by which software multiplies fast. `far`: each with kernel 0 to
 * all before it; inputs and a regression's labels begin so large that a learner that bounds them restarts
 * once its dictionary is full.
 */
export type Place = "near" | "far";

/** From one far sample to the next. */
const APART = 8;
/** How many samples are huge, and by what factor. */
const HUGE_SAMPLES = 16;
const HUGE = 65536;

/**
 * The stream that every engine sees: made from whole numbers, so that it is the same everywhere, and without
 * allocation. Components are multiples of 1/64 in [-2, 2), where no place is named; labels follow from
 * products of them, with some noise.
 */
export class Stream {
  readonly x: Float32Array;
  private state = 1;
  private readonly scale: number;
  private readonly apart: number;
  private count = 0;

  /** @param classes of a multi-class learner; default three. */
  constructor(
    dimension: number,
    place?: Place,
    private readonly classes = 3,
  ) {
    this.x = new Float32Array(dimension);
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
    if (task === TASK.multiclass) return odd ? 0 : this.scoreClass(score);
    return score >= 0 !== odd ? 1 : -1;
  }

  /** The class by equal intervals between -3 and 3: three, or one a class. */
  private scoreClass(score: number): number {
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
