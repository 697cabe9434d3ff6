import { NODE_OPTIONS } from "../../src/node/node-options.ts";
import { LABEL_STATUS, type LabelStatus, REMARK } from "../../src/node/ports.ts";
import { FeatureParts } from "../../src/peer/features.ts";
import type { PeerOptions } from "../../src/peer/peer.ts";
import type { FedSample } from "../../src/peer/samples.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import type { Message } from "../../src/wire/messages.ts";
import { CurveRecorder } from "../scoring/curve.ts";
import type { LearnerResult, TogetherResult } from "../scoring/result.ts";
import { PowerCut, SimulatedFlash } from "./flash.ts";
import { Journal } from "./journal.ts";
import { LabelBook, type NewLabel } from "./label-book.ts";
import { labelTally } from "./label-tally.ts";
import { lineKeys } from "./line-keys.ts";
import type { MoteParts } from "./mote-parts.ts";
import { PowerSupply } from "./power.ts";
import { Remarks } from "./remarks.ts";
import type { Listener, SimulatedNode } from "./simulated-node.ts";
import { SimulatedSleepMemory } from "./sleep-memory.ts";
import type { NodeStream } from "./stream.ts";
import { exact, VirtualTime } from "./time.ts";
import { Wire } from "./wire.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** What becomes of a label, as nodes count it. */
const FINAL = ["applied", "expired", "session", "unknown", "refused", "range"] as const;

/**
 * A node in the network: its `Station` at one end of a simulated line, a `Peer` at the other, in virtual
 * time. Sample k of its stream, from 0, is taken after k + 1 periods. An end runs only when a frame has come,
 * or its schedule has something due.
 */
export class Mote {
  readonly stream: NodeStream;
  readonly node: SimulatedNode;
  /** Samples between a prediction and its label's use. */
  readonly lag: CurveRecorder;
  /** The samples and labels that the node received, if the run keeps them. */
  readonly journal: Journal | undefined;
  /** Samples that may be labelled: taken by the node, or recorded to feed it. */
  samples = 0;
  /** Samples that a model of the fleet judged. */
  private judged = 0;
  /** What the node remarked on its samples. */
  readonly remarks = new Remarks();
  private readonly time = new VirtualTime();
  private readonly book: LabelBook;
  private readonly wire: Wire;
  private readonly power: PowerSupply;
  private readonly fed: boolean;
  private readonly periodMs: number;
  private readonly turnMs: number;
  /** The recorded samples of a stream that is fed. */
  private readonly recorded: Float32Array[] = [];
  /** By recorded sample, from 1 at place 0: labels issued before it. */
  private readonly issuedBefore: number[] = [];
  /** True if an outage lasts: the node does nothing, hears nothing, and forgets nothing. */
  private asleep = false;
  /** True if the node is in deep sleep between two samples, and its sleep memory. */
  private sleepsDeeply = false;
  private readonly sleepMemory = new SimulatedSleepMemory();
  private starts = 0;
  /** How many labels the node answered with each of `FINAL`, and the fate that it had no power to say. */
  private readonly counted = FINAL.map(() => 0);
  private unanswered: LabelStatus | undefined;
  private pollAt = NEVER;
  private busyUntil = 0;
  private journalled = 0;
  private readonly features = new FeatureParts();
  /** The last label whose features came. */
  private taught = 0;
  private lost = 0;

  constructor(private readonly parts: MoteParts) {
    const { time } = this;
    const { stream, options, scenario, place, stride, maker, keepJournal } = parts;
    const { name, index } = place;
    const { link, node } = scenario;
    this.stream = stream;
    this.fed = node.fed;
    this.periodMs = exact(node.periodMs);
    this.turnMs = exact(node.turnMs);
    this.lag = new CurveRecorder(stride);
    this.book = new LabelBook(
      (due) => !this.fed || this.wire.peer.node.seq >= due,
      // Where the node has started again and not said so yet, its own position is the lower one.
      () =>
        keepJournal || !this.power.over ? 0 : Math.min(this.node.labelled, this.wire.peer.node.labelled),
      options.pending ?? NODE_OPTIONS.pending.default,
      parts.start?.labelled,
    );
    this.journal = keepJournal ? new Journal(stream.node, options, this.book) : undefined;
    const listener: Listener = {
      answered: (number, status) => this.answered(number, status as LabelStatus),
      predicted: (seq, decision) => {
        if (this.fed) parts.listener.predicted(seq, Math.fround(decision));
      },
      remarked: (seq, remarks) => this.remarks.take(seq, remarks, this.fed ? seq : this.taken + 1),
    };
    const samples = { at: (seq: number) => this.recordedSample(seq) };
    const keys = link.framing === "keyed" ? lineKeys(scenario.seed, name) : undefined;
    const on: PeerOptions["on"] = (what, message) => {
      if (what === "features") this.takeFeatures(message as Message<"features">);
    };
    const fed = this.fed ? samples : undefined;
    const peer = {
      id: index + 1,
      labels: this.book,
      samples: fed,
      ...(options.fleetBudget !== undefined && { on }),
      ...keys?.peer,
    };
    const bytes = maker.framing === "bytes" || link.framing !== "records";
    this.wire = new Wire({
      scenario,
      name,
      samples: stream.count,
      time,
      listener,
      bytes,
      peer,
    });
    const { uart } = this.wire;
    const flash = new SimulatedFlash(storeBytes(parts.kind.layout), scenario.seed);
    if (parts.start) flash.program(0, parts.start.image);
    this.power = new PowerSupply(scenario, name, stream.count, flash, time);
    const { sleepMemory } = this;
    const { sleep } = node;
    const around = { uart, flash, time, listener, makeKeyed: keys?.makeKeyed };
    const memory = parts.kind.nodeMemory();
    this.node = maker.make({ options, memory, fed: this.fed, ...around, sleep, sleepMemory });
    this.step();
  }

  /** Runs to the time of sample k; the node then sleeps, or wakes, as an outage has it. */
  advance(k: number, asleep = false): void {
    const until = (k + 1) * this.periodMs;
    const { node, time } = this;
    while (!node.stop) {
      const at = this.nextAt;
      if (at > until) break;
      if (at > time.now) time.now = at;
      this.step();
    }
    time.now = until;
    if (this.asleep && !asleep) this.schedule(until);
    this.asleep = asleep;
    if (k >= this.stream.count && this.sleepsDeeply) this.wake();
  }

  /** When something is due next. */
  private get nextAt(): number {
    const { up, down, peer } = this.wire;
    const pollAt = this.asleep ? NEVER : this.pollAt;
    return Math.min(this.power.nextAt, down.nextAt, pollAt, up.nextAt, peer.dueAt);
  }

  /** Runs whatever is due first. */
  private step(): void {
    const { power, wire, time } = this;
    const { now } = time;
    if (power.nextAt <= now) this.switch();
    else if (wire.down.nextAt <= now) this.arrive();
    else if (!this.asleep && this.pollAt <= now) this.turn();
    else if (wire.up.nextAt <= now) wire.deliverUp();
    else wire.peer.tick();
  }

  /** A frame reaches the node, if it listens. */
  private arrive(): void {
    const parcel = this.wire.down.take();
    if (!this.power.on || this.asleep || this.sleepsDeeply) return;
    this.wire.uart.arrive(parcel);
    this.schedule(this.time.now);
  }

  private schedule(at: number): void {
    if (this.power.on) this.pollAt = Math.min(this.pollAt, Math.max(at, this.busyUntil));
  }

  private turn(): void {
    const { node, time, wire } = this;
    this.pollAt = NEVER;
    this.busyUntil = time.now + this.turnMs;
    const more = this.untilPowerFails(() => this.node.poll());
    if (!this.power.on || node.stop) return;
    if (this.fed) this.keepFed();
    if (this.fallAsleep()) return;
    if (more || wire.uart.unread) this.schedule(this.busyUntil);
    else if (node.waiting) this.schedule(wire.uart.emptyAt);
    else this.schedule(node.dueAt);
  }

  /** What the node does, until its power fails within a save: then false. */
  private untilPowerFails(act: () => boolean): boolean {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof PowerCut)) throw error;
      this.unanswered = this.fateUnsaid();
      this.power.fail(true);
      this.switchOff();
      return false;
    }
  }

  /**
   * The fate of the label that the node had processed when its power failed in the save after it: the node may come back with that save, and then
   * never says it.
   */
  private fateUnsaid(): LabelStatus | undefined {
    const status = FINAL.find((name, i) => this.node.count(name) !== this.counted[i]);
    return status && LABEL_STATUS[status];
  }

  private count(): void {
    FINAL.forEach((name, i) => {
      this.counted[i] = this.node.count(name);
    });
  }

  private switch(): void {
    const what = this.power.step();
    if (what === "back") this.start();
    else if (what === "fails") this.switchOff();
  }

  private switchOff(): void {
    this.pollAt = NEVER;
    this.wire.uart.reset();
    this.sleepMemory.lose();
    this.sleepsDeeply = false;
  }

  /**
   * Lets the node sleep until its next sample, if it may. After the last it stays awake, for the labels still
   * to come.
   */
  private fallAsleep(): boolean {
    const { node, parts, stream, wire } = this;
    if (!parts.scenario.node.sleep || this.sampleNow + 1 >= stream.count) return false;
    if (!this.untilPowerFails(() => node.sleep?.() ?? false)) return false;
    this.sleepsDeeply = true;
    this.pollAt = NEVER;
    wire.uart.reset();
    return true;
  }

  /** The node starts again, from its sleep memory and flash. */
  private wake(): void {
    const { index, nodes } = this.parts.place;
    this.sleepsDeeply = false;
    this.node.start(index + nodes * this.starts++);
    this.busyUntil = this.time.now;
    this.schedule(this.time.now);
  }

  private start(): void {
    const { index, nodes } = this.parts.place;
    const { node, power, book, time } = this;
    this.remarks.forget();
    const restored = node.start(index + nodes * this.starts++);
    if (node.stop) return;
    power.tally[restored]++;
    book.goBackTo(node.labelled);
    if (this.unanswered !== undefined && book.isOpen(node.labelled))
      this.answered(node.labelled, this.unanswered);
    this.unanswered = undefined;
    this.count();
    this.journal?.began(node.sid, node.seq);
    this.journalled = node.seq;
    this.busyUntil = time.now;
    this.schedule(time.now);
  }

  /** True if the node can sample now. */
  get awake(): boolean {
    return this.power.on && !this.asleep && !this.node.stop;
  }

  /** Records a sample, which the peer then feeds. */
  record(readings: Float32Array): void {
    this.recorded.push(readings);
    this.issuedBefore.push(this.book.length);
    this.samples++;
    this.wire.peer.tick();
  }

  /** Has the node take a sample. Returns the prediction; NaN if there is none. */
  sample(readings: Float32Array): number {
    if (this.sleepsDeeply) this.wake();
    this.journal?.sampled(readings);
    if (this.node.judges) this.judged++;
    const decision = this.node.sample(readings);
    if (this.node.stop) return Number.NaN;
    this.samples++;
    if (!this.fallAsleep()) this.schedule(this.time.now);
    return decision;
  }

  /**
   * The number of its newest sample. It rises by one from sample to sample, those of the state from which the node started before it; the node's
   * own number goes back where its power failed.
   */
  get taken(): number {
    return (this.parts.start?.seq ?? 0) + this.samples;
  }

  private recordedSample(seq: number): FedSample | undefined {
    const x = this.recorded[seq - 1];
    return x && { x, after: this.issuedBefore[seq - 1] };
  }

  /** The stream's newest sample at this time. */
  private get sampleNow(): number {
    return Math.floor(this.time.now / this.periodMs) - 1;
  }

  /** Session and number of the newest sample that may be labelled. */
  get newest(): { readonly sid: number; readonly seq: number } {
    return this.fed ? { sid: this.parts.options.sid, seq: this.samples } : this.node;
  }

  private keepFed(): void {
    const { node, recorded, journal } = this;
    if (!journal) return;
    while (this.journalled < node.seq) journal.sampled(recorded[this.journalled++]);
  }

  /** True if the newest sample gets a label: always, unless the node asks for labels. */
  get wantsLabel(): boolean {
    return (
      this.parts.options.labelBudget === undefined || (this.remarks.on(this.node.seq) & REMARK.asked) !== 0
    );
  }

  /** The fusion centre hands a label over. */
  issue(label: NewLabel): void {
    this.book.issue(label, this.fed ? this.samples : this.node.seq);
    if (!this.node.stop) this.wire.peer.tick();
  }

  /** The gateway hands over a model, which the node judges by after the labels before. */
  install(model: Uint8Array): void {
    this.book.install(model);
    if (!this.node.stop) this.wire.peer.tick();
  }

  /** Models that it was sent, and what the node makes of them. */
  get installed(): Pick<TogetherResult, "models" | "judges" | "judged"> {
    const { book, judged, node, samples } = this;
    return { models: book.installs, judges: node.judges, judged: samples > 0 ? judged / samples : 0 };
  }

  /** After a power cut the node learns some labels again: their features were taken. */
  private takeFeatures(message: Message<"features">): void {
    const { book, features } = this;
    const number = features.take(message);
    if (number <= this.taught || !book.has(number)) return;
    this.taught = number;
    this.parts.listener.taught(book.y(number), features.x.slice());
  }

  /** Counts a label that will never be issued. */
  lose(): void {
    this.lost++;
  }

  private answered(number: number, status: LabelStatus): void {
    const { book } = this;
    if (!book.answered(number, status, this.node.seq, this.sampleNow)) return;
    const fate = FINAL.findIndex((name) => LABEL_STATUS[name] === status);
    if (fate >= 0) this.counted[fate]++;
    if (status === LABEL_STATUS.applied) this.lag.add(book.lag(number));
    if (book.countReceived(number) === 1) this.parts.listener.received(book.y(number));
  }

  /** True if every sample and every label has come through. */
  get idle(): boolean {
    const { node, power, book } = this;
    if (node.stop) return true;
    return (
      power.on && power.settled && node.labelled === book.length && (!this.fed || node.seq === this.samples)
    );
  }

  /** The labels' fates, and what happened on the line and to the power. */
  tallies(): Pick<LearnerResult, "labels" | "link" | "power"> {
    const { book, lost, node, parts, power, remarks, wire } = this;
    const labels = labelTally(node, book, { ...parts, lost, asked: remarks.asked });
    return { labels, link: wire.tally(), power: power.tally };
  }
}
