import type { Socket } from "node:net";
import type { BytePort } from "../../src/node/ports.ts";

/** A socket as a UART: bytes that came wait here; without a connection what is sent is lost. */
export class SocketUart implements BytePort {
  socket: Socket | undefined;
  private come: number[] = [];

  /** @param fifoBytes bytes that its FIFO holds; default: no limit is known. */
  constructor(readonly fifoBytes?: number) {}

  arrive(bytes: Uint8Array): void {
    for (const byte of bytes) this.come.push(byte);
  }

  get waiting(): number {
    return this.come.length;
  }

  read(to: Uint8Array): number {
    const bytes = this.come.splice(0, to.length);
    to.set(bytes);
    return bytes.length;
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    this.socket?.write(bytes.slice(from, to));
    return to - from;
  }
}
