import type { Label } from "../node/ports.ts";

/** A label as its source has it: number, session and sequence number are the source's own. */
export interface DueLabel extends Label {
  /** The node must have taken this sample before the label goes out. */
  readonly due: number;
}

/**
 * Where a peer takes its labels from: by number, from 1. Each may be asked for many times until it is
 * durable.
 */
export interface LabelSource {
  /** Label `number`; undefined as long as there is none. */
  at(number: number): Label | undefined;
  /** Every number up to this one lies in a checkpoint. */
  durable?(number: number): void;
  /** The node goes on after label `labelled`: the next that it takes has number `labelled` + 1. */
  restart?(labelled: number): void;
}
