import type { Counter } from "../../src/learn/learner.ts";
import type { MemoryRange } from "../../src/memory/layout.ts";
import { Framing } from "../../src/node/framing.ts";
import type { NodeCounter } from "../../src/node/node-counters.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { OUTBOX_BYTES } from "../../src/node/outbox.ts";
import { REMARK_BYTE } from "../../src/node/ports.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import type { SleepOptions } from "../../src/start/sleep.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import type { RestoreStatus } from "../../src/store/checkpoint-store.ts";
import type { KeyedNode } from "../../src/wire/keyed.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import type { Stop } from "../scoring/result.ts";
import type { SimulatedFlash } from "./flash.ts";
import type { SimulatedSleepMemory } from "./sleep-memory.ts";
import { ticksAfter, type VirtualTime } from "./time.ts";
import type { ByteUart, RecordUart } from "./uart.ts";

/** A node's `Station` on a simulated line, wherever it runs. */
export interface SimulatedNode {
  /** Power on: the node starts from its flash, with a number that no other start had. */
  start(boot: number): RestoreStatus;
  /** True if it fell asleep: then it loses all but its flash and sleep memory, and `start` wakes it. */
  sleep?(): boolean;
  /** Takes a sample, one reading a channel. Returns the prediction; NaN if there is none. */
  sample(readings: Float32Array): number;
  /** Takes a turn. Returns whether received bytes are left for the next turn. Throws a PowerCut. */
  poll(): boolean;
  /** When a turn is due even if nothing is received. */
  readonly dueAt: number;
  /** True if it has something to send for which there was no room. */
  readonly waiting: boolean;
  /** Session, number of the last sample and of the last label that the node answered. */
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  /** Vectors stored. */
  readonly size: number;
  count(name: NodeCounter): number;
  learnerCount(name: Counter): number;
  /** The hash of the learner's state, and of the whole node's. */
  hashes(): { readonly state: string; readonly node: string };
  /** True if a model of the fleet judges, and not the node's own learner. */
  readonly judges: boolean;
  /** Set once the node has stopped: it then predicts nothing, answers nothing, and keeps its last figures. */
  readonly stop?: Stop;
  close(): void;
}

/**
 * Called at once for each label that a node answers and each sample that it predicts, even if the line loses
 * the message.
 */
export interface Listener {
  answered(number: number, status: number): void;
  predicted(seq: number, decision: number): void;
  /** Called with the node's remark on that sample (see `Link.predicted`) before its decision. */
  remarked(seq: number, remarks: number): void;
}

/** Passes the message that a node is about to send to a listener. */
export function overhear(listener: Listener, name: UpName, message: Message<UpName>): void {
  if (name === "acknowledgement") {
    const { number, status } = message as Message<"acknowledgement">;
    listener.answered(number, status);
  } else if (name === "prediction") {
    const { seq, decision, remarks, length } = message as Message<"prediction">;
    if (length > 0) listener.remarked(seq, remarks[0] + (length > 1 ? REMARK_BYTE * remarks[1] : 0));
    listener.predicted(seq, decision);
  }
}

export interface NodeParts {
  readonly options: NodeOptions;
  /** Its memory while it runs, if it runs in this process. */
  readonly memory: MemoryRange;
  /** True if its samples come over the line. */
  readonly fed: boolean;
  readonly uart: ByteUart | RecordUart;
  readonly flash: SimulatedFlash;
  readonly time: VirtualTime;
  readonly listener: Listener;
  /** When it talks, if it sleeps between samples, and what outlasts its sleep. */
  readonly sleep?: SleepOptions;
  readonly sleepMemory?: SimulatedSleepMemory;
  /** This end of a keyed line, where messages are bytes; default: it isn't keyed. */
  readonly makeKeyed?: () => KeyedNode;
}

/** Makes a node. With `framing: "bytes"` the node takes a `ByteUart` only. */
export interface NodeMaker {
  readonly framing?: "bytes";
  make(parts: NodeParts): SimulatedNode;
}

/** Frames of bytes, each message heard before it is one. */
class HeardFraming extends Framing {
  constructor(
    uart: ByteUart,
    private readonly listener: Listener,
    keyed?: KeyedNode,
  ) {
    super(uart, OUTBOX_BYTES, undefined, keyed);
  }

  override send(name: UpName, urgent: boolean): boolean {
    overhear(this.listener, name, this.outgoing(name));
    return super.send(name, urgent);
  }
}

/** A node in this process, on `arithmetic()`. */
class NodeHere implements SimulatedNode {
  private started!: StartedNode;
  /** When its power came on; its clock counts on while it sleeps. */
  private startedAt = 0;
  private asleep = false;
  private readings: Float32Array;
  private readonly sensor: Sensor;

  constructor(private readonly parts: NodeParts) {
    const { options } = parts;
    this.readings = new Float32Array(options.channels);
    this.sensor = { channels: options.channels, read: (to, first) => this.read(to, first) };
  }

  start(boot: number): RestoreStatus {
    const { options, fed, uart, flash, time, listener, makeKeyed, sleep, sleepMemory } = this.parts;
    if (!this.asleep || sleepMemory?.isLost) this.startedAt = time.now;
    this.asleep = false;
    const { startedAt } = this;
    const machine = {
      clock: { now: () => ticksAfter(time.now - startedAt) },
      transport: "send" in uart ? uart : new HeardFraming(uart, listener, makeKeyed?.()),
      block: flash,
      memory: this.parts.memory,
      firmware: "simulated",
      boot,
      selfTest: false,
      periodMs: 0,
    };
    const sensing = { node: options, sensors: [this.sensor], sleep, retained: sleepMemory };
    const what = fed ? { node: options, periodMs: undefined } : sensing;
    this.started = startNode({ ...machine, ...what });
    return this.started.restored;
  }

  sleep(): boolean {
    this.asleep = this.started.sleep() > 0;
    return this.asleep;
  }

  sample(readings: Float32Array): number {
    this.readings = readings;
    return this.started.sample();
  }

  /** The sensor's readings, copied by a loop: `set` takes longer for a node's few channels. */
  private read(to: Float32Array, first: number): void {
    const { readings } = this;
    for (let c = 0; c < readings.length; c++) to[first + c] = readings[c];
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

  get judges(): boolean {
    return this.started.station.node.fleet?.judges === true;
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
