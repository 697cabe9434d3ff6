import { CERTAIN, LABEL_STATUS, type Label, SOURCE_UNTOLD } from "../node/ports.ts";
import type { PeerCounts } from "./counts.ts";
import { type Install, InstallSender } from "./install.ts";
import type { Line } from "./line.ts";
import type { NodePosition } from "./position.ts";

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
  /** Label `number`, or the install in its place; undefined as long as it doesn't exist. */
  at(number: number): Label | Install | undefined;
  /** Every number up to this one lies in a checkpoint. Follows `restart`, too, if the node has a checkpoint. */
  durable?(number: number): void;
  /** The node resumes after label `labelled`: the next that it takes has number `labelled` + 1. */
  restart?(labelled: number): void;
}

/** Milliseconds after which unanswered labels seem not to arrive. */
const UNANSWERED_MS = 5000;
/** The node seldom discards a label that it holds, so resending one is seldom needed. */
const HELD_FACTOR = 4;

/** A label on its way. */
interface SentLabel {
  number: number;
  at: number;
  held: boolean;
  /** Where its first frame ends among all that was sent, see `Credit.pass`. */
  place: number;
}

/**
 * Sends labels in the order of their numbers, a window of them at once, and each again until the node has processed it. An install among them
 * is sent once all before it are processed, and labels behind it wait: their short frames would take the credit that a block needs.
 */
export class LabelSender {
  private readonly onTheWay: SentLabel[];
  /** When the first label was sent since the node last processed one. */
  private taughtAt: number | undefined;
  /** The install whose turn it is; undefined: it is a label's turn. */
  install: InstallSender | undefined;

  constructor(
    private readonly line: Line,
    private readonly node: NodePosition,
    private readonly counts: PeerCounts,
    private readonly window: number,
    private readonly resendMs: number,
    private readonly source: LabelSource | undefined,
  ) {
    this.onTheWay = Array.from({ length: window }, () => ({ number: 0, at: 0, held: false, place: 0 }));
  }

  /** The millisecond since which the node has processed none of the labels sent; undefined for the first 5 seconds. */
  get unansweredSince(): number | undefined {
    const { taughtAt } = this;
    return taughtAt !== undefined && this.line.now() - taughtAt >= UNANSWERED_MS ? taughtAt : undefined;
  }

  /** The node started, and resumes after label `labelled`; a checkpoint holds the labels up to `durable`. */
  restart(labelled: number, durable: number): void {
    this.taughtAt = undefined;
    this.install = undefined;
    this.source?.restart?.(labelled);
    // The message that said so may have been lost, and the next checkpoint may be far.
    if (durable > 0) this.source?.durable?.(durable);
  }

  /** The node said hello: what is on its way may be lost, so all of it is sent again. */
  resend(): void {
    for (const sent of this.onTheWay) sent.number = 0;
  }

  /** The node acknowledged a label, which it holds or has processed. */
  acknowledged(number: number, status: number): void {
    const sent = this.sent(number);
    if (!sent) return;
    this.line.credit.pass(sent.place);
    if (status === LABEL_STATUS.held) sent.held = true;
  }

  /** The node has processed the labels up to this one. */
  processed(labelled: number): void {
    this.taughtAt = undefined;
    const sent = this.sent(labelled);
    if (sent) this.line.credit.pass(sent.place);
  }

  /** A checkpoint holds the labels up to this one. */
  durable(number: number): void {
    this.source?.durable?.(number);
  }

  /** Sends what credit and the source allow. Returns the moment when to send a label again. */
  tick(now: number, start: number): number {
    const { node } = this;
    const last = node.labelled + Math.min(this.window, node.labelWindow);
    let dueAt = Number.POSITIVE_INFINITY;
    if (this.install && this.install.install !== this.source?.at(node.labelled + 1)) this.install = undefined;
    for (let number = node.labelled + 1; number <= last; number++) {
      const label = this.source?.at(number);
      if (label && "model" in label) {
        if (number === node.labelled + 1 && !this.install) {
          this.install = new InstallSender(label, node.sid);
          return now;
        }
        return dueAt;
      }
      if (!label || (label.sid === node.sid && label.seq > node.seq)) return dueAt;
      const sent = this.sent(number);
      const wait = this.resendMs * (sent?.held ? HELD_FACTOR : 1);
      if (sent && now - sent.at < wait) {
        dueAt = Math.min(dueAt, sent.at + wait);
        continue;
      }
      if (!this.send(number, label, now, start)) return dueAt;
      dueAt = Math.min(dueAt, now + this.resendMs);
    }
    return dueAt;
  }

  private send(number: number, label: Label, now: number, start: number): boolean {
    this.fill(number, label, start);
    const place = this.line.send("label");
    if (place === 0) return false;
    this.taughtAt ??= now;
    const sent = this.onTheWay[number % this.window];
    if (sent.number === number) {
      this.counts.labelsResent++;
    } else {
      this.counts.labelsSent++;
      sent.number = number;
      sent.place = place;
    }
    sent.at = now;
    sent.held = false;
    return true;
  }

  private fill(number: number, label: Label, start: number): void {
    const message = this.line.port.outgoing("label");
    message.start = start;
    message.number = number;
    message.sid = label.sid;
    message.seq = label.seq;
    message.y = label.y;
    message.source = label.source ?? SOURCE_UNTOLD;
    message.confidence = label.confidence ?? CERTAIN;
    message.length = label.tag?.length ?? 0;
    if (label.tag) message.tag.set(label.tag);
  }

  /** That label, if it is on its way. */
  private sent(number: number): SentLabel | undefined {
    const sent = this.onTheWay[number % this.window];
    return sent.number === number ? sent : undefined;
  }
}
