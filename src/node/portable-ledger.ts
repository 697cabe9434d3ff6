import type { Primitives } from "../math/primitives.ts";
import { LEDGER, type Ledger, OUT_OF_TURN } from "./ledger.ts";
import { HELD_WORDS } from "./reorder-buffer.ts";

/** The counters of labels by status, in the order of `LABEL_STATUS`, see `NODE_COUNTERS`. */
const SAMPLED = 0;
const UNLABELLED = 2;
const BY_STATUS = 3;
const MISTAKEN = 13;
const APPLIED = 0;
const DUPLICATE = 1;
const HELD = 2;
const EXPIRED = 3;
const OTHER_SESSION = 4;
const UNKNOWN = 5;
const REFUSED = 6;
const AHEAD = 7;

/** The TypeScript equivalent of ledger.c. It knows nothing of the node but the ledger's words. */
export class PortableLedger implements Ledger {
  private readonly bits: Uint32Array;
  private readonly cursors: number;
  private readonly counts: number;

  constructor(
    private readonly f32: Primitives,
    readonly at: number,
  ) {
    this.bits = f32.bits;
    this.cursors = this.bits[at + LEDGER.cursors];
    this.counts = this.bits[at + LEDGER.counts];
  }

  push(): number {
    const { at, bits, cursors, counts, f32 } = this;
    const seq = ++bits[cursors + 1];
    bits[counts + SAMPLED]++;
    const slot = seq % bits[at + LEDGER.capacity];
    const number = bits[at + LEDGER.numbers] + slot;
    if (bits[number] !== 0) bits[counts + UNLABELLED]++;
    bits[number] = seq;
    bits[bits[at + LEDGER.sessions] + slot] = bits[cursors];
    const dimension = bits[at + LEDGER.dimension];
    f32.copy(bits[at + LEDGER.features] + slot * dimension, bits[at + LEDGER.vector], dimension);
    const words = bits[at + LEDGER.noteWords];
    if (words > 0) f32.copy(bits[at + LEDGER.notes] + slot * words, bits[at + LEDGER.note], words);
    return bits[cursors + 1];
  }

  take(number: number, sid: number, seq: number, y: number, origin: number): number {
    const { at, bits, cursors } = this;
    const labelled = bits[cursors + 2];
    if (number === labelled + 1) return this.reach(sid, seq);
    let status = HELD;
    if (number <= labelled || this.holds(number)) status = DUPLICATE;
    else if (number > labelled + bits[at + LEDGER.window]) status = AHEAD;
    else this.hold(number, sid, seq, y, origin);
    bits[this.counts + BY_STATUS + status]++;
    return OUT_OF_TURN + status;
  }

  private reach(sid: number, seq: number): number {
    const { at, bits, cursors } = this;
    const last = bits[cursors + 1];
    if (this.takeSample(sid, seq)) {
      bits[at + LEDGER.lag] = last - seq;
      return APPLIED;
    }
    if (sid !== bits[cursors]) return OTHER_SESSION;
    return seq === 0 || seq > last ? UNKNOWN : EXPIRED;
  }

  /** Takes sample seq of session sid out of the pending ring, its features to the vector, its note to the note. False if it isn't there. */
  private takeSample(sid: number, seq: number): boolean {
    const { at, bits } = this;
    const slot = seq % bits[at + LEDGER.capacity];
    const number = bits[at + LEDGER.numbers] + slot;
    const session = bits[at + LEDGER.sessions] + slot;
    if (seq === 0 || bits[number] !== seq || bits[session] !== sid) return false;
    bits[number] = 0;
    bits[session] = 0;
    const { features, vector, dimension, notes, note, noteWords } = LEDGER;
    this.move(bits[at + vector], bits[at + features], slot, bits[at + dimension]);
    this.move(bits[at + note], bits[at + notes], slot, bits[at + noteWords]);
    return true;
  }

  /** Moves the slot of a ring with this many words a slot; zeros stay. */
  private move(to: number, ring: number, slot: number, words: number): void {
    if (words === 0) return;
    const from = ring + slot * words;
    this.f32.copy(to, from, words);
    this.bits.fill(0, from, from + words);
  }

  /** The word of the slot of label `number`, held or not. */
  private heldSlot(number: number): number {
    const { at, bits } = this;
    return bits[at + LEDGER.held] + HELD_WORDS * (number % bits[at + LEDGER.window]);
  }

  private holds(number: number): boolean {
    return this.bits[this.heldSlot(number)] === number;
  }

  private hold(number: number, sid: number, seq: number, y: number, origin: number): void {
    const { bits } = this;
    const slot = this.heldSlot(number);
    bits[slot] = number;
    bits[slot + 1] = sid;
    bits[slot + 2] = seq;
    this.f32.words[slot + 3] = y;
    bits[slot + 4] = origin;
  }

  finish(number: number, status: number, mistaken: boolean): boolean {
    const { at, bits, counts } = this;
    if (this.holds(number)) bits.fill(0, this.heldSlot(number), this.heldSlot(number) + HELD_WORDS);
    bits[this.cursors + 2] = number;
    bits[counts + BY_STATUS + status]++;
    if (mistaken) bits[counts + MISTAKEN]++;
    const lag = bits[at + LEDGER.lag];
    if ((status === APPLIED || status === REFUSED) && lag > bits[at + LEDGER.lagMax])
      bits[at + LEDGER.lagMax] = lag;
    return this.holds(number + 1);
  }
}
