import type { Socket } from "node:net";
import { connect, ErrorWithReasonCode, type IClientOptions, type MqttClient } from "mqtt";
import { briefly } from "../../host/briefly.ts";
import { ABSENT, type NodeTopics, nodeTopics, PRESENT } from "../../src/wire/topics.ts";
import { type MqttAddress, PASSWORD_VARIABLE } from "./address.ts";
import type { Channel, ChannelEvents } from "./channel.ts";

const CONNECT_MS = 5000;
const CLOSE_MS = 1000;
const KEEP_ALIVE_S = 15;
/** Bytes that may wait for the broker before the channel is congested. */
const WAITING_MAX = 1 << 16;
/** A node's packet has at most 1,024 bytes: another publisher on its topic may send anything. */
const PAYLOAD_MAX = 4096;
/** Packets that are taken in a row. */
const ROW_MAX = 64;

/**
 * Takes a client's packets in rows: after each, timers, requests and other connections have their turn. Else they would have none while
 * packets come faster than they are taken.
 */
function inRows(): MqttClient["handleMessage"] {
  let taken = 0;
  return (_packet, done) => {
    if (++taken % ROW_MAX === 0) setImmediate(done);
    else done();
  };
}

/**
 * Connects with TCP_NODELAY: a frame is short, and waits for its answer. While the socket's buffer is full, each
 * packet waits as a listener; a gateway of a thousand nodes has more than a thousand.
 */
export function connectAt(address: MqttAddress, options: IClientOptions = {}): MqttClient {
  const client = connect({ ...clientOptions(address), ...options });
  client.on("connect", () => {
    const socket = client.stream as unknown as Socket;
    socket.setNoDelay?.(true);
    socket.setMaxListeners(0);
  });
  return client;
}

/**
 * How a client connects; `Port`, or the code that connects a node, reconnects. A client that reconnects by
 * itself tries all servers in turn.
 */
function clientOptions({ tls, servers, user, password, ca }: MqttAddress): IClientOptions {
  return {
    protocol: tls ? "mqtts" : "mqtt",
    servers: servers.map((server) => ({ ...server })),
    ...(ca !== undefined && { ca }),
    username: user,
    password: user === undefined ? undefined : (password ?? process.env[PASSWORD_VARIABLE]),
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: CONNECT_MS,
    keepalive: KEEP_ALIVE_S,
  };
}

/** The error for a broker's return code, MQTT 3.1.1, table 3.1. */
function refusal({ code, message }: ErrorWithReasonCode): Error {
  if (code !== 4 && code !== 5) return new Error(`the broker refuses: ${message}`);
  return new Error(`the broker refuses user or password; the password is read from ${PASSWORD_VARIABLE}`);
}

/** A node isn't at its broker, which is there. */
export class NodeAbsent extends Error {}

/** Resolves when the broker accepts the client. Rejects with the broker's or the system's error. */
function onceConnected(client: MqttClient): Promise<void> {
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

/** A broker's events for a node's channel. */
interface Listener {
  message(topic: string, payload: Uint8Array): void;
  lost(error: Error): void;
}

/**
 * One connection to a broker, shared by all nodes there that this process talks to, so a thousand nodes take
 * one connection. It closes with its last channel.
 */
class BrokerLink {
  private static readonly open = new Map<string, BrokerLink>();
  /** By key: connections that were refused or lost. The next one is tried at the next server. */
  private static readonly losses = new Map<string, number>();
  readonly client: MqttClient;
  /** Resolves when the broker accepts the client. */
  readonly ready: Promise<void>;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly paused = new Set<Listener>();
  private users = 0;
  private failure: Error | undefined;
  private moved = false;

  private constructor(
    address: MqttAddress,
    private readonly key: string,
  ) {
    const { servers } = address;
    const first = (BrokerLink.losses.get(key) ?? 0) % servers.length;
    this.client = connectAt({ ...address, servers: [...servers.slice(first), ...servers.slice(0, first)] });
    this.ready = onceConnected(this.client);
    this.client.handleMessage = inRows();
    this.client.on("error", (error) => {
      this.failure = error;
      this.moveOn();
    });
    this.client.on("message", (topic, payload) => {
      for (const listener of this.listeners.get(topic) ?? []) listener.message(topic, payload);
    });
    this.client.on("close", () => this.lose());
  }

  /** The connection to that broker, by that user; each call is answered by one of `release`. */
  static to(address: MqttAddress): BrokerLink {
    const { tls, servers, user, ca } = address;
    const key = JSON.stringify([tls, servers, user, ca]);
    let link = BrokerLink.open.get(key);
    if (!link) {
      link = new BrokerLink(address, key);
      BrokerLink.open.set(key, link);
    }
    link.users++;
    return link;
  }

  /**
   * Subscribes the listener to a node's topics. With QoS 0: nats-server writes a consumer to its disks for
   * each subscription of QoS 1.
   */
  async listen({ status, up }: NodeTopics, listener: Listener): Promise<void> {
    for (const topic of [status, up]) {
      const others = this.listeners.get(topic);
      if (others) others.add(listener);
      else this.listeners.set(topic, new Set([listener]));
    }
    await this.client.subscribeAsync({ [status]: { qos: 0 }, [up]: { qos: 0 } });
  }

  /** It hears nothing more. */
  ignore({ status, up }: NodeTopics, listener: Listener): void {
    this.pause(listener, false);
    for (const topic of [status, up]) {
      const others = this.listeners.get(topic);
      others?.delete(listener);
      if (others?.size !== 0) continue;
      this.listeners.delete(topic);
      if (this.client.connected) this.client.unsubscribe(topic);
    }
  }

  /** Pauses input from the broker as long as any channel requests it. */
  pause(listener: Listener, wanted: boolean): void {
    if (wanted) this.paused.add(listener);
    else this.paused.delete(listener);
    if (this.paused.size > 0) this.client.stream.pause();
    else this.client.stream.resume();
  }

  /** Closes the connection after all written bytes have left, unless it is still in use. */
  async release(): Promise<void> {
    if (--this.users > 0) return;
    this.forget();
    await briefly(CLOSE_MS, this.client.endAsync());
    this.client.end(true);
  }

  private lose(): void {
    if (BrokerLink.open.get(this.key) === this) this.moveOn();
    this.forget();
    const error = this.failure ?? new Error("the broker closed the connection");
    const all = new Set([...this.listeners.values()].flatMap((some) => [...some]));
    this.listeners.clear();
    for (const listener of all) listener.lost(error);
  }

  /** Has the next connection try the next server. */
  private moveOn(): void {
    if (this.moved) return;
    this.moved = true;
    BrokerLink.losses.set(this.key, 1 + (BrokerLink.losses.get(this.key) ?? 0));
  }

  private forget(): void {
    if (BrokerLink.open.get(this.key) === this) BrokerLink.open.delete(this.key);
  }
}

/**
 * Opens a node's topics at an MQTT broker. It is open while this client is connected and the node is online;
 * a node's last will closes it. Frames use QoS 0, since the wire repairs losses. Rejects with the system's or
 * the broker's error.
 */
export async function openMqtt(address: MqttAddress, events: ChannelEvents): Promise<Channel> {
  const link = await linkTo(address);
  const channel = new MqttChannel(link, nodeTopics(address.name), events);
  try {
    await channel.begin(address.name);
  } catch (error) {
    await channel.close();
    throw error;
  }
  return channel;
}

/**
 * Connects to the first of the address's servers that accepts this client. Rejects with the last one's error.
 */
async function linkTo(address: MqttAddress): Promise<BrokerLink> {
  for (let tries = 1; ; tries++) {
    const link = BrokerLink.to(address);
    try {
      await link.ready;
      return link;
    } catch (error) {
      await link.release();
      if (tries >= address.servers.length) throw error;
    }
  }
}

/** A node's frames over a connection to a broker. */
class MqttChannel implements Channel, Listener {
  private waiting = 0;
  private open = false;
  private released = false;
  /** Follows the node's presence until it is there. */
  private present: (error?: Error) => void = () => {};

  constructor(
    private readonly link: BrokerLink,
    private readonly topics: NodeTopics,
    private readonly events: ChannelEvents,
  ) {}

  /** Resolves when the node reports its presence; rejects after 5 s without it. */
  async begin(name: string): Promise<void> {
    let limit: NodeJS.Timeout | undefined;
    const there = new Promise<void>((resolve, reject) => {
      this.present = (error) => (error ? reject(error) : resolve());
      const absent = new NodeAbsent(`the broker knows no node ${name} that is online`);
      limit = setTimeout(() => reject(absent), CONNECT_MS);
    });
    try {
      await Promise.all([this.link.listen(this.topics, this), there]);
    } finally {
      clearTimeout(limit);
    }
    this.open = true;
  }

  get congested(): boolean {
    return this.waiting > WAITING_MAX;
  }

  write(bytes: Uint8Array): void {
    const payload = Buffer.from(bytes);
    this.waiting += payload.length;
    this.link.client.publish(this.topics.down, payload, { qos: 0 }, () => {
      this.waiting -= payload.length;
    });
  }

  pause(): void {
    this.link.pause(this, true);
  }

  resume(): void {
    this.link.pause(this, false);
  }

  async close(): Promise<void> {
    this.open = false;
    if (this.released) return;
    this.released = true;
    this.link.ignore(this.topics, this);
    await this.link.release();
  }

  message(topic: string, payload: Uint8Array): void {
    if (payload.length > PAYLOAD_MAX) return;
    if (topic === this.topics.up) {
      if (this.open) this.events.data(payload);
      return;
    }
    const status = String(payload);
    if (status === PRESENT) this.present();
    else if (status === ABSENT && this.open) this.lost(new NodeAbsent("the node left the broker"));
  }

  lost(error: Error): void {
    this.present(error);
    if (!this.open) return;
    this.close();
    this.events.closed(error);
  }
}
