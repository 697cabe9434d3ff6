/** Labels over which the recent figure runs, at least. */
const RECENT_LABELS = 100;
/** Least labels of a point of the curve: the figure of one or two would be 0 or 1, and set the scale. */
const CURVE_LABELS = 10;
/** Most points of the curve; beyond it every other one is discarded. */
const POINTS_MAX = 4096;

/** A node's counters at one time. `errorSum`: the sum of a regression's absolute errors. */
interface Count {
  readonly applied: number;
  readonly mistaken: number;
  readonly errorSum: number;
}

export interface CurvePoint {
  /** Number of the last sample. */
  readonly seq: number;
  /** The recent figure. */
  readonly value: number;
}

/**
 * The learner's predictions just before it learned the labels: the share that were right, or the mean error.
 */
export interface Figure {
  readonly labels: number;
  readonly value: number;
}

/**
 * Prequential accuracy, or a regression's mean absolute error, from a node's counters: over all its labels,
 * and over the last 100 or a few more (the sliding window of Gama, Sebastiao and Rodrigues 2013).
 */
export class Prequential {
  readonly curve: CurvePoint[] = [];
  /** Counters from the start of the recent window to the last; empty before the first. */
  private counts: Count[] = [];
  /** Labels of a regression without a reported error. */
  private unanswered = 0;

  constructor(readonly kind: "accuracy" | "error") {}

  /** The node started again: its counters begin elsewhere, and the curve continues. */
  restart(): void {
    this.counts = [];
  }

  /** Takes the node's counters; `error`: a regression's mean absolute error since those before. */
  take(seq: number, applied: number, mistaken: number, error: number): void {
    const last = this.counts[this.counts.length - 1];
    if (!last || applied < last.applied || mistaken < last.mistaken) {
      this.counts = [{ applied, mistaken, errorSum: 0 }];
      this.unanswered = applied;
      return;
    }
    if (applied === last.applied) return;
    this.counts.push({ applied, mistaken, errorSum: last.errorSum + error * (applied - last.applied) });
    while (applied - this.counts[1].applied >= RECENT_LABELS) this.counts.shift();
    const { recent } = this;
    if (recent && recent.labels >= CURVE_LABELS) this.curve.push({ seq, value: recent.value });
    if (this.curve.length > POINTS_MAX) this.thin();
  }

  /**
   * Over all labels that the node counted; for a regression, over those since the last report. Undefined
   * without labels.
   */
  get all(): Figure | undefined {
    const last = this.counts[this.counts.length - 1];
    const labels = last ? last.applied - (this.kind === "error" ? this.unanswered : 0) : 0;
    if (labels === 0) return undefined;
    return {
      labels,
      value: this.kind === "error" ? last.errorSum / labels : 1 - last.mistaken / labels,
    };
  }

  /** Of the last labels; undefined if none came since the node was met. */
  get recent(): Figure | undefined {
    const [first, last] = [this.counts[0], this.counts[this.counts.length - 1]];
    if (first === last) return undefined;
    const labels = last.applied - first.applied;
    const sum = this.kind === "error" ? last.errorSum - first.errorSum : last.mistaken - first.mistaken;
    return { labels, value: this.kind === "error" ? sum / labels : 1 - sum / labels };
  }

  private thin(): void {
    const { curve } = this;
    for (let i = 1; 2 * i < curve.length; i++) curve[i] = curve[2 * i];
    curve.length = Math.ceil(curve.length / 2);
  }
}
