import { nodeLayout } from "../../../src/node/node-layout.ts";
import { nodeStore } from "../../../src/node/schema.ts";
import { Station } from "../../../src/node/station.ts";
import { stationBytes } from "../../../src/node/station-options.ts";
import { storeBytes } from "../../../src/store/checkpoint-store.ts";
import { chooseFrames, type FrameBytes } from "../../../src/wire/frame-bytes.ts";
import { FRAME_MAX } from "../../../src/wire/messages.ts";
import type { Host } from "./host.ts";
import { Labeller } from "./labeller.ts";
import { type Arithmetic, type Loop, type NodeShape, nodeOptions, SESSION } from "./loops.ts";
import { MemoryFlash, SECTOR } from "./memory-flash.ts";
import { Engine } from "./peripherals.ts";
import { type LineTraffic, SerialLine } from "./serial-line.ts";
import { Stream } from "./stream.ts";

const BOOT = 1;
const CHIP_KHZ = 160_000;
const PERIOD_MS = 1000;
/** Between two turns, at most, as in station.ts and in the SDK's main.ts. */
const POLL_MS = 20;
/** Bytes of an ESP32's UART FIFO, each way, and of the peer's end of the line. */
const FIFO = 128;
const PEER_FIFO = 4 * FRAME_MAX;

/** The line's traffic, and its outcome. */
export interface Traffic {
  readonly up: LineTraffic;
  readonly down: LineTraffic;
  readonly labelled: number;
  readonly faults: number;
  /** Bytes that the peer sent and the node didn't report as received. */
  readonly unreported: number;
  readonly checkpoints: number;
  /** Turns of the node, the instructions of all turns, and of the largest. */
  readonly turns: number;
  readonly instructions: number;
  readonly mostPerTurn: number;
}

/**
 * A node at its serial line, in the time that its own instructions and its rests take: a step is a second, a
 * sample in it, and a label. Where instructions aren't counted, turns take no time.
 */
export class HourLoop implements Loop {
  readonly bytes: number;
  private readonly up = new SerialLine(FIFO, PEER_FIFO);
  private readonly down = new SerialLine(PEER_FIFO, FIFO);
  private readonly station: Station;
  private readonly stream: Stream;
  private readonly frames: FrameBytes;
  private peer: Labeller | undefined;
  private now = 0;
  /** When this step ends, and whether its sample is still due. */
  private end = 0;
  private due = false;
  private turns = 0;
  private instructions = 0;
  private mostPerTurn = 0;

  constructor(
    private readonly host: Host,
    shape: Partial<NodeShape>,
    budget: number,
    arithmetic: Arithmetic,
  ) {
    const node = nodeOptions(shape, budget);
    const options = { node, firmware: "emulator", boot: BOOT };
    const layout = nodeLayout(node);
    const memory = layout.range(arithmetic(layout.bytes));
    const clock = { now: () => Math.floor(this.now) };
    const flash = storeBytes(layout, SECTOR);
    const storage = nodeStore(node, new MemoryFlash(flash), clock, 0, memory.f32);
    const port = {
      read: (to: Uint8Array) => this.down.read(to),
      write: (bytes: Uint8Array, from: number, to: number) => this.up.send(bytes, from, to, this.now),
    };
    this.frames = chooseFrames(memory.f32);
    this.bytes = layout.bytes + stationBytes(options);
    this.stream = new Stream(node.channels);
    this.station = new Station(options, { clock, port, storage, engine: new Engine(host) }, memory);
    this.station.begin("fresh");
  }

  begin(): void {
    this.peer = new Labeller(this.up, this.down, SESSION, this.frames);
  }

  next(): void {
    const { node } = this.station;
    this.peer?.expect(node.seq + 1, this.stream.next(node.learner.task));
    this.due = true;
    this.end += PERIOD_MS;
  }

  step(): void {
    const { up, down } = this;
    while (this.now < this.end) {
      const more = this.turn();
      up.advance(this.now);
      this.peer?.turn(this.now);
      if (!more && down.waiting === 0) this.now = Math.min(this.now + POLL_MS, Math.max(this.now, down.next));
      down.advance(this.now);
    }
  }

  /** One turn of the firmware's loop. Returns whether it left work for the next. */
  private turn(): boolean {
    const { host, station } = this;
    const before = host.instructions();
    if (this.due) station.sample(this.stream.x);
    const more = station.poll();
    const took = host.instructions() - before;
    this.due = false;
    this.now += took / CHIP_KHZ;
    this.turns++;
    this.instructions += took;
    if (took > this.mostPerTurn) this.mostPerTurn = took;
    this.down.advance(this.now);
    return more;
  }

  get size(): number {
    return this.station.node.learner.size;
  }

  hash(): string {
    return this.station.node.stateHash();
  }

  get traffic(): Traffic {
    const { up, down, peer, station, turns, instructions, mostPerTurn } = this;
    return {
      up: up.carried,
      down: down.carried,
      labelled: peer?.labelled ?? 0,
      faults: peer?.faults ?? 0,
      unreported: peer?.unreported ?? 0,
      checkpoints: station.node.count("saved"),
      turns,
      instructions,
      mostPerTurn,
    };
  }
}
