import type { ClassNames } from "../../host/streams/class-names.ts";
import { REMARK, REMARK_BYTE } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import type { NodePosition } from "../../src/peer/position.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { NodeView } from "../../tools/monitor/node-view.ts";
import { type Happening, linkStatus } from "../../tools/monitor/status.ts";
import type { Address } from "../../tools/ports/address.ts";
import { NodeAbsent } from "../../tools/ports/mqtt.ts";
import { SampleParts } from "../../tools/record/sample-parts.ts";
import { bitsParts } from "../../tools/session/bits-text.ts";
import { type Hello, resetText } from "../../tools/session/hello.ts";
import { type Configuration, Interrupted, Session } from "../../tools/session/session.ts";
import type { Command } from "../api/command-request.ts";
import { classesOf, misnamed, taskOf } from "../api/node-classes.ts";
import type { NodeState, NodeTimes } from "../api/node-state.ts";
import type { SharedLabels } from "../cluster/shared-labels.ts";
import type { Reach } from "../intake/desk.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import { configurationOf, perform } from "./command.ts";
import { CopyTaker } from "./copy.ts";
import type { FleetNode } from "./fleet.ts";
import { Forgeries } from "./forgeries.ts";
import type { Live } from "./live.ts";
import type { Level, Log } from "./log.ts";
import { type LabelLine, NodeLabels } from "./node-labels.ts";
import type { Outages } from "./outages.ts";
import { Quota } from "./quota.ts";

const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 30_000;
const ASK_MS = 1000;
/**
 * Milliseconds between two statistics of a node, for each node of the fleet, as with the states for pages.
 */
const STATISTICS_MS = 1000;
const STATISTICS_MS_PER_NODE = 10;
/** Events of a node in a minute; further ones are counted. They are lines of the log, rows of the database, and messages to pages. */
const EVENTS_PER_MINUTE = 60;
/** Starts of a node in a minute, beyond which it is left alone for a while: for each the labels are written to disk. */
const STARTS_PER_MINUTE = 30;
const RESTLESS = `the node starts more than ${STARTS_PER_MINUTE} times a minute; it is left alone for a while`;
const MINUTE_MS = 60_000;
/** A slow tick suffices, since urgent work runs at once; with a thousand nodes each tick costs. */
const TICK_MS = 100;

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
/** How long a label waits for the node's description. */
const DESCRIBED_MS = 5000;

/** Keeps one node: its line, its view, its labels, its records. It never gives up. */
export class NodeKeeper implements LabelLine {
  private session: Session | undefined;
  private readonly view: NodeView;
  private readonly parts = new SampleParts();
  /** Its labels, until they are durable. */
  readonly labels: NodeLabels;
  private trouble: string | undefined;
  private closed = false;
  private wake = () => {};
  private retryMs = RETRY_MIN_MS;
  private askedAt = Number.NEGATIVE_INFINITY;
  private readonly events: Quota;
  private readonly startsAllowed: Quota;
  /** It restarts more often than allowed. */
  private restless = false;
  /** The session in which its options are being set, and whether it started meanwhile. */
  private configuring: Session | undefined;
  private unconfigured = false;
  /** The node's last start that was met. */
  private boot: number | undefined;
  private readonly forgeries = new Forgeries((text) => this.tell("warn", "forgery", text));
  private lastHello: Hello | undefined;
  private reached: Reach | undefined;
  /** Whether it was met, and has said what it learns or that it doesn't say. */
  isDescribed = false;
  /** Called for each start that was met. */
  onStart = () => {};
  private readonly when: NodeTimes = {};
  private readonly copier = new CopyTaker();
  private copyLookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly node: FleetNode,
    private readonly store: FleetStore,
    private readonly log: Log,
    private readonly live: Live,
    private readonly copying: Copying,
    /** Its labels, where gateways share the fleet. */
    shared?: SharedLabels,
    /** Nodes of its fleet. */
    private readonly nodes = 1,
    /** The outages of the fleet's brokers; default: it logs each loss of its line. */
    private readonly outages?: Outages,
    /** Milliseconds of a clock that nobody sets. */
    now: () => number = () => performance.now(),
    /** Certificates, PEM, of those who vouch for its broker. */
    private readonly ca?: string,
  ) {
    this.events = new Quota(EVENTS_PER_MINUTE, MINUTE_MS, now);
    this.startsAllowed = new Quota(STARTS_PER_MINUTE, MINUTE_MS, now);
    this.labels = new NodeLabels(node, store, live, this, shared);
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

  /** The classes of its labels; undefined for a regression, and until it was met. */
  get classes(): ClassNames | undefined {
    const { session, node } = this;
    return session?.hello && classesOf(session.classes, node.classes);
  }

  /**
   * Whether the node has said what it learns, as it does within a second of each start; so `classes` is right. True for one that wasn't met, whose
   * labels wait for it.
   */
  async knowsClasses(): Promise<boolean> {
    const { session } = this;
    if (!session?.hello || session.description !== undefined) return true;
    const late = new Promise<boolean>((done) => setTimeout(done, DESCRIBED_MS, false).unref());
    return Promise.race([session.described().then(() => true), late]).catch(() => false);
  }

  /** Why a sample's label would come too late: the node has discarded the sample. Undefined: it may have it yet. */
  discarded({ sid, seq }: Reach): string | undefined {
    const { reach, lastHello } = this;
    if (!reach || !lastHello || reach.sid !== sid || reach.seq - seq < lastHello.pending) return undefined;
    return `sample ${seq} was discarded: the node keeps the last ${lastHello.pending} samples for their labels, and is at sample ${reach.seq}`;
  }

  get state(): NodeState {
    const { session, trouble } = this;
    const { name, port, channels: channelNames } = this.node;
    const { classes } = this;
    const task = session?.hello && taskOf(session.hello.learner, classes);
    const told = {
      asking: this.labels.asked.count,
      when: this.when,
      ...(task && { task }),
      ...(classes && { classes: classes.names }),
      ...(channelNames && { channelNames }),
    };
    const { connected } = this;
    const status = session && this.view.status(linkStatus(session.port, session.peer.thrown));
    return {
      name,
      port,
      connected,
      waiting: this.labels.count,
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
    const { seq, labelled, sid } = await this.labels.whileAhead(copied.labelled, () =>
      this.copier.restore(session, copied),
    );
    const when = new Date(copied.time).toISOString();
    return `resumes from the copy of ${when}: after sample ${seq} and label ${labelled}, in session ${sid}`;
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

  get position(): NodePosition | undefined {
    return this.session?.hello && this.session.peer.node;
  }

  hasten(): void {
    this.session?.hasten();
  }

  /** Logs what happens to its labels. */
  say(event: string, text: string, level: Level = "warn"): void {
    this.tell(level, event, text);
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
      ca: this.ca,
      labels: this.labels,
      events: {
        started: (hello) => this.started(hello),
        described: () => this.described(),
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
    if (this.restless) {
      this.restless = false;
      this.retryMs = RETRY_MAX_MS;
      // A cause at the node: its broker isn't lost.
      throw new Error(RESTLESS, { cause: new NodeAbsent() });
    }
    const now = performance.now();
    if (session?.hello && session.port.open && now - this.askedAt >= ASK_MS) {
      this.askedAt = now;
      this.forgeries.counted("received", session.peer.thrown.forged);
      for (const what of view.lacks) session.peer.request(what);
      this.labels.askForAnswers(session.peer);
      this.copyIfDue(now);
    }
    return this.closed;
  }

  private started(hello: Hello): void {
    this.retryMs = RETRY_MIN_MS;
    if (this.boot !== undefined && hello.boot !== this.boot) {
      this.when.started = Date.now();
      this.tell("info", "restarted", `after sample ${hello.seq}, label ${hello.labelled}`);
    }
    this.boot = hello.boot;
    this.lastHello = hello;
    this.labels.started(hello);
    this.onStart();
    this.view.start(hello);
    this.restless ||= this.startsAllowed.pass() === undefined;
    this.unconfigured = true;
    if (this.session) void this.configure(this.session);
  }

  /** Sets the node's options, once for all starts meanwhile: each time it waits until the node confirms. */
  private async configure(session: Session): Promise<void> {
    if (this.configuring === session) return;
    this.configuring = session;
    const statisticsMs = Math.max(STATISTICS_MS, STATISTICS_MS_PER_NODE * this.nodes);
    try {
      while (this.unconfigured && this.configuring === session) {
        this.unconfigured = false;
        await session.configure({ statisticsMs, samples: 1 });
      }
    } catch (error) {
      this.tell("debug", "configure", (error as Error).message);
    }
    if (this.configuring === session) this.configuring = undefined;
  }

  private described(): void {
    this.isDescribed = true;
    const why = misnamed(this.session?.classes, this.node.classes);
    if (why !== undefined) this.tell("error", "classes", why);
  }

  private take<N extends UpName>(name: N, message: Message<N>): void {
    this.view.take(name, message);
    const { store, node, live } = this;
    this.when.heard = Date.now();
    if (name === "sample") {
      const { sid, seq, total } = message as unknown as Message<"sample">;
      if (total !== this.lastHello?.channels) return;
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
      this.labels.predicted({ sid, seq });
      this.noteRemarks(sid, seq, said);
    } else if (name === "acknowledgement") {
      const isLost = this.labels.answered(message as unknown as Message<"acknowledgement">);
      if (isLost) this.when.lost = Date.now();
    } else if (name === "memory") this.copier.take(message as unknown as Message<"memory">);
    else if (name === "statistics")
      this.forgeries.counted("labels", (message as unknown as Message<"statistics">).forged);
    else if (name === "losses")
      this.forgeries.counted("sent", (message as unknown as Message<"losses">).forged);
  }

  private noteRemarks(sid: number, seq: number, said: number): void {
    const pending = this.session?.hello?.pending ?? 0;
    const { asked } = this.labels;
    if (said & REMARK.asked) asked.add(sid, seq, pending);
    else asked.prune(seq, pending);
    if (said & (REMARK.drift | REMARK.shift)) this.when.drifted = Date.now();
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
    if (level === "debug") {
      this.log.write(level, this.name, event, text);
      return;
    }
    const unsaid = this.events.pass();
    if (unsaid === undefined) return;
    const whole = unsaid > 0 ? `${text} (and ${unsaid} events before that weren't logged)` : text;
    this.log.write(said ? "debug" : level, this.name, event, whole);
    if (this.closed) return;
    this.store.event(this.name, event, whole);
    this.live.event({ node: this.name, time: Date.now(), kind: event, text: whole });
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
        : ["debug", bitsParts(happening.bits).join(", ")];
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
