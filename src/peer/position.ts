/** What a peer knows of its node: the position in its last message, and what its hello said. */
export interface NodePosition {
  /** The node's start, and its session. */
  boot: number;
  sid: number;
  /** Its last sample, its last processed label, and the last label in a checkpoint. */
  seq: number;
  labelled: number;
  durable: number;
  /** Readings of a sample; and whether the peer feeds samples. */
  channels: number;
  fed: boolean;
  /** Labels that it can hold, and bytes of its longest frame. */
  labelWindow: number;
  frame: number;
}
