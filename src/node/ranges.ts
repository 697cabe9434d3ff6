import { TASK, type Task } from "../learn/learner.ts";
import { OptionError } from "../memory/option-error.ts";

/** The least and the largest possible value, inclusive; for a sensor, the data sheet's. */
export type Range = readonly [least: number, largest: number];

/** A range for each channel; null: any finite reading is possible. */
export type Ranges = readonly (Range | null)[];

/** Throws an OptionError unless `ranges` has a range, or null, for each channel. */
export function checkRanges(ranges: Ranges | undefined, channels: number): void {
  const isRight = Array.isArray(ranges) && ranges.length === channels;
  if (ranges === undefined || (isRight && ranges.every((range) => range === null || isRange(range)))) return;
  const takes = `[least, largest] or null for each channel: ${channels}`;
  throw new OptionError("node", "ranges", ranges, takes);
}

/** Throws an OptionError if a range is configured that isn't valid, or whose learner's labels are classes. */
export function checkLabelRange(range: Range | undefined, learner: string, task: Task): void {
  if (range === undefined) return;
  if (!isRange(range)) throw new OptionError("node", "labelRange", range, "[least, largest]");
  if (task === TASK.regression) return;
  throw new OptionError("node", "labelRange", range, `nothing with ${learner}: its labels are classes`);
}

/** True if it is two numbers, the first below the second. */
export function isRange(range: unknown): boolean {
  if (!Array.isArray(range) || range.length !== 2) return false;
  return range.every(Number.isFinite) && range[0] < range[1];
}

/** True if the value lies in the range, where there is one; NaN doesn't. */
export function inRange(range: Range | null | undefined, value: number): boolean {
  return !range || (value >= range[0] && value <= range[1]);
}

/** True if each reading lies in its channel's range. */
export function inRanges(ranges: Ranges, readings: ArrayLike<number>): boolean {
  for (let c = 0; c < ranges.length; c++) {
    if (!inRange(ranges[c], readings[c])) return false;
  }
  return true;
}
