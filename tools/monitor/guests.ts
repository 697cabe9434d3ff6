import type { Server, Socket } from "node:net";
import { type Channel, socketChannel } from "../ports/channel.ts";
import { type ListenTrust, listen } from "../ports/listen.ts";

interface GuestEvents {
  /**
   * A guest connects; `write` sends bytes to it. Returns the receiver of its bytes; undefined: it is refused.
   */
  came(write: (bytes: Uint8Array) => void): ((bytes: Uint8Array) => void) | undefined;
  left(): void;
  /** It doesn't read, and was cut off. */
  deaf(): void;
}

/** Listens for programs that use a monitor's node: one at a time; a second is refused. */
export class Guests {
  private channel: Channel | undefined;

  private constructor(
    private readonly server: Server,
    private readonly events: GuestEvents,
  ) {
    server.on("connection", (socket) => this.admit(socket));
  }

  /** Listens at tcp://HOST:PORT or unix:PATH. Throws a UserError or DeviceError. */
  static async listen(share: string, trust: ListenTrust, events: GuestEvents): Promise<Guests> {
    const { server } = await listen("--share", share, trust);
    return new Guests(server, events);
  }

  async close(): Promise<void> {
    await this.channel?.close();
    await new Promise<void>((done) => this.server.close(() => done()));
  }

  private admit(socket: Socket): void {
    const data = this.channel ? undefined : this.events.came((bytes) => this.write(bytes));
    if (!data) {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    this.channel = socketChannel(socket, { data, closed: () => this.end() });
  }

  /** Cuts off a guest that doesn't read before waiting data fills the memory. */
  private write(bytes: Uint8Array): void {
    const { channel } = this;
    channel?.write(bytes);
    if (!channel?.congested) return;
    this.end();
    void channel.close();
    this.events.deaf();
  }

  private end(): void {
    this.channel = undefined;
    this.events.left();
  }
}
