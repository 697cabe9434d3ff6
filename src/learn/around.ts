import type { Layout } from "../memory/layout.ts";
import type { Family, UserOptions } from "./family.ts";
import { Learner, type Task } from "./learner.ts";

/**
 * A learner around another, whose decisions are the inner one's plus an offset. It lies in the memory of the learner inside, whose counters
 * and scratch it shares; its own regions come behind.
 */
export abstract class Around extends Learner {
  /** The learner inside. */
  readonly inner: Learner;

  constructor(task: Task, family: Family, own: UserOptions, layout: Layout) {
    super(task, own.dimension, layout, own.memory ?? layout.ownRange());
    this.inner = family.create({ ...own, memory: this.range });
  }

  /** The addend to the inner learner's decision, for the input that was predicted last. */
  abstract get offset(): number;

  get size(): number {
    return this.inner.size;
  }

  get capacity(): number {
    return this.inner.capacity;
  }

  override isSound(): boolean {
    return this.inner.isSound();
  }

  override counted(place: number): number {
    return this.inner.counted(place);
  }

  override restartConfidence(): boolean {
    return this.inner.restartConfidence();
  }

  /** The search for the kernel's width, see `findProbe`. */
  get probe(): unknown {
    return (this.inner as { readonly probe?: unknown }).probe;
  }

  predict(x: ArrayLike<number>): number {
    const f = Math.fround(this.inner.predict(x) + this.offset);
    return f - f === 0 ? f : Number.NaN;
  }

  /** The inner learner learns y; returns its decision before. */
  protected pass(x: ArrayLike<number>, y: number): number {
    const { inner } = this;
    inner.source = this.source;
    inner.confidence = this.confidence;
    return inner.learn(x, y);
  }

  protected update(): void {}
}
