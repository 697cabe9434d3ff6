import { withBudget } from "../../../src/learn/family.ts";
import { nodeLayout } from "../../../src/node/node-layout.ts";
import { type BytePort, CERTAIN, NO_STORAGE, type Storage } from "../../../src/node/ports.ts";
import { Station } from "../../../src/node/station.ts";
import { stationBytes } from "../../../src/node/station-options.ts";
import { Encoder } from "../../../src/wire/encoder.ts";
import type { Arithmetic, Loop } from "./loops.ts";
import { Stream } from "./stream.ts";
import { subjectNamed } from "./subjects.ts";

/** No string literal in a turn: XS copies each to the heap when it is evaluated. */
const WELCOME = "welcome";
const SAMPLE = "sample";
const LABEL = "label";
const SESSION = 7;
const BOOT = 1;
const PEER = 2;
/** The part of a UART's FIFO that credit may fill: no more arrives during a turn. */
const WINDOW = 88;
/** Labels that fit the window: so many turns bring a sample each, then one turn brings their labels. */
const LABELS = 3;

/** Bytes received since the last turn. The node's bytes are taken and dropped. */
class Fifo implements BytePort {
  private readonly bytes = new Uint8Array(WINDOW);
  private count = 0;

  put(frame: Uint8Array, length: number): void {
    for (let i = 0; i < length; i++) this.bytes[this.count + i] = frame[i];
    this.count += length;
  }

  read(to: Uint8Array): number {
    const { count } = this;
    for (let i = 0; i < count; i++) to[i] = this.bytes[i];
    this.count = 0;
    return count;
  }

  write(_bytes: Uint8Array, from: number, to: number): number {
    return to - from;
  }
}

/**
 * A node behind its wire: a step is a turn. The FIFO is filled with a sample, or with as many labels as fit,
 * when it is empty.
 */
export class TurnLoop implements Loop {
  readonly bytes: number;
  private readonly fifo = new Fifo();
  private readonly station: Station;
  private readonly encoder = new Encoder([WELCOME, SAMPLE, LABEL]);
  private readonly stream: Stream;
  private readonly labels = new Float32Array(LABELS);
  private turn = 0;
  private filled = 0;
  /** True if the last turn left work for the next. */
  private more = false;

  constructor(name: string, channels: number, budget: number, arithmetic: Arithmetic) {
    const { family: learner, given } = subjectNamed(name);
    const node = {
      sid: SESSION,
      channels,
      pending: 32,
      learner,
      options: withBudget(learner, given, budget),
    };
    const options = { node, firmware: "emulator", boot: BOOT, fed: true, statisticsEvery: 1 };
    const layout = nodeLayout(node);
    const storage: Storage = { ...NO_STORAGE, save: () => true };
    const ports = { clock: { now: () => 10 * this.turn }, port: this.fifo, storage };
    this.bytes = layout.bytes + stationBytes(options);
    this.stream = new Stream(channels);
    this.station = new Station(options, ports, layout.range(arithmetic(layout.bytes)));
    this.station.begin("fresh");
    const welcome = this.encoder.message(WELCOME);
    welcome.boot = BOOT;
    welcome.peer = PEER;
    this.fifo.put(this.encoder.frame, this.encoder.encode(WELCOME));
    this.station.poll();
  }

  next(): void {
    this.turn++;
    if (this.more) return;
    const place = this.filled++ % (LABELS + 1);
    if (place < LABELS) this.bringSample(place);
    else for (let k = 0; k < LABELS; k++) this.bringLabel(k);
  }

  private bringSample(place: number): void {
    const { x } = this.stream;
    this.labels[place] = this.stream.next(this.station.node.learner.task);
    const sample = this.encoder.message(SAMPLE);
    sample.start = BOOT ^ PEER;
    sample.sid = SESSION;
    sample.seq = this.station.node.seq + 1;
    sample.total = x.length;
    sample.length = x.length;
    for (let j = 0; j < x.length; j++) sample.x[j] = x[j];
    this.fifo.put(this.encoder.frame, this.encoder.encode(SAMPLE));
  }

  private bringLabel(k: number): void {
    const label = this.encoder.message(LABEL);
    label.start = BOOT ^ PEER;
    label.sid = SESSION;
    label.number = label.seq = this.station.node.labelled + 1 + k;
    label.y = this.labels[k];
    label.confidence = CERTAIN;
    this.fifo.put(this.encoder.frame, this.encoder.encode(LABEL));
  }

  step(): void {
    this.more = this.station.poll();
  }

  get size(): number {
    return this.station.node.learner.size;
  }

  hash(): string {
    return this.station.node.stateHash();
  }
}
