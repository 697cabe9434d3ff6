import { noteWords } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { ANSWERS } from "../../src/node/answers.ts";
import { LABEL_STATUS, type Label, type LabelStatus, REMARK, REMARK_BYTE } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import type { LabelSource } from "../../src/peer/labels.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { NodeView } from "../monitor/node-view.ts";
import { type Happening, linkStatus, type Status } from "../monitor/status.ts";
import type { Address } from "../ports/address.ts";
import { NodeAbsent } from "../ports/mqtt.ts";
import { SampleParts } from "../record/sample-parts.ts";
import { type Hello, resetText } from "../session/hello.ts";
import { type Configuration, Interrupted, Session } from "../session/session.ts";
import { Asked } from "./asked.ts";
import type { SharedLabels } from "./cluster/shared-labels.ts";
import { type Command, configurationOf, perform } from "./command.ts";
import { CopyTaker } from "./copy.ts";
import type { Channel, FleetNode } from "./fleet.ts";
import { Forgeries } from "./forgeries.ts";
import type { Reach } from "./intake/desk.ts";
import type { Live } from "./live.ts";
import type { Level, Log } from "./log.ts";
import type { Outages } from "./outages.ts";
import type { FleetStore } from "./store/fleet-store.ts";
import type { GivenLabel } from "./store/label-rows.ts";

const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 30_000;
const ASK_MS = 1000;
/** Seconds in which it asks for missing answers: a node that started since it gave them doesn't know them. */
const ASKS_MAX = 30;
/**
 * Milliseconds between two statistics of a node, for each node of the fleet, as with the states for pages.
 */
const STATISTICS_MS = 1000;
const STATISTICS_MS_PER_NODE = 10;
/** A slow tick suffices, since urgent work runs at once; with a thousand nodes each tick costs. */
const TICK_MS = 100;

/** A node's known status. */
export interface NodeState extends Partial<Status> {
  readonly name: string;
  readonly port: string;
  readonly connected: boolean;
  /** Labels that aren't in a checkpoint yet. */
  readonly waiting: number;
  /** Samples for which it asks labels, and which it still keeps. */
  readonly asking: number;
  /** The kind of its decisions; undefined until it was met. */
  readonly task?: string;
  /** The names of its readings in the fleet file. */
  readonly channelNames?: readonly Channel[];
  /**
   * When it last was heard, started, raised a drift alarm, or couldn't use a label; milliseconds since
   * 1970-01-01 UTC.
   */
  readonly when: When;
  /** Why there is no connection, or nothing can be taught; undefined: no problem. */
  readonly trouble?: string;
}

/** When copies of nodes' memories are made. */
export interface Copying {
  /** Milliseconds between two of one node; undefined: only those asked for. */
  readonly everyMs?: number;
  readonly kept: number;
  /** Automatic copies in progress, over all nodes. */
  running: number;
}

/** Most concurrent copies, so that the fleet's nodes continue. */
const COPIES_AT_ONCE = 4;
const COPY_LOOK_MS = 60_000;

type When = { heard?: number; started?: number; drifted?: number; lost?: number };

/** Answers that mean a lost label: the node learned nothing from it. */
const LOST: readonly number[] = [
  LABEL_STATUS.expired,
  LABEL_STATUS.session,
  LABEL_STATUS.unknown,
  LABEL_STATUS.refused,
  LABEL_STATUS.range,
  LABEL_STATUS.forged,
];

/** Answers that aren't final: the label isn't processed yet, or was before. */
const PASSING: readonly number[] = [LABEL_STATUS.duplicate, LABEL_STATUS.held, LABEL_STATUS.ahead];

/** Keeps one node: its line, its view, its labels until they are durable, its records. It never gives up. */
export class NodeKeeper implements LabelSource {
  private session: Session | undefined;
  private readonly view: NodeView;
  private readonly parts = new SampleParts();
  private readonly labels = new Map<number, Label>();
  private readonly tag: LabelTag | undefined;
  private trouble: string | undefined;
  private closed = false;
  private wake = () => {};
  private retryMs = RETRY_MIN_MS;
  private askedAt = Number.NEGATIVE_INFINITY;
  /** The last label up to which no answer is missing, or none will come; and how often it asked for those after it. */
  private answeredTo = 0;
  private asks = 0;
  private configured = 0;
  /** The node's last start that was met. */
  private boot: number | undefined;
  private readonly asked = new Asked();
  private readonly forgeries = new Forgeries((text) => this.tell("warn", "forgery", text));
  private lastHello: Hello | undefined;
  private reached: Reach | undefined;
  /** The last sample whose prediction came. */
  private predicted: Reach | undefined;
  /** Whether its learner depends on which labels came before which sample: then that is kept. */
  private takesNotes = false;
  /** Called for each start that was met. */
  onStart = () => {};
  private readonly when: When = {};
  private readonly copier = new CopyTaker();
  private copyLookedAt = Number.NEGATIVE_INFINITY;
  /** The last label of a copy that is being restored, if the node is behind it: the copy counts other labels than the store. */
  private ahead: number | undefined;

  constructor(
    private readonly node: FleetNode,
    private readonly store: FleetStore,
    private readonly log: Log,
    private readonly live: Live,
    private readonly copying: Copying,
    /** Its labels, where gateways share the fleet. */
    private readonly shared?: SharedLabels,
    /** Nodes of its fleet. */
    private readonly nodes = 1,
    /** The outages of the fleet's brokers; default: it logs each loss of its line. */
    private readonly outages?: Outages,
  ) {
    this.tag = node.labelKey && new LabelTag(node.labelKey);
    this.view = new NodeView((happening) => this.happened(happening));
  }

  get name(): string {
    return this.node.name;
  }

  /** The node's session of samples; undefined until it was met. */
  get sid(): number | undefined {
    return this.session?.hello && this.session.peer.node.sid;
  }

  /** Whether the node is met and can be taught. */
  get connected(): boolean {
    const { session, trouble } = this;
    return session?.hello !== undefined && session.port.open && trouble === undefined;
  }

  /** Its last hello; undefined until it was met. */
  get hello(): Hello | undefined {
    return this.lastHello;
  }

  /** How far it was when it was heard last; undefined until it was met. */
  get reach(): Reach | undefined {
    const { session } = this;
    if (session?.hello) this.reached = { sid: session.peer.node.sid, seq: session.peer.node.seq };
    return this.reached;
  }

  get state(): NodeState {
    const { session, trouble } = this;
    const { name, port, channels: channelNames } = this.node;
    const task = session?.hello && familyNamed(session.hello.learner)?.task;
    const told = {
      asking: this.asked.count,
      when: this.when,
      ...(task && { task }),
      ...(channelNames && { channelNames }),
    };
    const { connected } = this;
    const status = session && this.view.status(linkStatus(session.port, session.peer.thrown));
    return {
      name,
      port,
      connected,
      waiting: this.labels.size,
      ...told,
      ...(trouble && { trouble }),
      ...status,
    };
  }

  /**
   * Talks to the node until `close`; logs the end of a session, and opens another.
   * @param address the node's actual address, if not its port's.
   */
  async run(address?: Address): Promise<void> {
    while (!this.closed) {
      try {
        await this.talk(address);
      } catch (error) {
        if (!(error instanceof Interrupted)) this.fail(error as Error);
      }
      this.reached = this.reach;
      await this.session?.close();
      this.session = undefined;
      if (!this.closed) await this.pause();
    }
  }

  /** Logs once why there is no session. */
  private fail(error: Error): void {
    const { message } = error;
    const said = this.broke(error);
    if (message !== this.trouble) this.tell("warn", "lost", message, said);
    this.trouble = message;
  }

  /** Where its port is at a broker; undefined: it isn't. */
  private get broker(): string | undefined {
    return /^mqtts?:\/\/[^/]+/.exec(this.node.port)?.[0];
  }

  /** Its line is lost. Returns whether a line about its broker says it. */
  private broke({ message, cause }: Error): boolean {
    const { broker, node, outages } = this;
    if (broker === undefined || !outages) return false;
    const why = cause instanceof NodeAbsent ? undefined : message.replace(`${node.port}: `, "");
    return outages.lost(broker, this.name, why);
  }

  /** Its line is open. Returns whether a line about its broker says it. */
  private mended(): boolean {
    const { broker, outages } = this;
    return broker !== undefined && (outages?.back(broker, this.name) ?? false);
  }

  /**
   * Sends the node a command; resolves with the outcome in words. The trail records both. Rejects if nothing
   * happened.
   */
  async command(command: Command): Promise<string> {
    const text = await this.outcome(command);
    this.tell("info", command.do, command.by ? `${text}, for ${command.by}` : text);
    return text;
  }

  private outcome(command: Command): Promise<string> {
    if (command.do === "copy") return this.copy();
    if (command.do === "restore") return this.restoreCopy(command.copy ?? 0);
    return perform(this.open, command.do, command);
  }

  /** Has the node resume from that copy. */
  private async restoreCopy(id: number): Promise<string> {
    const copied = this.store.copyOf(this.name, id);
    if (!copied) throw new Error("there is no such copy any more");
    const session = this.open;
    this.ahead = copied.labelled > session.peer.node.labelled ? copied.labelled : undefined;
    try {
      const { seq, labelled, sid } = await this.copier.restore(session, copied);
      const when = new Date(copied.time).toISOString();
      return `resumes from the copy of ${when}: after sample ${seq} and label ${labelled}, in session ${sid}`;
    } finally {
      this.ahead = undefined;
    }
  }

  /** Keeps a copy of the node's memory. */
  private async copy(): Promise<string> {
    const copied = await this.copier.copy(this.open, this.node.options);
    this.store.copy(this.name, copied, this.copying.kept);
    return `kept a copy after sample ${copied.seq}, label ${copied.labelled}`;
  }

  /** Makes a copy if one is due. */
  private copyIfDue(now: number): void {
    const { copying, copier, store } = this;
    const { everyMs } = copying;
    if (everyMs === undefined || copier.busy || now - this.copyLookedAt < Math.min(COPY_LOOK_MS, everyMs))
      return;
    if (copying.running >= COPIES_AT_ONCE) return;
    this.copyLookedAt = now;
    if (store.sinceCopy(this.name) < everyMs) return;
    copying.running++;
    this.copy()
      .then(
        (text) => this.tell("debug", "copy", text),
        (error) =>
          error instanceof Interrupted || this.tell("warn", "copy", `no copy: ${(error as Error).message}`),
      )
      .finally(() => copying.running--);
  }

  /** The options that may change while the node runs. */
  async configuration(): Promise<Configuration> {
    return configurationOf(this.open);
  }

  /** The session, if the node can answer. Throws an Error otherwise. */
  private get open(): Session {
    const { session } = this;
    if (!session?.hello || !session.port.open) throw new Error("there is no connection to the node");
    return session;
  }

  /** Closes it after all written bytes have left. */
  close(): void {
    this.closed = true;
    this.session?.interrupt();
    this.wake();
  }

  /** Another gateway has the node. */
  park(why: string): this {
    this.trouble = why;
    return this;
  }

  /** Why it takes no label now; undefined: it takes labels. */
  get full(): string | undefined {
    return this.shared?.full ? "too many labels wait for the node; try again when it took some" : undefined;
  }

  /** Labels are on disk: sends them, in a cluster once its log has them. Rejects with NodeGone. */
  committed(): Promise<void> | undefined {
    const { shared } = this;
    if (shared) return shared.write(() => this.labelled).then(() => this.teachNow());
    this.teachNow();
    return undefined;
  }

  private teachNow(): void {
    this.teach();
    this.session?.hasten();
  }

  /** The node's last known position; undefined until it was met. */
  private get labelled(): number | undefined {
    return this.session?.hello && this.session.peer.node.labelled;
  }

  /** Takes a label; it is on disk once the store commits, and `committed` then sends it. */
  give(label: GivenLabel): void {
    this.store.labels.add(this.name, label);
    this.asked.labelled(label.sid, label.seq);
    const { sid, seq, y, by } = label;
    this.live.label({ node: this.name, time: Date.now(), sid, seq, y, by });
    // Also while the line is cut: it may come back without a restart of the node, and then nothing else numbers the label.
    const { labelled, shared } = this;
    if (labelled !== undefined && !shared) this.store.labels.number(this.name, labelled);
  }

  /** Sends what the store has committed. */
  private teach(): void {
    if (this.shared?.renumbering) return;
    for (const { number, sid, seq, y, source, confidence } of this.store.labels.waiting(this.name)) {
      if (!this.labels.has(number))
        this.labels.set(number, this.tagged({ number, sid, seq, y, source, confidence }));
    }
  }

  at(number: number): Label | undefined {
    return this.labels.get(number);
  }

  durable(number: number): void {
    this.store.labels.durable(this.name, number);
    for (const held of this.labels.keys()) if (held <= number) this.labels.delete(held);
  }

  /** The node reports its position. If it lost its checkpoint, labels that aren't durable get new numbers. */
  restart(labelled: number): void {
    const { store, name, shared } = this;
    this.labels.clear();
    this.answeredTo = this.asks = 0;
    if (labelled < store.labels.durableOf(name) || labelled === this.ahead) {
      if (labelled !== this.ahead)
        this.tell(
          "warn",
          "state-lost",
          `resumes after label ${labelled}, and had ${store.labels.durableOf(name)} in a checkpoint`,
        );
      if (shared) shared.renumber(labelled);
      else {
        store.labels.renumber(name, labelled);
        store.labels.settle(name, labelled);
      }
    } else {
      store.labels.unanswer(name, labelled);
      if (!shared) store.labels.number(name, labelled);
    }
    store.commitLabels();
    if (!shared) this.teach();
    else {
      const reached = () => Math.max(labelled, this.labelled ?? 0);
      // If another gateway took the node, that one teaches it.
      shared.write(reached).then(
        () => this.teach(),
        () => {},
      );
    }
  }

  /** Logs the outcome of labels from elsewhere. */
  say(event: string, text: string): void {
    this.tell("warn", event, text);
  }

  private async talk(address: Address | undefined): Promise<void> {
    const { port, baud, key } = this.node;
    this.session = await Session.open({
      port,
      address,
      serial: { baud, reset: false },
      giveUp: 0,
      tickMs: TICK_MS,
      key,
      labels: this,
      events: {
        started: (hello) => this.started(hello),
        message: (name, message) => this.take(name, message),
        lost: (error) => this.obstructed("lost", error.message, this.broke(error)),
        reopened: () => this.obstructed("reopened", undefined, this.mended()),
        obstructed: (why) => this.obstructed("obstructed", why),
      },
    });
    this.trouble = undefined;
    this.mended();
    await this.session.until(() => this.turn());
  }

  private turn(): boolean {
    const { session, view } = this;
    const now = performance.now();
    if (session?.hello && session.port.open && now - this.askedAt >= ASK_MS) {
      this.askedAt = now;
      this.forgeries.counted("received", session.peer.thrown.forged);
      for (const what of view.lacks) session.peer.request(what);
      this.askForAnswers(session);
      this.copyIfDue(now);
    }
    return this.closed;
  }

  /** Asks the node for answers that were lost on their way, or with a gateway before they were on disk. */
  private askForAnswers({ peer }: Session): void {
    const { labelled } = peer.node;
    if (labelled === this.answeredTo || peer.ungrantedSince !== undefined) return;
    const from = Math.max(this.answeredTo, labelled - ANSWERS);
    if (this.store.labels.lacksAnswer(this.name, from, labelled) && ++this.asks <= ASKS_MAX)
      peer.request("answers");
    else {
      this.answeredTo = labelled;
      this.asks = 0;
    }
  }

  private started(hello: Hello): void {
    this.retryMs = RETRY_MIN_MS;
    if (this.boot !== undefined && hello.boot !== this.boot) {
      this.when.started = Date.now();
      this.tell("info", "restarted", `after sample ${hello.seq}, label ${hello.labelled}`);
    }
    this.boot = hello.boot;
    this.lastHello = hello;
    this.predicted = undefined;
    this.takesNotes = takesNotes(hello);
    this.onStart();
    this.view.start(hello);
    const starts = ++this.configured;
    this.session
      ?.configure({ statisticsMs: Math.max(STATISTICS_MS, STATISTICS_MS_PER_NODE * this.nodes), samples: 1 })
      .catch(
        (error) => starts === this.configured && this.tell("debug", "configure", (error as Error).message),
      );
  }

  private take<N extends UpName>(name: N, message: Message<N>): void {
    this.view.take(name, message);
    const { store, node, live } = this;
    this.when.heard = Date.now();
    if (name === "sample") {
      const { sid, seq } = message as unknown as Message<"sample">;
      const x = this.parts.take(message as unknown as Message<"sample">);
      if (!x) return;
      store.sample(node.name, sid, seq, x);
      live.sample(node.name, sid, seq, x);
    } else if (name === "prediction") {
      const { sid, seq, decision, remarks, length } = message as unknown as Message<"prediction">;
      const said = length > 0 ? remarks[0] : 0;
      const half = length > 1 ? remarks[1] : 0;
      store.prediction(node.name, sid, seq, decision, said + REMARK_BYTE * half);
      live.prediction(node.name, sid, seq, decision, said, half > 0 ? halfWidth(half) : undefined);
      this.predicted = { sid, seq };
      this.noteRemarks(sid, seq, said);
    } else if (name === "acknowledgement") this.answered(message as unknown as Message<"acknowledgement">);
    else if (name === "memory") this.copier.take(message as unknown as Message<"memory">);
    else if (name === "statistics")
      this.forgeries.counted("labels", (message as unknown as Message<"statistics">).forged);
    else if (name === "losses")
      this.forgeries.counted("sent", (message as unknown as Message<"losses">).forged);
  }

  private noteRemarks(sid: number, seq: number, said: number): void {
    const pending = this.session?.hello?.pending ?? 0;
    if (said & REMARK.asked) this.asked.add(sid, seq, pending);
    else this.asked.prune(seq, pending);
    if (said & (REMARK.drift | REMARK.shift)) this.when.drifted = Date.now();
  }

  private answered({ boot, number, status }: Message<"acknowledgement">): void {
    const position = this.session?.peer.node;
    if (boot !== position?.boot) return;
    if (number <= position.labelled && status !== LABEL_STATUS.forged) {
      this.answeredAgain(number, status as LabelStatus);
      return;
    }
    this.store.labels.answered(this.name, number, status as 0);
    if (LOST.includes(status)) this.when.lost = Date.now();
    const label = this.labels.get(number);
    if (label && !PASSING.includes(status)) {
      const { sid, seq } = label;
      this.live.answer({ node: this.name, sid, seq, status });
      if (this.takesNotes && this.predicted)
        this.store.labels.answeredAfter(this.name, { sid, seq }, this.predicted);
    }
    if (status === LABEL_STATUS.forged)
      this.tell(
        "error",
        "forged",
        `refuses the tags of these labels: nodes.${this.name}.labelKey isn't its label key`,
      );
  }

  /** A message that came before shows that the node has processed the label: the answer is repeated. */
  private answeredAgain(number: number, status: LabelStatus): void {
    if (PASSING.includes(status)) return;
    const sample = this.store.labels.answeredAgain(this.name, number, status);
    if (!sample) return;
    if (LOST.includes(status)) this.when.lost = Date.now();
    this.live.answer({ node: this.name, ...sample, status });
  }

  private tagged(label: Required<Omit<Label, "tag">>): Label {
    const { tag } = this;
    const given = this.store.labels.tagOf(this.name, label.sid, label.seq);
    if (given) return { ...label, tag: given };
    if (!tag) return label;
    tag.compute(label);
    return { ...label, tag: [tag.low, tag.high] };
  }

  private obstructed(event: string, why: string | undefined, said = false): void {
    this.trouble = why;
    if (why !== undefined) this.tell("warn", event, why, said);
    else this.tell("info", event, "the line is open again", said);
  }

  private happened(happening: Happening): void {
    const [level, text] = textOf(happening);
    this.tell(level, happening.type, text);
  }

  /** @param said whether another line of the log says it, of many nodes at once. */
  private tell(level: Level, event: string, text: string, said = false): void {
    this.log.write(said ? "debug" : level, this.name, event, text);
    if (level === "debug" || this.closed) return;
    this.store.event(this.name, event, text);
    this.live.event({ node: this.name, time: Date.now(), kind: event, text });
  }

  private pause(): Promise<void> {
    const ms = this.retryMs;
    this.retryMs = Math.min(2 * ms, RETRY_MAX_MS);
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}

/** Whether the node's learner takes notes of samples; of one that needs options besides the dimension that isn't known. */
function takesNotes({ learner, dimension }: Hello): boolean {
  try {
    const layout = familyNamed(learner)?.layout({ dimension });
    return layout !== undefined && noteWords(layout) > 0;
  } catch {
    return false;
  }
}

/** An event in words, and its level. */
function textOf(happening: Happening): [Level, string] {
  switch (happening.type) {
    case "start": {
      const { learner, firmware, restore, seq, labelled, reset, crash } = happening.node;
      const why = reset === "unknown" ? "" : `, started by ${resetText({ name: reset, crash })}`;
      return [
        crash ? "warn" : "info",
        `${learner} on ${firmware}${why}, ${restore}: after sample ${seq}, label ${labelled}`,
      ];
    }
    case "checkpoint":
      return happening.kept
        ? ["debug", `checkpoint up to label ${happening.durable}`]
        : ["warn", "a checkpoint failed"];
    case "bits":
      return happening.bits.verdict === "different bits"
        ? ["error", `computes other bits than this machine: ${happening.bits.first} differs first`]
        : ["debug", happening.bits.verdict];
    case "reset":
      return [happening.crash ? "warn" : "info", `restarted: ${happening.reason} ${happening.text}`.trim()];
    case "log":
      return [happening.level === "note" ? "info" : "warn", happening.text];
    case "drift":
      return ["warn", `drift, by ${happening.by}, at sample ${happening.seq}`];
    default:
      return ["info", happening.type];
  }
}
