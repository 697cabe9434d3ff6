/** The counters of a peer. */
export interface PeerCounts {
  /** starts of the node, the first that was heard of included */
  starts: number;
  /** labels sent for the first time */
  labelsSent: number;
  /** labels sent again, as no answer came in time */
  labelsResent: number;
  /** samples fed for the first time */
  samplesFed: number;
  /** samples fed again: the node restarted, or no answer came in time */
  samplesRefed: number;
  /** samples that were predicted and that a restarted node no longer knows */
  samplesLost: number;
}
