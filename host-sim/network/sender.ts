import { LABEL_STATUS, type Label, type LabelStatus } from "../../src/node/ports.ts";

export interface SenderOptions {
  /** Labels that may be on their way at once. */
  readonly window: number;
  /** Samples after which labels that weren't acknowledged are sent again. */
  readonly resendAfter: number;
}

/**
 * The fusion centre's end of one node's labels: numbers them, keeps a window of them on their way, and sends again each
 * that wasn't answered in time (selective repeat): the node holds what comes before its turn.
 */
export class LabelSender {
  /** Frames sent again. */
  resent = 0;
  private readonly labels: Label[] = [];
  private readonly answered: boolean[] = [];
  private readonly sentAt: number[] = [];
  /** Labels all of which were answered. */
  private base = 0;

  constructor(
    private readonly sid: number,
    private readonly options: SenderOptions,
    private readonly transmit: (now: number, frame: Label) => void,
  ) {}

  /** Adds the label y of sample seq; it gets the next number. */
  add(seq: number, y: number): void {
    this.labels.push({ number: this.labels.length + 1, sid: this.sid, seq, y });
  }

  /** Sends what the window and the clock allow. */
  tick(now: number): void {
    const limit = Math.min(this.labels.length, this.base + this.options.window);
    for (let i = this.base; i < limit; i++) {
      const sentAt = this.sentAt[i];
      if (this.answered[i] || now - sentAt < this.options.resendAfter) continue;
      if (sentAt !== undefined) this.resent++;
      this.sentAt[i] = now;
      this.transmit(now, this.labels[i]);
    }
  }

  /** Takes the node's answer to label `number`. */
  answer(number: number, status: LabelStatus): void {
    if (status === LABEL_STATUS.ahead) return;
    this.answered[number - 1] = true;
    while (this.answered[this.base]) this.base++;
  }

  /** Whether every label was answered. */
  get idle(): boolean {
    return this.base === this.labels.length;
  }
}
