import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { Aedes, type PublishPacket } from "aedes";
import { endsWithTest } from "./contained.ts";

/** A broker's faults; none: it delivers each frame once, in order. */
export interface BrokerHarm {
  /** Chances that a frame is lost, comes twice, or comes later than the next. */
  readonly lost: number;
  readonly twice: number;
  readonly late: number;
  /** 0..1, another at each call. */
  readonly random: () => number;
}

/** An MQTT broker in this process, on a port of 127.0.0.1. */
export class TestBroker {
  /** Frames that it dropped, repeated, kept back. */
  readonly harmed = { lost: 0, twice: 0, late: 0 };
  /** Topics that a client ever subscribed to. */
  readonly subscribed = new Set<string>();
  private readonly over = endsWithTest(() => this.close());
  private constructor(
    private readonly server: Server,
    private readonly aedes: Aedes,
  ) {
    aedes.on("subscribe", (subscriptions) => {
      for (const { topic } of subscriptions) this.subscribed.add(topic);
    });
  }

  /** @param options.port default: any that is free. `refuses`: a topic that nobody may read. */
  static async start(
    options: { harm?: BrokerHarm; password?: string; port?: number; refuses?: string } = {},
  ): Promise<TestBroker> {
    const { harm, password, port = 0, refuses } = options;
    const aedes = await Aedes.createBroker();
    const server = createServer({ noDelay: true }, aedes.handle);
    const broker = new TestBroker(server, aedes);
    if (harm) broker.harm(harm);
    if (password !== undefined) {
      aedes.authenticate = (_client, _user, word, done) => {
        const right = String(word) === password;
        done(right ? null : Object.assign(new Error("bad password"), { returnCode: 4 as const }), right);
      };
    }
    aedes.authorizeSubscribe = (_client, wanted, done) =>
      done(null, wanted.topic === refuses ? null : wanted);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return broker;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  address(name: string): string {
    return `mqtt://127.0.0.1:${this.port}/${name}`;
  }

  /** Ends it, and every connection. */
  async close(): Promise<void> {
    this.over();
    await new Promise<void>((done) => this.aedes.close(done));
    await new Promise((done) => this.server.close(done));
  }

  /** A frame that nobody is to get goes to a topic of its own: refused, its sender would be cut off. */
  private harm({ lost, twice, late, random }: BrokerHarm): void {
    const { aedes, harmed } = this;
    const again = (packet: PublishPacket) => {
      const copy = { ...packet, payload: Buffer.from(packet.payload) } as PublishPacket;
      return () => aedes.publish(copy, () => {});
    };
    aedes.authorizePublish = (client, packet, done) => {
      if (client === null || !/\/(up|down)$/.test(packet.topic)) return done(null);
      if (random() < lost) {
        harmed.lost++;
        packet.topic = "nobody";
      } else if (random() < twice) {
        harmed.twice++;
        setImmediate(again(packet));
      } else if (random() < late) {
        harmed.late++;
        setTimeout(again(packet), 5 + 20 * random());
        packet.topic = "nobody";
      }
      done(null);
    };
  }
}
