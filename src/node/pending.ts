import type { Primitives } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import { LEDGER } from "./ledger.ts";

/**
 * The predicted samples that still wait for their label: session, sequence number, features and the learner's note, in a ring of fixed size.
 * Sample seq lies in slot seq mod capacity; it expires, unlabelled, when sample seq + capacity takes the slot.
 */
export class PendingRing {
  // The order of use, as XS looks properties up one after the other; and no destructuring of `this`, which it takes for more.
  private readonly bits: Uint32Array;
  readonly capacity: number;
  private readonly numbers: number;
  private readonly sessions: number;
  private readonly features: number;
  readonly dimension: number;
  private readonly f32: Primitives;
  /** Words of a note, and of the first note. */
  private readonly note: number;
  private readonly notes: number;

  /** @param note words of the learner's note of a sample; 0: it takes none. */
  static regions(capacity: number, dimension: number, note: number): Region[] {
    const notes: Region = { name: "pending.notes", kind: "state", words: capacity * note };
    return [
      { name: "pending.sessions", kind: "state", words: capacity },
      { name: "pending.numbers", kind: "state", words: capacity },
      { name: "pending.features", kind: "state", words: capacity * dimension },
      ...(note > 0 ? [notes] : []),
    ];
  }

  constructor(layout: Layout, range: MemoryRange, capacity: number, dimension: number, note: number) {
    this.bits = range.f32.bits;
    this.capacity = capacity;
    this.dimension = dimension;
    this.note = note;
    this.f32 = range.f32;
    this.sessions = layout.at("pending.sessions", range);
    this.numbers = layout.at("pending.numbers", range);
    this.features = layout.at("pending.features", range);
    this.notes = note > 0 ? layout.at("pending.notes", range) : 0;
  }

  /** Tells the ledger at that word where they lie. */
  bind(ledger: number): void {
    const { bits } = this;
    bits[ledger + LEDGER.dimension] = this.dimension;
    bits[ledger + LEDGER.capacity] = this.capacity;
    bits[ledger + LEDGER.sessions] = this.sessions;
    bits[ledger + LEDGER.numbers] = this.numbers;
    bits[ledger + LEDGER.features] = this.features;
    bits[ledger + LEDGER.noteWords] = this.note;
    bits[ledger + LEDGER.notes] = this.notes;
  }

  /** Remembers sample seq >= 1 of session sid with the features at word x and the note at `note`. True if a sample expired for it. */
  push(sid: number, seq: number, x: number, note: number): boolean {
    const bits = this.bits;
    const slot = seq % this.capacity;
    const number = this.numbers + slot;
    const expired = bits[number] !== 0;
    bits[number] = seq;
    bits[this.sessions + slot] = sid;
    const dimension = this.dimension;
    this.f32.copy(this.features + slot * dimension, x, dimension);
    if (this.note > 0) this.f32.copy(this.notes + slot * this.note, note, this.note);
    return expired;
  }

  /** Takes sample seq of session sid out, its features to word x, its note to `note`. False if it isn't there. */
  take(sid: number, seq: number, x: number, note: number): boolean {
    const bits = this.bits;
    const slot = seq % this.capacity;
    const number = this.numbers + slot;
    if (seq === 0 || bits[number] !== seq) return false;
    const session = this.sessions + slot;
    if (bits[session] !== sid) return false;
    bits[number] = 0;
    bits[session] = 0;
    const dimension = this.dimension;
    const features = this.features + slot * dimension;
    this.f32.copy(x, features, dimension);
    bits.fill(0, features, features + dimension);
    if (this.note > 0) this.takeNote(this.notes + slot * this.note, note);
    return true;
  }

  private takeNote(from: number, to: number): void {
    this.f32.copy(to, from, this.note);
    this.f32.bits.fill(0, from, from + this.note);
  }

  /** All samples that wait are of session sid from now on. */
  moveTo(sid: number): void {
    const { bits } = this.f32;
    for (let i = 0; i < this.capacity; i++) if (bits[this.numbers + i] !== 0) bits[this.sessions + i] = sid;
  }

  /** Samples that wait now. */
  get waiting(): number {
    let count = 0;
    for (let i = 0; i < this.capacity; i++) if (this.f32.bits[this.numbers + i] !== 0) count++;
    return count;
  }
}
