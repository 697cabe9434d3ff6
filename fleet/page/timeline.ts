export interface Range {
  readonly from: number;
  readonly to: number;
}

const SPAN_MIN_MS = 100;
const SPAN_MAX_MS = 3660 * 86_400_000;

/** The plots' time range: the last minutes, moving; or a paused stretch, while new data still arrive. */
export class Timeline {
  /** A time that others are compared with. */
  reference: number | undefined;
  /** Changes when another time is shown. */
  version = 0;
  private still: Range | undefined;

  constructor(private windowMs = 60_000) {}

  get paused(): boolean {
    return this.still !== undefined;
  }

  range(now: number): Range {
    return this.still ?? { from: now - this.windowMs, to: now };
  }

  /** Shows the last so many milliseconds, moving on. */
  follow(windowMs = this.windowMs): void {
    this.windowMs = windowMs;
    this.show(undefined);
  }

  pause(now: number): void {
    this.show(this.range(now));
  }

  zoom(from: number, to: number): void {
    const [low, high] = from < to ? [from, to] : [to, from];
    const span = Math.min(Math.max(high - low, SPAN_MIN_MS), SPAN_MAX_MS);
    const middle = (low + high) / 2;
    this.show({ from: middle - span / 2, to: middle + span / 2 });
  }

  /** Shows `factor` times the span. A view that follows new samples still does, unless `at` is a time that stays in its place. */
  zoomBy(factor: number, now: number, about?: number): void {
    if (!this.still && about === undefined) {
      this.follow(Math.min(Math.max(this.windowMs * factor, SPAN_MIN_MS), SPAN_MAX_MS));
      return;
    }
    const { from, to } = this.range(now);
    const at = about ?? (from + to) / 2;
    this.zoom(at - (at - from) * factor, at + (to - at) * factor);
  }

  /** Moves the view by a part of its span, and stops following the newest sample. */
  pan(part: number, now: number): void {
    const { from, to } = this.range(now);
    const by = part * (to - from);
    this.show({ from: from + by, to: to + by });
  }

  refer(time: number | undefined): void {
    this.reference = time;
    this.version++;
  }

  private show(still: Range | undefined): void {
    this.still = still;
    this.version++;
  }
}
