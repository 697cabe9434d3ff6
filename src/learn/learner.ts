import type { Primitives } from "../math/primitives.ts";
import { hashWords } from "../memory/hash.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/**
 * What a learner is for, and so what its labels are and what `predict` returns:
 * `classification`: -1 or +1; the decision value, >= 0 meaning +1.
 * `multiclass`: class 0..K-1; the class index, the K decision values lying in region `scores`.
 * `regression`: any finite number; the estimate.
 * `novelty`: +1 or 0 (unlabelled) a normal sample, -1 a known novelty, from which nothing is learned; the
 * novelty score, < 0 meaning novel.
 */
export type Task = "classification" | "multiclass" | "regression" | "novelty";

/** What every learner counts, each a 32-bit word that wraps. */
export const COUNTERS = [
  /** labelled samples that `learn` took */
  "learned",
  /** inputs and labels refused: not finite, of a wrong length, not a label */
  "refused",
  /** updates refused because a result wasn't finite */
  "overflowed",
  /** vectors stored */
  "inserted",
  /** vectors forgotten by a threshold */
  "dropped",
  /** vectors that left because the budget was full */
  "evicted",
  /** vectors not stored because the budget was full */
  "declined",
  /** inputs that the codebook's nearest vector stood for, within the quantization size */
  "quantized",
  /** inputs farther than that, which the nearest stood for because the codebook was full */
  "forced",
  /** labelled novelties, from which nothing is learned */
  "passed",
] as const;

export type Counter = (typeof COUNTERS)[number];

/** Regions that every learner has. */
export function commonRegions(dimension: number): Region[] {
  return [
    { name: "counters", kind: "counters", words: COUNTERS.length },
    { name: "input", kind: "scratch", words: dimension },
  ];
}

const OFFSETS = Object.fromEntries(COUNTERS.map((name, i) => [name, i])) as Record<Counter, number>;

/**
 * A learner in one range of memory (zeroed here), which it never leaves: nothing is allocated after construction.
 * A family implements `decide` and `update`; what may be refused is refused here, before either runs.
 */
export abstract class Learner {
  protected readonly f32: Primitives;
  /** Word of the input that `decide` and `update` see: scratch, `dimension` words, finite. */
  protected readonly input: number;
  private readonly counts: number;

  constructor(
    readonly task: Task,
    readonly dimension: number,
    readonly layout: Layout,
    readonly range: MemoryRange,
  ) {
    this.f32 = range.f32;
    this.input = layout.at("input", range);
    this.counts = layout.at("counters", range);
    this.f32.bits.fill(0, range.state, range.state + layout.state);
    this.f32.bits.fill(0, range.counters, range.counters + layout.counters);
    this.f32.bits.fill(0, range.scratch, range.scratch + layout.scratch);
  }

  /** Vectors stored now; 0 for a learner that stores none. */
  abstract get size(): number;

  /** Vectors there is room for. */
  abstract get capacity(): number;

  /** What `predict` returns for the input; may write to scratch only. */
  protected abstract decide(): number;

  /** Learns the label y of the input; `decision` is what `decide`, just run, returned: finite. */
  protected abstract update(y: number, decision: number): void;

  /** Whether y is a label of the task. */
  protected takesLabel(y: number): boolean {
    if (this.task === "regression") return Number.isFinite(Math.fround(y));
    return y === 1 || y === -1 || (this.task === "novelty" && y === 0);
  }

  /**
   * The decision value, estimate, novelty score or class index for x (`dimension` numbers, rounded to float32).
   * NaN if x is refused (wrong length, not finite) or the value isn't finite. Changes neither state nor counters.
   */
  predict(x: ArrayLike<number>): number {
    if (x.length !== this.dimension || !this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const decision = this.decide();
    return Number.isFinite(decision) ? decision : Number.NaN;
  }

  /**
   * Learns the label y of x. Returns what `predict(x)` would have returned just before. What is refused
   * (see `predict`; a y that is no label of the task) is counted and leaves the state as it was.
   */
  learn(x: ArrayLike<number>, y: number): number {
    const decision = this.predict(x);
    if (Number.isNaN(decision)) {
      this.tally(
        this.f32.finite(this.input, this.dimension) && x.length === this.dimension ? "overflowed" : "refused",
      );
    } else if (!this.takesLabel(y)) {
      this.tally("refused");
    } else {
      this.tally("learned");
      if (this.task === "novelty" && y < 0) this.tally("passed");
      else this.update(y, decision);
    }
    return decision;
  }

  /** How often `name` was counted. */
  count(name: Counter): number {
    return this.f32.bits[this.counts + OFFSETS[name]];
  }

  /** Counts once. */
  protected tally(name: Counter): void {
    this.f32.bits[this.counts + OFFSETS[name]]++;
  }

  /** The hash of the `state` regions: equal hashes mean the same bits. */
  stateHash(): string {
    return hashWords(this.f32.bits, this.range.state, this.layout.state);
  }
}
