import type { MqttAddress } from "../../tools/ports/address.ts";
import { alarmMessage } from "../alarms/alarm-message.ts";
import { AlarmTopic } from "../alarms/alarm-topic.ts";
import type { Machines } from "../alarms/machines.ts";
import { TOKEN_VARIABLE, Webhook } from "../alarms/webhook.ts";
import type { NodeAlarm, NodeState } from "../api/node-state.ts";
import { HomeAssistantPublisher } from "../home-assistant/publisher.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import { afterTime } from "./body.ts";
import type { Fleet } from "./fleet.ts";
import type { Level, Log } from "./log.ts";

/** The database's key for messages published to Home Assistant. */
const PUBLISHED = "homeassistant";

/** The database's keys for messages that wait for the webhook, and for the topics of alarms. */
const WEBHOOK = "webhook";
const ALARM_TOPICS = "alarms";

/** What publishing needs of its gateway. */
interface PublishingPorts {
  readonly store: FleetStore;
  readonly log: Log;
  readonly machines: Machines;
  /** The address inside this process of one at the built-in broker. */
  inside(at: string): MqttAddress | undefined;
  states(): readonly NodeState[];
  /** Writes what is kept to disk. */
  write(): void;
}

/** Tells Home Assistant, a topic and a webhook what happens, by the fleet file. */
export class Publishing {
  private readonly homeAssistant: HomeAssistantPublisher;
  private readonly alarmTopic: AlarmTopic | undefined;
  private readonly webhook: Webhook | undefined;

  constructor(
    private readonly fleet: Fleet,
    private readonly ports: PublishingPorts,
  ) {
    const { mqtt, webhook } = fleet.alarms ?? {};
    this.homeAssistant = this.publishTo(fleet.homeAssistant);
    this.alarmTopic = mqtt === undefined ? undefined : this.topicAt(mqtt);
    this.webhook = webhook === undefined ? undefined : this.webhookAt(webhook);
  }

  /** An alarm went on or off. */
  alarm(change: NodeAlarm): void {
    this.homeAssistant.hasten();
    this.alarmTopic?.publish(change);
    this.webhook?.post(alarmMessage(change));
  }

  async close(): Promise<void> {
    await this.homeAssistant.close();
    await this.alarmTopic?.close();
    this.webhook?.close();
  }

  /**
   * Publishes the nodes to Home Assistant, or removes them when the fleet file no longer has `homeAssistant`.
   */
  private publishTo(at: string | undefined): HomeAssistantPublisher {
    const { fleet, ports } = this;
    const { store, log, machines } = ports;
    const inside = at === undefined ? undefined : ports.inside(at);
    const nodes = fleet.nodes.map(({ name }) => name);
    return new HomeAssistantPublisher(
      { at, nodes, inside, ca: fleet.ca, alarmNames: (node) => machines.alarmNames(node) },
      {
        states: () => ports.states(),
        readPublished: () => store.labels.readPlace("", PUBLISHED) || undefined,
        keep: (published) => {
          store.labels.keepPlace("", PUBLISHED, published ?? "");
          ports.write();
        },
        say: (level, text) => log.write(level, "", "homeassistant", text),
      },
    );
  }

  private topicAt(at: string): AlarmTopic {
    const { fleet, ports } = this;
    const { store, machines } = ports;
    return new AlarmTopic(
      { at, inside: ports.inside(at), ca: fleet.ca },
      {
        ...this.alarmPorts(ALARM_TOPICS),
        alarms: () => machines.alarms,
        readPublished: () => store.labels.readPlace("", ALARM_TOPICS),
      },
    );
  }

  private webhookAt(url: string): Webhook {
    const { fleet, ports } = this;
    return new Webhook(
      { url, token: process.env[TOKEN_VARIABLE], ca: fleet.ca },
      {
        ...this.alarmPorts(WEBHOOK),
        after: afterTime,
        waiting: () => ports.store.labels.readPlace("", WEBHOOK),
      },
    );
  }

  private alarmPorts(key: string) {
    const { store, log } = this.ports;
    return {
      keep: (text: string) => store.labels.keepPlace("", key, text),
      say: (level: Level, text: string) => log.write(level, "", "alarms", text),
    };
  }
}
