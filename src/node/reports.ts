import { COUNTERS } from "../learn/learner.ts";
import { frozen } from "../memory/frozen.ts";
import { putText } from "../wire/encoder.ts";
import { NAME } from "../wire/messages.ts";
import { copyPart, ListReports } from "./list-reports.ts";
import type { SensorNode } from "./node.ts";
import { NODE_COUNTERS } from "./node-counters.ts";
import { type Clock, type EngineFigures, type FramePort, REMARK_BYTE } from "./ports.ts";

/** Reports that are due are sent as soon as there is room; each has a bit. */
const DUE = frozen({
  statistics: 1,
  learning: 2,
  losses: 4,
  configuration: 8,
  state: 16,
  checkpoint: 32,
  rollback: 64,
} as const);
const STATISTICS = DUE.statistics | DUE.learning | DUE.losses;

/** Counters of a station besides its node's and its wire's. */
export interface StationCounts {
  /** Parts of samples that arrived out of turn. */
  parts: number;
  /** Labels and samples for another start; samples that arrived again or before their turn. */
  stale: number;
  /** Longest turn, milliseconds. */
  turn: number;
}

/** How often reports go up unasked; it may change while the node runs. */
export interface ReportSchedule {
  /** Samples, and milliseconds, between two reports of statistics; 0: never. */
  statisticsEvery: number;
  statisticsMs: number;
  /** True if predictions and raw samples are reported. */
  predictions: boolean;
  samples: boolean;
}

/** Reports that go up beside answers to labels: figures, hashes, raw samples, lines of text, and lists in parts. */
export class Reports extends ListReports {
  readonly counts: StationCounts = { parts: 0, stale: 0, turn: 0 };
  private due = 0;
  /** The outcome of the last requested checkpoint. */
  private saveStatus = 0;
  /** The starts of node and peer in which the peer asked for a rollback, and the rollback's outcome. */
  private rolledBackIn = 0;
  private rollbackStatus = 0;
  private statisticsAt = 0;

  constructor(
    wire: FramePort,
    node: SensorNode,
    private readonly clock: Clock,
    readonly schedule: ReportSchedule,
    private readonly engine: EngineFigures | undefined,
    selfTest: Uint32Array | undefined,
  ) {
    super(wire, node, selfTest);
  }

  askStatistics(): void {
    this.due |= STATISTICS;
  }

  askState(): void {
    this.due |= DUE.state;
  }

  /** A save succeeded or failed. */
  askCheckpoint(saved: boolean): void {
    this.saveStatus = this.node.saveStatus(saved);
    this.due |= DUE.checkpoint;
  }

  /** A rollback ended, in that start of node and peer. */
  askRollback(start: number, status: number): void {
    this.rolledBackIn = start;
    this.rollbackStatus = status;
    this.due |= DUE.rollback;
  }

  askConfiguration(): void {
    this.due |= DUE.configuration;
  }

  /** Takes the received configuration. */
  configure(): void {
    const { node, schedule } = this;
    const options = this.wire.incoming(NAME.configuration);
    const every = options.checkpointEvery;
    const most = node.options.checkpointEvery ?? 0; // 0: the peer decides
    // Less 1: so 0, for never, is more than any other.
    node.checkpointEvery = (every - 1) >>> 0 < (most - 1) >>> 0 ? every : most;
    schedule.statisticsEvery = options.statisticsEvery;
    schedule.statisticsMs = options.statisticsMs;
    schedule.predictions = options.predictions !== 0;
    schedule.samples = options.samples !== 0;
    this.due |= DUE.configuration;
  }

  /** The node predicted a sample: makes the reports due that follow from it. `start`: see `Handshake`. */
  sampled(readings: ArrayLike<number>, start: number): void {
    const { samples, statisticsEvery } = this.schedule;
    if (samples) this.sendSample(readings, start);
    if (statisticsEvery > 0 && this.node.seq % statisticsEvery === 0) this.due |= STATISTICS;
  }

  /** When a report becomes due; now or earlier if one is. */
  get dueAt(): number {
    const { statisticsMs } = this.schedule;
    if (this.due !== 0 || this.parts) return Number.NEGATIVE_INFINITY;
    return statisticsMs > 0 ? this.statisticsAt + statisticsMs : Number.POSITIVE_INFINITY;
  }

  /** One turn: sends the reports that are due, as long as there is room for any frame. */
  turn(now: number): void {
    const statisticsMs = this.schedule.statisticsMs;
    if (statisticsMs > 0 && now - this.statisticsAt >= statisticsMs) this.due |= STATISTICS;
    if (this.due !== 0 || this.parts) this.sendAll();
  }

  /** Most urgent first. */
  private sendAll(): void {
    if (this.take(DUE.state, true)) this.sendState();
    if (this.take(DUE.configuration, true)) this.sendConfiguration();
    if (this.take(DUE.checkpoint, true)) this.sendCheckpoint();
    if (this.take(DUE.rollback, true)) this.sendRollback();
    if (this.parts) this.sendLists();
    if (this.take(DUE.statistics, false)) this.sendStatistics();
    if (this.take(DUE.learning, false)) this.sendLearning();
    if (this.take(DUE.losses, false)) this.sendLosses();
    if (this.parts) this.sendWords();
  }

  /** True if a report is due and has room; it is due no longer then. */
  private take(bit: number, urgent: boolean): boolean {
    if ((this.due & bit) === 0 || !this.wire.hasRoom(urgent)) return false;
    this.due &= ~bit;
    return true;
  }

  /** Sends a prediction. */
  sendPrediction(seq: number, ts: number, decision: number, remarks: number): void {
    const { wire } = this;
    const prediction = wire.outgoing(NAME.prediction);
    prediction.sid = this.node.sid;
    prediction.seq = seq;
    prediction.ts = ts;
    prediction.dr = wire.dropped;
    prediction.decision = decision;
    prediction.remarks[0] = remarks & (REMARK_BYTE - 1);
    prediction.remarks[1] = remarks / REMARK_BYTE;
    prediction.length = remarks === 0 ? 0 : remarks < REMARK_BYTE ? 1 : 2;
    wire.send(NAME.prediction, false);
  }

  /** Sends a line of text. */
  sendLog(level: number, text: string): void {
    const { wire } = this;
    const log = wire.outgoing(NAME.log);
    log.ts = this.clock.now();
    log.dr = wire.dropped;
    log.level = level;
    log.length = putText(log.text, text);
    wire.send(NAME.log, false);
  }

  private sendSample(readings: ArrayLike<number>, start: number): void {
    const { node, wire } = this;
    const sample = wire.outgoing(NAME.sample);
    sample.start = start;
    sample.sid = node.sid;
    sample.seq = node.seq;
    sample.ts = this.clock.now();
    sample.total = readings.length;
    for (let first = 0; first < readings.length; first += sample.length) {
      sample.dr = wire.dropped;
      sample.first = first;
      sample.length = copyPart(sample.x, readings, first);
      if (!wire.send(NAME.sample, false)) return;
    }
  }

  private sendState(): void {
    const { node, wire } = this;
    const state = wire.outgoing(NAME.state);
    state.sid = node.sid;
    state.seq = node.seq;
    state.labelled = node.labelled;
    const learner = node.learner.stateHash();
    const whole = node.stateHash();
    state.learnerHigh = Number.parseInt(learner.slice(0, 8), 16);
    state.learnerLow = Number.parseInt(learner.slice(8), 16);
    state.nodeHigh = Number.parseInt(whole.slice(0, 8), 16);
    state.nodeLow = Number.parseInt(whole.slice(8), 16);
    wire.send(NAME.state, true);
  }

  private sendConfiguration(): void {
    const { schedule, wire } = this;
    const configuration = wire.outgoing(NAME.configuration);
    configuration.checkpointEvery = this.node.checkpointEvery;
    configuration.statisticsEvery = schedule.statisticsEvery;
    configuration.statisticsMs = schedule.statisticsMs;
    configuration.predictions = schedule.predictions ? 1 : 0;
    configuration.samples = schedule.samples ? 1 : 0;
    wire.send(NAME.configuration, true);
  }

  private sendCheckpoint(): void {
    const { node, wire } = this;
    const checkpoint = wire.outgoing(NAME.checkpoint);
    checkpoint.boot = wire.outgoing(NAME.acknowledgement).boot;
    checkpoint.status = this.saveStatus;
    checkpoint.waitMs = node.saveWaitMs;
    checkpoint.labelled = node.labelled;
    checkpoint.durable = node.durable;
    wire.send(NAME.checkpoint, true);
  }

  private sendRollback(): void {
    const { wire } = this;
    const rollback = wire.outgoing(NAME.rollback);
    rollback.start = this.rolledBackIn;
    rollback.status = this.rollbackStatus;
    wire.send(NAME.rollback, true);
  }

  private sendStatistics(): void {
    const { node, wire } = this;
    const statistics = wire.outgoing(NAME.statistics);
    statistics.sid = node.sid;
    statistics.seq = node.seq;
    statistics.ts = this.statisticsAt = this.clock.now();
    statistics.dr = wire.dropped;
    for (let i = 0; i < NODE_COUNTERS.length; i++) {
      statistics[NODE_COUNTERS[i]] = node.counted(i);
    }
    statistics.lag = node.lagMax;
    statistics.waiting = node.pending.waiting;
    statistics.size = node.learner.size;
    statistics.capacity = node.learner.capacity;
    statistics.error = node.errors > 0 ? node.errorSum / node.errors : 0;
    node.lagMax = node.errorSum = node.errors = 0;
    wire.send(NAME.statistics, false);
  }

  private sendLearning(): void {
    const { node, wire } = this;
    const learning = wire.outgoing(NAME.learning);
    learning.sid = node.sid;
    learning.seq = node.seq;
    learning.ts = this.clock.now();
    learning.dr = wire.dropped;
    for (let i = 0; i < COUNTERS.length; i++) learning[COUNTERS[i]] = node.learner.counted(i);
    learning.drifts = node.drifts;
    learning.shifts = node.shifts;
    wire.send(NAME.learning, false);
  }

  private sendLosses(): void {
    const { counts, wire } = this;
    const { thrown } = wire;
    const losses = wire.outgoing(NAME.losses);
    losses.sid = this.node.sid;
    losses.ts = this.clock.now();
    losses.dr = wire.dropped;
    losses.bytes = thrown.bytes;
    losses.wrongLength = thrown.wrongLength;
    losses.cobs = thrown.cobs;
    losses.crc = thrown.crc;
    losses.forged = thrown.forged;
    losses.unknown = thrown.unknown;
    losses.part = counts.parts;
    losses.stale = (counts.stale + thrown.stale) >>> 0;
    losses.slots = this.engine?.slots() ?? 0;
    losses.chunks = this.engine?.chunks() ?? 0;
    losses.turn = counts.turn;
    wire.send(NAME.losses, false);
  }
}
