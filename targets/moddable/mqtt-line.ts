import { PACKET_CREDIT_MS, PACKET_FIFO_BYTES, PacketPort } from "../../src/node/packet-port.ts";
import type { BytePort } from "../../src/node/ports.ts";
import { ABSENT, type NodeTopics, nodeTopics, PRESENT } from "../../src/wire/topics.ts";
import type { Network } from "./network.ts";

/** An ECMA-419 MQTT client's report of the broker's control message. */
interface MqttControl {
  readonly operation: number;
  /** In a SUBACK: the QoS that the broker grants; 128 if none. */
  readonly payload?: ArrayLike<number>;
}

/** A part of a received payload; only the first part has `topic` and `byteLength`. */
export interface MqttPart {
  readonly more: boolean;
  readonly topic?: string;
  readonly byteLength?: number;
}

export interface MqttWrite {
  readonly operation?: number;
  readonly topic?: string;
  readonly QoS?: number;
  readonly retain?: boolean;
  readonly items?: readonly { readonly topic: string; readonly QoS: number }[];
}

/** The part of an ECMA-419 MQTT client that a node uses. */
export interface MqttClient {
  /** Moves bytes of the payload to a buffer; or drops that many. */
  read(into: Uint8Array | number): unknown;
  /** Returns the bytes of room left. Throws if there was no room. */
  write(data: Uint8Array | null, options: MqttWrite): number;
  close(): void;
}

/** A node's broker, and the user there. */
export type BrokerAddress = Omit<Network["broker"], "ca">;

export interface MqttClientOptions extends BrokerAddress {
  readonly id: string;
  readonly clean: boolean;
  readonly keepAlive: number;
  readonly will: {
    readonly topic: string;
    readonly message: string;
    readonly QoS: number;
    readonly retain: boolean;
  };
  onControl(message: MqttControl): void;
  onReadable(count: number, part: MqttPart): void;
  onWritable(room: number): void;
  onError(): void;
}

/** Codes of MQTT 3.1.1, table 2.1. */
const CONNACK = 2;
const SUBSCRIBE = 8;
const SUBACK = 9;
const REFUSED = 0x80;

/** The SDK's client notices a silent broker after 1.5 times this: before peers give a node up, at 30 s. */
const KEEP_ALIVE_MS = 10_000;
const RETRY_MS = 1000;
const RETRY_MAX_MS = 32_000;
/**
 * Bytes of a message around topic and payload: code, length of up to 3 bytes, length of the topic; and a few
 * to spare.
 */
const AROUND = 12;

interface MqttLineOptions {
  readonly name: string;
  readonly broker: BrokerAddress;
  /** Makes a client, which connects at once. */
  open(options: MqttClientOptions): MqttClient;
  /** Calls `what` after so many milliseconds. */
  later(what: () => void, ms: number): void;
  /** 32 bits, different on each board, so that nodes don't all reconnect to a broker at once. */
  random(): number;
}

/** ASCII alone. */
export function textBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/**
 * A node's line over an MQTT broker: packets of frames, its presence, its last will, as docs/spec/wire.md's "Over MQTT"
 * has it. It connects when `connect` is called, and reconnects 1 to 32 s after each loss. Without a broker,
 * frames wait at the node. The line's own buffers are made in the constructor; the SDK's client allocates for
 * each message.
 */
export class MqttLine implements BytePort {
  readonly fifoBytes = PACKET_FIFO_BYTES;
  readonly creditMs = PACKET_CREDIT_MS;
  private readonly topics: NodeTopics;
  private readonly packets: PacketPort;
  private readonly up: MqttWrite;
  private readonly coming = new Uint8Array(PACKET_FIFO_BYTES);
  private came = 0;
  private dropped = false;
  private client?: MqttClient;
  private attempt = 0;
  private ready = false;
  private room = 0;
  private wait = RETRY_MS;

  /** Throws an OptionError for an invalid name. */
  constructor(private readonly options: MqttLineOptions) {
    this.topics = nodeTopics(options.name);
    this.up = { topic: this.topics.up };
    this.packets = new PacketPort((packet, bytes) => this.publish(packet, bytes));
  }

  read(to: Uint8Array): number {
    return this.packets.read(to);
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    return this.packets.write(bytes, from, to);
  }

  /** True if the broker has the node's presence, and takes its frames. */
  get connected(): boolean {
    return this.ready;
  }

  /** Connects to the broker. Callbacks of the previous client are ignored. */
  connect(): void {
    const attempt = ++this.attempt;
    const current = () => attempt === this.attempt;
    const { name, broker } = this.options;
    try {
      this.client = this.options.open({
        ...broker,
        id: name,
        clean: true,
        keepAlive: KEEP_ALIVE_MS,
        will: { topic: this.topics.status, message: ABSENT, QoS: 1, retain: true },
        onControl: (message) => current() && this.control(message),
        onReadable: (count, part) => current() && this.take(count, part),
        onWritable: (room) => {
          if (current()) this.room = room;
        },
        onError: () => current() && this.lose(),
      });
    } catch {
      this.lose();
    }
  }

  /** Subscribes first: a peer that sees the node's presence may write to it at once. */
  private control({ operation, payload }: MqttControl): void {
    if (operation === CONNACK) {
      const items = [{ topic: this.topics.down, QoS: 0 }];
      this.put(null, { operation: SUBSCRIBE, items });
    } else if (operation === SUBACK) {
      if (payload && payload[0] >= REFUSED) this.leave();
      else this.appear();
    }
  }

  private appear(): void {
    this.ready = this.put(textBytes(PRESENT), { topic: this.topics.status, QoS: 1, retain: true });
    if (this.ready) this.wait = RETRY_MS;
  }

  /** Writes what the connection needs. */
  private put(data: Uint8Array | null, options: MqttWrite): boolean {
    try {
      this.room = (this.client as MqttClient).write(data, options);
      return true;
    } catch {
      this.leave();
      return false;
    }
  }

  private publish(packet: Uint8Array, bytes: number): boolean {
    if (!this.ready || this.room < bytes + this.topics.up.length + AROUND) return false;
    try {
      this.room = (this.client as MqttClient).write(packet.subarray(0, bytes), this.up);
      return true;
    } catch {
      this.room = 0; // it says when there is room again
      return false;
    }
  }

  /** A payload comes in parts; one that is too long for the node is read and dropped. */
  private take(count: number, { topic, byteLength, more }: MqttPart): void {
    const { coming, client } = this;
    if (topic !== undefined) {
      this.came = 0;
      this.dropped = (byteLength as number) > coming.length;
    }
    if (this.dropped) (client as MqttClient).read(count);
    else {
      (client as MqttClient).read(coming.subarray(this.came, this.came + count));
      this.came += count;
      if (!more) this.packets.arrive(coming.subarray(0, this.came));
    }
  }

  private leave(): void {
    const { client } = this;
    this.lose();
    client?.close();
  }

  /** A failed client has closed itself. */
  private lose(): void {
    this.attempt++;
    this.client = undefined;
    this.ready = false;
    this.room = 0;
    const { wait } = this;
    this.wait = Math.min(2 * wait, RETRY_MAX_MS);
    this.options.later(() => this.connect(), wait / 2 + (this.options.random() % (wait / 2)));
  }
}
