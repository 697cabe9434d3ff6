import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import { LEDGER } from "./ledger.ts";

/** Words of a held label: number, session, sample, the label itself as float32, and its origin: source + 256 confidence. */
const WORDS = 5;

/** Labels that came before their turn, in a ring of fixed size: label `number` lies in slot number mod capacity. */
export class ReorderBuffer {
  private readonly bits: Uint32Array;
  private readonly words: Float32Array;
  private readonly slots: number;

  static regions(capacity: number): Region[] {
    return [{ name: "held", kind: "state", words: WORDS * capacity }];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    readonly capacity: number,
  ) {
    this.bits = range.f32.bits;
    this.words = range.f32.words;
    this.slots = layout.at("held", range);
  }

  /** Tells the ledger at that word where they lie. */
  bind(ledger: number): void {
    this.bits[ledger + LEDGER.held] = this.slots;
    this.bits[ledger + LEDGER.window] = this.capacity;
  }

  /** The word at which label `number` lies, or would: see `WORDS`. */
  slot(number: number): number {
    return this.slots + WORDS * (number % this.capacity);
  }

  /** Whether label `number` is held. */
  has(number: number): boolean {
    return this.bits[this.slots + WORDS * (number % this.capacity)] === number;
  }

  /** Holds a label; `origin`: source + 256 confidence. */
  hold(number: number, sid: number, seq: number, y: number, origin: number): void {
    const slot = this.slot(number);
    const { bits } = this;
    bits[slot] = number;
    bits[slot + 1] = sid;
    bits[slot + 2] = seq;
    this.words[slot + 3] = y;
    bits[slot + 4] = origin;
  }

  /** Discards all. */
  clear(): void {
    this.bits.fill(0, this.slots, this.slots + WORDS * this.capacity);
  }

  /** Discards label `number`, if it is held. */
  release(number: number): void {
    const slot = this.slots + WORDS * (number % this.capacity);
    if (this.bits[slot] !== number) return;
    this.bits.fill(0, slot, slot + WORDS);
  }
}
