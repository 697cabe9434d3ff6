import { createServer, type Server, type Socket } from "node:net";
import { REQUEST } from "../../src/node/requests.ts";
import { Encoder, putText } from "../../src/wire/encoder.ts";
import {
  type DownName,
  type Message,
  messageNames,
  PROTOCOL,
  tableHash,
  type UpName,
} from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { become } from "./awaited.ts";
import { endsWithTest } from "./contained.ts";
import { inFolder } from "./stations.ts";

/** A node behind a socket that says what its test has it say, when it has it say so. */
export class ScriptedNode {
  readonly port: string;
  /** The messages that came: the names, of a request the number of its subject. */
  readonly heard: (DownName | number)[] = [];
  /** True if each welcome is answered by credit. */
  grants = true;
  /** Called for each message that came; its record is valid during the call. */
  on: (name: DownName) => void = () => {};
  private readonly up = new Encoder(messageNames("up"));
  private down = new Receiver(messageNames("down"));
  private readonly server: Server;
  private socket: Socket | undefined;
  private boot = 0;
  private hello: object = {};

  constructor(name: string) {
    const path = inFolder(name);
    this.port = `unix:${path}`;
    this.server = createServer((socket) => this.take(socket)).listen(path);
    endsWithTest(() => this.close());
  }

  /** It starts, and says hello. */
  start(boot: number, fields: object = {}): void {
    this.boot = boot;
    this.hello = fields;
    this.greet();
  }

  /** Grants credit to the peer that welcomed it, or to another. */
  grant(fields: object = {}): void {
    const { peer, sent: received } = this.message("welcome");
    this.say("credit", { boot: this.boot, peer, received, window: 4000, ...fields });
  }

  say(name: UpName, fields: object): void {
    Object.assign(this.up.message(name), fields);
    this.socket?.write(this.up.frame.slice(0, this.up.encode(name)));
  }

  /** The last message of that name that came. */
  message<N extends DownName>(name: N): Message<N> {
    return this.down.message(name as DownName) as Message<N>;
  }

  /** How often that came. */
  count(what: DownName | number): number {
    return this.heard.filter((each) => each === what).length;
  }

  /** Resolves once that came so often. */
  hears(what: DownName | number, times = 1): Promise<void> {
    const done = () => this.count(what) >= times;
    return become(`${times} of ${what}`, done, () => this.heard.join(), 2);
  }

  /** The line is cut; it can be opened again. */
  cut(): void {
    this.socket?.destroy();
  }

  /** The line is cut, and stays so. */
  close(): void {
    this.cut();
    this.server.close();
  }

  private greet(): void {
    if (this.boot === 0) return;
    putText(this.up.message("hello").learner, "olk-c");
    const room = { channels: 2, frame: 128, fifo: 128, labelWindow: 8 };
    const its = { protocol: PROTOCOL, boot: this.boot, table: tableHash(), ...room };
    this.say("hello", { ...its, sid: this.boot, seq: 0, labelled: 0, durable: 0, restore: 0, ...this.hello });
  }

  private take(socket: Socket): void {
    this.socket = socket;
    this.down = new Receiver(messageNames("down"));
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const byte of bytes) {
        const name = this.down.take(byte);
        if (name) this.hear(name);
      }
    });
    this.greet();
  }

  private hear(name: DownName): void {
    const { what } = this.message("request");
    this.heard.push(name === "request" ? what : name);
    if (name === "welcome" && this.grants) this.grant();
    if (name === "request" && what === REQUEST.hello) this.greet();
    this.on(name);
  }
}
