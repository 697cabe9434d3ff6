import type { Random } from "../random.ts";

export interface LinkOptions {
  /** Share of frames dropped, 0..0.95. */
  readonly loss: number;
  /** Share of frames that arrive twice. */
  readonly duplicates: number;
  /** Samples by which a frame may be overtaken: each is held back 0..reorder samples. */
  readonly reorder: number;
}

/** One direction of a link that loses, doubles and reorders frames, by seed. Time is counted in samples. */
export class LossyLink<Frame> {
  /** Frames taken, dropped, doubled. */
  sent = 0;
  dropped = 0;
  doubled = 0;
  private readonly underWay: { due: number; frame: Frame }[] = [];

  constructor(
    private readonly random: Random,
    private readonly options: LinkOptions,
  ) {}

  send(now: number, frame: Frame): void {
    this.sent++;
    if (this.random.uniform() < this.options.loss) {
      this.dropped++;
      return;
    }
    this.post(now, frame);
    if (this.random.uniform() < this.options.duplicates) {
      this.doubled++;
      this.post(now, frame);
    }
  }

  private post(now: number, frame: Frame): void {
    const held = this.options.reorder > 0 ? this.random.below(this.options.reorder + 1) : 0;
    this.underWay.push({ due: now + held, frame });
  }

  /** Takes out the frames due by now, the earliest due first. */
  receive(now: number): Frame[] {
    const due = this.underWay.filter((entry) => entry.due <= now);
    if (due.length === 0) return [];
    const later = this.underWay.filter((entry) => entry.due > now);
    this.underWay.length = 0;
    this.underWay.push(...later);
    return due.sort((a, b) => a.due - b.due).map((entry) => entry.frame);
  }

  /** Frames still on their way. */
  get pending(): number {
    return this.underWay.length;
  }
}
