/** What a peer counts. */
export interface PeerCounts {
  /** starts of the node, the first that was heard of included */
  starts: number;
  labelsSent: number;
  labelsResent: number;
  samplesFed: number;
  samplesRefed: number;
  /** samples that were predicted and that a restarted node no longer knows */
  samplesLost: number;
}
