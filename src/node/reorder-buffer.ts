import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import { CERTAIN, type Label, SOURCE_UNTOLD } from "./ports.ts";

/** Words of a held label: number, session, sample, the label itself as float32, and its origin: source + 256 confidence. */
const WORDS = 5;

/** Labels that came before their turn, in a ring of fixed size: label `number` lies in slot number mod capacity. */
export class ReorderBuffer {
  private readonly bits: Uint32Array;
  private readonly words: Float32Array;
  private readonly slots: number;
  private readonly label = { number: 0, sid: 0, seq: 0, y: 0, source: 0, confidence: 0 };

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

  private slot(number: number): number {
    return this.slots + WORDS * (number % this.capacity);
  }

  /** Whether label `number` is held. */
  has(number: number): boolean {
    return this.bits[this.slots + WORDS * (number % this.capacity)] === number;
  }

  hold({ number, sid, seq, y, source = SOURCE_UNTOLD, confidence = CERTAIN }: Label): void {
    const slot = this.slot(number);
    const { bits } = this;
    bits[slot] = number;
    bits[slot + 1] = sid;
    bits[slot + 2] = seq;
    this.words[slot + 3] = y;
    bits[slot + 4] = source | (confidence << 8);
  }

  /** Label `number`, which is held: the one record, until it is asked for the next. */
  at(number: number): Label {
    const slot = this.slot(number);
    const { bits, label } = this;
    const origin = bits[slot + 4];
    label.number = number;
    label.sid = bits[slot + 1];
    label.seq = bits[slot + 2];
    label.y = this.words[slot + 3];
    label.source = origin & 0xff;
    label.confidence = origin >>> 8;
    return label;
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
