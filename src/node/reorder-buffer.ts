import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { LEDGER } from "./ledger.ts";

/** Words of a held label: number, session, sample, the label itself as float32, and its origin: source + 256 confidence. */
export const HELD_WORDS = 5;

/** Labels that arrived before their turn, in a ring of fixed size that the ledger fills and empties. Label `number` lies in slot number mod capacity. */
export class ReorderBuffer {
  private readonly bits: Uint32Array;
  private readonly slots: number;

  static regions(capacity: number): Region[] {
    return [{ name: "held", kind: "state", words: HELD_WORDS * capacity, holds: [ANY] }];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    readonly capacity: number,
  ) {
    this.bits = range.f32.bits;
    this.slots = layout.at("held", range);
  }

  /** Writes their place and number into the ledger at that word. */
  bind(ledger: number): void {
    this.bits[ledger + LEDGER.held] = this.slots;
    this.bits[ledger + LEDGER.window] = this.capacity;
  }

  /** The word of the slot of label `number`, held or not: see `HELD_WORDS`. */
  slot(number: number): number {
    return this.slots + HELD_WORDS * (number % this.capacity);
  }

  /** True if label `number` is held. */
  holds(number: number): boolean {
    return this.bits[this.slot(number)] === number;
  }

  /** Discards label `number`, if it is held. */
  release(number: number): void {
    if (this.holds(number)) this.bits.fill(0, this.slot(number), this.slot(number) + HELD_WORDS);
  }

  /** Discards all. */
  clear(): void {
    this.bits.fill(0, this.slots, this.slots + HELD_WORDS * this.capacity);
  }
}
