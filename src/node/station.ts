import { COUNTERS } from "../learn/learner.ts";
import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { combinedHash } from "../selftest/self-test.ts";
import { Encoder, putText } from "../wire/encoder.ts";
import { recordBytes } from "../wire/format.ts";
import {
  type DownName,
  FRAME_MAX,
  NAME,
  namesOf,
  PROTOCOL,
  seedsById,
  tableHash,
  type UpName,
} from "../wire/messages.ts";
import { Receiver } from "../wire/receiver.ts";
import { NODE_COUNTERS, type NodeOptions, nodeLayout, SensorNode } from "./node.ts";
import { Outbox } from "./outbox.ts";
import type { BytePort, Clock, EngineFigures, LabelStatus, Link, Storage } from "./ports.ts";

/** Where the state comes from. The number is its code on the wire. */
export const RESTORE_STATUS = frozen({ fresh: 0, restored: 1, fallback: 2 } as const);

/** What `request` asks for. */
export const REQUEST = frozen({
  hello: 1,
  schema: 2,
  checkpoint: 3,
  state: 4,
  selfTest: 5,
  statistics: 6,
  configuration: 7,
} as const);

/** Frames that are due are sent as soon as there is room; each has a bit. */
const DUE = frozen({
  hello: 1,
  credit: 2,
  statistics: 4,
  learning: 8,
  losses: 16,
  configuration: 32,
  state: 64,
} as const);
const STATISTICS = DUE.statistics | DUE.learning | DUE.losses;

/** A UART's input FIFO, and what of it is kept for frames that need no credit. */
const FIFO = 128;
const UNCREDITED = 40;
const HELLO_MS = 1000;
const CREDIT_MS = 250;
const OUTBOX = 512;
const SELF_TEST_MAX = 64;
const SELF_TEST = NAME["self-test"];

/** What a station is made from. */
export interface StationOptions {
  readonly node: NodeOptions;
  /** Name and version of the firmware: 16 characters of ASCII are sent. */
  readonly firmware: string;
  /** A number that no other start of this node has had: random, or counted in flash. */
  readonly boot: number;
  /** Why the node started: a `reason` of message reset; default 0, unknown. */
  readonly reset?: number;
  /** Whether the peer feeds recorded samples, because there is no sensor; default false. */
  readonly fed?: boolean;
  /** Hashes that `selfTest` gave; default none. */
  readonly selfTest?: Uint32Array;
  /** Bytes of frames that may wait to be sent, at least 256; default 512. */
  readonly outbox?: number;
  /** Samples, and milliseconds, between two reports of statistics; 0: never. Default 0 and 10,000. */
  readonly statisticsEvery?: number;
  readonly statisticsMs?: number;
  /** Whether predictions are reported (default true), and raw samples (default false). */
  readonly predictions?: boolean;
  readonly samples?: boolean;
}

/** What a station is given from outside. */
export interface StationPorts {
  readonly clock: Clock;
  readonly port: BytePort;
  readonly storage: Storage;
  readonly engine?: EngineFigures;
}

/** Bytes of a station's buffers, beside those of its node: what `new Station` makes, to the byte. */
export function stationBytes({ node, outbox = OUTBOX, fed = false }: StationOptions): number {
  const frames = FRAME_MAX + (FRAME_MAX - 2) + FIFO;
  const records = recordBytes(namesOf("up")) + recordBytes(namesOf("down"));
  const seeds = 4 * seedsById().length;
  return frames + records + seeds + outbox + (fed ? 4 * node.channels : 0);
}

/**
 * The node's end of the wire: a `SensorNode` behind a byte port. It answers what its peer sends (see
 * SPEC.md), and never waits: what has no room yet is sent at a later `poll`, or dropped and counted. Nothing
 * is allocated after construction, but for the texts of state hashes when those are asked for.
 *
 * Make it, restore its node, `begin`; then `poll` whenever bytes have come and at least every 50 ms, and give
 * `sample` the readings, if it isn't fed.
 */
export class Station implements Link {
  readonly node: SensorNode;
  private readonly clock: Clock;
  private readonly port: BytePort;
  private readonly engine: EngineFigures | undefined;
  private readonly encoder: Encoder<UpName>;
  private readonly receiver: Receiver<DownName>;
  private readonly outbox: Outbox;
  /** Bytes from the port, how many there are, and how many of them were dealt with. */
  private readonly chunk = new Uint8Array(FIFO);
  private come = 0;
  private dealt = 0;
  private readonly seeds = seedsById();
  private readonly selfTest: Uint32Array | undefined;
  private readonly fed: boolean;
  private readonly boot: number;
  private readonly sid: number;
  /** The sample whose parts are coming, if the node is fed. */
  private readonly readings: Float32Array;
  private assembled = 0;
  private parts = 0;
  private stale = 0;
  private due = 0;
  /** Next element of a list that goes up in parts; behind its end: none goes. */
  private nextSeed = Number.POSITIVE_INFINITY;
  private nextHash = Number.POSITIVE_INFINITY;
  /** Whether a welcome is awaited, and whether there was one. */
  private greeting = true;
  private welcomed = false;
  /** What labels and samples carry that are meant for this start, from this start of the peer. */
  private start = 0;
  private received = 0;
  private granted = 0;
  private helloAt = Number.NEGATIVE_INFINITY;
  private creditAt = 0;
  private statisticsAt = 0;
  private statisticsEvery: number;
  private statisticsMs: number;
  private predictions: boolean;
  private samples: boolean;
  private turn = 0;

  /** Throws an OptionError that names the option, what it got and what it takes. */
  constructor(options: StationOptions, ports: StationPorts, memory?: MemoryRange) {
    const { outbox = OUTBOX, fed = false, selfTest } = options;
    if (!(Number.isInteger(outbox) && outbox >= 2 * FRAME_MAX))
      throw new OptionError("station", "outbox", outbox, `a whole number >= ${2 * FRAME_MAX}`);
    if (selfTest && selfTest.length > SELF_TEST_MAX)
      throw new OptionError("station", "selfTest", selfTest.length, `at most ${SELF_TEST_MAX} hashes`);
    this.clock = ports.clock;
    this.port = ports.port;
    this.engine = ports.engine;
    this.outbox = new Outbox(outbox);
    this.encoder = new Encoder(namesOf("up"), memory?.f32, this.outbox.frame);
    this.receiver = new Receiver(namesOf("down"), memory?.f32);
    this.fed = fed;
    this.boot = options.boot >>> 0;
    this.sid = options.node.sid;
    this.selfTest = selfTest;
    this.readings = new Float32Array(fed ? options.node.channels : 0);
    this.statisticsEvery = options.statisticsEvery ?? 0;
    this.statisticsMs = options.statisticsMs ?? 10_000;
    this.predictions = options.predictions ?? true;
    this.samples = options.samples ?? false;
    this.node = new SensorNode(options.node, ports.clock, this, ports.storage, memory);
    this.introduce(options);
  }

  /** Fills in what of hello stays as it is. */
  private introduce(options: StationOptions): void {
    const hello = this.encoder.message(NAME.hello);
    hello.protocol = PROTOCOL;
    hello.reset = options.reset ?? 0;
    hello.fed = this.fed ? 1 : 0;
    hello.boot = this.boot;
    hello.channels = options.node.channels;
    hello.dimension = this.node.learner.dimension;
    hello.plan = nodeLayout(options.node).bytes + stationBytes(options);
    hello.selfTest = this.selfTest ? combinedHash(this.selfTest) : 0;
    hello.table = tableHash();
    putText(hello.firmware, options.firmware);
    putText(hello.learner, options.node.learner.name);
  }

  /**
   * Says where the node's state comes from, once it was restored or not. A node that isn't fed goes on in the
   * new session, its option `sid`: the samples since the checkpoint are lost, and their numbers are given
   * again.
   */
  begin(restore: keyof typeof RESTORE_STATUS): void {
    if (!this.fed) this.node.renew(this.sid);
    const hello = this.encoder.message(NAME.hello);
    hello.restore = RESTORE_STATUS[restore];
    hello.since = this.node.seq;
    this.due |= DUE.hello;
  }

  /** Takes a sample: one reading a channel. Returns the prediction, NaN if a reading wasn't finite. */
  sample(readings: ArrayLike<number>): number {
    const start = this.clock.now();
    const decision = this.node.sample(readings);
    if (this.samples) this.reportSample(readings);
    if (this.statisticsEvery > 0 && this.node.seq % this.statisticsEvery === 0) this.due |= STATISTICS;
    this.measure(start);
    return decision;
  }

  /**
   * One turn: reads what has come, does what it asks for, one label at most, sends what is due and has room. Never waits.
   * Returns whether something that came is left for the next turn, which may follow at once.
   */
  poll(): boolean {
    const start = this.clock.now();
    this.read();
    this.schedule(start);
    this.sendDue();
    this.outbox.flush(this.port);
    this.measure(start);
    return this.dealt < this.come;
  }

  /** Sends a line for people; level 0 error, 1 warning, 2 note. */
  log(level: number, text: string): void {
    const log = this.encoder.message(NAME.log);
    log.ts = this.clock.now();
    log.dr = this.outbox.dropped;
    log.level = level;
    log.length = putText(log.text, text);
    this.send(NAME.log, false);
  }

  /** Sends why the node starts or started again; `reason` as message reset has it. */
  announceReset(reason: number, text: string): void {
    const reset = this.encoder.message(NAME.reset);
    reset.boot = this.boot;
    reset.reason = reason;
    reset.length = putText(reset.text, text);
    this.send(NAME.reset, true);
    this.outbox.flush(this.port);
  }

  /** For the node: reports a prediction. */
  predicted(seq: number, ts: number, decision: number): void {
    if (!this.predictions) return;
    const prediction = this.encoder.message(NAME.prediction);
    prediction.sid = this.node.sid;
    prediction.seq = seq;
    prediction.ts = ts;
    prediction.dr = this.outbox.dropped;
    prediction.decision = decision;
    this.send(NAME.prediction, false);
  }

  /** For the node: answers a label. */
  acknowledge(number: number, status: LabelStatus, durable: number): void {
    const acknowledgement = this.encoder.message(NAME.acknowledgement);
    acknowledgement.boot = this.boot;
    acknowledgement.number = number;
    acknowledgement.status = status;
    acknowledgement.labelled = this.node.labelled;
    acknowledgement.durable = durable;
    this.send(NAME.acknowledgement, true);
  }

  private measure(start: number): void {
    this.turn = Math.max(this.turn, this.clock.now() - start);
  }

  /** Encodes and puts into the outbox; dropped and counted if that has no room. */
  private send(name: UpName, urgent: boolean): boolean {
    return this.outbox.put(this.encoder.encode(name), urgent);
  }

  /** Deals with what came; a label ends the turn, as learning takes long, and what came after it waits for the next one. */
  private read(): void {
    const { chunk, receiver } = this;
    if (this.dealt === this.come) this.fetch();
    while (this.dealt < this.come) {
      const end = receiver.gather(chunk, this.dealt, this.come);
      this.dealt = Math.min(end + 1, this.come);
      const name = end < this.come ? receiver.take(chunk[end]) : undefined;
      if (name) this.handle(name, this.come - this.dealt);
      if (name === NAME.label) return;
    }
  }

  private fetch(): void {
    this.dealt = 0;
    this.come = this.port.read(this.chunk);
    this.received = (this.received + this.come) >>> 0;
  }

  /** @param behind bytes already counted that came after the message's frame. */
  private handle(name: DownName, behind: number): void {
    if (name === NAME.label) this.takeLabel();
    else if (name === NAME.sample) this.takePart();
    else if (name === NAME.welcome) this.welcome(behind);
    else if (name === NAME.request) this.answer(this.receiver.message(NAME.request).what);
    else if (name === NAME.configuration) this.configure();
  }

  private welcome(behind: number): void {
    const { boot, peer, sent } = this.receiver.message(NAME.welcome);
    if (boot !== this.boot || !this.greeting) return;
    this.greeting = false;
    this.welcomed = true;
    this.encoder.message(NAME.credit).peer = peer;
    this.start = (boot ^ peer) >>> 0;
    this.received = (sent + behind) >>> 0;
    this.node.releaseHeld();
    this.due |= DUE.credit;
  }

  private expects(start: number): boolean {
    return this.welcomed && start === this.start;
  }

  private takeLabel(): void {
    const { start, number, sid, seq, y } = this.receiver.message(NAME.label);
    if (this.expects(start)) this.node.label(number, sid, seq, y);
    else this.stale++;
  }

  private takePart(): void {
    const { start, sid, seq, first, total, x, length } = this.receiver.message(NAME.sample);
    const { readings } = this;
    const next = sid === this.node.sid && (seq - this.node.seq) >>> 0 === 1;
    if (!this.fed || !next || !this.expects(start)) {
      this.stale++;
      this.assembled = 0;
      return;
    }
    if (first === 0) this.assembled = 0;
    if (first !== this.assembled || total !== readings.length || first + length > total) {
      this.parts++;
      this.assembled = 0;
      return;
    }
    for (let i = 0; i < length; i++) readings[first + i] = x[i];
    this.assembled += length;
    if (this.assembled < total) return;
    this.assembled = 0;
    this.sample(readings);
  }

  private answer(what: number): void {
    if (what === REQUEST.hello) this.greet();
    else if (what === REQUEST.schema) this.nextSeed = 0;
    else if (what === REQUEST.checkpoint) this.node.checkpoint();
    else if (what === REQUEST.state) this.due |= DUE.state;
    else if (what === REQUEST.selfTest) this.nextHash = 0;
    else if (what === REQUEST.statistics) this.due |= STATISTICS;
    else if (what === REQUEST.configuration) this.due |= DUE.configuration;
    if (what === REQUEST.checkpoint) this.due |= DUE.credit;
  }

  private greet(): void {
    this.greeting = true;
    this.due |= DUE.hello;
  }

  private configure(): void {
    const given = this.receiver.message(NAME.configuration);
    this.node.checkpointEvery = given.checkpointEvery;
    this.statisticsEvery = given.statisticsEvery;
    this.statisticsMs = given.statisticsMs;
    this.predictions = given.predictions !== 0;
    this.samples = given.samples !== 0;
    this.due |= DUE.configuration;
  }

  /** Makes due what time and bytes received make so. */
  private schedule(now: number): void {
    if (this.greeting && now - this.helloAt >= HELLO_MS) this.due |= DUE.hello;
    const unreported = (this.received - this.granted) >>> 0;
    if (this.welcomed && (unreported >= (FIFO - UNCREDITED) / 4 || now - this.creditAt >= CREDIT_MS)) {
      this.due |= DUE.credit;
    }
    if (this.statisticsMs > 0 && now - this.statisticsAt >= this.statisticsMs) this.due |= STATISTICS;
  }

  /** Sends what is due, most urgent first, as long as there is room for any frame. */
  private sendDue(): void {
    if (this.due !== 0) this.sendUrgent();
    while (this.nextSeed < this.seeds.length && this.outbox.hasRoom(FRAME_MAX, true)) this.sendSeeds();
    const hashes = this.selfTest?.length ?? 0;
    while (this.nextHash < hashes && this.outbox.hasRoom(FRAME_MAX, true)) this.sendHashes();
    if (this.due !== 0) this.sendReports();
  }

  private sendUrgent(): void {
    if (this.take(DUE.hello)) this.sendHello();
    if (this.take(DUE.credit)) this.sendCredit();
    if (this.take(DUE.state)) this.sendState();
    if (this.take(DUE.configuration)) this.sendConfiguration();
  }

  private sendReports(): void {
    if (this.take(DUE.statistics, false)) this.sendStatistics();
    if (this.take(DUE.learning, false)) this.sendLearning();
    if (this.take(DUE.losses, false)) this.sendLosses();
  }

  /** Whether a frame is due and has room; it is due no longer then. */
  private take(bit: number, urgent = true): boolean {
    if ((this.due & bit) === 0 || !this.outbox.hasRoom(FRAME_MAX, urgent)) return false;
    this.due &= ~bit;
    return true;
  }

  private sendHello(): void {
    const hello = this.encoder.message(NAME.hello);
    hello.sid = this.node.sid;
    hello.seq = this.node.seq;
    hello.labelled = this.node.labelled;
    hello.durable = this.node.durable;
    this.helloAt = this.clock.now();
    this.send(NAME.hello, true);
  }

  private sendCredit(): void {
    const credit = this.encoder.message(NAME.credit);
    credit.boot = this.boot;
    credit.received = this.received;
    credit.window = FIFO - UNCREDITED;
    credit.sid = this.node.sid;
    credit.seq = this.node.seq;
    credit.labelled = this.node.labelled;
    credit.durable = this.node.durable;
    this.granted = this.received;
    this.creditAt = this.clock.now();
    this.send(NAME.credit, true);
  }

  private sendState(): void {
    const { node } = this;
    const state = this.encoder.message(NAME.state);
    state.sid = node.sid;
    state.seq = node.seq;
    state.labelled = node.labelled;
    const learner = node.learner.stateHash();
    const whole = node.stateHash();
    state.learnerHigh = Number.parseInt(learner.slice(0, 8), 16);
    state.learnerLow = Number.parseInt(learner.slice(8), 16);
    state.nodeHigh = Number.parseInt(whole.slice(0, 8), 16);
    state.nodeLow = Number.parseInt(whole.slice(8), 16);
    this.send(NAME.state, true);
  }

  private sendConfiguration(): void {
    const configuration = this.encoder.message(NAME.configuration);
    configuration.checkpointEvery = this.node.checkpointEvery;
    configuration.statisticsEvery = this.statisticsEvery;
    configuration.statisticsMs = this.statisticsMs;
    configuration.predictions = this.predictions ? 1 : 0;
    configuration.samples = this.samples ? 1 : 0;
    this.send(NAME.configuration, true);
  }

  private sendSeeds(): void {
    const schema = this.encoder.message(NAME.schema);
    schema.first = this.nextSeed;
    schema.total = this.seeds.length;
    schema.length = copyPart(schema.seeds, this.seeds, this.nextSeed);
    this.nextSeed += schema.length;
    this.send(NAME.schema, true);
  }

  private sendHashes(): void {
    const hashes = this.selfTest as Uint32Array;
    const message = this.encoder.message(SELF_TEST);
    message.first = this.nextHash;
    message.total = hashes.length;
    message.length = copyPart(message.hashes, hashes, this.nextHash);
    this.nextHash += message.length;
    this.send(SELF_TEST, true);
  }

  private reportSample(readings: ArrayLike<number>): void {
    const sample = this.encoder.message(NAME.sample);
    sample.start = this.start;
    sample.sid = this.node.sid;
    sample.seq = this.node.seq;
    sample.ts = this.clock.now();
    sample.total = readings.length;
    for (let first = 0; first < readings.length; first += sample.length) {
      sample.dr = this.outbox.dropped;
      sample.first = first;
      sample.length = copyPart(sample.x, readings, first);
      if (!this.send(NAME.sample, false)) return;
    }
  }

  private sendStatistics(): void {
    const { node } = this;
    const statistics = this.encoder.message(NAME.statistics);
    statistics.sid = node.sid;
    statistics.seq = node.seq;
    statistics.ts = this.statisticsAt = this.clock.now();
    statistics.dr = this.outbox.dropped;
    for (let i = 0; i < NODE_COUNTERS.length; i++) {
      statistics[NODE_COUNTERS[i]] = node.count(NODE_COUNTERS[i]);
    }
    statistics.lag = node.lagMax;
    statistics.waiting = node.pending.waiting;
    statistics.size = node.learner.size;
    statistics.capacity = node.learner.capacity;
    statistics.error = node.errors > 0 ? node.errorSum / node.errors : 0;
    node.lagMax = node.errorSum = node.errors = 0;
    this.send(NAME.statistics, false);
  }

  private sendLearning(): void {
    const { node } = this;
    const learning = this.encoder.message(NAME.learning);
    learning.sid = node.sid;
    learning.seq = node.seq;
    learning.ts = this.clock.now();
    learning.dr = this.outbox.dropped;
    for (let i = 0; i < COUNTERS.length; i++) learning[COUNTERS[i]] = node.learner.count(COUNTERS[i]);
    this.send(NAME.learning, false);
  }

  private sendLosses(): void {
    const { thrown } = this.receiver;
    const losses = this.encoder.message(NAME.losses);
    losses.sid = this.node.sid;
    losses.ts = this.clock.now();
    losses.dr = this.outbox.dropped;
    losses.bytes = thrown.bytes;
    losses.wrongLength = thrown.wrongLength;
    losses.cobs = thrown.cobs;
    losses.crc = thrown.crc;
    losses.unknown = thrown.unknown;
    losses.part = this.parts;
    losses.stale = this.stale;
    losses.slots = this.engine?.slots() ?? 0;
    losses.chunks = this.engine?.chunks() ?? 0;
    losses.turn = this.turn;
    this.send(NAME.losses, false);
  }
}

/** Copies list[first..] to `to`, as much as fits; returns how many. */
function copyPart(to: Float32Array | Uint32Array, list: ArrayLike<number>, first: number): number {
  const count = Math.min(to.length, list.length - first);
  for (let i = 0; i < count; i++) to[i] = list[first + i];
  return count;
}
