import { decidedClass, type Task } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { LABEL_STATUS, REMARK } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import { ROLLBACK_STATUS } from "../../src/node/requests.ts";
import { Peer } from "../../src/peer/peer.ts";
import { SAVE_STATUS } from "../../src/store/checkpoint-store.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { NodeView } from "../../tools/monitor/node-view.ts";
import type { NodeEvent } from "../../tools/monitor/status.ts";
import { SampleParts } from "../../tools/record/sample-parts.ts";
import { Askers, confirming, Turns } from "../../tools/session/askers.ts";
import { type Hello, readHello } from "../../tools/session/hello.ts";
import { PASSING } from "../../tools/session/label-status.ts";
import { type Configuration, hearing, type Received } from "../../tools/session/session-options.ts";
import { SteadyClass } from "../alarms/current-class.ts";
import type { Around, Labeller, LiveRow, Neighbour, NodeHistory, Question } from "../api/api.ts";
import type { Command } from "../api/command-request.ts";
import { configuredText } from "../api/configured.ts";
import type { NodeState } from "../api/node-state.ts";
import { PendingRequests } from "../api/pending-requests.ts";
import { BoardRecord } from "./board-record.ts";
import { LabelQueue } from "./label-queue.ts";
import { type Answer, Listeners, type Source, type SourceEvents } from "./source.ts";
import { SerialLine, type WebPort } from "./web-serial.ts";

/** The name under which the page knows the board. */
export const BOARD = "board";
const NO_BOARD = "no board is connected";
const TICK_MS = 20;
const SHOW_MS = 100;
const STATES_MS = 1000;
const ANSWER_MS = 15_000;
const ASK_MS = 1000;
const STATISTICS_MS = 1000;

/** A board at this computer: the page is its peer, and keeps its messages while it is open. */
export class SerialSource implements Source {
  states: readonly NodeState[] | undefined;
  lost: string | undefined = NO_BOARD;
  readonly labellerName = "free";
  readonly mayOperate = true;
  streaming = false;
  private readonly listeners = new Listeners();
  private readonly taught = new LabelQueue();
  private readonly asked = new PendingRequests();
  private readonly parts = new SampleParts();
  private readonly record = new BoardRecord();
  private fresh = new Map<number, LiveRow>();
  private readonly when: NodeState["when"] = {};
  private readonly view = new NodeView((happening) => this.happened(happening));
  private readonly askers = new Askers();
  private readonly changes = new Turns();
  private readonly steady = new SteadyClass();
  private heard: Hello | undefined;
  private hello: Hello | undefined;
  private line: SerialLine | undefined;
  private peer: Peer | undefined;
  private askedAt = 0;
  private timers: ReturnType<typeof setInterval>[] = [];

  now(): number {
    return Date.now();
  }

  on(listener: SourceEvents): () => void {
    return this.listeners.add(listener);
  }

  watch(): void {}

  /** Talks to the board at that port from now on. Rejects if the port can't be opened. */
  async connect(port: WebPort, baudRate: number, key: Uint8Array | undefined): Promise<void> {
    const line = new SerialLine(
      port,
      baudRate,
      (bytes) => this.receive(bytes),
      (why) => this.lineChanged(why),
    );
    const word = () => crypto.getRandomValues(new Uint32Array(1))[0];
    this.peer = new Peer({
      write: (bytes) => line.write(bytes),
      id: word() || 1,
      key,
      random: word,
      now: () => performance.now(),
      on: hearing((...received) => this.take(...received)),
      labels: this.taught,
    });
    await this.line?.close();
    this.line = line;
    await line.start();
    if (this.timers.length > 0) return;
    this.timers = [
      setInterval(() => this.tick(), TICK_MS),
      setInterval(() => this.show(), SHOW_MS),
      setInterval(() => this.reportState(), STATES_MS),
    ];
  }

  /** Leaves the node to other programs at once. */
  leave(): void {
    this.peer?.leave();
  }

  /** Leaves the node and the port to other programs. */
  async release(): Promise<void> {
    this.leave();
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    await this.line?.close();
    this.line = undefined;
    this.peer = undefined;
    this.states = undefined;
    this.lost = NO_BOARD;
    this.streaming = false;
    this.listeners.emit("states");
  }

  async history(node: string, from: number, to: number, points: number): Promise<NodeHistory> {
    return this.record.history(node, from, to, points);
  }

  async questions(): Promise<readonly Question[]> {
    return this.hello ? this.record.questions(this.hello, this.sid) : [];
  }

  async around(_: string, sid: number, seq: number): Promise<Around> {
    return this.record.around({ sid, seq });
  }

  async near(_: string, sid: number, seq: number): Promise<readonly Neighbour[]> {
    return this.record.near({ sid, seq });
  }

  async labellers(): Promise<readonly Labeller[]> {
    return this.record.labellers(this.task);
  }

  async label(node: string, { sid, seq, label: y, by }: Answer): Promise<string | undefined> {
    const { record } = this;
    const i = record.rows.find(sid, seq);
    if (i < 0) return `no prediction of sample ${seq} in session ${sid}`;
    if (record.labelAt({ sid, seq })) return "the sample has a label";
    this.taught.give({ sid, seq, y });
    this.asked.labelled(sid, seq);
    const [sampled, , , decision] = record.rows.row(i);
    const label = { node, time: Date.now(), sid, seq, y, by, sampled, decision };
    record.addLabel(label);
    this.listeners.emit("label", label);
    return undefined;
  }

  async command(_node: string, { do: what, checkpointEvery, statisticsMs }: Command): Promise<string> {
    if (what === "configure") {
      const change = clean({ checkpointEvery, statisticsMs });
      return configuredText(change, (await this.configure(change)).checkpointEvery);
    }
    if (what === "checkpoint") {
      const { status, waitMs, durable } = await this.ask("checkpoint", () =>
        this.peer?.request("checkpoint"),
      );
      if (status === SAVE_STATUS.kept) return `a checkpoint holds label ${durable}`;
      if (status === SAVE_STATUS.early)
        return `the node spares its flash: it keeps the next checkpoint in ${Math.ceil(waitMs / 1000)} s`;
      throw new Error("the node keeps no checkpoint");
    }
    const { boot } = this.hello ?? {};
    const { status } = await this.ask("rollback", () => this.peer?.rollback(boot));
    if (status === ROLLBACK_STATUS.none)
      throw new Error("the node holds no checkpoint before its newest; nothing was changed");
    return "the node starts with the checkpoint before its newest";
  }

  async configuration() {
    return this.ask("configuration", () => this.peer?.request("configuration"));
  }

  /** Changes some options; resolves with all, as the node has them. */
  private configure(change: Partial<Configuration>): Promise<Configuration> {
    return this.changes.take(async () => {
      const { length: _, ...now } = await this.configuration();
      const wanted = { ...now, ...change };
      return this.ask("configuration", () => this.peer?.configure(wanted), confirming(wanted));
    });
  }

  private get sid(): number | undefined {
    return this.peer?.met ? this.peer.node.sid : undefined;
  }

  private get task(): Task | undefined {
    return this.hello && familyNamed(this.hello.learner)?.task;
  }

  /** Asks until such a message comes, by `act`, which returns how that is withdrawn. The answer is a copy. */
  private ask<N extends UpName>(
    name: N,
    act: () => (() => void) | undefined,
    isAnswer: (message: Message<N>) => boolean = () => true,
  ): Promise<Message<N>> {
    return new Promise((resolve, reject) => {
      if (!this.hello || !this.line?.open) return reject(new Error("there is no connection to the node"));
      let withdraw = act();
      const again = setInterval(() => {
        withdraw = act();
      }, ASK_MS);
      const over = setTimeout(() => {
        leave();
        reject(new Error("the node hasn't answered"));
      }, ANSWER_MS);
      const leaveAskers = this.askers.add(name, (message) => {
        if (!isAnswer(message)) return;
        leave();
        resolve({ ...message });
      });
      const leave = () => {
        clearInterval(again);
        clearTimeout(over);
        leaveAskers();
        withdraw?.();
      };
    });
  }

  private receive(bytes: Uint8Array): void {
    this.peer?.receive(bytes);
    this.tick();
  }

  private tick(): void {
    this.peer?.tick();
    this.takeStart();
    const now = performance.now();
    if (!this.hello || now - this.askedAt < ASK_MS) return;
    this.askedAt = now;
    for (const what of this.view.lacks) this.peer?.request(what);
  }

  /** Takes over a hello once the peer did. */
  private takeStart(): void {
    const { peer, heard } = this;
    if (!peer?.met || !heard || heard.boot !== peer.node.boot || heard.boot === this.hello?.boot) return;
    if (this.hello) {
      this.when.started = Date.now();
      this.addEvent("restarted", `after sample ${heard.seq}, label ${heard.labelled}`);
    }
    this.hello = heard;
    this.view.start(heard);
    this.configure({ statisticsMs: STATISTICS_MS, samples: 1, predictions: 1 }).catch(() => {});
  }

  private take(...received: Received): void {
    const [name, message] = received;
    this.when.heard = Date.now();
    if (name === "hello") this.heard = readHello(message);
    this.view.take(name, message);
    if (name === "sample") this.takeSample(message);
    if (name === "prediction") this.takePrediction(message);
    if (name === "acknowledgement") this.takeAnswer(message);
    this.askers.take(...received);
  }

  private takeSample(message: Message<"sample">): void {
    const x = this.parts.take(message);
    if (x) this.sampleRow(message.sid, message.seq)[5] = Array.from(x);
  }

  private takePrediction({ sid, seq, decision, remarks, length }: Message<"prediction">): void {
    const said = length > 0 ? remarks[0] : 0;
    const row = this.sampleRow(sid, seq);
    row[3] = Number.isFinite(decision) ? decision : null;
    row[4] = said;
    if (length > 1) row[6] = halfWidth(remarks[1]);
    const { task } = this;
    const decided = task && this.view.hasLearned ? decidedClass(task, decision) : Number.NaN;
    if (!Number.isNaN(decided)) this.steady.decided(decided, Date.now());
    const pending = this.hello?.pending ?? 0;
    if (said & REMARK.asked) this.asked.add(sid, seq, pending);
    else this.asked.prune(seq, pending);
    if (said & (REMARK.drift | REMARK.shift)) this.when.drifted = Date.now();
  }

  private takeAnswer({ boot, number, status }: Message<"acknowledgement">): void {
    const label = this.taught.at(number);
    if (!label || boot !== this.hello?.boot || PASSING.includes(status)) return;
    if (status !== LABEL_STATUS.applied) this.when.lost = Date.now();
    const { sid, seq } = label;
    const placed = this.record.labelAt(label);
    if (placed) placed.status = status;
    this.listeners.emit("answer", { node: BOARD, sid, seq, status });
  }

  private sampleRow(sid: number, seq: number): LiveRow {
    const known = this.fresh.get(seq);
    if (known) return known;
    const row: LiveRow = [Date.now(), sid, seq, null, -1, null];
    this.fresh.set(seq, row);
    return row;
  }

  private show(): void {
    if (this.fresh.size === 0) return;
    const rows = [...this.fresh.values()];
    this.fresh = new Map();
    for (const row of rows) this.record.rows.push(row);
    this.listeners.emit("rows", BOARD, rows);
  }

  private reportState(): void {
    const { line, peer, hello, view, asked, taught, when, task } = this;
    if (!line || !peer) return;
    const { bytes: damagedBytes, wrongLength, cobs, crc, unknown, forged } = peer.thrown;
    const damaged = wrongLength + cobs + crc + unknown;
    const { open, losses, bytes } = line;
    const trouble = this.trouble(peer);
    const state: NodeState = {
      ...{ name: BOARD, port: "Web Serial", connected: hello !== undefined && open && !trouble },
      ...{ waiting: taught.waiting, asking: asked.count, when: { ...when } },
      ...(task && { task }),
      ...(this.steady.value && { current: this.steady.value }),
      ...(trouble && { trouble }),
      ...view.status({ open, losses, bytes, damaged, damagedBytes, forged }),
    };
    this.states = [state];
    this.listeners.emit("states");
  }

  private trouble({ otherProtocol, holder, thrown, met }: Peer): string | undefined {
    if (this.lost) return this.lost;
    if (otherProtocol !== undefined) return `the node speaks protocol ${otherProtocol}; flash it again`;
    if (holder !== undefined) return "another program holds the node; end it";
    return !met && thrown.forged > 0 ? "the node is keyed, and the key isn't its" : undefined;
  }

  private lineChanged(why: string | undefined): void {
    this.lost = why;
    this.streaming = why === undefined;
    this.addEvent(why === undefined ? "opened" : "lost", why ?? "the port is open");
    this.reportState();
  }

  private happened(happening: NodeEvent): void {
    if (happening.type === "log") this.addEvent("log", happening.text);
    if (happening.type === "drift") this.addEvent("drift", `by ${happening.by}, at sample ${happening.seq}`);
    if (happening.type === "reset") this.addEvent("reset", `${happening.reason} ${happening.text}`.trim());
    if (happening.type === "start")
      this.addEvent(
        "start",
        `${happening.node.learner} on ${happening.node.firmware}, ${happening.node.restore}`,
      );
  }

  private addEvent(kind: string, text: string): void {
    const event = { node: BOARD, time: Date.now(), kind, text };
    this.record.addEvent(event);
    this.listeners.emit("event", event);
  }
}

/** Without what isn't given. */
function clean<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
