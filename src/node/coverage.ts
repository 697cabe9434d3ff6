/** A label that comes so many samples late takes half a step. */
const HALVED_AT = 30;

/** Issues a set of classes, or an interval, with each decision; it holds the truth for a promised share of samples. */
export interface Coverage {
  /** Issues a set with the decision on sample seq, and keeps it until the sample's label comes. Returns the remark to send, see `REMARK`. */
  issue(seq: number, decision: number): number;
  /** Removes the set that was issued with sample seq. Returns what `learn` needs to know of it when the label is y. */
  take(seq: number, y: number): number;
  /**
   * Learns from label y of a sample. `taken`: what `take` returned for it; `decision`: what the learner would say of it now, without its label;
   * `lag`: samples since it was issued.
   */
  learn(taken: number, y: number, decision: number, lag: number, source: number, confidence: number): void;
}

/**
 * The share of a step that a label `lag` samples late may take, if it judges what was issued then: 1 / (1 + (lag / 30)^2). Labels under way add
 * their steps up before the first is seen to have had an effect, so that full steps would swing.
 */
export function shareAt(lag: number): number {
  const late = lag / HALVED_AT;
  return 1 / (1 + late * late);
}
