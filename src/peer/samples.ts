import { OptionError } from "../memory/option-error.ts";
import type { PeerCounts } from "./counts.ts";
import type { Line } from "./line.ts";
import type { NodePosition } from "./position.ts";

/** A recorded sample. */
export interface FedSample {
  /** Its readings, one a channel of the node. */
  readonly x: ArrayLike<number>;
  /** Number of the label that the node must have processed before the peer feeds the sample; default: none. */
  readonly after?: number;
}

/** The source of the samples that a peer feeds, by number, from 1. The peer may ask for any again. */
export interface SampleSource {
  /** Sample seq; undefined if it doesn't exist, or not yet. */
  at(seq: number): FedSample | undefined;
}

/** Samples that the peer feeds before the node acknowledges the first of them. */
const SAMPLES_AHEAD = 4;
/** Places of samples that the sender keeps: more than it ever feeds ahead. */
const PLACES = 2 * SAMPLES_AHEAD;

/** Feeds samples to a node without sensors, in order, a few ahead of the last that it has. */
export class SampleSender {
  /** The next sample to feed, how much of it was fed, the largest ever fed, and when the node last advanced. */
  private feeding = 1;
  private fedElements = 0;
  private fedMost = 0;
  private fedAt = 0;
  /** Where each sample's last part ends among all that was sent, by number mod their count. */
  private readonly places = new Float64Array(PLACES);

  constructor(
    private readonly line: Line,
    private readonly node: NodePosition,
    private readonly counts: PeerCounts,
    private readonly resendMs: number,
    private readonly source: SampleSource | undefined,
  ) {}

  /** The node started, and takes sample `seq` next. */
  restart(seq: number): void {
    this.feedFrom(seq);
  }

  /** The node has sample `seq`, which it hadn't. */
  arrived(seq: number): void {
    this.fedAt = this.line.now();
    if (this.node.fed) this.line.credit.pass(this.places[seq % PLACES]);
    if (seq >= this.feeding) this.feedFrom(seq + 1);
  }

  /** Feeds what credit and the source allow. Returns the moment when to feed again what the node hasn't taken. */
  tick(now: number, start: number): number {
    const { node, source } = this;
    if (!node.fed || !source) return Number.POSITIVE_INFINITY;
    if (this.feeding > node.seq + 1 && now - this.fedAt >= this.resendMs) this.feedFrom(node.seq + 1);
    this.feedAhead(now, start, source);
    return this.feeding > node.seq + 1 ? this.fedAt + this.resendMs : Number.POSITIVE_INFINITY;
  }

  private feedFrom(seq: number): void {
    this.feeding = seq;
    this.fedElements = 0;
    this.fedAt = this.line.now();
  }

  private feedAhead(now: number, start: number, source: SampleSource): void {
    const { node } = this;
    while (this.feeding <= node.seq + SAMPLES_AHEAD) {
      const sample = source.at(this.feeding);
      if (!sample || (sample.after ?? 0) > node.labelled) return;
      if (!this.feedParts(sample.x, start)) return;
      this.counts[this.feeding > this.fedMost ? "samplesFed" : "samplesRefed"]++;
      this.fedMost = Math.max(this.fedMost, this.feeding);
      if (this.feeding === node.seq + 1) this.fedAt = now;
      this.feeding++;
      this.fedElements = 0;
    }
  }

  /** Sends the sample's parts from `fedElements` on. Returns whether all were sent. */
  private feedParts(x: ArrayLike<number>, start: number): boolean {
    const { node, line } = this;
    if (x.length !== node.channels) throw this.wrongLength(x.length);
    const message = line.port.outgoing("sample");
    message.length = 0;
    const fixed = line.port.messageBytes("sample");
    const most = Math.min(
      message.x.length,
      Math.floor((Math.min(line.credit.largest, node.frame) - fixed) / 4),
    );
    while (most > 0 && this.fedElements < x.length) {
      message.start = start;
      message.sid = node.sid;
      message.seq = this.feeding;
      message.first = this.fedElements;
      message.total = x.length;
      message.length = Math.min(most, x.length - this.fedElements);
      for (let i = 0; i < message.length; i++) message.x[i] = x[this.fedElements + i];
      const place = line.send("sample");
      if (place === 0) return false;
      this.fedElements += message.length;
      if (this.feeding > this.fedMost) this.places[this.feeding % PLACES] = place;
    }
    return this.fedElements === x.length;
  }

  private wrongLength(readings: number): OptionError {
    const { channels } = this.node;
    return new OptionError(
      "peer",
      "x",
      `${readings} readings`,
      `${channels}`,
      `sample ${this.feeding}: got ${readings} readings; the node takes ${channels}`,
    );
  }
}
