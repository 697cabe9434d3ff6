import { COUNTERS } from "../../../src/learn/learner.ts";
import { NODE_COUNTERS } from "../../../src/node/node.ts";

/** What a command asks of a node; its arguments follow it. */
export const COMMAND = {
  /** one reading a channel */
  sample: 1,
  /** number, session, sample, label */
  label: 2,
  /** the learner's hash and the node's, as codes of characters */
  hashes: 3,
} as const;

/**
 * What every answer closes with: the decision, the last sample's number, vectors stored, the learner's counters, the
 * node's. Before it come number and status of each label answered, or the hashes.
 */
export const FIGURES = ["decision", "seq", "size"] as const;
export const TAIL = FIGURES.length + COUNTERS.length + NODE_COUNTERS.length;
