import { COUNTERS } from "../learn/learner.ts";
import { frozen } from "../memory/frozen.ts";
import type { CheckpointReader } from "../store/checkpoint-reader.ts";
import { putText } from "../wire/encoder.ts";
import { FORMATS_BY_ID } from "../wire/format.ts";
import { type Message, NAME } from "../wire/messages.ts";
import type { Lesson } from "./lesson.ts";
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
/** Seeds in message schema: one an id. */
const SEEDS = FORMATS_BY_ID.length;
const SELF_TEST = NAME["self-test"];
/** Words from this number on are those of the newest checkpoint as it lies in flash, header first. */
export const KEPT_WORDS = 0x80000000;

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

/** Reports that go up beside answers to labels: figures, hashes, raw samples, lines of text. */
export class Reports {
  readonly counts: StationCounts = { parts: 0, stale: 0, turn: 0 };
  private due = 0;
  /** Next element of a list that goes up in parts; beyond its end: no list goes up. */
  private nextSeed = Number.POSITIVE_INFINITY;
  /**
   * What the node says of itself, and the characters that are left to go up; -1: none, nor an end of none. XS allocates an object where it reads a
   * text's length or character, so that happens only on request.
   */
  description = "";
  private lettersLeft = -1;
  /** Hashes of the self-test that are left to go up. */
  private hashesLeft = 0;
  /** Features of the last labelled sample that are left to go up. */
  private featuresLeft = 0;
  /** The next word of memory that goes up, and the one behind the last. */
  private nextWord = 0;
  private endWord = 0;
  /** The checkpoint whose words go up; undefined: those of memory. */
  private kept: CheckpointReader | undefined;
  /** The outcome of the last requested checkpoint. */
  private saveStatus = 0;
  /** The starts of node and peer in which the peer asked for memory, those in which it asked for a rollback, and the rollback's outcome. */
  private askedIn = 0;
  private rolledBackIn = 0;
  private rollbackStatus = 0;
  private statisticsAt = 0;
  /** True if parts of a list are due. */
  private parts = false;

  constructor(
    private readonly wire: FramePort,
    private readonly node: SensorNode,
    private readonly clock: Clock,
    readonly schedule: ReportSchedule,
    private readonly engine: EngineFigures | undefined,
    private readonly selfTest: Uint32Array | undefined,
  ) {}

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

  /** The peer asks for words of memory, or of the newest checkpoint, in that start of node and peer. */
  askMemory(start: number, first: number, count: number): void {
    const { node } = this;
    this.askedIn = start;
    this.kept = first < KEPT_WORDS ? undefined : node.reader;
    this.nextWord = first % KEPT_WORDS;
    this.endWord = Math.min(this.nextWord + count, this.kept ? this.kept.words : node.words);
    if (first >= KEPT_WORDS && !this.kept?.begin(first === KEPT_WORDS)) this.endWord = 0;
    this.parts = true;
  }

  askConfiguration(): void {
    this.due |= DUE.configuration;
  }

  askSchema(): void {
    this.nextSeed = 0;
    this.parts = true;
  }

  askSelfTest(): void {
    this.hashesLeft = this.selfTest ? this.selfTest.length : 0;
    this.parts = true;
  }

  askDescription(): void {
    this.lettersLeft = this.description.length;
    this.parts = true;
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
    const { wire } = this;
    if (this.take(DUE.state, true)) this.sendState();
    if (this.take(DUE.configuration, true)) this.sendConfiguration();
    if (this.take(DUE.checkpoint, true)) this.sendCheckpoint();
    if (this.take(DUE.rollback, true)) this.sendRollback();
    while (this.nextSeed < SEEDS && wire.hasRoom(true)) this.sendSeeds();
    while (this.hashesLeft > 0 && wire.hasRoom(true)) this.sendHashes();
    while (this.lettersLeft >= 0 && wire.hasRoom(true)) this.sendLetters();
    if (this.featuresLeft > 0) this.sendFeatures(this.node.lesson as Lesson);
    if (this.take(DUE.statistics, false)) this.sendStatistics();
    if (this.take(DUE.learning, false)) this.sendLearning();
    if (this.take(DUE.losses, false)) this.sendLosses();
    while (this.nextWord < this.endWord && wire.hasRoom(false)) this.sendMemory();
    const isListing = this.nextSeed < SEEDS || this.hashesLeft > 0 || this.lettersLeft >= 0;
    this.parts = isListing || this.featuresLeft > 0 || this.nextWord < this.endWord;
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

  /** Sends the features of the last sample whose label was applied, as long as there is room, and the rest in later turns. */
  sendLesson(): void {
    const { lesson } = this.node;
    if (!lesson) return;
    this.featuresLeft = lesson.features.length;
    this.parts = true;
    this.sendFeatures(lesson);
  }

  private sendFeatures({ number, sid, seq, features }: Lesson): void {
    const { wire } = this;
    while (this.featuresLeft > 0 && wire.hasRoom(true)) {
      const message = wire.outgoing(NAME.features);
      message.boot = wire.outgoing(NAME.acknowledgement).boot;
      message.number = number;
      message.labelled = this.node.labelled;
      message.sid = sid;
      message.seq = seq;
      message.total = features.length;
      message.first = features.length - this.featuresLeft;
      message.length = copyPart(message.x, features, message.first);
      this.featuresLeft -= message.length;
      wire.send(NAME.features, true);
    }
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

  private sendSeeds(): void {
    const { wire } = this;
    const schema = wire.outgoing(NAME.schema);
    schema.first = this.nextSeed;
    schema.total = SEEDS;
    schema.length = Math.min(schema.seeds.length, SEEDS - this.nextSeed);
    for (let i = 0; i < schema.length; i++) schema.seeds[i] = FORMATS_BY_ID[this.nextSeed + i]?.seed ?? 0;
    this.nextSeed += schema.length;
    wire.send(NAME.schema, true);
  }

  private sendHashes(): void {
    const { wire } = this;
    const hashes = this.selfTest as Uint32Array;
    const message = wire.outgoing(SELF_TEST);
    const first = hashes.length - this.hashesLeft;
    message.first = first;
    message.total = hashes.length;
    message.length = copyPart(message.hashes, hashes, first);
    this.hashesLeft -= message.length;
    wire.send(SELF_TEST, true);
  }

  private sendLetters(): void {
    const { description, lettersLeft, wire } = this;
    const message = wire.outgoing(NAME.description);
    const { text } = message;
    message.total = description.length;
    message.first = message.total - lettersLeft;
    message.length = Math.min(text.length, lettersLeft);
    for (let i = 0; i < message.length; i++) text[i] = description.charCodeAt(message.first + i);
    this.lettersLeft = message.length < lettersLeft ? lettersLeft - message.length : -1;
    wire.send(NAME.description, true);
  }

  private sendMemory(): void {
    const { kept, node, wire, nextWord, endWord } = this;
    const memory = wire.outgoing(NAME.memory);
    const { words } = memory;
    memory.start = this.askedIn;
    if (kept) {
      this.sendKept(kept, memory);
      return;
    }
    memory.seq = node.seq;
    memory.labelled = node.labelled;
    memory.first = nextWord;
    memory.total = node.words;
    memory.length = Math.min(words.length, endWord - nextWord);
    for (let i = 0; i < memory.length; i++) words[i] = node.word(nextWord + i);
    this.nextWord += memory.length;
    wire.send(NAME.memory, false);
  }

  private sendKept(kept: CheckpointReader, memory: Message<"memory">): void {
    const { node, nextWord } = this;
    memory.seq = node.learner.range.state - node.range.state;
    memory.labelled = kept.generation;
    memory.first = KEPT_WORDS + nextWord;
    memory.total = kept.words;
    memory.length = kept.read(nextWord, memory.words, this.endWord - nextWord);
    this.nextWord += memory.length;
    if (memory.length > 0) this.wire.send(NAME.memory, false);
    else this.endWord = 0;
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

/** Copies list[first..] to `to`, as much as fits; returns how many. */
function copyPart(to: Float32Array | Uint32Array, list: ArrayLike<number>, first: number): number {
  const count = Math.min(to.length, list.length - first);
  for (let i = 0; i < count; i++) to[i] = list[first + i];
  return count;
}
