import { frozen } from "../memory/frozen.ts";
import type { RestoreStatus } from "../store/checkpoint-store.ts";

/** What a node is given from outside. On a device these are hardware; in the simulator they are simulated. */

/** Time, for reports only: nothing that a learner computes depends on it. */
export interface Clock {
  /** Milliseconds since the node started. */
  now(): number;
}

/** What became of a label. The number is its code on the wire. */
export const LABEL_STATUS = frozen({
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
} as const);

export type LabelStatus = (typeof LABEL_STATUS)[keyof typeof LABEL_STATUS];

/** The way to the fusion centre. */
export interface Link {
  /** Reports the prediction for sample seq, made at `ts` milliseconds. */
  predicted(seq: number, ts: number, decision: number): void;
  /** Answers label `number`; every number up to `durable` lies in a checkpoint. */
  acknowledge(number: number, status: LabelStatus, durable: number): void;
}

/** Bytes from and to the peer, as a UART has them. */
export interface BytePort {
  /** Moves bytes that have come to the beginning of `to`, as many as there are and fit; returns how many. Never waits. */
  read(to: Uint8Array): number;
  /** Takes bytes from..to-1 to be sent, as many as there is room for at once; returns how many. Never waits. */
  write(bytes: Uint8Array, from: number, to: number): number;
}

/** What the engine uses, in bytes. */
export interface EngineFigures {
  slots(): number;
  chunks(): number;
}

/** Where checkpoints lie. */
export interface Storage {
  /** Keeps the bytes, whole or not at all; true if they are kept. */
  save(checkpoint: Uint8Array): boolean;
  /**
   * Fills `checkpoint` with the newest whole one and says which that is; `fresh`, and nothing changed, if there is none
   * of that length. A `CheckpointStore` is one.
   */
  load(checkpoint: Uint8Array): RestoreStatus;
}
