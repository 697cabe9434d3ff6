import type { Socket } from "node:net";

/** Bytes until a connection has authenticated: CONNECT with name, token and last will has fewer. */
const CONNECT_BYTES_MAX = 1024;

/**
 * Ends an MQTT connection whose input would fill the memory: the broker keeps a packet until it is whole, and its header may
 * promise 256 MB. The broker reads the socket when it is readable; so this has each chunk before the broker keeps it.
 */
export class PacketBound {
  private bytes = 0;
  /** Bytes of the present packet's header that came, and those that it has after that; the packet's bytes to come. */
  private head = 0;
  private length = 0;
  private left = 0;
  /** The longest packet that began. */
  private longest = 0;
  /** Most bytes of a packet after its header; undefined: the connection hasn't authenticated. */
  private most: number | undefined;
  private readonly take = (chunk: Buffer) => this.count(chunk);

  /** @param tooLong called with the reason before the connection is ended. */
  constructor(
    private readonly socket: Socket,
    private readonly tooLong: (why: string) => void,
  ) {
    socket.on("data", this.take);
  }

  /** The connection has authenticated: no packet is longer than that; undefined: any may come. */
  admit(most: number | undefined): void {
    this.most = most;
    if (most === undefined) this.socket.off("data", this.take);
    else this.check();
  }

  private count(chunk: Buffer): void {
    this.bytes += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      const passed = Math.min(this.left, chunk.length - at);
      this.left -= passed;
      at += passed;
      if (at < chunk.length) this.takeHead(chunk[at++]);
    }
    this.check();
  }

  /** A header is a code, then the length, 7 bits a byte, the low ones first; the last byte has no bit 7. */
  private takeHead(byte: number): void {
    if (this.head++ === 0) return;
    this.length += (byte & 127) * 128 ** (this.head - 2);
    if (byte > 127) return;
    this.left = this.length;
    this.longest = Math.max(this.longest, this.length);
    this.head = this.length = 0;
  }

  private check(): void {
    const { bytes, longest, most, socket } = this;
    const isTooLong = most === undefined ? bytes > CONNECT_BYTES_MAX : longest > most;
    if (!isTooLong || socket.destroyed) return;
    this.tooLong(
      most === undefined
        ? `over ${CONNECT_BYTES_MAX} bytes before its login`
        : `a packet of more than ${most} bytes`,
    );
    socket.destroy();
  }
}
