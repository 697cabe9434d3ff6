import type { Columns } from "./columns.ts";

/** A line's values over a grid: null interrupts the line, undefined doesn't. */
export type GridLine = (number | null | undefined)[];

/** A gap interrupts a line if it exceeds this multiple of the usual interval, and this many milliseconds. */
const PAUSE_FACTOR = 8;
const PAUSE_MIN_MS = 1500;

/**
 * Times of equal distance, two for each stretch of a plot: a line has there the least and the largest value of the stretch, in
 * their order. The stretches lie at whole multiples of their length, so that what moves on doesn't flicker; and all lines
 * have the same times.
 */
export class Grid {
  readonly times: number[];
  private readonly first: number;

  /** @param stretches about one for each pixel. */
  constructor(
    readonly from: number,
    readonly to: number,
    stretches: number,
    private readonly length = Math.max(1e-3, (to - from) / Math.max(1, stretches)),
  ) {
    this.first = Math.floor(from / length);
    const count = Math.ceil(to / length) - this.first + 1;
    this.times = Array.from({ length: 2 * count }, (_, i) => (this.first + i / 2) * length);
  }

  /** One value of what the columns hold, which follow each other in time. @param k see `Columns.value`. */
  line(parts: readonly Columns[], k: number): GridLine {
    const line: GridLine = new Array(this.times.length).fill(undefined);
    let last = Number.NaN;
    for (const part of parts) last = this.add(line, part, k, last);
    return line;
  }

  /** The place of a time among `times`; undefined if it lies outside. */
  cellIndex(time: number | undefined): number | undefined {
    if (time === undefined || time < this.from || time > this.to) return undefined;
    return 2 * (Math.floor(time / this.length) - this.first) + 1;
  }

  private add(line: GridLine, part: Columns, k: number, before: number): number {
    const pause = Math.max(PAUSE_MIN_MS, PAUSE_FACTOR * part.interval, 3 * this.length);
    const { from, first, length } = this;
    const end = this.to + length;
    let last = before;
    // The row before the first one is drawn to the edge, too.
    part.scan(Math.max(0, part.firstAt(from) - 1), k, (time, value) => {
      if (time > end) return false;
      const stretch = Math.floor(time / length) - first;
      if (time - last > pause) this.interrupt(line, last, stretch);
      last = time;
      if (stretch >= 0 && 2 * stretch < line.length) put(line, 2 * stretch, value);
      return true;
    });
    return last;
  }

  /** Between a time and a later stretch there is nothing: a plot spans what is undefined, and not what is null. */
  private interrupt(line: GridLine, after: number, before: number): void {
    const from = Math.max(0, 2 * (Math.floor(after / this.length) - this.first + 1));
    line.fill(null, from, Math.max(from, 2 * before));
  }
}

/** Keeps the least and the largest of a stretch, the one that came first in front. */
function put(line: GridLine, at: number, value: number): void {
  const [a, b] = [line[at], line[at + 1]];
  if (a === undefined || a === null) line[at] = value;
  else if (b === undefined || b === null) line[at + 1] = value;
  else if (a <= b) {
    if (value > b) line[at + 1] = value;
    else if (value < a) [line[at], line[at + 1]] = [b, value];
  } else if (value < b) line[at + 1] = value;
  else if (value > a) [line[at], line[at + 1]] = [b, value];
}
