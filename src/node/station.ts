import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { combinedHash } from "../selftest/self-test.ts";
import { putText } from "../wire/encoder.ts";
import { type DownName, FRAME_MAX, NAME, PROTOCOL, seedsById, tableHash } from "../wire/messages.ts";
import { Assembly, PART } from "./assembly.ts";
import { Framing, framingBytes } from "./framing.ts";
import { Handshake, type RESTORE_STATUS } from "./handshake.ts";
import { type NodeOptions, nodeLayout, SensorNode } from "./node.ts";
import { OUTBOX_BYTES } from "./outbox.ts";
import type {
  BytePort,
  Clock,
  EngineFigures,
  FramePort,
  LabelStatus,
  Link,
  PortLimits,
  Storage,
} from "./ports.ts";
import { Reports } from "./reports.ts";

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

const SELF_TEST_MAX = 64;

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
  /** Bytes of frames that may wait to be sent over a `BytePort`, at least 256; default 512. */
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
  /** Bytes, which the station frames, or whole messages. */
  readonly port: BytePort | FramePort;
  readonly storage: Storage;
  readonly engine?: EngineFigures;
}

/** Bytes of a station's buffers, beside those of its node: what `new Station` makes on such a `BytePort`, to the byte. */
export function stationBytes(
  { node, outbox = OUTBOX_BYTES, fed = false }: StationOptions,
  limits?: PortLimits,
): number {
  return framingBytes(outbox, limits) + 4 * seedsById().length + (fed ? 4 * node.channels : 0);
}

function checkOptions({ outbox = OUTBOX_BYTES, selfTest }: StationOptions): void {
  if (!(Number.isInteger(outbox) && outbox >= 2 * FRAME_MAX))
    throw new OptionError("station", "outbox", outbox, `a whole number >= ${2 * FRAME_MAX}`);
  if (selfTest && selfTest.length > SELF_TEST_MAX)
    throw new OptionError("station", "selfTest", selfTest.length, `at most ${SELF_TEST_MAX} hashes`);
}

/**
 * The node's end of the wire: a `SensorNode` behind a port. It answers what its peer sends (see SPEC.md), and never
 * waits: what has no room yet is sent at a later `poll`, or dropped and counted. Nothing is allocated after
 * construction, but for the texts of state hashes when those are asked for.
 *
 * Make it, restore its node, `begin`; then `poll` whenever bytes have come and at least every 50 ms, and give
 * `sample` the readings, if it isn't fed.
 */
export class Station implements Link {
  readonly node: SensorNode;
  private readonly clock: Clock;
  private readonly wire: FramePort;
  private readonly handshake: Handshake;
  private readonly reports: Reports;
  /** The sample whose parts are coming, if the node is fed. */
  private readonly assembly: Assembly;
  private readonly fed: boolean;
  private readonly boot: number;
  private readonly sid: number;

  /** Throws an OptionError that names the option, what it got and what it takes. */
  constructor(options: StationOptions, ports: StationPorts, memory?: MemoryRange) {
    checkOptions(options);
    const { outbox = OUTBOX_BYTES, fed = false, selfTest } = options;
    const { clock, port, storage, engine } = ports;
    this.clock = clock;
    this.wire = "send" in port ? port : new Framing(port, outbox, memory?.f32);
    this.fed = fed;
    this.boot = options.boot >>> 0;
    this.sid = options.node.sid;
    this.assembly = new Assembly(fed ? options.node.channels : 0);
    this.node = new SensorNode(options.node, clock, this, storage, memory);
    this.handshake = new Handshake(this.wire, this.node, clock, this.boot);
    const { statisticsEvery = 0, statisticsMs = 10_000, predictions = true, samples = false } = options;
    const schedule = { statisticsEvery, statisticsMs, predictions, samples };
    this.reports = new Reports(this.wire, this.node, clock, schedule, engine, selfTest);
    this.introduce(options, "send" in port ? {} : port);
  }

  /** Fills in what of hello and of the answers stays as it is. */
  private introduce(options: StationOptions, limits: PortLimits): void {
    const { wire } = this;
    const hello = wire.outgoing(NAME.hello);
    hello.protocol = PROTOCOL;
    hello.reset = options.reset ?? 0;
    hello.fed = this.fed ? 1 : 0;
    hello.channels = options.node.channels;
    hello.dimension = this.node.learner.dimension;
    hello.plan = nodeLayout(options.node).bytes + stationBytes(options, limits);
    hello.selfTest = options.selfTest ? combinedHash(options.selfTest) : 0;
    hello.table = tableHash();
    putText(hello.firmware, options.firmware);
    putText(hello.learner, options.node.learner.name);
    wire.outgoing(NAME.acknowledgement).boot = this.boot;
  }

  /**
   * Says where the node's state comes from, once it was restored or not. A node that isn't fed goes on in the
   * new session, its option `sid`: the samples since the checkpoint are lost, and their numbers are given
   * again.
   */
  begin(restore: keyof typeof RESTORE_STATUS): void {
    if (!this.fed) this.node.renew(this.sid);
    this.handshake.begin(restore);
  }

  /** Takes a sample: one reading a channel. Returns the prediction, NaN if a reading wasn't finite. */
  sample(readings: ArrayLike<number>): number {
    const start = this.clock.now();
    const decision = this.node.sample(readings);
    this.reports.sampled(readings, this.handshake.start);
    this.measure(start);
    return decision;
  }

  /**
   * One turn: reads what has come, does what it asks for, one label at most, sends what is due and has room. Never waits.
   * Returns whether something that came is left for the next turn, which may follow at once.
   */
  poll(): boolean {
    const { wire } = this;
    const start = this.clock.now();
    this.read();
    this.handshake.schedule(start);
    this.reports.tick(start);
    this.handshake.sendDue();
    this.reports.sendDue();
    wire.flush();
    this.measure(start);
    return wire.more;
  }

  /**
   * The clock's milliseconds at which a `poll` has something to do though nothing comes: for whoever sleeps until then.
   * No later than now if something is due already, and waits for room.
   */
  get dueAt(): number {
    return Math.min(this.handshake.dueAt, this.reports.dueAt);
  }

  /** Whether something waits until the port takes it: `poll` again once it does. */
  get waiting(): boolean {
    return this.wire.waiting;
  }

  /** Sends a line for people; level 0 error, 1 warning, 2 note. */
  log(level: number, text: string): void {
    this.reports.sendLog(level, text);
  }

  /** Sends why the node starts or started again; `reason` as message reset has it. */
  announceReset(reason: number, text: string): void {
    const { wire } = this;
    const reset = wire.outgoing(NAME.reset);
    reset.boot = this.boot;
    reset.reason = reason;
    reset.length = putText(reset.text, text);
    wire.send(NAME.reset, true);
    wire.flush();
  }

  /** For the node: reports a prediction. */
  predicted(seq: number, ts: number, decision: number): void {
    if (this.reports.schedule.predictions) this.reports.sendPrediction(seq, ts, decision);
  }

  /** For the node: answers a label. */
  acknowledge(number: number, status: LabelStatus, durable: number): void {
    const { wire } = this;
    const acknowledgement = wire.outgoing(NAME.acknowledgement);
    acknowledgement.number = number;
    acknowledgement.status = status;
    acknowledgement.labelled = this.node.labelled;
    acknowledgement.durable = durable;
    wire.send(NAME.acknowledgement, true);
  }

  private measure(start: number): void {
    const { counts } = this.reports;
    counts.turn = Math.max(counts.turn, this.clock.now() - start);
  }

  /** Deals with what came; a label ends the turn, as learning takes long, and what came after it waits for the next one. */
  private read(): void {
    const { wire } = this;
    wire.fetch();
    for (let name = wire.next(); name; name = wire.next()) {
      this.handle(name);
      if (name === NAME.label) return;
    }
  }

  private handle(name: DownName): void {
    if (name === NAME.label) this.takeLabel();
    else if (name === NAME.sample) this.takePart();
    else if (name === NAME.welcome) this.handshake.welcome();
    else if (name === NAME.request) this.answer(this.wire.incoming(NAME.request).what);
    else if (name === NAME.configuration) this.reports.configure();
  }

  private takeLabel(): void {
    const label = this.wire.incoming(NAME.label);
    if (this.handshake.expects(label.start)) this.node.label(label);
    else this.reports.counts.stale++;
  }

  private takePart(): void {
    const { assembly } = this;
    const { counts } = this.reports;
    const sample = this.wire.incoming(NAME.sample);
    const next = sample.sid === this.node.sid && (sample.seq - this.node.seq) >>> 0 === 1;
    if (!this.fed || !next || !this.handshake.expects(sample.start)) {
      counts.stale++;
      assembly.reset();
      return;
    }
    const part = assembly.take(sample);
    if (part === PART.astray) counts.parts++;
    else if (part === PART.whole) this.sample(assembly.readings);
  }

  private answer(what: number): void {
    const { handshake, node, reports } = this;
    if (what === REQUEST.hello) handshake.greet();
    else if (what === REQUEST.schema) reports.askSchema();
    else if (what === REQUEST.state) reports.askState();
    else if (what === REQUEST.selfTest) reports.askSelfTest();
    else if (what === REQUEST.statistics) reports.askStatistics();
    else if (what === REQUEST.configuration) reports.askConfiguration();
    else if (what === REQUEST.checkpoint) {
      node.checkpoint();
      handshake.tell();
    }
  }
}
