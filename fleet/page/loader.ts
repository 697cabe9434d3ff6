import type { NodeHistory } from "../api/api.ts";
import type { Range } from "./timeline.ts";
import { Trace } from "./trace.ts";

const POINTS = 4000;
/** If the view is this many times shorter than the loaded stretch, it is loaded again in more detail. */
const FINER = 4;
/** Interval of requests for new rows when nothing comes live. */
const POLL_MS = 5000;
const PAUSE_MS = 1000;

/** Loads the shown part of a node into a trace. */
export class Loader {
  readonly trace: Trace;
  private loaded: Range | undefined;
  private downsampled = false;
  private loading = false;
  private notBefore = 0;

  constructor(
    private readonly load: (from: number, to: number, points: number) => Promise<NodeHistory>,
    rows?: number,
  ) {
    this.trace = new Trace(rows);
  }

  /** Forgets the loaded rows, since some may be missing. */
  restart(): void {
    this.trace.live.clear();
    this.loaded = undefined;
  }

  /** Requests the missing rows of that stretch. */
  show({ from, to }: Range): void {
    if (this.loading || performance.now() < this.notBefore || !this.lacks(from, to)) return;
    this.loading = true;
    this.load(from, to, POINTS)
      .then((history) => {
        this.loaded = { from, to: history.to };
        this.downsampled = history.every > 1 || history.rows.length >= POINTS / 2;
        this.trace.history(history);
      })
      .catch(() => {}) // the source says that it is lost; this asks again
      .finally(() => {
        this.loading = false;
        this.notBefore = performance.now() + PAUSE_MS;
      });
  }

  private lacks(from: number, to: number): boolean {
    const { live } = this.trace;
    const { loaded } = this;
    if (!loaded) return true;
    const liveFrom = live.count > 0 ? live.time(0) : Number.POSITIVE_INFINITY;
    if (from >= liveFrom) return false;
    if (loaded.from > from + (to - from) / 100) return true;
    if (this.downsampled && loaded.to - loaded.from > FINER * (to - from)) return true;
    // Up to the first row that came live, without a gap; where none came, there may be new ones by now.
    return loaded.to < Math.min(to, liveFrom) - (live.count > 0 ? 0 : POLL_MS);
  }
}
