import type { Curve } from "./result.ts";

/** Points of a curve, as many as a plot can show: one every `stride` samples. */
export class CurveRecorder implements Curve {
  readonly at: number[] = [];
  readonly value: number[] = [];
  private sum = 0;
  private count = 0;

  constructor(private readonly stride: number) {}

  /** Adds an observation to the point under way. */
  add(value: number): void {
    this.sum += value;
    this.count++;
  }

  /** Closes the present point if sample seq ends one: the mean of the added values, through `shape`. */
  close(seq: number, shape?: (mean: number) => number): void {
    if (seq % this.stride !== 0 || this.count === 0) return;
    this.at.push(seq);
    const mean = this.sum / this.count;
    this.value.push(shape ? shape(mean) : mean);
    this.sum = 0;
    this.count = 0;
  }
}
