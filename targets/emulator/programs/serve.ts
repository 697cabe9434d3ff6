import { COUNTERS } from "../../../src/learn/learner.ts";
import { Framing } from "../../../src/node/framing.ts";
import type { SensorNode } from "../../../src/node/node.ts";
import { NODE_COUNTERS } from "../../../src/node/node-counters.ts";
import { nodeLayout } from "../../../src/node/node-layout.ts";
import { OUTBOX_BYTES } from "../../../src/node/outbox.ts";
import { type BytePort, REMARK_BYTE } from "../../../src/node/ports.ts";
import type { StartedNode } from "../../../src/start/start-node.ts";
import { startNode } from "../../../src/start/start-node.ts";
import type { BlockDevice } from "../../../src/store/block-device.ts";
import { SECTOR_BYTES, storeBytes } from "../../../src/store/checkpoint-store.ts";
import { chooseFrames, type FrameBytes } from "../../../src/wire/frame-bytes.ts";
import { FRAME_MAX, NAME, type UpName } from "../../../src/wire/messages.ts";
import type { Host } from "./host.ts";
import { nativeF32 } from "./native-f32.ts";
import { ANSWER, COMMAND, FLASH_BYTES, HEARD, HEARD_LENGTH, RESTORED } from "./pipe.ts";
import { type ServedOptions, servedNodeOptions } from "./served-options.ts";
import { ticksAfter } from "./ticks.ts";

/** The simulator's end of pipe.c. Nothing here allocates. */
interface Pipe {
  /**
   * Sends the prepared answer, and waits for a command, whose arguments also go into `readings`. Returns its
   * kind.
   */
  next(readings: Float32Array): number;
  /** Argument i of the command. */
  argument(i: number): number;
  put(value: number): void;
}

declare const host: Host;
declare const pipe: Pipe;

/** A node's options, and whether its samples come over the line. */
interface ServedNode extends ServedOptions {
  readonly fed: boolean;
}

/** The power failed, and the node's turn ends. Made once, since a running node allocates nothing. */
const POWER_CUT = new Error("power cut");

/** The simulator's flash. */
class PipeFlash implements BlockDevice {
  readonly sectorBytes = SECTOR_BYTES;
  readonly programBytes = 4;

  constructor(
    readonly bytes: number,
    private readonly scratch: Float32Array,
  ) {}

  read(offset: number, into: Uint8Array): boolean {
    for (let at = 0; at < into.length; at += FLASH_BYTES) {
      const count = Math.min(FLASH_BYTES, into.length - at);
      pipe.put(ANSWER.read);
      pipe.put(offset + at);
      pipe.put(count);
      this.ask();
      for (let i = 0; i < count; i++) into[at + i] = pipe.argument(1 + i);
    }
    return true;
  }

  erase(offset: number): boolean {
    pipe.put(ANSWER.erase);
    pipe.put(offset);
    this.ask();
    return true;
  }

  /** By the flash's pages, so that the power can fail at any. */
  program(offset: number, from: Uint8Array): boolean {
    let at = 0;
    while (at < from.length) {
      const count = Math.min(from.length - at, FLASH_BYTES - ((offset + at) % FLASH_BYTES));
      pipe.put(ANSWER.program);
      pipe.put(offset + at);
      for (let i = 0; i < count; i++) pipe.put(from[at + i]);
      this.ask();
      at += count;
    }
    return true;
  }

  private ask(): void {
    pipe.next(this.scratch);
    if (pipe.argument(0) === 0) throw POWER_CUT;
  }
}

/** Frames of bytes; messages that the simulator hears at once are noted before they are framed. */
class HeardFraming extends Framing {
  /** Whose figures go with what is noted. */
  node: SensorNode | undefined;
  private readonly figures: Float64Array;
  private count = 0;

  /** @param most answers to labels in one turn. */
  constructor(port: BytePort, most: number, frames: FrameBytes) {
    super(port, OUTBOX_BYTES, frames);
    this.figures = new Float64Array(HEARD_LENGTH * (most + 2));
  }

  override send(name: UpName, urgent: boolean): boolean {
    if (name === NAME.acknowledgement) {
      const { number, status } = this.outgoing(NAME.acknowledgement);
      this.note(HEARD.acknowledgement, number, status);
    } else if (name === NAME.prediction) {
      const { seq, decision, remarks, length } = this.outgoing(NAME.prediction);
      if (length > 0) this.note(HEARD.remarks, seq, remarks[0] + (length > 1 ? REMARK_BYTE * remarks[1] : 0));
      this.note(HEARD.prediction, seq, decision);
    }
    return super.send(name, urgent);
  }

  private note(what: number, first: number, second: number): void {
    this.figures[this.count++] = what;
    this.figures[this.count++] = first;
    this.figures[this.count++] = second;
    this.figures[this.count++] = this.node?.seq ?? 0;
    this.figures[this.count++] = this.node?.learner.size ?? 0;
  }

  /** Puts the noted messages into the answer. */
  putHeard(): void {
    pipe.put(this.count / HEARD_LENGTH);
    for (let i = 0; i < this.count; i++) pipe.put(this.figures[i]);
    this.count = 0;
  }
}

/** A turn's bytes: received with the command, sent with its answer. */
class PipePort implements BytePort {
  private readonly sent = new Uint8Array(FRAME_MAX);
  private count = 0;
  private room = 0;
  private come = 0;
  private first = 0;

  /** The command has so many bytes from argument `first` on. */
  begin(room: number, first: number): void {
    this.room = room;
    this.first = first;
    this.come = 0;
    while (pipe.argument(first + this.come) >= 0) this.come++; // NaN after the last
  }

  read(to: Uint8Array): number {
    const { come, first } = this;
    for (let i = 0; i < come; i++) to[i] = pipe.argument(first + i);
    this.come = 0;
    return come;
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    const count = Math.min(to - from, this.room);
    for (let i = 0; i < count; i++) this.sent[this.count + i] = bytes[from + i];
    this.count += count;
    this.room -= count;
    return count;
  }

  /** Puts the sent bytes into the answer. */
  end(): void {
    for (let i = 0; i < this.count; i++) pipe.put(this.sent[i]);
    this.count = 0;
  }
}

/** A node on its simulated line. */
class Server {
  readonly readings: Float32Array;
  private readonly memory;
  private readonly flash: PipeFlash;
  private readonly port = new PipePort();
  private wire: HeardFraming | undefined;
  private readonly sensors;
  private readonly clock = { now: () => ticksAfter(this.time - this.startedAt) };
  private started: StartedNode | undefined;
  private time = 0;
  private startedAt = 0;
  private decision = Number.NaN;
  private more = false;

  constructor(
    private readonly options: ReturnType<typeof servedNodeOptions>,
    private readonly fed: boolean,
  ) {
    const layout = nodeLayout(options);
    const readings = new Float32Array(options.channels);
    this.readings = readings;
    this.memory = layout.range(nativeF32(new ArrayBuffer(layout.bytes)));
    this.flash = new PipeFlash(storeBytes(layout), new Float32Array(0));
    const read = (to: Float32Array, first: number) => {
      for (let j = 0; j < readings.length; j++) to[first + j] = readings[j];
    };
    this.sensors = [{ channels: options.channels, read }];
  }

  /** Executes the command; the power may fail during it. */
  serve(kind: number): void {
    this.decision = Number.NaN;
    if (kind === COMMAND.start) this.start();
    else if (kind === COMMAND.sample) this.sample();
    else if (kind === COMMAND.poll) this.poll();
  }

  private start(): void {
    this.time = this.startedAt = pipe.argument(0);
    this.started = undefined;
    this.wire = undefined;
    host.collect();
    this.wire = new HeardFraming(
      this.port,
      (this.options.labelWindow ?? 16) + 1,
      chooseFrames(this.memory.f32),
    );
    const { clock, wire, flash, memory, options } = this;
    const machine = {
      clock,
      transport: wire,
      block: flash,
      memory,
      firmware: "simulated",
      description: "", // a board has it in flash, not in the memory that this machine measures
      boot: pipe.argument(1),
      selfTest: false,
      periodMs: 0,
    };
    const what = this.fed ? { node: options, periodMs: undefined } : { node: options, sensors: this.sensors };
    this.started = startNode({ ...machine, ...what });
    this.wire.node = this.started.station.node;
    this.more = false;
  }

  private sample(): void {
    this.time = pipe.argument(this.readings.length);
    if (this.started) this.decision = this.started.sample();
  }

  private poll(): void {
    this.time = pipe.argument(0);
    this.port.begin(pipe.argument(1), 2);
    if (this.started) this.more = this.started.station.poll();
  }

  /** Puts the answer to the command. */
  answer(kind: number): void {
    pipe.put(ANSWER.done);
    if (this.wire) this.wire.putHeard();
    else pipe.put(0);
    this.port.end();
    const node = this.started?.station.node;
    if (kind === COMMAND.hashes && node) {
      putText(node.learner.stateHash());
      putText(node.stateHash());
    }
    this.putTail();
  }

  /** See `TAIL`. */
  private putTail(): void {
    const { started, startedAt, decision, more } = this;
    const node = started?.station.node;
    pipe.put(decision);
    pipe.put(node?.sid ?? 0);
    pipe.put(node?.seq ?? 0);
    pipe.put(node?.labelled ?? 0);
    pipe.put(node?.learner.size ?? 0);
    pipe.put(started ? RESTORED.indexOf(started.restored) : 0);
    pipe.put(started ? startedAt + started.station.dueAt : 0);
    pipe.put(started?.station.waiting ? 1 : 0);
    pipe.put(more ? 1 : 0);
    pipe.put(node?.fleet?.judges ? 1 : 0);
    for (let i = 0; i < COUNTERS.length; i++) pipe.put(node?.learner.count(COUNTERS[i]) ?? 0);
    for (let i = 0; i < NODE_COUNTERS.length; i++) pipe.put(node?.count(NODE_COUNTERS[i]) ?? 0);
  }
}

function putText(text: string): void {
  for (let i = 0; i < text.length; i++) pipe.put(text.charCodeAt(i));
}

/** Runs a node by the simulator's commands until the machine ends. */
function main(): void {
  const served = JSON.parse(host.argument()) as ServedNode;
  const { fed, ...options } = served;
  const server = new Server(servedNodeOptions(options), fed);
  let kind = 0;
  for (;;) {
    server.answer(kind);
    kind = pipe.next(server.readings);
    try {
      server.serve(kind);
    } catch (error) {
      if (error !== POWER_CUT) throw error;
    }
  }
}

Object.assign(globalThis, { main });
