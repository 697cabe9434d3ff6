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
