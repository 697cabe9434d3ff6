import { type NodeOptions, nodeLayout } from "../../../src/node/node.ts";
import { type BytePort, CERTAIN } from "../../../src/node/ports.ts";
import { nodeStore } from "../../../src/node/schema.ts";
import { Station, type StationOptions, stationBytes } from "../../../src/node/station.ts";
import { Encoder } from "../../../src/wire/encoder.ts";
import { FRAME_MAX, NAME } from "../../../src/wire/messages.ts";
import type { Host } from "./host.ts";
import { type Arithmetic, type Loop, type NodeShape, nodeOptions, SESSION, sizesOf } from "./loops.ts";
import { MemoryFlash } from "./memory-flash.ts";
import { Stream } from "./stream.ts";

const BOOT = 1;
const PEER = 2;
const PERIOD_MS = 20;
/** One frame in so many is damaged, one sample in so many comes from the peer; it asks for something that often, too. */
const DAMAGED = 4;
const FED = 16;
const ASKED = 32;
/** Raw samples go up in every second span of so many samples. */
const RAW = 4096;

/** What the peer sent last; what the node sends is taken and forgotten. */
class Wire implements BytePort {
  private readonly bytes = new Uint8Array(FRAME_MAX);
  private count = 0;

  constructor(private readonly host: Host) {}

  /** Hands over a frame; with the byte at `at` changed, if there is one. */
  carry(frame: Uint8Array, count: number, at = -1): void {
    for (let i = 0; i < count; i++) this.bytes[i] = frame[i];
    if (at >= 0) this.bytes[at] ^= 0x55;
    this.count = count;
  }

  /** In one call, as usb-serial.c moves them. */
  read(to: Uint8Array): number {
    const { count } = this;
    this.host.move(to, this.bytes, count);
    this.count = 0;
    return count;
  }

  write(_bytes: Uint8Array, from: number, to: number): number {
    return to - from;
  }
}

/** The other end: welcomes, feeds samples, labels them, asks for everything but the state, whose hashes are texts. */
class Peer {
  private readonly encoder = new Encoder(["welcome", "sample", "label", "request", "configuration"]);

  constructor(
    private readonly wire: Wire,
    private readonly station: Station,
  ) {}

  private send(name: "welcome" | "sample" | "label" | "request" | "configuration", at = -1): void {
    this.put(name, at);
    this.station.poll();
  }

  private put(name: "welcome" | "sample" | "label" | "request" | "configuration", at = -1): void {
    this.wire.carry(this.encoder.frame, this.encoder.encode(name), at);
  }

  welcome(): void {
    const welcome = this.encoder.message(NAME.welcome);
    welcome.boot = BOOT;
    welcome.peer = PEER;
    this.send(NAME.welcome);
  }

  feed(seq: number, x: Float32Array): void {
    const sample = this.encoder.message(NAME.sample);
    sample.start = BOOT ^ PEER;
    sample.sid = SESSION;
    sample.seq = seq;
    sample.total = sample.length = x.length;
    for (let j = 0; j < x.length; j++) sample.x[j] = x[j];
    if (seq % DAMAGED === 0) this.send(NAME.sample, 1 + (seq % 30));
    this.send(NAME.sample);
  }

  /** Puts a sample's label on the wire, where it waits for the next poll. */
  label(seq: number, y: number): void {
    const label = this.encoder.message(NAME.label);
    label.start = BOOT ^ PEER;
    label.number = label.seq = seq;
    label.sid = SESSION;
    label.y = y;
    label.confidence = CERTAIN;
    if (seq % DAMAGED === 1) this.send(NAME.label, 1 + (seq % 26));
    this.put(NAME.label);
  }

  ask(seq: number): void {
    const request = this.encoder.message(NAME.request);
    request.what = (seq / ASKED) % 8;
    if (request.what === 4) this.configure(seq);
    else this.send(NAME.request);
    if (request.what === 1) this.welcome();
  }

  private configure(seq: number): void {
    const configuration = this.encoder.message(NAME.configuration);
    configuration.checkpointEvery = this.station.node.checkpointEvery;
    configuration.statisticsMs = 1000;
    configuration.predictions = 1;
    configuration.samples = seq & RAW ? 1 : 0;
    this.send(NAME.configuration);
  }
}

function stationOptions(node: NodeOptions, fed: boolean): StationOptions {
  return { node, firmware: "emulator", boot: BOOT, fed, statisticsMs: 1000 };
}

/** A step is what a node does in one period: a sample, and a poll that finds a label. */
class WireLoop implements Loop {
  readonly bytes: number;
  private readonly wire: Wire;
  private readonly station: Station;
  private readonly stream: Stream;
  private peer: Peer | undefined;
  private now = 0;
  /** Whether some samples come from the peer. */
  private readonly feeds: boolean;
  /** Whether this step's sample came from the peer. */
  private fed = false;

  constructor(
    host: Host,
    shape: Partial<NodeShape>,
    budget: number,
    arithmetic: Arithmetic,
    begins: () => void,
  ) {
    this.wire = new Wire(host);
    const optionsOf = () => stationOptions(nodeOptions(shape, budget), shape.fed ?? true);
    const clock = { now: () => this.now };
    const { bytes, channels, flash } = sizesOf(optionsOf().node);
    const block = new MemoryFlash(flash);
    this.bytes = bytes + stationBytes(optionsOf());
    this.feeds = shape.fed ?? true;
    this.stream = new Stream(channels);
    begins();
    const options = optionsOf();
    const { node } = options;
    const memory = nodeLayout(node).range(arithmetic(bytes));
    const storage = nodeStore(node, block, clock, 0, memory.f32);
    this.station = new Station(options, { clock, port: this.wire, storage }, memory);
    this.station.begin("fresh");
  }

  begin(): void {
    this.peer = new Peer(this.wire, this.station);
    this.peer.welcome();
  }

  next(): void {
    const { peer, stream, station } = this;
    const { seq, learner } = station.node;
    const y = stream.next(learner.task);
    this.now += PERIOD_MS;
    this.fed = this.feeds && (seq + 1) % FED === 0;
    if (seq > 0 && seq % ASKED === 0) peer?.ask(seq);
    if (this.fed) peer?.feed(seq + 1, stream.x);
    peer?.label(seq + 1, y);
  }

  step(): void {
    if (!this.fed) this.station.sample(this.stream.x);
    this.station.poll();
  }

  get size(): number {
    return this.station.node.learner.size;
  }

  hash(): string {
    return this.station.node.stateHash();
  }
}

/** A node behind its wire. @param begins as of `nodeLoop`. */
export function wireLoop(
  host: Host,
  shape: Partial<NodeShape>,
  budget: number,
  arithmetic: Arithmetic,
  begins: () => void,
): Loop {
  return new WireLoop(host, shape, budget, arithmetic, begins);
}
