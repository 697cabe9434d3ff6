import { randomBytes } from "node:crypto";
import type { MqttClient } from "mqtt";
import { briefly } from "../../host/briefly.ts";
import { parseJson } from "../../host/json.ts";
import { ABSENT, PRESENT } from "../../src/wire/topics.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { portFault } from "../../tools/ports/fault.ts";
import { connectAt } from "../../tools/ports/mqtt.ts";
import type { NodeAlarm } from "../api/node-state.ts";
import { alarmMessage } from "./alarm-message.ts";

const RECONNECT_MS = 5000;
const CLOSE_MS = 1000;

interface TopicPorts {
  alarms(): readonly NodeAlarm[];
  /** The topics with retained messages at this address when the gateway last ran, as text; undefined: none. */
  readPublished(): string | undefined;
  keep(published: string): void;
  say(level: "info" | "warn", text: string): void;
}

interface TopicOptions {
  /** mqtt://HOST/TOPIC. */
  readonly at: string;
  /** Where that is, if not where it says. */
  readonly inside?: MqttAddress;
  /** Certificates, PEM, of those who vouch for the broker. */
  readonly ca?: string;
}

const ID_BYTES = 4;

/** What was published when the gateway last ran. */
interface LastRun {
  readonly at?: string;
  readonly id?: string;
  readonly topics?: readonly string[];
}

/**
 * Publishes each alarm's state as a retained message at TOPIC/NODE/ALARM, and removes the messages of alarms that the fleet file no longer has.
 * The retained message at TOPIC/gateway_ID, a last will, says whether the gateway is there to publish them.
 */
export class AlarmTopic {
  private readonly client: MqttClient;
  private readonly topic: string;
  private readonly presence: string;
  /** What was published over this connection, by topic. */
  private readonly sent = new Map<string, string>();
  private readonly before: readonly string[];
  private trouble = "";

  constructor(
    { at, inside, ca }: TopicOptions,
    private readonly ports: TopicPorts,
  ) {
    const address = inside ?? (parseAddress(at, ca) as MqttAddress);
    this.topic = address.name;
    const kept = parseJson(ports.readPublished() ?? "{}") as LastRun;
    const { id = randomBytes(ID_BYTES).toString("hex") } = kept;
    this.before = kept.at === at ? (kept.topics ?? []) : [];
    const topics = ports.alarms().map((alarm) => this.alarmTopic(alarm));
    ports.keep(JSON.stringify({ at, id, topics }));
    this.presence = `${this.topic}/gateway_${id}`;
    const will = { topic: this.presence, payload: Buffer.from(ABSENT), qos: 1 as const, retain: true };
    this.client = connectAt(address, { reconnectPeriod: RECONNECT_MS, queueQoSZero: false, will });
    this.client.on("connect", () => this.connected(at));
    this.client.on("error", (error: Error) => {
      const { message } = portFault(at, address, error);
      if (message !== this.trouble) ports.say("warn", message);
      this.trouble = message;
    });
  }

  publish(alarm: NodeAlarm): void {
    this.retain(this.alarmTopic(alarm), alarmMessage(alarm));
  }

  async close(): Promise<void> {
    const { client } = this;
    this.retain(this.presence, ABSENT);
    if (client.connected) await briefly(CLOSE_MS, client.endAsync());
    client.end(true);
  }

  private alarmTopic({ node, name }: NodeAlarm): string {
    return `${this.topic}/${node}/${name}`;
  }

  private connected(at: string): void {
    this.trouble = "";
    this.sent.clear();
    const alarms = this.ports.alarms();
    const wanted = new Set(alarms.map((alarm) => this.alarmTopic(alarm)));
    for (const topic of this.before) if (!wanted.has(topic)) this.retain(topic, "");
    for (const alarm of alarms) this.publish(alarm);
    this.retain(this.presence, PRESENT);
    this.ports.say("info", `publishes at ${at}`);
  }

  /** Without a connection nothing is kept for later: with the next one all alarms are published. */
  private retain(topic: string, payload: string): void {
    if (!this.client.connected || this.sent.get(topic) === payload) return;
    this.sent.set(topic, payload);
    this.client.publish(topic, payload, { qos: 1, retain: true });
  }
}
