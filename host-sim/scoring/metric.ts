/** A figure that the samples so far don't define; prints as `n/a (why)`. */
export class Undefined {
  /** @param why in a few words, such as "no sample of class -1". */
  constructor(readonly why: string) {}

  toString(): string {
    return `n/a (${this.why})`;
  }

  toJSON(): { value: null; why: string } {
    return { value: null, why: this.why };
  }
}

/** A figure of merit kept up sample by sample. */
export interface Metric {
  /** The key under which it is reported. */
  readonly name: string;
  /** What `add` is given beside the truth: a predicted label, or a decision value or estimate. */
  readonly takes: "label" | "value";
  /** Takes the next sample, in the order of the stream. */
  add(truth: number, prediction: number): void;
  /** The figure over all samples so far. */
  value(): number | Undefined;
}
