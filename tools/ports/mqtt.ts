import type { Socket } from "node:net";
import { connect, ErrorWithReasonCode, type IClientOptions, type MqttClient } from "mqtt";
import { ABSENT, type NodeTopics, PRESENT, topicsOf } from "../../src/wire/topics.ts";
import type { MqttAddress } from "./address.ts";
import type { Channel, ChannelEvents } from "./channel.ts";

/** The environment variable with the password at the broker: a command line is seen by everybody on the machine. */
export const PASSWORD_VARIABLE = "MOTELEARN_MQTT_PASSWORD";

const CONNECT_MS = 5000;
const CLOSE_MS = 1000;
const KEEP_ALIVE_S = 15;
/** Bytes that may wait for the broker before the channel is congested. */
const WAITING_MAX = 1 << 16;
/** A node's packet has at most 1,024 bytes: another publisher on its topic may send anything. */
const PAYLOAD_MAX = 4096;

/** Connects without waiting for more to send: a frame is short, and its answer is awaited. */
export function connectAt(address: MqttAddress, options: IClientOptions = {}): MqttClient {
  const client = connect({ ...clientOptions(address), ...options });
  client.on("connect", () => (client.stream as unknown as Socket).setNoDelay?.(true));
  return client;
}

/** How a client connects; `Port`, or whoever connects a node, does it again. */
function clientOptions({ tls, host, port, user }: MqttAddress): IClientOptions {
  return {
    protocol: tls ? "mqtts" : "mqtt",
    host,
    port,
    username: user,
    password: user === undefined ? undefined : process.env[PASSWORD_VARIABLE],
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: CONNECT_MS,
    keepalive: KEEP_ALIVE_S,
  };
}

/** What a broker's answer to a connection means, MQTT 3.1.1, table 3.1. */
function refusal({ code, message }: ErrorWithReasonCode): Error {
  if (code !== 4 && code !== 5) return new Error(`the broker refuses: ${message}`);
  return new Error(`the broker refuses user or password; the password is read from ${PASSWORD_VARIABLE}`);
}

/** Resolves when the broker took the client in. Rejects with what the broker or the system says. */
function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      client.off("connect", take);
      client.end(true);
      reject(error instanceof ErrorWithReasonCode ? refusal(error) : error);
    };
    const take = () => {
      client.off("error", fail);
      client.off("close", close);
      resolve();
    };
    const close = () => fail(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" }));
    client.once("error", fail);
    client.once("close", close);
    client.once("connect", take);
  });
}

/** Resolves when the node says that it is there; rejects if it doesn't within 5 s. */
function present(client: MqttClient, topics: NodeTopics, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error | null) => {
      clearTimeout(limit);
      client.off("message", look);
      if (!error) return resolve();
      client.end(true);
      reject(error);
    };
    const limit = setTimeout(
      () => end(new Error(`the broker knows no node ${name} that is online`)),
      CONNECT_MS,
    );
    const look = (topic: string, payload: Uint8Array) => {
      if (topic === topics.status && String(payload) === PRESENT) end();
    };
    client.on("message", look);
    client.subscribe(topics.status, { qos: 1 }, (error) => error && end(error));
  });
}

/**
 * Opens a node's topics at an MQTT broker. It is open while the broker takes this client, and the node is online: a node's last
 * will closes it. Frames go as QoS 0, as the wire repairs what is lost. Rejects with the system's or the broker's error.
 */
export async function openMqtt(address: MqttAddress, events: ChannelEvents): Promise<Channel> {
  const topics = topicsOf(address.name);
  const client = connectAt(address);
  await connected(client);
  let failure: Error | undefined;
  client.on("error", (error) => {
    failure = error;
  });
  await present(client, topics, address.name);
  const channel = new MqttChannel(client, topics, events, () => failure);
  await client.subscribeAsync(topics.up, { qos: 0 });
  return channel;
}

/** An open channel over a client that is connected and subscribed. */
class MqttChannel implements Channel {
  private waiting = 0;
  private open = true;

  constructor(
    private readonly client: MqttClient,
    private readonly topics: NodeTopics,
    private readonly events: ChannelEvents,
    failure: () => Error | undefined,
  ) {
    client.on("message", (topic, payload) => this.take(topic, payload));
    client.on("close", () => this.lose(failure() ?? new Error("the broker closed the connection")));
  }

  get congested(): boolean {
    return this.waiting > WAITING_MAX;
  }

  write(bytes: Uint8Array): void {
    const payload = Buffer.from(bytes);
    this.waiting += payload.length;
    this.client.publish(this.topics.down, payload, { qos: 0 }, () => {
      this.waiting -= payload.length;
    });
  }

  pause(): void {
    this.client.stream.pause();
  }

  resume(): void {
    this.client.stream.resume();
  }

  async close(): Promise<void> {
    this.open = false;
    this.resume();
    const limit = new Promise<void>((done) => setTimeout(done, CLOSE_MS).unref());
    await Promise.race([this.client.endAsync(), limit]);
    this.client.end(true);
  }

  private take(topic: string, payload: Uint8Array): void {
    if (!this.open || payload.length > PAYLOAD_MAX) return;
    if (topic === this.topics.up) this.events.data(payload);
    else if (String(payload) === ABSENT) this.lose(new Error("the node left the broker"));
  }

  private lose(error: Error): void {
    if (!this.open) return;
    this.open = false;
    this.client.end(true);
    this.events.closed(error);
  }
}
