import type { EventLoop, EventSource } from "./event-loop.ts";

declare const eventLoop: EventLoop;
declare const uart: {
  read(to: Uint8Array): number;
  write(bytes: Uint8Array, from: number, to: number): number;
};

const FIFO = 128;

interface SerialOptions {
  readonly onWritable?: (bytes: number) => void;
}

/** `embedded:io/serial`, one byte at a time: the wire's UART, whichever port and pins are asked for. */
export default class Serial implements EventSource {
  private readonly onWritable: ((bytes: number) => void) | undefined;
  private readonly one = new Uint8Array(1);
  private readonly sending = new Uint8Array(FIFO);
  private count = 0;
  /** Room in bytes, as reported to `onWritable`. */
  private room = 0;

  constructor({ onWritable }: SerialOptions) {
    this.onWritable = onWritable;
    eventLoop.lookAfter(this);
  }

  read(): number | undefined {
    return uart.read(this.one) > 0 ? this.one[0] : undefined;
  }

  write(byte: number): void {
    if (this.count === FIFO) throw new Error("serial: the output is full");
    this.sending[this.count++] = byte;
    this.room--;
  }

  /** Sends waiting bytes, and calls `onWritable` when there is more room. */
  pump(): void {
    const sent = uart.write(this.sending, 0, this.count);
    if (sent > 0) this.sending.copyWithin(0, sent, this.count);
    this.count -= sent;
    if (FIFO - this.count <= this.room) return;
    this.room = FIFO - this.count;
    this.onWritable?.(this.room);
  }

  close(): void {}
}
