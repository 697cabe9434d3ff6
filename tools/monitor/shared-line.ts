import type { Server, Socket } from "node:net";
import type { REQUEST } from "../../src/node/station.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { DeviceError } from "../cli/exit.ts";
import { type Channel, socketChannel } from "../ports/channel.ts";
import { listen } from "../ports/listen.ts";
import type { PortFlags } from "../ports/options.ts";
import { Port } from "../ports/port.ts";
import { helloOf } from "../session/hello.ts";
import type { Configuration } from "../session/session.ts";
import type { Line, LineEvents } from "./line.ts";
import { linkStatus } from "./status.ts";
import { Tap } from "./tap.ts";

const TICK_MS = 20;
const ASK_MS = 1000;
/** Between two frames of the monitor's own: the node's FIFO has little room for what needs no credit. */
const OWN_MS = 250;

/** A change of the node's options that it hasn't confirmed yet. */
interface Change {
  readonly options: Partial<Configuration>;
  readonly done: (before: Configuration) => void;
  before?: Configuration;
}

/** A node's line that another program uses through a socket of this one: that program is the node's peer. */
export class SharedLine implements Line {
  private port!: Port;
  private readonly tap: Tap;
  private client: Channel | undefined;
  private readonly waiting = new Set<keyof typeof REQUEST>();
  private change: Change | undefined;
  private ownAt = Number.NEGATIVE_INFINITY;
  private askedAt = Number.NEGATIVE_INFINITY;
  private frameAt = performance.now();
  private fault: Error | undefined;
  /** The node's starts, the last of them `boot`. */
  private readonly boots = new Set<number>();

  private constructor(
    private readonly server: Server,
    private readonly giveUp: number,
    private readonly events: LineEvents,
  ) {
    this.tap = new Tap({
      toNode: (bytes) => this.port.write(bytes),
      toPeer: (bytes) => this.client?.write(bytes),
      message: (name, message) => this.guarded(() => this.take(name, message)),
      told: (label) => this.guarded(() => this.events.told?.(label)),
    });
    server.on("connection", (socket) => this.admit(socket));
  }

  /** Opens the port and listens at `share`: tcp://HOST:PORT or unix:PATH. Throws a UserError or DeviceError. */
  static async open(
    name: string,
    share: string,
    { baud, reset, giveUp }: PortFlags,
    events: LineEvents,
  ): Promise<SharedLine> {
    const { server } = await listen("--share", share);
    const line = new SharedLine(server, giveUp, events);
    const told = {
      data: (bytes: Uint8Array) => line.tap.fromNode(bytes),
      lost: (error: DeviceError) => events.lost?.(error),
      reopened: () => events.reopened?.(),
    };
    try {
      line.port = await Port.open(name, { baud, reset }, told);
    } catch (error) {
      server.close();
      throw error;
    }
    return line;
  }

  get link() {
    return linkStatus(this.port, this.tap.receiver.thrown);
  }

  request(what: keyof typeof REQUEST): void {
    this.waiting.add(what);
  }

  configure(options: Partial<Configuration>): Promise<Configuration> {
    return new Promise((done) => {
      this.change = { options, done };
      this.request("configuration");
    });
  }

  until(done: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setInterval(() => {
        try {
          this.tick();
          const fault = this.fault ?? this.silence();
          if (fault) throw fault;
          if (!done()) return;
          resolve();
        } catch (error) {
          reject(error as Error);
        }
        clearInterval(timer);
      }, TICK_MS);
    });
  }

  async close(): Promise<void> {
    for (let waits = 0; this.waiting.size > 0 && waits < 1000; waits += TICK_MS) {
      await new Promise((done) => setTimeout(done, TICK_MS));
      this.tick();
    }
    await this.client?.close();
    await new Promise<void>((done) => this.server.close(() => done()));
    await this.port.close();
  }

  /** One peer at a time: a second is turned away. */
  private admit(socket: Socket): void {
    if (this.client) {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    this.client = socketChannel(socket, {
      data: (bytes) => this.tap.fromPeer(bytes),
      closed: () => {
        this.client = undefined;
        this.tap.peerLeft();
      },
    });
  }

  /** What a listener throws ends the wait, and not the program. */
  private guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.fault ??= error as Error;
    }
  }

  private take<N extends UpName>(name: N, message: Message<N>): void {
    this.frameAt = performance.now();
    this.events.message?.(name, message);
    if (name === "hello") this.meet(message as unknown as Message<"hello">);
    if (name === "configuration") this.confirm(message as unknown as Message<"configuration">);
  }

  private meet(message: Message<"hello">): void {
    if (this.boots.has(message.boot)) return;
    this.boots.add(message.boot);
    this.events.started?.(helloOf(message));
  }

  /** The node said how it is configured: as it was, or as it was to be. */
  private confirm({ length: _, ...now }: Message<"configuration">): void {
    const { change } = this;
    if (!change) return;
    change.before ??= now;
    const names = Object.keys(change.options) as (keyof Configuration)[];
    if (names.some((name) => now[name] !== change.options[name])) {
      this.tap.configure({ ...now, ...change.options });
      return;
    }
    this.change = undefined;
    change.done(change.before);
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.askedAt >= ASK_MS) {
      this.askedAt = now;
      if (this.boots.size === 0) this.request("hello");
      if (this.change) this.request("configuration");
    }
    const [what] = this.waiting;
    if (what === undefined || !this.port.open || now - this.ownAt < OWN_MS) return;
    if (!this.tap.request(what)) return;
    this.ownAt = now;
    this.waiting.delete(what);
  }

  private silence(): DeviceError | undefined {
    const { giveUp, port } = this;
    if (giveUp === 0 || performance.now() - this.frameAt <= 1000 * giveUp) return undefined;
    if (!port.open) return port.goneFor(giveUp);
    return new DeviceError(`${port.name}: the node has been silent for ${giveUp} s`);
  }
}
