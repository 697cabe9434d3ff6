import type { Random } from "../../host/random.ts";
import type { MqttClient, MqttClientOptions, MqttPart, MqttWrite } from "../../targets/moddable/mqtt-line.ts";

/** Codes of MQTT 3.1.1, table 2.1. */
export const CONNACK = 2;
export const SUBSCRIBE = 8;
export const SUBACK = 9;
/** Bytes for which the SDK's client has room at once. */
const ROOM = 1528;

/** An ECMA-419 client like the SDK's; it keeps its written packets. */
export class SimulatedClient implements MqttClient {
  closed = false;
  room = ROOM;
  readonly written: { readonly text: string; readonly options: MqttWrite }[] = [];
  private payload: Uint8Array = new Uint8Array(0);
  /** Gets what is published on `NAME/up`. */
  published: (packet: Uint8Array) => void = () => {};

  constructor(readonly options: MqttClientOptions) {}

  /** The broker takes the client in, and grants its subscription. */
  accept(granted = 0): void {
    this.options.onControl({ operation: CONNACK });
    this.options.onWritable(this.room);
    if (!this.closed) this.options.onControl({ operation: SUBACK, payload: [granted] });
  }

  write(data: Uint8Array | null, options: MqttWrite): number {
    const bytes = data?.length ?? 0;
    if (this.closed || this.room < bytes) throw new Error("overflow");
    this.room -= bytes;
    this.written.push({ text: data === null ? "" : String.fromCharCode(...data), options });
    if (data && options.topic?.endsWith("/up")) this.published(data.slice());
    return this.room;
  }

  /** What was written has left. */
  drain(): void {
    this.room = ROOM;
    this.options.onWritable(ROOM);
  }

  /** A payload comes, in parts of so many bytes. */
  bring(payload: Uint8Array, part = payload.length): void {
    for (let from = 0; from < payload.length; from += part) {
      this.payload = payload.subarray(from, from + part);
      const more = from + part < payload.length;
      const first: Partial<MqttPart> = from === 0 ? { topic: "n/down", byteLength: payload.length } : {};
      this.options.onReadable(this.payload.length, { more, ...first });
    }
  }

  read(into: Uint8Array | number): unknown {
    const count = typeof into === "number" ? into : into.length;
    if (count > this.payload.length) throw new Error("more than there is");
    if (typeof into !== "number") into.set(this.payload.subarray(0, count));
    this.payload = this.payload.subarray(count);
    return count;
  }

  close(): void {
    this.closed = true;
  }

  /** The connection is cut. */
  cut(): void {
    this.options.onError();
    this.close();
  }
}

/** What is to be done later, in simulated time. */
export class Later {
  now = 0;
  readonly waits: number[] = [];
  private readonly waiting: { readonly at: number; readonly what: () => void }[] = [];

  readonly set = (what: () => void, ms: number): void => {
    this.waits.push(ms);
    this.put(what, ms);
  };

  put(what: () => void, ms: number): void {
    this.waiting.push({ at: this.now + ms, what });
  }

  pass(ms: number): void {
    this.now += ms;
    const due = this.waiting.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at);
    for (const one of due) this.waiting.splice(this.waiting.indexOf(one), 1);
    for (const { what } of due) what();
  }
}

/** One way through a broker: of packets some are lost, some come twice, some later than those behind them. */
export class HarmfulWay {
  readonly harmed = { lost: 0, twice: 0, late: 0 };

  constructor(
    private readonly random: Random,
    private readonly later: Later,
    private readonly arrive: (packet: Uint8Array) => void,
  ) {}

  send(packet: Uint8Array): void {
    const fate = this.random.uniform();
    const come = () => this.arrive(packet);
    if (fate < 0.1) {
      this.harmed.lost++;
      return;
    }
    if (fate < 0.3) this.later.put(come, 200 * this.random.uniform());
    if (fate < 0.2) this.harmed.late++;
    else {
      if (fate < 0.3) this.harmed.twice++;
      this.later.put(come, 1);
    }
  }
}
