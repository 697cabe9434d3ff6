import type { Primitives } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { LEDGER } from "./ledger.ts";

/**
 * The predicted samples that still wait for their label: session, sequence number, features and the learner's note, in a ring of fixed size,
 * which the ledger fills and empties. Sample seq lies in slot seq mod capacity; it expires, unlabelled, when sample seq + capacity takes the slot.
 */
export class PendingRing {
  private readonly f32: Primitives;
  private readonly bits: Uint32Array;
  /** Samples that there is room for. */
  readonly capacity: number;
  private readonly numbers: number;
  private readonly sessions: number;
  private readonly features: number;
  /** Components of a sample's features. */
  readonly dimension: number;
  /** Words of a note, and of the first note. */
  private readonly note: number;
  private readonly notes: number;

  /** @param note words of the learner's note of a sample; 0: it takes none. */
  static regions(capacity: number, dimension: number, note: number): Region[] {
    const notes: Region = { name: "pending.notes", kind: "state", words: capacity * note, holds: [ANY] };
    return [
      { name: "pending.sessions", kind: "state", words: capacity, holds: [ANY] },
      { name: "pending.numbers", kind: "state", words: capacity, holds: [ANY] },
      { name: "pending.features", kind: "state", words: capacity * dimension },
      ...(note > 0 ? [notes] : []),
    ];
  }

  constructor(layout: Layout, range: MemoryRange, capacity: number, dimension: number, note: number) {
    this.f32 = range.f32;
    this.bits = range.f32.bits;
    this.capacity = capacity;
    this.dimension = dimension;
    this.note = note;
    this.sessions = layout.at("pending.sessions", range);
    this.numbers = layout.at("pending.numbers", range);
    this.features = layout.at("pending.features", range);
    this.notes = note > 0 ? layout.at("pending.notes", range) : 0;
  }

  /** Writes their place and number into the ledger at that word. */
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

  /** A sample that was just taken out waits again: its features lie at word `vector`, its note at word `note`. */
  putBack(sid: number, seq: number, vector: number, note: number): void {
    const { f32, bits, dimension } = this;
    const slot = seq % this.capacity;
    bits[this.numbers + slot] = seq;
    bits[this.sessions + slot] = sid;
    f32.copy(this.features + slot * dimension, vector, dimension);
    if (this.note > 0) f32.copy(this.notes + slot * this.note, note, this.note);
  }

  /** From now on all waiting samples belong to session sid. */
  moveTo(sid: number): void {
    const { bits } = this;
    for (let i = 0; i < this.capacity; i++) if (bits[this.numbers + i] !== 0) bits[this.sessions + i] = sid;
  }

  /** Samples that wait now. */
  get waiting(): number {
    let count = 0;
    for (let i = 0; i < this.capacity; i++) if (this.bits[this.numbers + i] !== 0) count++;
    return count;
  }
}
