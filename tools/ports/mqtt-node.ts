import type { MqttClient } from "mqtt";
import { PacketPort } from "../../src/node/packet-port.ts";
import { ABSENT, nodeTopics, PRESENT } from "../../src/wire/topics.ts";
import type { MqttAddress } from "./address.ts";
import { connectAt } from "./mqtt.ts";

const RECONNECT_MS = 1000;
/** Bytes that may wait for the broker; beyond them the node's frames wait at the node. */
const WAITING_MAX = 1 << 14;

/** Events of a node's connection. */
interface MqttNodeEvents {
  /** The broker has its presence. */
  readonly met: () => void;
  /** It ended or failed, and not by `close`; the reason, if known. It is tried again. */
  readonly left: (error?: Error) => void;
}

/**
 * A node on this machine at an MQTT broker, like firmware: packets of frames, its presence, its last will.
 */
export class MqttNode {
  readonly port: PacketPort;
  private readonly client: MqttClient;
  private readonly status: string;
  private waiting = 0;
  private present = true;
  private closing = false;
  private failure: Error | undefined;

  /**
   * Connects, and reconnects each second while the broker is away.
   *
   * @param arrived called when bytes have come.
   */
  constructor(address: MqttAddress, arrived: () => void, events?: MqttNodeEvents) {
    const { up, down, status } = nodeTopics(address.name);
    this.status = status;
    this.client = connectAt(address, {
      reconnectPeriod: RECONNECT_MS,
      queueQoSZero: false,
      will: { topic: status, payload: Buffer.from(ABSENT), qos: 1, retain: true },
    });
    this.port = new PacketPort((packet, bytes) => this.send(up, Buffer.from(packet.subarray(0, bytes))));
    this.client.on("error", (error) => {
      this.failure = error; // it closes next, and is tried again
    });
    this.client.on("close", () => {
      if (!this.closing) events?.left(this.failure);
      this.failure = undefined;
    });
    this.client.on("message", (_topic, payload) => {
      this.port.arrive(payload);
      arrived();
    });
    this.client.on("connect", () => {
      this.waiting = 0;
      this.client.subscribe(down, { qos: 0 }, (error) => {
        if (error) return;
        this.tellPresence();
        events?.met();
      });
    });
  }

  /** Drops the connection like a failing network; it reconnects a second later. */
  drop(): void {
    this.client.stream.destroy();
  }

  /** Sets whether the line's node is there; the broker informs its peers. */
  setPresent(present: boolean): void {
    this.present = present;
    if (this.client.connected) this.tellPresence();
  }

  /** Publishes that it leaves, and closes. */
  async close(): Promise<void> {
    const { client } = this;
    this.closing = true;
    if (client.connected) {
      // A broker that dies now never acknowledges it.
      const left = new Promise<void>((done) => client.once("close", () => done()));
      await Promise.race([client.publishAsync(this.status, ABSENT, { qos: 1, retain: true }), left]);
    }
    await this.client.endAsync(true);
  }

  private tellPresence(): void {
    this.client.publish(this.status, this.present ? PRESENT : ABSENT, { qos: 1, retain: true });
  }

  private send(topic: string, packet: Buffer): boolean {
    if (!this.client.connected || this.waiting > WAITING_MAX) return false;
    this.waiting += packet.length;
    this.client.publish(topic, packet, { qos: 0 }, () => {
      this.waiting = Math.max(0, this.waiting - packet.length);
    });
    return true;
  }
}
