import type { Thrown } from "../../src/wire/receiver.ts";
import type { Port } from "../ports/port.ts";
import type { Hello } from "../session/hello.ts";
import type { Bits } from "../session/same-bits.ts";
import type { IssuedCounts } from "./issued-sets.ts";
import type { Figure } from "./prequential.ts";

/** The state of the line to the node. */
export interface LinkStatus {
  readonly open: boolean;
  /** How often it was lost. */
  readonly losses: number;
  /** Bytes from the node. */
  readonly bytes: number;
  /** Frames from the node that came damaged, and their bytes. */
  readonly damaged: number;
  readonly damagedBytes: number;
  /** Intact frames without the node's key, or from a keyed node when no key was passed. */
  readonly forged: number;
}

export function linkStatus(
  port: Port,
  { bytes, wrongLength, cobs, crc, unknown, forged }: Thrown,
): LinkStatus {
  return {
    open: port.open,
    losses: port.losses,
    bytes: port.received,
    damaged: wrongLength + cobs + crc + unknown,
    damagedBytes: bytes,
    forged,
  };
}

/** Counters of a message by name. */
export type Counts = { readonly [name: string]: number };

/** Everything that a monitor knows of a node at one time. Unknown fields are absent. */
export interface Status {
  readonly node?: Hello;
  /** Known starts of the node. */
  readonly starts: number;
  readonly seq: number;
  readonly labelled: number;
  readonly durable: number;
  readonly link: LinkStatus;
  /** Frames that the node dropped because it had no room for them. */
  readonly dropped: number;
  /** The last decision value, estimate, novelty score or class index; null: unreadable. */
  readonly prediction?: number | null;
  /** The names of its classes, in the order of its labels, where it has names. */
  readonly classes?: readonly string[];
  /** Prediction sets, or intervals, of a node that issues them. */
  readonly issued?: IssuedCounts;
  /** Prequential accuracy, or a regression's mean absolute error. */
  readonly prequential: {
    readonly kind: "accuracy" | "error";
    readonly all?: Figure;
    readonly recent?: Figure;
  };
  /** Message statistics: what the node counted, its lag, and its learner's fill. */
  readonly statistics?: Counts;
  /** Message learning: what the learner counted, and the node's alarms of drift. */
  readonly learning?: Counts;
  /** Message losses: what the node's receiver threw away, the engine's memory, the longest turn. */
  readonly losses?: Counts;
  readonly bits?: Bits;
  /** Events marked so far. */
  readonly marks: number;
}

/** Something that happened. */
export type NodeEvent =
  | { readonly type: "start"; readonly node: Hello; readonly starts: number }
  | { readonly type: "checkpoint"; readonly kept: boolean; readonly durable: number }
  | { readonly type: "bits"; readonly bits: Bits }
  | { readonly type: "log"; readonly level: string; readonly text: string }
  | { readonly type: "reset"; readonly reason: string; readonly crash: boolean; readonly text: string }
  | { readonly type: "mark"; readonly number: number; readonly seq: number }
  | { readonly type: "drift"; readonly by: "labels" | "margins"; readonly seq: number }
  | { readonly type: "unlearned"; readonly number: number; readonly status: string }
  | { readonly type: "lost"; readonly reason: string }
  | { readonly type: "reopened" }
  | { readonly type: "obstructed"; readonly why: string | null }
  | { readonly type: "differences"; readonly messages: readonly string[] };
