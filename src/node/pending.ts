import type { Primitives } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/**
 * The predicted samples that still wait for their label: sequence number and features, in a ring of fixed size.
 * Sample seq lies in slot seq mod capacity; it expires, unlabelled, when sample seq + capacity takes the slot.
 */
export class PendingRing {
  private readonly f32: Primitives;
  private readonly numbers: number;
  private readonly features: number;

  static regions(capacity: number, dimension: number): Region[] {
    return [
      { name: "pending.numbers", kind: "state", words: capacity },
      { name: "pending.features", kind: "state", words: capacity * dimension },
    ];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    readonly capacity: number,
    readonly dimension: number,
  ) {
    this.f32 = range.f32;
    this.numbers = layout.at("pending.numbers", range);
    this.features = layout.at("pending.features", range);
  }

  /** Remembers sample seq >= 1 with the features at word x. True if a sample expired for it. */
  push(seq: number, x: number): boolean {
    const slot = seq % this.capacity;
    const expired = this.f32.bits[this.numbers + slot] !== 0;
    this.f32.bits[this.numbers + slot] = seq;
    this.f32.copy(this.features + slot * this.dimension, x, this.dimension);
    return expired;
  }

  /** Takes sample seq out, its features to word x. False if it isn't there. */
  take(seq: number, x: number): boolean {
    const slot = seq % this.capacity;
    if (seq === 0 || this.f32.bits[this.numbers + slot] !== seq) return false;
    this.f32.copy(x, this.features + slot * this.dimension, this.dimension);
    this.f32.bits[this.numbers + slot] = 0;
    this.f32.bits.fill(0, this.features + slot * this.dimension, this.features + (slot + 1) * this.dimension);
    return true;
  }

  /** Samples that wait now. */
  get waiting(): number {
    let count = 0;
    for (let i = 0; i < this.capacity; i++) if (this.f32.bits[this.numbers + i] !== 0) count++;
    return count;
  }
}
