import { LEAVING } from "../math/primitives.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";
import { ERRORS } from "./aggressiveness.ts";
import { KernelExpansion } from "./expansion.ts";
import { type ExpansionOptions, expansionLayout } from "./expansion-layout.ts";
import { COUNT } from "./learner.ts";

function clip(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** The options of the tracking functions. */
export interface TrackingOptions extends ExpansionOptions {
  /** The most that a label may move a function; 0: from its errors. */
  readonly C: number;
  /** True if each has a dictionary of its own. */
  readonly apart: boolean;
}

/** Memory of so many functions on one dictionary. */
export function trackerLayout(options: TrackingOptions, functions: number): Layout {
  const { budget, dimension, C } = options;
  const errors = { ...ERRORS, words: functions * ERRORS.words };
  return expansionLayout(options, [
    { name: "functions", kind: "state", words: functions * budget },
    ...(C > 0 ? [] : [errors]),
    { name: "steps", kind: "scratch", words: functions },
    { name: "leaving", kind: "scratch", words: functions },
    { name: "merged", kind: "scratch", words: 2 * dimension },
  ]);
}

/**
 * Functions on one dictionary, f_k(x) = sum_i a_ki k(c_i, x), which learn as OLK-C, each with its own r. The dictionary's
 * coefficients are those of their mixture, sum_k u_k a_ki, with the shares u_k that the whole sets: so it decides by the mixture, and the
 * vector that gives least to the mixture leaves.
 */
export class Tracker extends KernelExpansion {
  /** Word of x's new coefficients. */
  private readonly steps: number;
  /** Words of a_k, one function after the other. */
  private readonly functions: number;
  /** Word of the first function's errors; 0 where C is given. */
  private readonly errors: number;
  private readonly C: number;
  /** Words of the merging vector's coefficients, and of it and the merged one. */
  private readonly leaver: number;
  private readonly merged: number;

  constructor(
    options: TrackingOptions,
    private readonly rates: readonly number[],
    layout: Layout,
    memory: MemoryRange,
    /** Words of f_k(x), which a prediction writes, and of u_k. */
    private readonly scores: number,
    private readonly shares: number,
  ) {
    super("classification", { ...options, evict: "merge" }, layout, memory);
    this.steps = layout.at("steps", memory);
    this.functions = layout.at("functions", memory);
    this.C = options.C;
    this.errors = options.C > 0 ? 0 : layout.at(ERRORS.name, memory);
    this.leaver = layout.at("leaving", memory);
    this.merged = layout.at("merged", memory);
  }

  override predict(x: ArrayLike<number>): number {
    const decision = super.predict(x);
    const { f32, scores, row, size } = this;
    for (let k = 0; k < this.rates.length; k++)
      f32.words[scores + k] = this.width === 0 ? decision : f32.dot(this.coefficients(k), row, size);
    return decision;
  }

  /** Word of a_k. */
  private coefficients(k: number): number {
    return this.functions + k * this.capacity;
  }

  learnDecided(y: number, decision: number): void {
    if (this.gathers) this.gather(y, decision);
    else this.update(y, decision);
  }

  /** Forgets its functions. */
  restart(): void {
    this.reset(true);
  }

  protected update(y: number, _decision: number): void {
    const { f32, steps, shares, size } = this;
    const stores = this.chooseSteps(y);
    const a = f32.dot(shares, steps, this.rates.length);
    if (a - a !== 0 || !f32.finite(steps, this.rates.length)) {
      this.increment(COUNT.overflowed);
      return;
    }
    for (let k = 0; k < this.rates.length; k++)
      f32.scale(this.coefficients(k), 1 / (1 + this.rates[k]), size);
    this.mix();
    if (stores) this.admit(a);
  }

  /** Each function's coefficient of x, by OLK-C's (33). Returns whether one isn't 0. */
  private chooseSteps(y: number): boolean {
    const { f32, scores, steps, errors } = this;
    const self = this.kernel.self(this.input);
    let stores = false;
    for (let k = 0; k < this.rates.length; k++) {
      const level = 1 + this.rates[k];
      const f = f32.words[scores + k];
      const C = errors > 0 ? f32.aggressiveness(errors + ERRORS.words * k, y, f, 1) : this.C;
      const alpha = clip((level - y * f) / self, 0, C);
      f32.words[steps + k] = alpha > 0 ? (y * alpha) / level : 0;
      stores = stores || alpha > 0;
    }
    return stores;
  }

  /** The mixture's coefficients, with the present shares. Behind them inputs may wait for the width. */
  private mix(): void {
    const { f32, shares, size } = this;
    const { coefficients } = this.dictionary;
    f32.words.fill(0, coefficients, coefficients + size);
    for (let k = 0; k < this.rates.length; k++)
      f32.addScaled(coefficients, f32.words[shares + k], this.coefficients(k), size);
  }

  /** Stores the input, whose coefficient in the mixture is a. As in `stepExpansion`, a vector leaves the full dictionary. */
  private admit(a: number): void {
    const { dictionary, f32, spare, leaver } = this;
    const isFull = dictionary.full;
    const merges = this.leaving === LEAVING.merge;
    this.increment(COUNT.inserted);
    if (isFull) this.increment(COUNT.evicted);
    const i = merges ? dictionary.smallest() : dictionary.oldest();
    const least = dictionary.coefficient(i);
    if (isFull && merges && Math.abs(a) < Math.abs(least)) {
      f32.copy(spare, this.input, this.dimension);
      f32.copy(leaver, this.steps, this.rates.length);
      this.mergeNearest(a);
      return;
    }
    if (isFull) this.remove(i);
    for (let k = 0; k < this.rates.length; k++)
      f32.words[this.coefficients(k) + this.size] = f32.words[this.steps + k];
    dictionary.insert(this.input, a);
    if (isFull && merges) this.mergeNearest(least);
  }

  /** Removes vector i, and copies it to `spare`, and its coefficients to `leaver`. */
  private remove(i: number): void {
    const { dictionary, f32, leaver } = this;
    const { words } = f32;
    const last = this.size - 1;
    f32.fetchRow(this.spare, dictionary.rows, i, this.rowForm);
    for (let k = 0; k < this.rates.length; k++) {
      const at = this.coefficients(k);
      words[leaver + k] = words[at + i];
      words[at + i] = words[at + last];
      words[at + last] = 0;
    }
    dictionary.remove(i);
  }

  /** Each function's coefficient of the merged vector z is its own part's projection: a_ki k(c_i, z) + a_kj k(c_j, z). */
  protected override mergeNearest(odd: number): number {
    const { dictionary, f32, leaver, merged, spare, dimension } = this;
    const { words } = f32;
    f32.copy(merged, spare, dimension);
    const j = super.mergeNearest(odd);
    if (j < 0) return j;
    f32.fetchRow(merged + dimension, dictionary.rows, j, this.rowForm);
    const near = this.likeness(spare);
    const far = this.likeness(merged);
    for (let k = 0; k < this.rates.length; k++) {
      const at = this.coefficients(k) + j;
      words[at] = words[at] * near + words[leaver + k] * far;
    }
    return j;
  }

  /** k of the vector at x, which is lost, with the merged one. */
  private likeness(x: number): number {
    const { f32, merged, dimension } = this;
    f32.addScaled(x, -1, merged + dimension, dimension);
    return f32.exp(-this.gamma() * f32.dot(x, x, dimension));
  }
}
