/**
 * The ledger's own words, laid out as in ledger.h. They give the place and size of the node's words: the cursors (session, last sample,
 * last label, last label in a checkpoint), the counters, the feature vector, the pending ring, the learner's note, the held labels.
 * The ledger writes the last two: the lag of the label just taken, and the largest lag since it was last read.
 */
export const LEDGER = Object.freeze({
  ...{ cursors: 0, counts: 1, vector: 2, dimension: 3 },
  ...{ capacity: 4, sessions: 5, numbers: 6, features: 7 },
  ...{ noteWords: 8, notes: 9, note: 10 },
  ...{ held: 11, window: 12, lag: 13, lagMax: 14 },
} as const);
export const LEDGER_WORDS = 15;

/** `take` adds this to the status of a label that isn't the next one: it is held or refused. */
export const OUT_OF_TURN = 16;

/** The node's bookkeeping at each sample and label. `PortableLedger` implements it in TypeScript, ledger.c in C for engines that call C. */
export interface Ledger {
  /** The word at which it lies. */
  readonly at: number;
  /** Counts and remembers the next sample, whose features are the vector. Returns its number. */
  push(): number;
  /**
   * Takes a received label; `origin` is its source + 256 confidence. If its number is the next, moves its sample from the pending ring to the
   * feature vector and returns 0, or the status (`LABEL_STATUS`) that says why no sample waits for it. Otherwise holds it if there is room,
   * counts the status and returns it + `OUT_OF_TURN`.
   */
  take(number: number, sid: number, seq: number, y: number, origin: number): number;
  /** Records the status of the label just taken; `mistaken`: the decision was another class. Returns whether the next label is held. */
  finish(number: number, status: number, mistaken: boolean): boolean;
}

/** An engine that calls C has one. */
export interface LedgerSource {
  /** @param at the word at which it lies. */
  readonly ledger?: (at: number) => Ledger;
}
