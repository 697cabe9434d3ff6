import { REMARK } from "../../src/node/ports.ts";

/** What a node remarked on its samples, see `Link.predicted`. */
export class Remarks {
  /** Labels that it asked for. */
  asked = 0;
  /** The samples at which it reported drift, by labels and by margins. */
  readonly alarms = { labels: [] as number[], margins: [] as number[] };
  /** The last sample with a remark, from 1, and the remark. */
  private seq = 0;
  private last = 0;

  /** @param seq the sample's number at the node. @param number its number among all that the node took. */
  take(seq: number, remarks: number, number: number): void {
    this.seq = seq;
    this.last = remarks;
    if (remarks & REMARK.asked) this.asked++;
    if (remarks & REMARK.drift) this.alarms.labels.push(number);
    if (remarks & REMARK.shift) this.alarms.margins.push(number);
  }

  /** The remark on sample `seq`, if that is the last one it predicted; else 0. */
  on(seq: number): number {
    return this.seq === seq ? this.last : 0;
  }

  /** The node starts again. */
  forget(): void {
    this.seq = 0;
  }
}
