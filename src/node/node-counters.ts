import { frozen } from "../memory/frozen.ts";

/** The counters of every node, each a 32-bit word that wraps. */
export const NODE_COUNTERS = frozen([
  /** samples predicted */
  "sampled",
  /** samples refused: a reading wasn't finite or outside its range, or too few or too many readings */
  "unreadable",
  /** samples that left the pending ring without a label */
  "unlabelled",
  /** labels by status, in the order of `LABEL_STATUS`; a held label counts again when its turn comes */
  "applied",
  "duplicate",
  "held",
  "expired",
  "session",
  "unknown",
  "refused",
  "ahead",
  "range",
  "forged",
  /** labels applied, not of a regression, that differ from the prediction made just before the node learned from them */
  "mistaken",
  /** checkpoints kept, and not kept */
  "saved",
  "unsaved",
] as const);

/** The name of one of `NODE_COUNTERS`. */
export type NodeCounter = (typeof NODE_COUNTERS)[number];

/** The place of each counter among them; no literals, see `COUNT` of the learners. */
export const NODE_COUNT = Object.freeze(
  Object.fromEntries(NODE_COUNTERS.map((name, i) => [name, i])) as Record<NodeCounter, number>,
);
