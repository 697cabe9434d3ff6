/** A peer's view of its node: the position in its last message, and the facts of its hello. */
export interface NodePosition {
  /** A number that no other start of the node has had. */
  boot: number;
  /** Its session. */
  sid: number;
  /** Number of its last sample in that session. */
  seq: number;
  /** Number of the last label that it has processed. */
  labelled: number;
  /** Number of the last label in a checkpoint. */
  durable: number;
  /** Readings of a sample. */
  channels: number;
  /** True if the peer feeds samples. */
  fed: boolean;
  /** Labels that it can hold: those that arrive before an older one. */
  labelWindow: number;
  /** Bytes of its longest frame. */
  frame: number;
}
