import { CERTAIN, LABEL_STATUS } from "../../../src/node/ports.ts";
import { Encoder } from "../../../src/wire/encoder.ts";
import type { FrameBytes } from "../../../src/wire/frame-bytes.ts";
import { type DownName, FRAME_MAX, messageNames, NAME, type UpName } from "../../../src/wire/messages.ts";
import { Receiver } from "../../../src/wire/receiver.ts";
import type { SerialLine } from "./serial-line.ts";

const PEER = 2;
/** A label comes so many predicted samples later. */
const LATE = 5;
/** Labels that are kept until they were sent. */
const KEPT = 8;

/**
 * The other end of a line, without allocation: it welcomes the node, keeps to its credit, labels each sample
 * some time after its prediction came, and sends nothing twice, so that what is lost stays lost.
 */
export class Labeller {
  /** Labels that the node answered as applied, each once and in turn. */
  labelled = 0;
  /** Other events: a different answer, a prediction out of turn, a frame or byte that either end misses. */
  faults = 0;
  private readonly encoder: Encoder<DownName>;
  private readonly receiver: Receiver<UpName>;
  private readonly chunk = new Uint8Array(FRAME_MAX);
  private readonly labels = new Float32Array(KEPT);
  private readonly sid: number;
  private start = 0;
  private predicted = 0;
  private given = 0;
  private sent = 0;
  private received = 0;
  private window = 0;

  constructor(
    private readonly up: SerialLine,
    private readonly down: SerialLine,
    sid: number,
    frames: FrameBytes,
  ) {
    this.sid = sid;
    this.encoder = new Encoder([NAME.welcome, NAME.label], frames) as Encoder<DownName>;
    this.receiver = new Receiver(messageNames("up"), frames);
  }

  /** Bytes sent that the node hasn't reported as received. */
  get unreported(): number {
    return this.sent - this.received;
  }

  /** Takes the label that sample seq will get. */
  expect(seq: number, y: number): void {
    this.labels[seq % KEPT] = y;
  }

  /** Processes received frames, and sends what is due. */
  turn(now: number): void {
    const { chunk, receiver } = this;
    for (let count = this.up.read(chunk); count > 0; count = this.up.read(chunk)) {
      for (let i = 0; i < count; i++) {
        const name = receiver.take(chunk[i]);
        if (name) this.handle(name, now);
      }
    }
    while (this.given + LATE < this.predicted && this.sendLabel(now));
  }

  private handle(name: UpName, now: number): void {
    if (name === NAME.hello) this.welcome(now);
    else if (name === NAME.credit) this.takeCredit();
    else if (name === NAME.prediction) this.takePrediction();
    else if (name === NAME.acknowledgement) this.takeAcknowledgement();
    else if (name === NAME.losses) this.takeLosses();
    else if (name !== NAME.statistics && name !== NAME.learning) this.faults++;
    if (this.receiver.thrown.bytes > 0) this.faults++;
  }

  private welcome(now: number): void {
    const { boot } = this.receiver.message(NAME.hello);
    const welcome = this.encoder.message(NAME.welcome);
    welcome.boot = boot;
    welcome.peer = PEER;
    this.start = (boot ^ PEER) >>> 0;
    const bytes = this.encoder.encode(NAME.welcome);
    welcome.sent = this.sent + bytes;
    this.transmit(this.encoder.encode(NAME.welcome), now);
  }

  private takeCredit(): void {
    const { received, window } = this.receiver.message(NAME.credit);
    this.received = received;
    this.window = window;
  }

  private takePrediction(): void {
    const { seq, dr } = this.receiver.message(NAME.prediction);
    if (seq !== this.predicted + 1 || dr !== 0) this.faults++;
    this.predicted = seq;
  }

  private takeAcknowledgement(): void {
    const { number, status } = this.receiver.message(NAME.acknowledgement);
    if (number === this.labelled + 1 && status === LABEL_STATUS.applied) this.labelled++;
    else this.faults++;
  }

  private takeLosses(): void {
    const { dr, bytes, part, stale } = this.receiver.message(NAME.losses);
    if (dr + bytes + part + stale > 0) this.faults++;
  }

  /** Sends the next label if credit allows. */
  private sendLabel(now: number): boolean {
    const number = this.given + 1;
    const label = this.encoder.message(NAME.label);
    label.start = this.start;
    label.number = label.seq = number;
    label.sid = this.sid;
    label.y = this.labels[number % KEPT];
    label.confidence = CERTAIN;
    const bytes = this.encoder.encode(NAME.label);
    if (this.sent + bytes - this.received > this.window) return false;
    this.given = number;
    this.transmit(bytes, now);
    return true;
  }

  private transmit(bytes: number, now: number): void {
    this.sent += bytes;
    if (this.down.send(this.encoder.frame, 0, bytes, now) !== bytes) this.faults++;
  }
}
