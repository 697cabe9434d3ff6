import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { jetstream, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { type Msg, type NatsConnection, type Subscription, TimeoutError } from "@nats-io/transport-node";
import { briefly } from "../../host/briefly.ts";
import { DeviceError } from "../../host/errors.ts";
import { connectNats } from "../../host/nats.ts";
import type { Giver } from "../access/access.ts";
import { Refusal } from "../access/refusal.ts";
import type { LabelRequest } from "../api/label-request.ts";
import { GONE_MS, Membership } from "./membership.ts";
import { type LogStream, NodeGone, NodeLog } from "./node-log.ts";

const TICK_MS = 1000;
/** Time without a turn after which the gateway counts as suspended: others may hold its nodes. */
const ASLEEP_MS = 3000;
const FORWARD_MS = 5000;
const CLOSE_MS = 1000;
/** Requests for the logs' stream that may get no answer, 5 seconds each. */
const OPEN_TRIES = 6;
/** Most nodes taken at once. */
const TAKES_MAX = 16;

/** The cluster of a fleet file. */
export interface ClusterOptions {
  /** NATS servers with JetStream. */
  readonly servers: readonly string[];
  /** The fleet's name there: gateways with the same name share its nodes. */
  readonly name: string;
  /** Servers that keep each label. */
  readonly replicas: number;
  readonly user?: string;
}

type CallerLabel = { readonly label: LabelRequest; readonly caller: Giver };

/** A label's outcome: `why` it wasn't taken, and the HTTP status, if the label itself isn't the cause. */
type TaughtLabels = { readonly why?: string; readonly status?: number };

/** A cluster's calls to its gateway. */
interface ClusterPorts {
  readonly nodes: readonly string[];
  /** Talks to the node, whose labels the log has. */
  hold(node: string, log: NodeLog): void;
  /** Leaves the node; resolves when all work with it has ended. `by`: its new holder. */
  release(node: string, by: string): Promise<void>;
  /** Takes a label for a node that it holds; a text: why not. */
  teach(node: string, label: CallerLabel): Promise<string | undefined>;
  say(event: string, text: string): void;
}

/** Subjects have a dot between their words, and a node's name may have one. Letters beyond ASCII are safe as escapes only. */
const encodeWord = (node: string) =>
  node.replaceAll(".", "%2E").replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part));

/**
 * The gateways that share a fleet, as one of them sees them. Each says every second that it is there. A node is held by the gateway that
 * `Membership` names; who may number its labels, the node's log decides.
 */
export class Cluster {
  private readonly held = new Map<string, NodeLog>();
  /** Nodes in transition: being taken or released. */
  private readonly moving = new Map<string, Promise<void>>();
  private readonly answering = new Map<string, Subscription>();
  private readonly timer: NodeJS.Timeout;
  private readonly members: Membership;
  private tickedAt = performance.now();
  private reachedAt = performance.now();
  private closed = false;

  private constructor(
    private readonly connection: NatsConnection,
    private readonly stream: LogStream,
    private readonly prefix: string,
    private readonly id: string,
    private readonly ports: ClusterPorts,
  ) {
    this.members = new Membership(id, () => performance.now());
    this.hear("here", (gateway) => {
      if (gateway === id) this.reachedAt = performance.now();
      this.members.heard(gateway);
    });
    this.hear("left", (gateway) => this.members.left(gateway));
    this.hear("taken", (text) => this.taken(text));
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  /** Throws a DeviceError if the servers can't be reached, or keep no labels. */
  static async join(options: ClusterOptions, ports: ClusterPorts): Promise<Cluster> {
    const { servers, name, replicas, user } = options;
    const where = servers.join(", ");
    let connection: NatsConnection;
    try {
      connection = await connectNats(servers, user);
    } catch (error) {
      throw new DeviceError(`cluster: no server of ${where} takes this gateway: ${(error as Error).message}`);
    }
    try {
      const stream = await openStream(connection, name, replicas);
      const id = `${hostname()}-${randomBytes(4).toString("hex")}`;
      return new Cluster(connection, stream, subjectPrefix(name), id, ports);
    } catch (error) {
      await connection.close();
      throw new DeviceError(
        `cluster: ${where} can't keep labels on ${replicas} servers with JetStream: ${(error as Error).message}`,
      );
    }
  }

  /** The gateway that the node belongs to; undefined: this one, which holds it. */
  elsewhere(node: string): string | undefined {
    return this.held.has(node) ? undefined : this.members.findOwner(node);
  }

  /** Has the gateway that holds the node take a label; a text: why not. Throws a Refusal where none answers. */
  async forward(node: string, label: CallerLabel): Promise<string | undefined> {
    const subject = `${this.prefix}.teach.${encodeWord(node)}`;
    try {
      const reply = await this.connection.request(subject, JSON.stringify(label), { timeout: FORWARD_MS });
      const { why, status } = reply.json<TaughtLabels>();
      if (status !== undefined) throw new Refusal(status, why ?? "");
      return why;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal(503, "no gateway holds the node now; try again");
    }
  }

  /** Leaves its nodes to the others. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await Promise.all([...this.held.keys()].map((node) => this.release(node, "another gateway")));
    await Promise.all(this.moving.values());
    this.say("left", this.id);
    await briefly(CLOSE_MS, this.connection.drain());
    await this.connection.close();
  }

  private tick(): void {
    const now = performance.now();
    const asleep = now - this.tickedAt >= ASLEEP_MS;
    this.tickedAt = now;
    if (asleep || !this.connected) {
      if (this.held.size > 0) this.ports.say("released", asleep ? "it slept" : "no server can be reached");
      this.members.forget();
      for (const node of this.held.keys()) this.release(node, "another gateway");
    }
    this.say("here", this.id);
    this.share();
  }

  /** Takes and releases nodes, so that it holds its own. */
  private share(): void {
    const { settled } = this.members;
    for (const node of this.ports.nodes) {
      const owner = this.members.findOwner(node);
      const held = this.held.has(node);
      if (this.moving.has(node) || held === (owner === this.id)) continue;
      if (held) this.release(node, owner);
      else if (settled && this.moving.size < TAKES_MAX) this.take(node);
    }
  }

  private take(node: string): void {
    const isWanted = () => !this.closed && this.connected && this.members.findOwner(node) === this.id;
    const lost = () => this.release(node, "another gateway");
    this.move(node, async () => {
      const log = await NodeLog.take(this.stream, `${this.prefix}.log.${encodeWord(node)}`, this.id, {
        lost,
        isWanted,
      });
      if (!isWanted()) return log.leave();
      this.ports.hold(node, log); // where it throws, the node is taken again
      this.held.set(node, log);
      this.say("taken", `${this.id} ${node}`);
      this.answer(node);
    });
  }

  private release(node: string, by: string): Promise<void> {
    const log = this.held.get(node);
    if (!log) return Promise.resolve();
    this.held.delete(node);
    log.leave();
    this.answering.get(node)?.unsubscribe();
    this.answering.delete(node);
    return this.move(node, () => this.ports.release(node, by));
  }

  private move(node: string, act: () => Promise<void>): Promise<void> {
    const before = this.moving.get(node) ?? Promise.resolve();
    const moved = before.then(act).catch((error) => {
      if (!(error instanceof NodeGone)) this.ports.say("cluster", `${node}: ${(error as Error).message}`);
    });
    const done = moved.then(() => {
      if (this.moving.get(node) !== done) return;
      this.moving.delete(node);
      if (this.moving.size <= TAKES_MAX / 2 && !this.closed) this.share();
    });
    this.moving.set(node, done);
    return done;
  }

  /** Another gateway took a node: informs the previous holder at once. */
  private taken(text: string): void {
    const [gateway, node] = text.split(" ");
    if (gateway !== this.id) this.release(node, gateway);
  }

  /** Takes labels that other gateways received for a node of this one. */
  private answer(node: string): void {
    const callback = (_: unknown, message: Msg) => {
      this.answerLabel(node, message.json<CallerLabel>()).then((reply) =>
        message.respond(JSON.stringify(reply)),
      );
    };
    const subject = `${this.prefix}.teach.${encodeWord(node)}`;
    this.answering.set(node, this.connection.subscribe(subject, { callback }));
  }

  private async answerLabel(node: string, label: CallerLabel): Promise<TaughtLabels> {
    try {
      return { why: await this.ports.teach(node, label) };
    } catch (error) {
      return { why: (error as Error).message, status: error instanceof Refusal ? error.status : 500 };
    }
  }

  /** True if a server returns this gateway's own messages. */
  private get connected(): boolean {
    return performance.now() - this.reachedAt < GONE_MS;
  }

  private say(what: string, text: string): void {
    try {
      this.connection.publish(`${this.prefix}.${what}`, text);
    } catch {} // it is closed, or away: the others miss it
  }

  private hear(what: string, take: (text: string) => void): void {
    const callback = (_: unknown, message: { string(): string }) => take(message.string());
    this.connection.subscribe(`${this.prefix}.${what}`, { callback });
  }
}

const subjectPrefix = (name: string) => `motelearn.${name}`;

/**
 * Opens the stream of the logs, or makes it. Where two gateways make it at once, or the servers have no leader yet,
 * nats-server may leave a request without an answer: it is repeated.
 */
export async function openStream(
  connection: NatsConnection,
  name: string,
  replicas: number,
): Promise<LogStream> {
  const manager = await jetstreamManager(connection);
  const stream = `MOTELEARN_${name}`;
  const add = () =>
    manager.streams.add({
      name: stream,
      subjects: [`${subjectPrefix(name)}.log.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      num_replicas: replicas,
      allow_direct: true,
    });
  for (let tries = 1; ; tries++)
    try {
      await manager.streams.info(stream).catch(add);
      return { name: stream, client: jetstream(connection), manager };
    } catch (error) {
      if (!(error instanceof TimeoutError) || tries === OPEN_TRIES) throw error;
    }
}
