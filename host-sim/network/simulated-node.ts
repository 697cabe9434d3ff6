import type { Counter } from "../../src/learn/learner.ts";
import { Framing } from "../../src/node/framing.ts";
import { type NodeCounter, type NodeOptions, nodeLayout } from "../../src/node/node.ts";
import { OUTBOX_BYTES } from "../../src/node/outbox.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import type { RestoreStatus } from "../../src/store/checkpoint-store.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { arithmetic } from "../arithmetic.ts";
import type { Stop } from "../result.ts";
import type { SimulatedFlash } from "./flash.ts";
import type { VirtualTime } from "./time.ts";
import type { ByteUart, RecordUart } from "./uart.ts";

/** A node's `Station` on a simulated line, wherever it runs. */
export interface SimulatedNode {
  /** The power is on: it starts, with a number that no other start had, from what its flash holds. */
  start(boot: number): RestoreStatus;
  /** Takes a sample, one reading a channel. Returns the prediction; NaN if there is none. */
  sample(readings: Float32Array): number;
  /** Takes a turn; whether something that came is left for the next. Throws a PowerCut. */
  poll(): boolean;
  /** When time alone makes a turn due. */
  readonly dueAt: number;
  /** Whether it has something to send for which there was no room. */
  readonly waiting: boolean;
  /** Session, number of the last sample and of the last label dealt with. */
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  /** Vectors stored. */
  readonly size: number;
  count(name: NodeCounter): number;
  learnerCount(name: Counter): number;
  /** The hash of the learner's state, and of the whole node's. */
  hashes(): { readonly state: string; readonly node: string };
  /** Set once the node can't go on: it then predicts nothing, answers nothing, and keeps its last figures. */
  readonly stop?: Stop;
  close(): void;
}

/** Hears at once of labels that a node answers and of samples that it predicts, whether or not the line carries it. */
export interface Listener {
  answered(number: number, status: number): void;
  predicted(seq: number, decision: number): void;
}

/** Tells a listener of the message that a node is about to send. */
export function overhear(listener: Listener, name: UpName, message: Message<UpName>): void {
  if (name === "acknowledgement") {
    const { number, status } = message as Message<"acknowledgement">;
    listener.answered(number, status);
  } else if (name === "prediction") {
    const { seq, decision } = message as Message<"prediction">;
    listener.predicted(seq, decision);
  }
}

/** What a simulated node is made of. */
export interface NodeParts {
  readonly options: NodeOptions;
  /** Whether its samples come over the line. */
  readonly fed: boolean;
  readonly uart: ByteUart | RecordUart;
  readonly flash: SimulatedFlash;
  readonly time: VirtualTime;
  readonly listener: Listener;
}

/** Makes a node. `framing: "bytes"`: it takes a `ByteUart` only. */
export interface NodeMaker {
  readonly framing?: "bytes";
  make(parts: NodeParts): SimulatedNode;
}

/** Frames of bytes, each message heard before it is one. */
class HeardFraming extends Framing {
  constructor(
    uart: ByteUart,
    private readonly listener: Listener,
  ) {
    super(uart, OUTBOX_BYTES);
  }

  override send(name: UpName, urgent: boolean): boolean {
    overhear(this.listener, name, this.outgoing(name));
    return super.send(name, urgent);
  }
}

/** A node in this process, on `arithmetic()`. */
class NodeHere implements SimulatedNode {
  private started!: StartedNode;
  private startedAt = 0;
  private readonly memory;
  private readonly readings: Float32Array;
  private readonly sensor: Sensor;

  constructor(private readonly parts: NodeParts) {
    const { options } = parts;
    this.memory = arithmetic().allocate(nodeLayout(options));
    const readings = new Float32Array(options.channels);
    this.readings = readings;
    this.sensor = { channels: options.channels, read: (to, first) => to.set(readings, first) };
  }

  start(boot: number): RestoreStatus {
    const { options, fed, uart, flash, time, listener } = this.parts;
    const startedAt = time.now;
    this.startedAt = startedAt;
    const machine = {
      clock: { now: () => Math.floor(time.now - startedAt) },
      transport: "send" in uart ? uart : new HeardFraming(uart, listener),
      block: flash,
      memory: this.memory,
      firmware: "simulated",
      boot,
      selfTest: false,
      periodMs: 0,
    };
    const what = fed ? { node: options, periodMs: undefined } : { node: options, sensors: [this.sensor] };
    this.started = startNode({ ...machine, ...what });
    return this.started.restored;
  }

  sample(readings: Float32Array): number {
    this.readings.set(readings);
    return this.started.sample();
  }

  poll(): boolean {
    return this.started.station.poll();
  }

  get dueAt(): number {
    return this.startedAt + this.started.station.dueAt;
  }

  get waiting(): boolean {
    return this.started.station.waiting;
  }

  get sid(): number {
    return this.started.station.node.sid;
  }

  get seq(): number {
    return this.started.station.node.seq;
  }

  get labelled(): number {
    return this.started.station.node.labelled;
  }

  get size(): number {
    return this.started.station.node.learner.size;
  }

  count(name: NodeCounter): number {
    return this.started.station.node.count(name);
  }

  learnerCount(name: Counter): number {
    return this.started.station.node.learner.count(name);
  }

  hashes() {
    const { node } = this.started.station;
    return { state: node.learner.stateHash(), node: node.stateHash() };
  }

  close(): void {}
}

/** Nodes in this process. */
export const HERE: NodeMaker = { make: (parts) => new NodeHere(parts) };
