import { randomBytes } from "node:crypto";
import type { MqttClient } from "mqtt";
import { briefly } from "../../host/briefly.ts";
import { printableJson } from "../../host/printable.ts";
import { ABSENT, nodeTopics, PRESENT } from "../../src/wire/topics.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { portFault } from "../../tools/ports/fault.ts";
import { isLoopback } from "../../tools/ports/listen.ts";
import { connectAt } from "../../tools/ports/mqtt.ts";
import type { NodeState } from "../api/node-state.ts";
import { availabilityTopic, entityConfig, entityTopics, entityValues } from "./discovery.ts";

const PUBLISH_MS = 10_000;
const RECONNECT_MS = 5000;
const CLOSE_MS = 1000;
const ID_BYTES = 4;

/** Messages retained at one broker for Home Assistant, remembered in the database for their removal. */
interface RetainedMessages {
  /** The option's text, and this gateway's id there. */
  readonly at: string;
  readonly id: string;
  readonly nodes: readonly string[];
  /** The alarms that a node has, or had while the gateway published it. */
  readonly alarms?: { readonly [node: string]: readonly string[] };
}

interface PublisherPorts {
  /** The nodes that this gateway holds, as they are now. */
  states(): readonly NodeState[];
  /** Messages published when the gateway last ran, as text; undefined: none. */
  readPublished(): string | undefined;
  /** Stores the published messages on disk; undefined: none. */
  keep(published: string | undefined): void;
  say(level: "info" | "warn", text: string): void;
}

interface PublisherOptions {
  /** The fleet file's `homeAssistant`, mqtt://HOST/PREFIX; undefined: it is off. */
  readonly at: string | undefined;
  readonly nodes: readonly string[];
  alarmNames(node: string): readonly string[];
  /** Where `at` is, if not where it says; that broker keeps nothing when the gateway ends. */
  readonly inside?: MqttAddress;
  /** Certificates, PEM, of those who vouch for the broker. */
  readonly ca?: string;
}

/**
 * Publishes the nodes to Home Assistant as retained messages at its broker, and removes them once the fleet
 * file no longer has them.
 */
export class HomeAssistantPublisher {
  private readonly clients = new Set<MqttClient>();
  private client: MqttClient | undefined;
  private publishNow = () => {};
  private timer: NodeJS.Timeout | undefined;
  /** By topic: what was published last over this connection. */
  private readonly sent = new Map<string, string>();
  private readonly id: string;
  /** By node: the alarms whose entities Home Assistant may still have. */
  private readonly removed: ReadonlyMap<string, readonly string[]>;
  /** All messages at brokers, wanted or not. */
  private readonly lying: RetainedMessages[] = [];
  private trouble = "";

  constructor(
    private readonly options: PublisherOptions,
    private readonly ports: PublisherPorts,
  ) {
    const before = JSON.parse(ports.readPublished() ?? "[]") as readonly RetainedMessages[];
    const { at, nodes, inside, alarmNames } = options;
    const known = new Map(Object.entries(before.find((published) => published.at === at)?.alarms ?? {}));
    const removedAlarms = (node: string) =>
      (known.get(node) ?? []).filter((name) => !alarmNames(node).includes(name));
    this.removed = new Map(nodes.map((node) => [node, removedAlarms(node)]));
    this.id = before[0]?.id ?? randomBytes(ID_BYTES).toString("hex");
    if (at !== undefined && !inside) this.lying.push({ at, id: this.id, nodes, alarms: this.everAlarms() });
    const gone = before
      .map((published) => this.findUnwanted(published))
      .filter(({ nodes }) => nodes.length > 0);
    this.lying.push(...gone);
    this.keep();
    for (const published of gone) this.retract(published);
    if (at !== undefined) this.begin(at, inside ?? (parseAddress(at, options.ca) as MqttAddress));
  }

  /** Something changed that shouldn't wait. */
  hasten(): void {
    this.publishNow();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    if (this.client?.connected) this.publish(availabilityTopic(this.id), ABSENT);
    await Promise.all(
      [...this.clients].map(async (client) => {
        if (client.connected) await briefly(CLOSE_MS, client.endAsync());
        client.end(true);
      }),
    );
  }

  /** Home Assistant may be away while an entity is removed: its name is kept. */
  private everAlarms(): RetainedMessages["alarms"] {
    const { alarmNames } = this.options;
    return Object.fromEntries(
      [...this.removed].map(([node, removed]) => [node, [...alarmNames(node), ...removed]]),
    );
  }

  private keep(): void {
    this.ports.keep(this.lying.length > 0 ? JSON.stringify(this.lying) : undefined);
  }

  /** Messages at a broker that aren't wanted now. */
  private findUnwanted(published: RetainedMessages): RetainedMessages {
    const { at, nodes } = this.options;
    if (published.at !== at) return published;
    const wanted = new Set(nodes);
    return { ...published, nodes: published.nodes.filter((node) => !wanted.has(node)) };
  }

  /** Removes messages at a broker, and remembers them until it succeeded. */
  private retract(published: RetainedMessages): void {
    const { at, id, nodes } = published;
    const address = parseAddress(at, this.options.ca) as MqttAddress;
    const messages = nodes.flatMap((node) => Object.values(entityTopics(address.name, node)) as string[]);
    const topics = at === this.options.at ? messages : [...messages, availabilityTopic(id)];
    const client = this.connect(at, address);
    client.once("connect", async () => {
      try {
        await Promise.all(topics.map((topic) => client.publishAsync(topic, "", { qos: 1, retain: true })));
        this.lying.splice(this.lying.indexOf(published), 1);
        this.keep();
        this.ports.say("info", `removed ${nodes.length} nodes from ${at}`);
      } catch (error) {
        this.ports.say("warn", `${at}: ${(error as Error).message}; the next start removes the nodes there`);
      }
      this.clients.delete(client);
      client.end();
    });
  }

  private begin(at: string, address: MqttAddress): void {
    const will = {
      topic: availabilityTopic(this.id),
      payload: Buffer.from(ABSENT),
      qos: 1 as const,
      retain: true,
    };
    const client = this.connect(at, address, { will });
    this.client = client;
    client.on("connect", () => {
      this.trouble = "";
      this.sent.clear();
      this.publish(will.topic, PRESENT);
      this.publishAll(address);
      this.ports.say("info", `publishes at ${this.options.at}`);
    });
    this.publishNow = () => this.publishAll(address);
    this.timer = setInterval(this.publishNow, PUBLISH_MS);
  }

  private connect(at: string, address: MqttAddress, more: object = {}): MqttClient {
    const client = connectAt(address, { reconnectPeriod: RECONNECT_MS, queueQoSZero: false, ...more });
    this.clients.add(client);
    client.on("error", (error: Error) => {
      const { message } = portFault(at, address, error);
      if (message !== this.trouble) this.ports.say("warn", message);
      this.trouble = message;
    });
    return client;
  }

  private publishAll(address: MqttAddress): void {
    if (!this.client?.connected) return;
    for (const state of this.ports.states()) {
      const topics = entityTopics(address.name, state.name);
      const gateway = availabilityTopic(this.id);
      const sources = { state: topics.state, gateway, presence: this.presenceTopic(state.port) };
      const config = entityConfig(state, sources, this.removed.get(state.name));
      // A node that wasn't met since the gateway's start may be the one whose alarm is on.
      if (!config && !state.alarms) continue;
      if (config) this.publish(topics.config, printableJson(config));
      this.publish(topics.state, printableJson(entityValues(state)));
    }
  }

  /** The topic at which a node at the same broker says whether it is there. */
  private presenceTopic(port: string): string | undefined {
    const node = parseAddress(port);
    const own = parseAddress(this.options.at as string) as MqttAddress;
    if (node.kind !== "mqtt") return undefined;
    const same = node.servers.some((a) => own.servers.some((b) => isSame(a, b)));
    return same ? nodeTopics(node.name).status : undefined;
  }

  private publish(topic: string, payload: string): void {
    if (this.sent.get(topic) === payload) return;
    this.sent.set(topic, payload);
    this.client?.publish(topic, payload, { qos: 1, retain: true });
  }
}

type Server = MqttAddress["servers"][number];

function isSame(a: Server, b: Server): boolean {
  return a.port === b.port && (a.host === b.host || (isLoopback(a.host) && isLoopback(b.host)));
}
