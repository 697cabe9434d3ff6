import type { MemoryRange } from "../memory/layout.ts";
import { combinedHash } from "../selftest/self-test.ts";
import { RESTORE } from "../store/checkpoint-store.ts";
import { putText } from "../wire/encoder.ts";
import { chooseFrames } from "../wire/frame-bytes.ts";
import { LabelTag } from "../wire/label-tag.ts";
import { type DownName, NAME, PROTOCOL, TABLE_HASH } from "../wire/messages.ts";
import { Answers } from "./answers.ts";
import { Assembly, PART } from "./assembly.ts";
import { COPIED, Handshake, type RESTORE_STATUS } from "./handshake.ts";
import type { ModelStage } from "./model-stage.ts";
import { SensorNode } from "./node.ts";
import { nodeLayout } from "./node-layout.ts";
import { OrderedIntake } from "./ordered-intake.ts";
import {
  type Clock,
  type FramePort,
  type LabelStatus,
  type Link,
  type PortLimits,
  REMARK,
  type Storage,
} from "./ports.ts";
import { Reports } from "./reports.ts";
import { REQUEST, ROLLBACK_STATUS } from "./requests.ts";
import {
  checkOptions,
  chooseWire,
  reportSchedule,
  type StationOptions,
  type StationPorts,
  stationBytes,
} from "./station-options.ts";
import { Updates } from "./updates.ts";

const SESSIONS = 0xffffffff;

/** The session that a start of that number begins, 1..2^32-1. */
export function sessionId(boot: number): number {
  return ((boot >>> 0) % SESSIONS) + 1;
}

/** The start number of a new start without a boot: a new number, as random as the last. */
function bootAfter(boot: number): number {
  return (Math.imul(boot, 0x9e3779b1) + 0x7f4a7c15) >>> 0;
}

/** Level of a log's line. */
const WARNING = 1;
/** Remarks that are reported even if predictions aren't. */
const UNASKED = REMARK.asked | REMARK.drift | REMARK.shift;

/**
 * The node's end of the wire: a `SensorNode` behind a port. It answers its peer's messages (see docs/spec/wire.md), and
 * never waits: it sends a message without room at a later `poll`, or drops and counts it. After construction it
 * allocates only for texts: state hashes and the description on request, and a log's line.
 *
 * Make it, restore its node, `begin`. Then `poll` whenever bytes have come, and at least every 50 ms. If the node
 * isn't fed, pass its readings to `sample`.
 */
export class Station implements Link {
  /** The node behind the port. */
  readonly node: SensorNode;
  private readonly clock: Clock;
  private readonly wire: FramePort;
  private readonly handshake: Handshake;
  private readonly reports: Reports;
  private readonly updates: Updates;
  private readonly answers = new Answers();
  /** The sample whose parts are coming; undefined: the node isn't fed. */
  private readonly assembly: Assembly | undefined;
  private readonly labelTag: LabelTag | undefined;
  private readonly keepsSession: boolean;

  /** Throws an OptionError that names the option, what it got and what it takes. */
  constructor(options: StationOptions, ports: StationPorts, memory?: MemoryRange) {
    checkOptions(options, ports);
    // Few variables: each is a slot of XS's stack, which goes deepest in the constructors of learners.
    const { clock, storage } = ports;
    this.clock = clock;
    const frames = chooseFrames(memory?.f32);
    this.wire = chooseWire(options, ports, frames);
    this.labelTag = options.labelKey && new LabelTag(options.labelKey, frames);
    this.keepsSession = options.keepsSession ?? false;
    this.assembly = options.fed ? new Assembly(options.node.channels) : undefined;
    this.node = new SensorNode(options.node, clock, this, storage, memory);
    this.handshake = new Handshake(this.wire, this.node, clock);
    const schedule = reportSchedule(options);
    this.reports = new Reports(this.wire, this.node, clock, schedule, ports.engine, options.selfTest);
    this.reports.description = options.description ?? "";
    this.updates = new Updates(this.wire, clock, ports.slots, storage, this.makeIntake(storage), memory?.f32);
    this.introduce(options, "windowBytes" in ports.port ? {} : ports.port);
  }

  /** The intake of checkpoints from elsewhere: with a label key, only by its holder's order. */
  private makeIntake({ intake }: Storage) {
    const { labelTag, node } = this;
    return intake && labelTag ? new OrderedIntake(intake, labelTag, node) : intake;
  }

  /** The number of this start. */
  private get boot(): number {
    return this.wire.outgoing(NAME.hello).boot;
  }

  /** Fills in the constant fields of hello and of the answers. */
  private introduce(options: StationOptions, limits: PortLimits): void {
    const { wire } = this;
    const hello = wire.outgoing(NAME.hello);
    hello.protocol = PROTOCOL;
    hello.boot = options.boot >>> 0;
    hello.reset = options.reset ?? 0;
    hello.fed = this.assembly ? 1 : 0;
    hello.channels = options.node.channels;
    hello.dimension = this.node.learner.dimension;
    hello.plan = nodeLayout(options.node).bytes + stationBytes(options, limits);
    hello.selfTest = options.selfTest ? combinedHash(options.selfTest) : 0;
    hello.tests = options.selfTest?.length ?? 0;
    hello.pending = this.node.pending.capacity;
    hello.labelWindow = this.node.labelWindow;
    hello.fifo = wire.limits.fifoBytes;
    hello.frame = wire.limits.frameBytes;
    hello.table = TABLE_HASH;
    putText(hello.firmware, options.firmware);
    putText(hello.learner, options.node.learner.name);
  }

  /**
   * Reports the origin of the node's state. Call it once, after a restore or without one. A node that isn't
   * fed continues in the new session, its option `sid`: the samples since the checkpoint are lost, and their
   * numbers are reused. `isWhole`: no sample was lost, and the session continues.
   */
  begin(restore: keyof typeof RESTORE_STATUS, isWhole = false): void {
    if (!this.assembly && !isWhole) this.node.renew(this.node.options.sid);
    this.start(restore, this.boot);
  }

  private start(restore: keyof typeof RESTORE_STATUS, boot: number): void {
    const { wire } = this;
    wire.outgoing(NAME.acknowledgement).boot = boot;
    this.answers.clear();
    this.handshake.begin(restore, boot);
    if (this.node.hasRefused) this.log(WARNING, "a checkpoint was refused: no such node can have its state");
    this.node.hasRefused = false;
  }

  private inspect(): void {
    const { start, first, count } = this.wire.incoming(NAME.inspect);
    if (this.handshake.expects(start)) this.reports.askMemory(start, first, count);
    else this.reports.counts.stale++;
  }

  /** Goes back to the checkpoint before the newest, in a new session and a new start. */
  private rollback(start: number): void {
    const { handshake, node, reports } = this;
    if (!handshake.expects(start)) {
      reports.counts.stale++;
      return;
    }
    const restored = node.rollback();
    reports.askRollback(start, restored === undefined ? ROLLBACK_STATUS.none : ROLLBACK_STATUS[restored]);
    if (restored !== undefined) this.resume(restored);
  }

  /** Begins a new start, after the node's state was replaced, and a new session unless it keeps its own. */
  private resume(restored: keyof typeof RESTORE_STATUS): void {
    const { assembly, node } = this;
    const boot = bootAfter(this.boot);
    if (assembly) node.moveTo(sessionId(boot));
    else node.renew(this.keepsSession ? node.options.sid : sessionId(boot));
    assembly?.reset();
    this.reports.askMemory(0, 0, 0);
    this.start(restored, boot);
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
   * One turn: reads received bytes, serves requests, processes one label at most, sends what is due and has
   * room. Never waits. Returns whether received bytes are left for the next turn, which may follow at once.
   */
  poll(): boolean {
    const wire = this.wire;
    const handshake = this.handshake;
    const start = this.clock.now();
    wire.fetch();
    this.read();
    handshake.turn(start);
    this.reports.turn(start);
    this.updates.turn(start, handshake.start);
    if (this.answers.due) this.repeatAnswers();
    wire.flush();
    this.measure(start);
    return wire.more;
  }

  /**
   * When `poll` next has something to do without input, in the clock's milliseconds: a program may sleep until then. Now or earlier if
   * something is due already, and waits for room.
   */
  get dueAt(): number {
    if (this.answers.due) return Number.NEGATIVE_INFINITY;
    return Math.min(this.handshake.dueAt, this.reports.dueAt, this.updates.dueAt);
  }

  /** True if a peer has welcomed this start. */
  get welcomed(): boolean {
    return this.handshake.start !== 0;
  }

  /** True if something waits until the port takes it: `poll` again once it does. */
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

  /** For the node: reports a prediction, or at least that its label is asked for. */
  predicted(seq: number, ts: number, decision: number, remarks: number): void {
    if (this.reports.schedule.predictions || (remarks & UNASKED) !== 0)
      this.reports.sendPrediction(seq, ts, decision, remarks);
  }

  /** For the node: answers a label. */
  acknowledge(number: number, status: LabelStatus, durable: number): void {
    this.answers.keep(number, status, this.node.labelled);
    if (this.sendAnswer(number, status, durable)) this.handshake.acknowledged();
  }

  /** For the node: reports the features of the sample whose label it learned. */
  learned(): void {
    this.reports.sendLesson();
  }

  /** Repeats answers that the peer asks for, as long as there is room. */
  private repeatAnswers(): void {
    const { answers, node, wire } = this;
    while (answers.due && wire.hasRoom(false)) {
      const number = answers.take(node.labelled);
      if (number > 0) this.sendAnswer(number, answers.of(number), node.durable);
    }
  }

  private sendAnswer(number: number, status: LabelStatus, durable: number): boolean {
    const { wire } = this;
    const acknowledgement = wire.outgoing(NAME.acknowledgement);
    acknowledgement.number = number;
    acknowledgement.status = status;
    acknowledgement.labelled = this.node.labelled;
    acknowledgement.durable = durable;
    return wire.send(NAME.acknowledgement, true);
  }

  private measure(start: number): void {
    const counts = this.reports.counts;
    const turn = this.clock.now() - start;
    if (turn > counts.turn) counts.turn = turn;
  }

  /**
   * Processes received messages. A label ends the turn, since learning takes long; later messages wait for
   * the next turn.
   */
  private read(): void {
    const wire = this.wire;
    for (let name = wire.next(); name; name = wire.next()) {
      this.handle(name);
      if (name === NAME.label || name === NAME.install) return;
    }
  }

  private handle(name: DownName): void {
    if (name === NAME.label) this.takeLabel();
    else if (name === NAME.sample) this.takePart();
    else if (name === NAME.welcome) this.handshake.welcome();
    else if (name === NAME.rollback) this.rollback(this.wire.incoming(NAME.rollback).start);
    else if (name === NAME.inspect) this.inspect();
    else if (name === NAME.leave) this.handshake.leave(this.wire.incoming(NAME.leave).start);
    else if (name === NAME.request) this.answer(this.wire.incoming(NAME.request).what);
    else if (name === NAME.configuration) this.reports.configure();
    else if (name === NAME.block) this.takeBlock();
    else if (name === NAME.update) this.takeUpdate();
    else if (name === NAME.install) this.takeInstall();
    else if (name === NAME.restore) this.takeOrder();
  }

  private takeLabel(): void {
    const label = this.wire.incoming(NAME.label);
    if (!this.handshake.expects(label.start)) this.reports.counts.stale++;
    else if (this.labelTag && !this.labelTag.signsLabel(label)) this.node.refuseForged(label.number);
    else this.node.label(label);
  }

  private takeInstall(): void {
    const { labelTag, node, wire } = this;
    const stage = node.fleet?.stage;
    const install = wire.incoming(NAME.install);
    const number = install.number;
    if (install.sid !== node.sid || !this.handshake.expects(install.start)) this.reports.counts.stale++;
    else if (labelTag && !labelTag.isOfInstall(install)) node.refuseForged(number);
    else if (labelTag && stage?.refuses(install, labelTag)) this.updates.expect(stage);
    else if (node.install(number, install.bytes, install.crc) === undefined)
      this.updates.expect(stage as ModelStage);
  }

  private takeUpdate(): void {
    if (!this.handshake.expects(this.wire.incoming(NAME.update).start)) this.reports.counts.stale++;
    else if (this.updates.take()) this.node.checkpoint();
  }

  private takeOrder(): void {
    if (this.updates.takeOrder(this.boot)) this.node.checkpoint();
  }

  private takeBlock(): void {
    if (!this.handshake.expects(this.wire.incoming(NAME.block).start)) this.reports.counts.stale++;
    else if (this.updates.takeBlock()) this.replace();
  }

  /** The node takes the state that came, unless it is unsound. */
  private replace(): void {
    const restored = this.node.resume();
    const { hasRefused } = this.node;
    if (hasRefused) this.updates.refuse();
    this.resume(hasRefused || restored !== RESTORE.restored ? restored : COPIED);
  }

  private takePart(): void {
    if (this.assembly) this.assemble(this.assembly);
    else this.reports.counts.stale++;
  }

  private assemble(assembly: Assembly): void {
    const { counts } = this.reports;
    const sample = this.wire.incoming(NAME.sample);
    const next = sample.sid === this.node.sid && (sample.seq - this.node.seq) >>> 0 === 1;
    if (!next || !this.handshake.expects(sample.start)) {
      counts.stale++;
      assembly.reset();
      return;
    }
    const part = assembly.take(sample);
    if (part === PART.astray) counts.parts++;
    else if (part === PART.whole) this.sample(assembly.readings);
  }

  /** An end of an older protocol understands `log`, but not hello. */
  private greet(): void {
    if (this.handshake.greet())
      this.log(WARNING, `asked for hello, not welcomed: this node speaks protocol ${PROTOCOL}`);
  }

  private answer(what: number): void {
    const { handshake, node, reports } = this;
    if (what === REQUEST.hello) this.greet();
    else if (what === REQUEST.schema) reports.askSchema();
    else if (what === REQUEST.state) reports.askState();
    else if (what === REQUEST.selfTest) reports.askSelfTest();
    else if (what === REQUEST.statistics) reports.askStatistics();
    else if (what === REQUEST.configuration) reports.askConfiguration();
    else if (what === REQUEST.answers) this.answers.ask(node.labelled);
    else if (what === REQUEST.description) reports.askDescription();
    else if (what === REQUEST.features) reports.sendLesson();
    else if (what === REQUEST.checkpoint || what === REQUEST.copy) {
      reports.askCheckpoint(node.checkpoint(what === REQUEST.copy));
      handshake.announce();
    }
  }
}
