import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { hashWords } from "../memory/hash.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/**
 * A learner's task defines its labels and the result of `predict`:
 * `classification`: -1 or +1; the decision value, >= 0 meaning +1.
 * `multiclass`: class 0..K-1; the class index, with the K decision values in region `scores`.
 * `regression`: any finite number; the estimate.
 * `novelty`: +1 or 0 (unlabelled) for a normal sample, -1 for a known novelty, from which it doesn't learn; the
 * novelty score, < 0 meaning novel.
 */
export type Task = "classification" | "multiclass" | "regression" | "novelty";

/**
 * The counters of every learner, each a 32-bit word that wraps. `learn` knows the first by its place, and `stepExpansion`
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
  /** vectors that left because the budget was full, or because the learner restarted */
  "evicted",
  /**
   * inputs not stored: the budget was full; or a codebook had no centre near enough; or, where the width is
   * searched, an input of 16 bits lay outside its range, or dual ascent had yet to compute |f|^2 at a new width
   */
  "declined",
  /**
   * inputs that stored vectors represented: the codebook's nearest, within the quantization size, or a
   * projection, within eta
   */
  "quantized",
  /** inputs farther than that, which stored vectors represented because the budget was full */
  "forced",
  /** labelled novelties, which a novelty detector doesn't learn */
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

/** Words of the region `note` of a learner's layout, 0 without one: see `Learner.note`. */
export function noteWords(layout: Layout): number {
  return layout.regionWords("note");
}

/** Words of the region `scores`, one a class, 0 without one: see `Task`. */
export function scoreWords(layout: Layout): number {
  return layout.regionWords("scores");
}

/**
 * The place of each counter. Code that runs at every sample uses no string literals: in a module that Moddable's linker
 * puts into flash, XS copies a literal to the heap each time that it evaluates it.
 */
export const COUNT = Object.freeze(
  Object.fromEntries(COUNTERS.map((name, i) => [name, i])) as Record<Counter, number>,
);

/**
 * About how many multiplications a label spends on work that can wait for later labels, so that its turn stays short: 30 ms of a core of
 * 160 MHz without an FPU. And how many a kernel value counts as, besides its distance.
 */
export const TURN_WORK = 20480;
export const KERNEL_WORK = 14;

/** The tasks as values in place of literals; see `COUNT`. */
export const TASK = Object.freeze({
  classification: "classification",
  multiclass: "multiclass",
  regression: "regression",
  novelty: "novelty",
} as const satisfies { readonly [T in Task]: T });

/**
 * The class of a decision, in the task's labels: -1 or +1 by the sign, 0 counting as +1; the class index; for
 * a novelty score -1 (novelty) or +1 (normal). NaN for a NaN decision, and for a regression, which has no
 * classes. It also converts a label to its class: a novelty learner's label 0 is a normal sample.
 *
 * @example
 * ```ts
 * import { decidedClass } from "motelearn";
 *
 * console.log(decidedClass("classification", -0.25), decidedClass("novelty", 0.5), decidedClass("multiclass", 2));
 * // -1 1 2
 * ```
 */
export function decidedClass(task: Task, decision: number): number {
  if (task === TASK.multiclass) return decision;
  if (task === TASK.regression || decision - decision !== 0) return Number.NaN;
  return decision < 0 ? -1 : 1;
}

/**
 * A learner in one range of memory, which the constructor zeroes. It allocates nothing after construction.
 * A family implements `predict` and `update`; `update` never gets a refused sample.
 */
export abstract class Learner {
  protected readonly f32: Primitives;
  /** Labeller of the next label for `learn`, 0..255; 0: unknown. The caller sets it first. Neither hashed nor saved. */
  source = 0;
  /** Confidence of the next label, 0..255; 255: certain. The caller sets it first. Neither hashed nor saved. */
  confidence = 255;
  /** True if the caller of `learn` restores region `note` before: see `note`. Neither hashed nor saved. */
  noted = false;
  /** Word of the input, as `predict` loaded it: scratch, `dimension` words, finite. */
  protected readonly input: number;
  /** True if labels go to `gather`. */
  protected gathers = false;
  /** Word of the first counter; the others follow in the order of `COUNTERS`. */
  private readonly counts: number;

  constructor(
    /** The kind of its labels and decisions. */
    readonly task: Task,
    /** Components of an input. */
    readonly dimension: number,
    /** Its regions, and so its bytes. */
    readonly layout: Layout,
    /** Where its regions lie. */
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

  /** Capacity, in vectors. */
  abstract get capacity(): number;

  /**
   * Called when a decision isn't finite though its input is: the learned state exceeds float32. A learner may
   * restart, so that it doesn't refuse forever.
   */
  protected outgrow(_y: number): void {}

  /** Learns the label y of the input; `decision` is the finite result of the `predict` just before. */
  protected abstract update(y: number, decision: number): void;

  /** Takes the place of `update` while a learner still looks for its width. */
  protected gather(y: number, decision: number): void {
    this.update(y, decision);
  }

  /** True if y is a label of the task. */
  protected takesLabel(y: number): boolean {
    if (y === 1 || y === -1) return true;
    // From a program without types a text may come: no label, whatever number it looks like.
    if (this.task === TASK.regression) return y === +y && Number.isFinite(Math.fround(y));
    return this.task === TASK.novelty && y === 0;
  }

  /**
   * The decision value, estimate, novelty score or class index for x (`dimension` numbers, rounded to float32).
   * NaN if x is refused (wrong length, not finite) or the value isn't finite. Changes neither state nor counters:
   * it loads x to `input` and writes to scratch only.
   */
  abstract predict(x: ArrayLike<number>): number;

  /**
   * Notes a sample whose label will come later. A caller that sets `noted` calls it once a sample, right
   * after `predict` returned a decision. The learner leaves the values that it needs at the label in its
   * scratch region `note`, if its layout has one. The caller keeps those words with the sample, and puts them
   * back before `learn`. All zeros stand for a sample without a note. `note` may change the state, and marks
   * time: a learner that uses it depends on which labels came before which sample. Without `noted`, `learn`
   * takes the note itself.
   */
  note(): void {}

  /**
   * Restarts the confidence after a change of the data: the weights stay, and later labels revise them as fast as at the start. Returns
   * false, with nothing changed, for a learner without a confidence.
   */
  restartConfidence(): boolean {
    return false;
  }

  /**
   * True if its words of state fit one another; each must be what the layout says, see `faultIn`. Ask it where state came from outside,
   * before anything else: a state that doesn't fit may never come to an end. It changes nothing.
   */
  isSound(): boolean {
    return true;
  }

  /** The class of `predict(x)`, see `decidedClass`; NaN if x is refused. Changes scratch only. */
  classify(x: ArrayLike<number>): number {
    return decidedClass(this.task, this.predict(x));
  }

  /**
   * Learns the label y of x. Nothing is thrown for a wrong sample, as a node must not stop: it is refused, which leaves the state as it was
   * and counts in `count("refused")`.
   *
   * @param x `dimension` numbers, finite in float32. Refused: fewer or more of them, or one that isn't finite.
   * @param y a label of the task, see `Task`. Refused: any other number, and any other value.
   * @returns what `predict(x)` would have returned just before: NaN for a refused x.
   */
  learn(x: ArrayLike<number>, y: number): number {
    const decision = this.predict(x);
    // So for NaN. XS looks Number.isNaN up for many times the price.
    if (decision - decision !== 0) {
      const taken = this.f32.finite(this.input, this.dimension) && x.length === this.dimension;
      this.increment(taken ? COUNT.overflowed : COUNT.refused);
      if (taken && this.takesLabel(y)) this.outgrow(y);
    } else if (!this.takesLabel(y)) {
      this.increment(COUNT.refused);
    } else {
      this.f32.bits[this.counts]++;
      if (this.task === TASK.novelty && y < 0) this.increment(COUNT.passed);
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
    return this.counted(COUNTERS.indexOf(name));
  }

  /** The counter at that place of `COUNTERS`: XS takes thousands of instructions to find a name in a list. */
  counted(place: number): number {
    return this.f32.bits[this.counts + place];
  }

  /** Counts once; the place is one of `COUNT`. */
  protected increment(place: number): void {
    this.f32.bits[this.counts + place]++;
  }

  /** The hash of the `state` regions: equal hashes mean the same bits. */
  stateHash(): string {
    return hashWords(this.f32.bits, this.range.state, this.layout.state);
  }
}
