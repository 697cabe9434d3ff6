import { frozen } from "../memory/frozen.ts";

/** The subjects of message `request`. */
export const REQUEST = frozen({
  hello: 1,
  schema: 2,
  checkpoint: 3,
  state: 4,
  selfTest: 5,
  statistics: 6,
  configuration: 7,
  answers: 8,
  /** a checkpoint for a copy, which is read next */
  copy: 9,
  description: 10,
  features: 11,
} as const);

/** The outcome of a rollback: the state from which the node resumes. The number is its code on the wire. */
export const ROLLBACK_STATUS = frozen({
  /** from the checkpoint before the newest */
  fallback: 0,
  /** no checkpoint before the newest: nothing changed */
  none: 1,
  /** from the newest: the one before it can't be used */
  restored: 2,
  /** from nothing: none can be used any more */
  fresh: 3,
} as const);
