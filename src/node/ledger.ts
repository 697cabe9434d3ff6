import type { PendingRing } from "./pending.ts";
import type { ReorderBuffer } from "./reorder-buffer.ts";

/**
 * Where a ledger finds a node's words, and how many there are of each: itself some of those words, as ledger.h has them. The cursors (session, last
 * sample, last label, last label in a checkpoint), the counters, the feature vector, the pending ring, the learner's note, the held labels.
 * Then two that it changes: the lag of the label that was taken, the largest since it was read.
 */
export const LEDGER = Object.freeze({
  ...{ cursors: 0, counts: 1, vector: 2, dimension: 3 },
  ...{ capacity: 4, sessions: 5, numbers: 6, features: 7 },
  ...{ noteWords: 8, notes: 9, note: 10 },
  ...{ held: 11, window: 12, lag: 13, lagMax: 14 },
} as const);
export const LEDGER_WORDS = 15;

/** What `take` adds to what became of a label that isn't the next: held, or refused. */
export const OUT_OF_TURN = 16;

/** Labels by what became of them in the order of `LABEL_STATUS`, see `NODE_COUNTERS`. */
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

/** What a node writes down at each sample and label. `PortableLedger` says it in TypeScript, ledger.c in C for engines that call C. */
export interface Ledger {
  /** The word at which it lies. */
  readonly at: number;
  /** Counts and remembers the next sample, whose features are the vector. Returns its number. */
  push(): number;
  /**
   * Takes a label that came: `origin` is its source + 256 confidence. Of the next one, its sample out of the pending ring, features to the
   * vector: 0; or why that waits for none, by `LABEL_STATUS`. Of another one, which is held where there is room: what became of it, counted,
   * + `OUT_OF_TURN`.
   */
  take(number: number, sid: number, seq: number, y: number, origin: number): number;
  /** The label was dealt with, so; `mistaken`: its class was. Returns whether the label after it is held. */
  finish(number: number, status: number, mistaken: boolean): boolean;
}

/** An engine that calls C has one. */
export interface LedgerSource {
  /** @param at the word at which it lies. */
  readonly ledger?: (at: number) => Ledger;
}

export class PortableLedger implements Ledger {
  private readonly cursors: number;
  private readonly counts: number;
  private readonly vector: number;
  private readonly note: number;

  constructor(
    private readonly bits: Uint32Array,
    readonly at: number,
    private readonly pending: PendingRing,
    private readonly held: ReorderBuffer,
  ) {
    this.cursors = bits[at + LEDGER.cursors];
    this.counts = bits[at + LEDGER.counts];
    this.vector = bits[at + LEDGER.vector];
    this.note = bits[at + LEDGER.note];
  }

  push(): number {
    const { bits, cursors, counts } = this;
    const seq = ++bits[cursors + 1];
    bits[counts + SAMPLED]++;
    if (this.pending.push(bits[cursors], seq, this.vector, this.note)) bits[counts + UNLABELLED]++;
    return bits[cursors + 1];
  }

  take(number: number, sid: number, seq: number, y: number, origin: number): number {
    const { bits, cursors, held } = this;
    const labelled = bits[cursors + 2];
    if (number === labelled + 1) return this.reach(sid, seq);
    let status = HELD;
    if (number <= labelled || held.has(number)) status = DUPLICATE;
    else if (number > labelled + held.capacity) status = AHEAD;
    else held.hold(number, sid, seq, y, origin);
    bits[this.counts + BY_STATUS + status]++;
    return OUT_OF_TURN + status;
  }

  private reach(sid: number, seq: number): number {
    const { at, bits, cursors } = this;
    const last = bits[cursors + 1];
    if (this.pending.take(sid, seq, this.vector, this.note)) {
      bits[at + LEDGER.lag] = last - seq;
      return APPLIED;
    }
    if (sid !== bits[cursors]) return OTHER_SESSION;
    return seq === 0 || seq > last ? UNKNOWN : EXPIRED;
  }

  finish(number: number, status: number, mistaken: boolean): boolean {
    const { at, bits, counts, held } = this;
    held.release(number);
    bits[this.cursors + 2] = number;
    bits[counts + BY_STATUS + status]++;
    if (mistaken) bits[counts + MISTAKEN]++;
    const lag = bits[at + LEDGER.lag];
    if ((status === APPLIED || status === REFUSED) && lag > bits[at + LEDGER.lagMax])
      bits[at + LEDGER.lagMax] = lag;
    return held.has(number + 1);
  }
}
