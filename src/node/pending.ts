import type { Primitives } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/**
 * The predicted samples that still wait for their label: session, sequence number and features, in a ring of fixed size.
 * Sample seq lies in slot seq mod capacity; it expires, unlabelled, when sample seq + capacity takes the slot.
 */
export class PendingRing {
  private readonly f32: Primitives;
  private readonly sessions: number;
  private readonly numbers: number;
  private readonly features: number;

  static regions(capacity: number, dimension: number): Region[] {
    return [
      { name: "pending.sessions", kind: "state", words: capacity },
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
    this.sessions = layout.at("pending.sessions", range);
    this.numbers = layout.at("pending.numbers", range);
    this.features = layout.at("pending.features", range);
  }

  /** Remembers sample seq >= 1 of session sid with the features at word x. True if a sample expired for it. */
  push(sid: number, seq: number, x: number): boolean {
    const slot = seq % this.capacity;
    const expired = this.f32.bits[this.numbers + slot] !== 0;
    this.f32.bits[this.sessions + slot] = sid;
    this.f32.bits[this.numbers + slot] = seq;
    this.f32.copy(this.features + slot * this.dimension, x, this.dimension);
    return expired;
  }

  /** Takes sample seq of session sid out, its features to word x. False if it isn't there. */
  take(sid: number, seq: number, x: number): boolean {
    const slot = seq % this.capacity;
    const { bits } = this.f32;
    if (seq === 0 || bits[this.numbers + slot] !== seq || bits[this.sessions + slot] !== sid) return false;
    this.f32.copy(x, this.features + slot * this.dimension, this.dimension);
    bits[this.sessions + slot] = 0;
    bits[this.numbers + slot] = 0;
    bits.fill(0, this.features + slot * this.dimension, this.features + (slot + 1) * this.dimension);
    return true;
  }

  /** Samples that wait now. */
  get waiting(): number {
    let count = 0;
    for (let i = 0; i < this.capacity; i++) if (this.f32.bits[this.numbers + i] !== 0) count++;
    return count;
  }
}
