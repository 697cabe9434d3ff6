import { Backoff } from "../../host/backoff.ts";
import type { ClassNames } from "../../host/streams/class-names.ts";
import { within } from "../../host/within.ts";
import { decidedClass, type Task } from "../../src/learn/learner.ts";
import type { NodePosition } from "../../src/peer/position.ts";
import { NodeView } from "../../tools/monitor/node-view.ts";
import { linkStatus } from "../../tools/monitor/status.ts";
import type { Address } from "../../tools/ports/address.ts";
import { NodeAbsent } from "../../tools/ports/mqtt.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { Session } from "../../tools/session/session.ts";
import type { Configuration, Received } from "../../tools/session/session-options.ts";
import { Interrupted } from "../../tools/session/waits.ts";
import { Quota } from "../access/quota.ts";
import type { Machines } from "../alarms/machines.ts";
import type { Command } from "../api/command-request.ts";
import { classFault, learnerTask, namedClasses } from "../api/node-classes.ts";
import type { NodeState, NodeTimes } from "../api/node-state.ts";
import type { SharedLabels } from "../cluster/shared-labels.ts";
import type { Reach } from "../intake/label-intake.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import { perform, requestConfiguration } from "./command.ts";
import type { FleetNode } from "./fleet.ts";
import { Forgeries } from "./forgeries.ts";
import type { Live } from "./live.ts";
import type { Level, Log } from "./log.ts";
import { type Copying, NodeCopies } from "./node-copies.ts";
import { NodeEvents } from "./node-events.ts";
import { type LabelPorts, NodeLabels } from "./node-labels.ts";
import { NodeRecords } from "./node-records.ts";
import { NodeLine, type Outages } from "./outages.ts";
import { StartOptions } from "./start-options.ts";

/** Milliseconds from one try to meet the node to the next: least and most. */
const RETRY_MS = [500, 30_000] as const;
const ASK_MS = 1000;
/**
 * Milliseconds between two statistics of a node, for each node of the fleet, as with the states for pages.
 */
const STATISTICS_MS = 1000;
const STATISTICS_MS_PER_NODE = 10;
/** Starts of a node in a minute, beyond which it is left alone for a while: for each the labels are written to disk. */
const STARTS_PER_MINUTE = 30;
const RESTLESS = `the node starts more than ${STARTS_PER_MINUTE} times a minute; it is left alone for a while`;
const MINUTE_MS = 60_000;
/** A slow tick suffices, since urgent work runs at once; with a thousand nodes each tick costs. */
const TICK_MS = 100;

/** How long a label waits for the node's description. */
const DESCRIBED_MS = 5000;

/** What a gateway has for each of its nodes. */
interface KeeperParts {
  readonly store: FleetStore;
  readonly log: Log;
  readonly live: Live;
  readonly copying: Copying;
  /** The node's labels, where gateways share the fleet. */
  readonly shared?: SharedLabels;
  /** Nodes of the fleet; default 1. */
  readonly nodes?: number;
  /** The outages of the fleet's brokers; default: it logs each loss of its line. */
  readonly outages?: Outages;
  /** Certificates, PEM, of those who vouch for the node's broker. */
  readonly ca?: string;
  /** What decisions mean for the node's machine; default: nobody asks. */
  readonly machines?: Machines;
  /** Milliseconds of a clock that nobody sets; default: this machine's. */
  now?(): number;
}

/** Keeps one node: its line, its view, its labels, its records. It never gives up. */
export class NodeKeeper implements LabelPorts {
  private session: Session | undefined;
  private readonly view: NodeView;
  private readonly records: NodeRecords;
  /** Its labels, until they are durable. */
  readonly labels: NodeLabels;
  private trouble: string | undefined;
  private closed = false;
  private wake = () => {};
  private readonly backoff = new Backoff(...RETRY_MS);
  private askedAt = Number.NEGATIVE_INFINITY;
  private readonly events: NodeEvents;
  private readonly startsAllowed: Quota;
  /** It restarts more often than allowed. */
  private restless = false;
  private readonly startOptions: StartOptions;
  /** The node's last start that was met. */
  private boot: number | undefined;
  private readonly forgeries = new Forgeries((text) => this.events.tell("warn", "forgery", text));
  private lastHello: Hello | undefined;
  /** The kind of its decisions, once it was described. */
  private task: Task | undefined;
  private isTrained = false;
  private reached: Reach | undefined;
  private saidClasses: ClassNames | undefined;
  /** True if it was met, and has said what it learns or that it doesn't say. */
  isDescribed = false;
  /** Called for each start that was met. */
  onStart = () => {};
  private readonly when: NodeTimes = {};
  private readonly copies: NodeCopies;
  private readonly line: NodeLine;

  constructor(
    private readonly node: FleetNode,
    private readonly parts: KeeperParts,
  ) {
    const { store, log, live, copying, shared, outages, nodes = 1, now = () => performance.now() } = parts;
    this.events = new NodeEvents(node.name, { log, store, live }, now);
    this.startOptions = new StartOptions(
      Math.max(STATISTICS_MS, STATISTICS_MS_PER_NODE * nodes),
      this.events,
    );
    this.line = new NodeLine(node, outages);
    this.startsAllowed = new Quota(STARTS_PER_MINUTE, MINUTE_MS, now);
    this.labels = new NodeLabels(node, store, live, this, shared);
    this.copies = new NodeCopies(node, store, copying, this.labels, this.events);
    this.records = new NodeRecords(node.name, store, live, {
      hello: () => this.session?.hello && this.lastHello,
      labels: this.labels,
      when: this.when,
      decided: (decision) => this.noteDecision(decision),
    });
    this.view = new NodeView((happening) => this.events.happened(happening));
  }

  get name(): string {
    return this.node.name;
  }

  /** The node's session of samples; undefined until it was met. */
  get sid(): number | undefined {
    return this.session?.hello && this.session.peer.node.sid;
  }

  /** True if the node is met and can be taught. */
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

  /** The classes of its labels, as it said last; undefined for a regression, and until it was met. */
  get classes(): ClassNames | undefined {
    const { session, node } = this;
    return session?.hello ? namedClasses(session.classes, node.classes) : this.saidClasses;
  }

  /**
   * True if the node has said what it learns, as it does within a second of each start; so `classes` is right. True for one that wasn't met, whose
   * labels wait for it.
   */
  async knowsClasses(): Promise<boolean> {
    const { session } = this;
    if (!session?.hello || session.description !== undefined) return true;
    return within(DESCRIBED_MS, (signal) => session.awaitDescription(signal)).then(
      () => true,
      () => false,
    );
  }

  /** Why a sample's label would come too late: the node has discarded the sample. Undefined: it may have it yet. */
  explainDiscarded({ sid, seq }: Reach): string | undefined {
    const { reach, lastHello } = this;
    if (!reach || !lastHello || reach.sid !== sid || reach.seq - seq < lastHello.pending) return undefined;
    return `sample ${seq} was discarded: the node keeps the last ${lastHello.pending} samples for their labels, and is at sample ${reach.seq}`;
  }

  get state(): NodeState {
    const { session, trouble, classes, connected, labels } = this;
    const { name, port, channels: channelNames } = this.node;
    const task = session?.hello && learnerTask(session.hello.learner, classes);
    const status = session && this.view.status(linkStatus(session.port, session.peer.thrown));
    const models = labels.modelsAt(status?.labelled, status?.durable);
    return {
      ...{ name, port, connected, waiting: labels.count, asking: labels.asked.count, when: this.when },
      ...(task && { task }),
      ...(classes && { classes: classes.names }),
      ...(channelNames && { channelNames }),
      ...this.parts.machines?.nodeState(name),
      ...(labels.group && {
        together: { ...labels.group.standing, judges: this.records.judges, models },
      }),
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
    const said = this.line.broke(error);
    if (message !== this.trouble) this.events.tell("warn", "lost", message, said);
    this.trouble = message;
  }

  /**
   * Sends the node a command; resolves with the outcome in words. The trail records both. Rejects if nothing
   * happened.
   */
  async command(command: Command): Promise<string> {
    const text = await this.outcome(command);
    this.events.tell("info", command.do, command.by ? `${text}, for ${command.by}` : text);
    return text;
  }

  private outcome(command: Command): Promise<string> {
    if (command.do === "copy") return this.copies.copy(this.open);
    if (command.do === "restore") return this.copies.restore(this.open, command.copy ?? 0);
    if (command.do === "retrain") return this.requestRetraining();
    return perform(this.open, command.do, command);
  }

  private async requestRetraining(): Promise<string> {
    const { group } = this.labels;
    if (!group) throw new Error("it is in no group of the fleet file");
    group.retrain();
    return "gets a model of its group anew";
  }

  /** The options that may change while the node runs. */
  async configuration(): Promise<Configuration> {
    return requestConfiguration(this.open);
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
    this.events.closed = true;
    this.session?.interrupt();
    this.wake();
  }

  /** Another gateway has the node. */
  park(why: string): this {
    this.trouble = why;
    return this;
  }

  get position(): NodePosition | undefined {
    return this.session?.hello && this.session.peer.node;
  }

  hasten(): void {
    this.session?.hasten();
  }

  /** Logs what happens to its labels. */
  say(event: string, text: string, level: Level = "warn"): void {
    this.events.tell(level, event, text);
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
      ca: this.parts.ca,
      labels: this.labels,
      events: {
        started: (hello) => this.started(hello),
        described: () => this.described(),
        message: (...received) => this.take(...received),
        lost: (error) => this.noteObstruction("lost", error.message, this.line.broke(error)),
        reopened: () => this.noteObstruction("reopened", undefined, this.line.mended()),
        obstructed: (why) => this.noteObstruction("obstructed", why),
      },
    });
    this.trouble = undefined;
    this.line.mended();
    await this.session.until(() => this.turn());
  }

  private turn(): boolean {
    const { session, view } = this;
    if (this.restless) {
      this.restless = false;
      this.backoff.lengthen();
      // A cause at the node: its broker isn't lost.
      throw new Error(RESTLESS, { cause: new NodeAbsent() });
    }
    const now = performance.now();
    if (session?.hello && session.port.open && now - this.askedAt >= ASK_MS) {
      this.askedAt = now;
      this.forgeries.report("received", session.peer.thrown.forged);
      for (const what of view.lacks) session.peer.request(what);
      this.labels.askForAnswers(session.peer);
      this.copies.startIfNew(session);
      this.copies.copyIfDue(session, now);
    }
    return this.closed;
  }

  private started(hello: Hello): void {
    this.backoff.reset();
    if (this.boot !== undefined && hello.boot !== this.boot) {
      this.when.started = Date.now();
      this.events.tell("info", "restarted", `after sample ${hello.seq}, label ${hello.labelled}`);
    }
    this.boot = hello.boot;
    this.lastHello = hello;
    this.labels.started(hello);
    this.onStart();
    this.view.start(hello);
    this.restless ||= this.startsAllowed.pass() === undefined;
    if (this.session) void this.startOptions.set(this.session);
  }

  private described(): void {
    this.isDescribed = true;
    if (this.lastHello) this.labels.described(this.lastHello, this.session?.description);
    const why = classFault(this.session?.classes, this.node.classes);
    if (why !== undefined) this.events.tell("error", "classes", why);
    const { classes, lastHello } = this;
    this.saidClasses = classes;
    this.task = lastHello && learnerTask(lastHello.learner, classes);
    if (classes) this.parts.machines?.describe(this.name, classes);
  }

  private take(...[name, message]: Received): void {
    this.view.take(name, message);
    this.when.heard = Date.now();
    if (name === "acknowledgement") {
      if (this.labels.answered(message)) this.when.lost = Date.now();
    } else if (name === "features") this.labels.group?.take(message);
    else if (name === "memory") this.copies.take(message);
    else if (name === "statistics") this.forgeries.report("labels", message.forged);
    else if (name === "losses") this.forgeries.report("sent", message.forged);
    else if (name === "sample") this.records.takeSample(message);
    else if (name === "prediction") this.records.takePrediction(message);
  }

  /** Until the node has said its classes, a decision may mean another one. One of a learner that has learned nothing means none. */
  private noteDecision(decision: number): void {
    const { session, name, task, records, view } = this;
    const { machines } = this.parts;
    if (!machines || session?.description === undefined) return;
    this.isTrained ||= view.hasLearned;
    const says = task !== undefined && (this.isTrained || records.judges);
    machines.decided(name, says ? decidedClass(task, decision) : Number.NaN);
  }

  private noteObstruction(event: string, why: string | undefined, said = false): void {
    this.trouble = why;
    if (why !== undefined) this.events.tell("warn", event, why, said);
    else this.events.tell("info", event, "the line is open again", said);
  }

  private pause(): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, this.backoff.next());
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
