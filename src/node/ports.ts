/** What a node is given from outside. On a device these are hardware; in the simulator they are simulated. */

/** Time, for reports only: nothing that a learner computes depends on it. */
export interface Clock {
  /** Milliseconds since the node started. */
  now(): number;
}

/** What became of a label. The number is its code on the wire. */
export const LABEL_STATUS = {
  /** learned from */
  applied: 0,
  /** its number was dealt with before; nothing was done */
  duplicate: 1,
  /** an earlier number is still missing; the label is kept, and answered again when its turn comes */
  held: 2,
  /** its sample waits no longer: expired, or labelled before */
  expired: 3,
  /** it names another session */
  session: 4,
  /** its sample was never predicted in this session */
  unknown: 5,
  /** the learner refused the label or the update */
  refused: 6,
  /** its number is too far ahead to be kept; send it again later */
  ahead: 7,
} as const;

export type LabelStatus = (typeof LABEL_STATUS)[keyof typeof LABEL_STATUS];

/** The way to the fusion centre. */
export interface Link {
  /** Reports the prediction for sample seq, made at `ts` milliseconds. */
  predicted(seq: number, ts: number, decision: number): void;
  /** Answers label `number`; every number up to `durable` lies in a checkpoint. */
  acknowledge(number: number, status: LabelStatus, durable: number): void;
}

/** Where checkpoints lie. */
export interface Storage {
  /** Keeps the bytes, whole or not at all; true if they are kept. */
  save(checkpoint: Uint8Array): boolean;
  /** Fills `checkpoint` with what was kept last; false if there is none of that length. */
  load(checkpoint: Uint8Array): boolean;
}
