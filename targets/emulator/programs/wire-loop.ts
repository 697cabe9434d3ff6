import { nodeLayout } from "../../../src/node/node-layout.ts";
import type { NodeOptions } from "../../../src/node/node-options.ts";
import { CERTAIN } from "../../../src/node/ports.ts";
import { nodeStore } from "../../../src/node/schema.ts";
import { Station } from "../../../src/node/station.ts";
import { type StationOptions, stationBytes } from "../../../src/node/station-options.ts";
import { Encoder } from "../../../src/wire/encoder.ts";
import { KeyedPeer } from "../../../src/wire/keyed-peer.ts";
import { LabelTag } from "../../../src/wire/label-tag.ts";
import { type Message, messageNames, NAME } from "../../../src/wire/messages.ts";
import { Receiver } from "../../../src/wire/receiver.ts";
import type { BytePipe } from "./byte-pipe.ts";
import { ByteLine, CallLine, KEY, type Line, type LineShape } from "./line.ts";
import { type Arithmetic, type Loop, type NodeShape, nodeOptions, nodeSizes } from "./loops.ts";
import { MemoryFlash } from "./memory-flash.ts";
import { OrderedStates } from "./ordered-states.ts";
import { Stream } from "./stream.ts";

const BOOT = 1;
const PEER = 2;
const DOWN = ["welcome", "sample", "label", "request", "configuration", "restore", "block"] as const;
type Down = (typeof DOWN)[number];
const PERIOD_MS = 20;
/** How often a frame is damaged, a sample comes from the peer, and the peer sends a query. */
const DAMAGED = 4;
const FED = 16;
const ASKED = 32;
/** Raw samples go up in every second span of so many samples. */
const RAW = 4096;

let drawn = 0xa0a1a2a3;
function random(): number {
  return drawn++;
}

/**
 * The other end: welcomes, feeds samples, labels them, and queries everything but the state, whose hashes are
 * texts.
 */
class Peer {
  private readonly encoder;
  private readonly keyed: KeyedPeer | undefined;
  private readonly tag: LabelTag | undefined;
  private readonly states: OrderedStates | undefined;
  private boot = BOOT;

  constructor(
    private readonly wire: Line,
    private readonly station: Station,
    private readonly shape: LineShape,
  ) {
    this.keyed = shape.keyed ? new KeyedPeer(KEY, random) : undefined;
    this.tag = shape.keyedLabels ? new LabelTag(KEY) : undefined;
    this.encoder = new Encoder(DOWN, undefined, undefined, undefined, this.keyed);
    this.states = shape.restored
      ? new OrderedStates(station.node, this.encoder, (name) => this.send(name), KEY)
      : undefined;
  }

  /** The number of the present pair of starts. */
  private get start(): number {
    return (this.boot ^ PEER) >>> 0;
  }

  /** Has the node resume from a copy of its memory, once; then welcomes its new start. */
  restore(seq: number): void {
    if (this.states?.sampled(seq, this.boot, this.start)) this.welcomeAgain();
  }

  /** Apart from `restore`: XS allocates a variable that a closure holds whenever its function is called. */
  private welcomeAgain(): void {
    const receiver = new Receiver(messageNames("up"));
    this.wire.heardBy((byte) => {
      if (receiver.take(byte) === NAME.hello) this.boot = receiver.message(NAME.hello).boot;
    });
    this.station.poll();
    this.wire.heardBy(undefined);
    this.welcome();
  }

  /** Begins the session of a keyed line: hears a hello, welcomes, and hears what the node answers. */
  meet(): void {
    const { keyed, wire, station } = this;
    if (!keyed) {
      this.welcome();
      return;
    }
    const receiver = new Receiver(messageNames("up"), undefined, keyed);
    wire.heardBy((byte) => receiver.take(byte));
    station.poll();
    this.welcome();
    wire.heardBy(undefined);
    if (!keyed.proven) throw new Error("the keyed line has no session");
  }

  private send(name: Down, at = -1): void {
    this.put(name, at);
    this.station.poll();
  }

  private put(name: Down, at = -1): void {
    this.wire.carry(this.encoder.frame, this.encoder.encode(name), at);
  }

  welcome(): void {
    const welcome = this.encoder.message(NAME.welcome);
    welcome.boot = this.boot;
    welcome.peer = PEER;
    this.send(NAME.welcome);
  }

  feed(seq: number, x: Float32Array): void {
    const sample = this.encoder.message(NAME.sample);
    sample.start = this.start;
    sample.sid = this.station.node.sid;
    sample.seq = seq;
    sample.total = sample.length = x.length;
    for (let j = 0; j < x.length; j++) sample.x[j] = x[j];
    if (seq % DAMAGED === 0) this.send(NAME.sample, 1 + (seq % 30));
    this.send(NAME.sample);
  }

  /** Puts a sample's label on the wire, where it waits for the next poll. */
  label(seq: number, y: number): void {
    const label = this.encoder.message(NAME.label);
    label.start = this.start;
    label.number = label.seq = seq;
    label.sid = this.station.node.sid;
    label.y = y;
    label.confidence = CERTAIN;
    this.sign(label);
    if (!this.shape.quiet && seq % DAMAGED === 1) this.send(NAME.label, 1 + (seq % 26));
    this.put(NAME.label);
  }

  private sign(label: Message<"label">): void {
    const { tag } = this;
    if (!tag) return;
    tag.compute(label);
    label.tag[0] = tag.low;
    label.tag[1] = tag.high;
    label.length = 2;
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

function stationOptions(node: NodeOptions, { quiet, keyed, keyedLabels }: LineShape): StationOptions {
  const keys = { ...(keyed && { key: KEY }), ...(keyedLabels && { labelKey: KEY }) };
  return { node, firmware: "emulator", boot: BOOT, fed: !quiet, statisticsMs: 1000, ...keys };
}

/** A step is a node's work in one period: a sample, and a poll that finds a label. */
class WireLoop implements Loop {
  readonly bytes: number;
  private readonly station: Station;
  private readonly stream: Stream;
  private peer: Peer | undefined;
  private now = 0;
  /** True if this step's sample came from the peer. */
  private fed = false;

  constructor(
    optionsOf: () => StationOptions,
    private readonly line: Line,
    private readonly shape: LineShape,
    arithmetic: Arithmetic,
    begins: () => void,
  ) {
    const clock = { now: () => this.now };
    const { bytes, channels, flash } = nodeSizes(optionsOf().node);
    const block = new MemoryFlash(flash);
    this.bytes = bytes + stationBytes(optionsOf());
    this.stream = new Stream(channels);
    begins();
    const options = optionsOf();
    const { node } = options;
    const memory = nodeLayout(node).range(arithmetic(bytes));
    const storage = nodeStore(node, block, clock, 0, memory.f32);
    this.station = new Station(options, { clock, port: line.port, storage, random }, memory);
    this.station.begin("fresh");
  }

  begin(): void {
    this.peer = new Peer(this.line, this.station, this.shape);
    this.peer.meet();
  }

  next(): void {
    const { peer, shape, stream, station } = this;
    peer?.restore(station.node.seq);
    const { seq, learner } = station.node;
    const y = stream.next(learner.task);
    this.now += PERIOD_MS;
    this.fed = !shape.quiet && (seq + 1) % FED === 0;
    if (!shape.quiet && seq > 0 && seq % ASKED === 0) peer?.ask(seq);
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
  pipe: BytePipe,
  { budget, ...node }: Partial<NodeShape> & { readonly budget: number },
  line: LineShape,
  arithmetic: Arithmetic,
  begins: () => void,
): Loop {
  const loopOptions = () => stationOptions(nodeOptions(node, budget), line);
  return new WireLoop(
    loopOptions,
    line.uart ? new ByteLine(pipe) : new CallLine(pipe),
    line,
    arithmetic,
    begins,
  );
}
