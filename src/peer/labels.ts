import type { Label } from "../node/ports.ts";

/** A label as its source has it: number, session and sequence number are the source's own. */
export interface DueLabel extends Label {
  /** The node must have taken this sample before the label goes out. */
  readonly due: number;
}

/**
 * The source of a peer's labels, by number, from 1. The peer may ask for each many times until it is
 * durable.
 */
export interface LabelSource {
  /** Label `number`; undefined as long as it doesn't exist. */
  at(number: number): Label | undefined;
  /** Every number up to this one lies in a checkpoint. Follows `restart`, too, if the node has a checkpoint. */
  durable?(number: number): void;
  /** The node resumes after label `labelled`: the next that it takes has number `labelled` + 1. */
  restart?(labelled: number): void;
}
