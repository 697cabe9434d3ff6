import { COUNTERS } from "../../../src/learn/learner.ts";
import { NODE_COUNTERS } from "../../../src/node/node-counters.ts";

/** Commands for a node; the arguments follow. Times are the simulation's, in milliseconds. */
export const COMMAND = {
  /** the power is on: time, number of the start */
  start: 1,
  /** one reading a channel, then the time */
  sample: 2,
  /** a turn: time, bytes that the UART takes, bytes that have come */
  poll: 3,
  /** the learner's hash and the node's, as codes of characters */
  hashes: 4,
  /** the flash's reply: 1 and the bytes read; or 0: the power failed meanwhile */
  flash: 5,
} as const;

/** How an answer begins. `done`: the command's answer follows. Else a flash request, and its place. */
export const ANSWER = {
  done: 0,
  /** offset, number of bytes */
  read: 1,
  /** offset */
  erase: 2,
  /** offset, bytes */
  program: 3,
} as const;

/**
 * Events that the simulator hears at once, before the line carries them; each with two figures, and the node's `HEARD_FIGURES` at that time.
 */
export const HEARD = {
  /** number, status */
  acknowledgement: 0,
  /** number of the sample, decision */
  prediction: 1,
  /** number of the sample, remark on the decision that follows */
  remarks: 2,
} as const;

/** Bytes of the flash in one question. */
export const FLASH_BYTES = 256;

/** The source of a node's state, by index. */
export const RESTORED = ["fresh", "restored", "fallback"] as const;

/**
 * The end of an answer to a command: these, then the learner's counters, then the node's. `decision`: of a
 * sample; `restored`: of the last start; `due`: when time makes a turn due; `waiting`, `more`: see `Station`; `judges`: 1 if a model of the fleet does.
 * Before them: the number of messages heard, each as one of `HEARD` with its figures; then the bytes that the
 * node sends, or the hashes.
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
  "judges",
] as const;
/** Those of them that change within a turn, and go with what is heard. */
export const HEARD_FIGURES = ["seq", "size"] as const;
/** Numbers of an event: its kind, its two figures, the node's. */
export const HEARD_LENGTH = 3 + HEARD_FIGURES.length;
export const TAIL = FIGURES.length + COUNTERS.length + NODE_COUNTERS.length;
