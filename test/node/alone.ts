import type { PortLimits } from "../../src/node/ports.ts";
import { Station } from "../../src/node/station.ts";
import type { StationOptions } from "../../src/node/station-options.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import {
  type DownName,
  isRest,
  MESSAGES,
  type MessageDefinition,
  messageNames,
  type UpName,
} from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { wrappingClock } from "../start/wrapping-clock.ts";
import { Disk, NODE } from "../wire/ends.ts";

/** A message as it came: its name, and its fields, a rest cut to the elements that count. */
export interface Came {
  readonly name: UpName;
  readonly [field: string]: unknown;
}

/** A station whose peer is the test: bytes in its FIFO, and the messages that it sent. */
export class Alone {
  now = 0;
  /** Bytes that the port takes at a write. */
  takes = Number.POSITIVE_INFINITY;
  readonly disk = new Disk();
  readonly station: Station;
  readonly fifo: number[] = [];
  private readonly up = new Receiver(messageNames("up"));
  private readonly down = new Encoder(messageNames("down"));
  private sent: Came[] = [];

  constructor(options: Partial<StationOptions> = {}, limits: PortLimits = {}) {
    const engine = { slots: () => 70_001, chunks: () => 70_002 };
    const ports = {
      clock: wrappingClock(() => this.now),
      port: { ...limits, ...this.port() },
      storage: this.disk,
    };
    this.station = new Station({ node: NODE, firmware: "test", boot: 1, ...options }, { ...ports, engine });
  }

  private port() {
    const read = (to: Uint8Array) => {
      const bytes = this.fifo.splice(0, to.length);
      to.set(bytes);
      return bytes.length;
    };
    const write = (bytes: Uint8Array, from: number, to: number) => {
      const end = Math.min(to, from + this.takes);
      for (let i = from; i < end; i++) this.take(this.up.take(bytes[i]));
      return end - from;
    };
    return { read, write };
  }

  private take(name: UpName | undefined): void {
    if (!name) return;
    const record = this.up.message(name);
    const { fields } = MESSAGES[name] as MessageDefinition;
    const entries = Object.entries(record).map(([field, value]) => {
      if (typeof value === "number") return [field, value];
      const list = value as Uint8Array;
      return [field, [...list.subarray(0, isRest(fields[field].type) ? record.length : undefined)]];
    });
    this.sent.push({ ...Object.fromEntries(entries), name });
  }

  /** Lets a frame come; its bytes. */
  come(name: DownName, fields: object = {}): number {
    const message = this.down.message(name) as unknown as { [field: string]: unknown };
    for (const [field, value] of Object.entries(fields)) {
      if (Array.isArray(value)) (message[field] as Float32Array).set(value);
      else message[field] = value;
    }
    const bytes = this.down.encode(name);
    this.fifo.push(...this.down.frame.subarray(0, bytes));
    return bytes;
  }

  /** Begins, is welcomed by peer 2, so that `start` is 3, and has sent everything due. */
  met(): this {
    this.station.begin("fresh");
    this.come("welcome", { boot: 1, peer: 2, sent: 28 });
    this.polled();
    return this;
  }

  /** The messages that the station sends in turns until all input is processed. */
  polled(): Came[] {
    while (this.station.poll());
    return this.heard();
  }

  /** The messages sent since the last call. */
  heard(): Came[] {
    const { sent } = this;
    this.sent = [];
    return sent;
  }
}
