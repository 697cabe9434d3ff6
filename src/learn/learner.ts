import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
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

/**
 * What every learner counts, each a 32-bit word that wraps. The first is told by its place in `learn`, and `stepExpansion`
 * raises the five from `overflowed` on.
 */
export const COUNTERS = frozen([
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
  /** vectors that left because the budget was full, or because the learner started anew */
  "evicted",
  /** inputs not stored because the budget was full; of a codebook those beyond its reach; of 16 bits those outside their ranges where the width is found; of dual ascent those for which |f|^2 isn't known yet at another width */
  "declined",
  /**
   * inputs that stored vectors stood for: the codebook's nearest, within the quantization size, or a
   * projection, within eta
   */
  "quantized",
  /** inputs farther than that, for which they stood because the budget was full */
  "forced",
  /** labelled novelties, from which nothing is learned */
  "passed",
] as const);

/** The name of one of `COUNTERS`. */
export type Counter = (typeof COUNTERS)[number];

/** Regions that every learner has. */
export function commonRegions(dimension: number): Region[] {
  return [
    { name: "counters", kind: "counters", words: COUNTERS.length },
    { name: "input", kind: "scratch", words: dimension },
  ];
}

/** Words of the region `note` of a learner's layout, 0 where it has none: see `Learner.note`. */
export function noteWords(layout: Layout): number {
  return layout.wordsOf("note");
}

/** Words of the region `scores`, one a class, 0 where a learner has none: see `Task`. */
export function scoreWords(layout: Layout): number {
  return layout.wordsOf("scores");
}

/**
 * The place of each counter among them. No string literal stands where a sample passes: in a module that Moddable's linker
 * puts into flash, XS copies each literal to the heap each time that it is evaluated.
 */
export const COUNT = Object.freeze(
  Object.fromEntries(COUNTERS.map((name, i) => [name, i])) as Record<Counter, number>,
);

/**
 * About how many multiplications a label spends on what can wait for the next ones, so that its turn stays short: 30 ms of a core of
 * 160 MHz without an FPU; and how many a kernel value counts as, besides its distance.
 */
export const TURN_WORK = 20480;
export const KERNEL_WORK = 14;

/** The tasks, by which no literal is needed; see `COUNT`. */
export const TASK = Object.freeze({
  classification: "classification",
  multiclass: "multiclass",
  regression: "regression",
  novelty: "novelty",
} as const satisfies { readonly [T in Task]: T });

/**
 * The class that a decision of the task says, as its labels have it: -1 or +1 by its sign, nought being +1; the class index;
 * of a novelty score -1 for a novelty, +1 for a normal sample. NaN for a decision that is NaN, and for a regression, which
 * has no classes. It also says which class a label stands for, where 0 is a label: of a novelty learner, a normal sample.
 *
 * @example
 * ```ts
 * import { classOf } from "motelearn";
 *
 * console.log(classOf("classification", -0.25), classOf("novelty", 0.5), classOf("multiclass", 2));
 * // -1 1 2
 * ```
 */
export function classOf(task: Task, decision: number): number {
  if (task === TASK.multiclass) return decision;
  if (task === TASK.regression || decision - decision !== 0) return Number.NaN;
  return decision < 0 ? -1 : 1;
}

/**
 * A learner in one range of memory (zeroed here), which it never leaves: nothing is allocated after construction.
 * A family implements `predict` and `update`; what is refused never comes to `update`.
 */
export abstract class Learner {
  protected readonly f32: Primitives;
  /** The origin of the label that `learn` takes next, which whoever calls it sets before: see `Label`. Neither hashed nor saved. */
  source = 0;
  confidence = 255;
  /** Whether who calls `learn` restores region `note` before: see `note`. Neither hashed nor saved. */
  noted = false;
  /** Word of the input, as `predict` loaded it: scratch, `dimension` words, finite. */
  protected readonly input: number;
  /** Whether labels go to `gather`. */
  protected gathers = false;
  /** Word of the first counter; the others follow in the order of `COUNTERS`. */
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

  /**
   * Called where a decision isn't finite though its input is: what was learned is beyond float32. A learner may start anew,
   * lest it refuse for good.
   */
  protected outgrow(_y: number): void {}

  /** Learns the label y of the input; `decision` is what `predict`, just run, returned: finite. */
  protected abstract update(y: number, decision: number): void;

  /** Takes what `update` would, for a learner that first finds out how to learn. */
  protected gather(y: number, decision: number): void {
    this.update(y, decision);
  }

  /** Whether y is a label of the task. */
  protected takesLabel(y: number): boolean {
    if (y === 1 || y === -1) return true;
    if (this.task === TASK.regression) return Number.isFinite(Math.fround(y));
    return this.task === TASK.novelty && y === 0;
  }

  /**
   * The decision value, estimate, novelty score or class index for x (`dimension` numbers, rounded to float32).
   * NaN if x is refused (wrong length, not finite) or the value isn't finite. Changes neither state nor counters:
   * it loads x to `input` and writes to scratch only.
   */
  abstract predict(x: ArrayLike<number>): number;

  /**
   * Takes note of a sample whose label will come later: called once for it, right after `predict` returned a decision, by who
   * sets `noted`. What the learner must know again when the label comes it leaves in its scratch region `note`, if its layout
   * has one; who called keeps those words with the sample, and puts them back there before `learn`. Words of noughts stand for
   * a sample without a note. It may change the state, and tells time: a learner that uses it depends on which
   * labels had come before which sample. Without it, `learn` takes note itself.
   */
  note(): void {}

  /**
   * What was learned stays, and is revised as fast as at the start: called where it holds no longer. False, with nothing changed: the
   * learner keeps no account of how sure it is.
   */
  restartConfidence(): boolean {
    return false;
  }

  /** The class that `predict(x)` says, see `classOf`; NaN if x is refused. Changes what `predict` changes: scratch only. */
  classify(x: ArrayLike<number>): number {
    return classOf(this.task, this.predict(x));
  }

  /**
   * Learns the label y of x. Returns what `predict(x)` would have returned just before. What is refused
   * (see `predict`; a y that is no label of the task) is counted and leaves the state as it was.
   */
  learn(x: ArrayLike<number>, y: number): number {
    const decision = this.predict(x);
    // So for NaN. XS looks Number.isNaN up for many times the price.
    if (decision - decision !== 0) {
      const taken = this.f32.finite(this.input, this.dimension) && x.length === this.dimension;
      this.tally(taken ? COUNT.overflowed : COUNT.refused);
      if (taken && this.takesLabel(y)) this.outgrow(y);
    } else if (!this.takesLabel(y)) {
      this.tally(COUNT.refused);
    } else {
      this.f32.bits[this.counts]++;
      if (this.task === TASK.novelty && y < 0) this.tally(COUNT.passed);
      else if (this.gathers) this.gather(y, decision);
      else this.update(y, decision);
    }
    return decision;
  }

  /** Word of the counter at that place. */
  protected counterAt(place: number): number {
    return this.counts + place;
  }

  /** How often `name` was counted. */
  count(name: Counter): number {
    return this.f32.bits[this.counts + COUNT[name]];
  }

  /** Counts once; the place is one of `COUNT`. */
  protected tally(place: number): void {
    this.f32.bits[this.counts + place]++;
  }

  /** The hash of the `state` regions: equal hashes mean the same bits. */
  stateHash(): string {
    return hashWords(this.f32.bits, this.range.state, this.layout.state);
  }
}
