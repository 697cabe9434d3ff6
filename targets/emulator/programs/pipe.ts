import { COUNTERS } from "../../../src/learn/learner.ts";
import { NODE_COUNTERS } from "../../../src/node/node.ts";

/** What a command asks of a node; its arguments follow it. Times are the simulation's, in milliseconds. */
export const COMMAND = {
  /** the power is on: time, number of the start */
  start: 1,
  /** one reading a channel, then the time */
  sample: 2,
  /** a turn: time, bytes that the UART takes, bytes that have come */
  poll: 3,
  /** the learner's hash and the node's, as codes of characters */
  hashes: 4,
  /** the flash's reply: 1, and what was read; or 0: the power failed meanwhile */
  flash: 5,
} as const;

/** How an answer begins. `done`: what follows is the command's answer. Else what is asked of the flash, and where. */
export const ANSWER = {
  done: 0,
  /** offset, number of bytes */
  read: 1,
  /** offset */
  erase: 2,
  /** offset, bytes */
  program: 3,
} as const;

/** What the simulator hears of a node at once, before the line has it; each with two figures. */
export const HEARD = {
  /** number, status */
  acknowledgement: 0,
  /** number of the sample, decision */
  prediction: 1,
  /** number of the sample, what is remarked on the decision that follows */
  remarks: 2,
} as const;

/** Bytes of the flash in one question. */
export const FLASH_BYTES = 256;

/** Where a node's state came from, by its place. */
export const RESTORED = ["fresh", "restored", "fallback"] as const;

/**
 * What the answer to a command closes with: these, the learner's counters, the node's. `decision`: of a sample; `restored`:
 * of the last start; `due`: when time makes a turn due; `waiting`, `more`: see `Station`. Before them come: how many
 * messages were heard, each as one of `HEARD` and its figures; then the bytes that the node sends, or the hashes.
 */
export const FIGURES = [
  "decision",
  "sid",
  "seq",
  "labelled",
  "size",
  "restored",
  "due",
  "waiting",
  "more",
] as const;
export const TAIL = FIGURES.length + COUNTERS.length + NODE_COUNTERS.length;
