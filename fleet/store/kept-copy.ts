/** A copy of a node's memory that the gateway keeps. */
export interface KeptCopy {
  readonly id: number;
  readonly time: number;
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  readonly learner: string;
  readonly firmware: string;
  /** The learner's hash, which the node confirmed; and whether it confirmed the hash of the whole state. */
  readonly hash: string;
  readonly whole: boolean;
  /** Where the learner's state begins among the words. */
  readonly from: number;
  /** The schema hash of the node's checkpoints; null: unknown, and the copy can't be restored. */
  readonly checkpoint: string | null;
}
