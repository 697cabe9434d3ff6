import { decidedClass, type Task } from "../../src/learn/learner.ts";
import { scoredTruth } from "./scorer.ts";

/** Channels that a plot has room for: the first. */
export const CHANNELS_SHOWN = 4;

/** Runs of one class that a plot has room for. */
const RUNS_MAX = 300;

/** Digits of a reading that a plot shows. */
const DIGITS = 5;

/** A node's readings, as many points as a plot can show. */
export interface Readings {
  /** The last sample of each point. */
  readonly at: readonly number[];
  /** Of each of the first channels its lowest and highest reading in each point. */
  readonly channels: readonly { readonly low: readonly number[]; readonly high: readonly number[] }[];
}

/** Consecutive samples of one class: of two classes an event, which is class 1. */
export interface ClassRun {
  /** Its first and last sample. */
  readonly from: number;
  readonly to: number;
  /** The class: +1, or 0 to K-1. */
  readonly truth: number;
  /** True if at least one of its samples was predicted so. */
  readonly found: boolean;
}

class ChannelRange {
  readonly low: number[] = [];
  readonly high: number[] = [];
  private least = Number.POSITIVE_INFINITY;
  private most = Number.NEGATIVE_INFINITY;

  add(reading: number): void {
    if (reading < this.least) this.least = reading;
    if (reading > this.most) this.most = reading;
  }

  /** Closes a point; one without a number repeats the last. */
  close(): void {
    const isKnown = this.least <= this.most;
    this.low.push(isKnown ? Number(this.least.toPrecision(DIGITS)) : (this.low.at(-1) ?? 0));
    this.high.push(isKnown ? Number(this.most.toPrecision(DIGITS)) : (this.high.at(-1) ?? 0));
    this.least = Number.POSITIVE_INFINITY;
    this.most = Number.NEGATIVE_INFINITY;
  }
}

/** Records a node's readings and the runs of its classes for a plot, in a memory that doesn't grow with the stream. */
export class StreamRecorder {
  private readonly at: number[] = [];
  private readonly ranges: readonly ChannelRange[];
  private readonly all: ClassRun[] = [];
  private run: { from: number; to: number; truth: number; found: boolean } | undefined;
  private isTooMany = false;

  /** @param stride samples of a point. */
  constructor(
    private readonly task: Task,
    channels: number,
    private readonly stride: number,
  ) {
    this.ranges = Array.from({ length: Math.min(channels, CHANNELS_SHOWN) }, () => new ChannelRange());
  }

  /** Takes sample `seq` as the node received it; missing readings are NaN. */
  sample(seq: number, readings: Float32Array): void {
    for (const [channel, range] of this.ranges.entries()) range.add(readings[channel]);
    if (seq % this.stride !== 0) return;
    this.at.push(seq);
    for (const range of this.ranges) range.close();
  }

  /** Takes the decision on sample `seq`, whose truth is known. */
  decided(seq: number, decision: number, truth: number): void {
    const { task, run } = this;
    if (task === "regression" || this.isTooMany) return;
    const isFound = scoredTruth(task, decidedClass(task, decision)) === truth;
    if (run?.truth === truth) {
      run.to = seq;
      run.found ||= isFound;
      return;
    }
    this.endRun();
    this.run = { from: seq, to: seq, truth, found: isFound };
  }

  /** Two classes: the usual one isn't drawn. */
  private endRun(): void {
    const { run } = this;
    if (run && (this.task === "multiclass" || run.truth > 0)) this.all.push(run);
    this.run = undefined;
    this.isTooMany = this.all.length > RUNS_MAX;
  }

  get readings(): Readings {
    return { at: this.at, channels: this.ranges.map(({ low, high }) => ({ low, high })) };
  }

  /** The runs; none of a stream with more than a plot can show. */
  runs(): readonly ClassRun[] {
    this.endRun();
    return this.isTooMany ? [] : this.all;
  }
}
