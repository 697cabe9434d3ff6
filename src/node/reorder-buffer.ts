import type { Primitives } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import { CERTAIN, type Label, SOURCE_UNTOLD } from "./ports.ts";

/** Words of a held label: number, session, sample, the label itself as float32, and its origin: source + 256 confidence. */
const WORDS = 5;

/** Labels that came before their turn, in a ring of fixed size: label `number` lies in slot number mod capacity. */
export class ReorderBuffer {
  private readonly f32: Primitives;
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
    this.f32 = range.f32;
    this.slots = layout.at("held", range);
  }

  private slot(number: number): number {
    return this.slots + WORDS * (number % this.capacity);
  }

  /** Whether label `number` is held. */
  has(number: number): boolean {
    return this.f32.bits[this.slot(number)] === number;
  }

  hold({ number, sid, seq, y, source = SOURCE_UNTOLD, confidence = CERTAIN }: Label): void {
    const slot = this.slot(number);
    this.f32.bits[slot] = number;
    this.f32.bits[slot + 1] = sid;
    this.f32.bits[slot + 2] = seq;
    this.f32.words[slot + 3] = y;
    this.f32.bits[slot + 4] = source | (confidence << 8);
  }

  /** Label `number`, which is held: the one record, until it is asked for the next. */
  at(number: number): Label {
    const slot = this.slot(number);
    const { label } = this;
    label.number = number;
    label.sid = this.f32.bits[slot + 1];
    label.seq = this.f32.bits[slot + 2];
    label.y = this.f32.words[slot + 3];
    label.source = this.f32.bits[slot + 4] & 0xff;
    label.confidence = this.f32.bits[slot + 4] >>> 8;
    return label;
  }

  /** Discards all. */
  clear(): void {
    this.f32.bits.fill(0, this.slots, this.slots + WORDS * this.capacity);
  }

  release(number: number): void {
    const slot = this.slot(number);
    this.f32.bits.fill(0, slot, slot + WORDS);
  }
}
