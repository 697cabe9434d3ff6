import type { Message } from "../wire/messages.ts";

/** The status of a part of a sample. */
export const PART = Object.freeze({ more: 0, whole: 1, astray: 2 } as const);
export type Part = (typeof PART)[keyof typeof PART];

/** A sample that comes in parts. */
export class Assembly {
  readonly readings: Float32Array;
  private have = 0;

  /** @param channels readings in a sample. */
  constructor(channels: number) {
    this.readings = new Float32Array(channels);
  }

  /** Discards the parts that have come. */
  reset(): void {
    this.have = 0;
  }

  /**
   * Takes a part. A part out of turn is `astray`, and the sample restarts; `whole`: `readings` is complete.
   */
  take({ first, total, x, length }: Message<"sample">): Part {
    const { readings } = this;
    if (first === 0) this.have = 0;
    if (first !== this.have || total !== readings.length || first + length > total) {
      this.have = 0;
      return PART.astray;
    }
    for (let i = 0; i < length; i++) readings[first + i] = x[i];
    this.have += length;
    if (this.have < total) return PART.more;
    this.have = 0;
    return PART.whole;
  }
}
