import type { Message } from "../../src/wire/messages.ts";

/** Assembles the parts of one sample. */
export class SampleParts {
  private readings = new Float32Array(0);
  private seq = 0;
  private have = 0;

  /** The readings once all parts have come. */
  take({ seq, first, total, x, length }: Message<"sample">): Float32Array | undefined {
    if (first === 0) {
      // Those of a whole sample are the caller's.
      if (this.have === this.readings.length || this.readings.length !== total)
        this.readings = new Float32Array(total);
      this.seq = seq;
      this.have = 0;
    }
    if (seq !== this.seq || first !== this.have || first + length > this.readings.length) return undefined;
    this.readings.set(x.subarray(0, length), first);
    this.have += length;
    return this.have === this.readings.length ? this.readings : undefined;
  }
}
