/** A label for sample seq of session sid. */
export interface Label {
  readonly sid: number;
  readonly seq: number;
  readonly y: number;
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
