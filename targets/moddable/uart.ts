import Serial from "embedded:io/serial";

/** A UART, as `config.wire` has it. */
export interface UartOptions {
  readonly port: number;
  readonly transmit: number;
  readonly receive: number;
  readonly baud: number;
}

/**
 * Bytes over a UART, one by one: the SDK's `write` of a buffer takes no range, and a view for each would be garbage. What
 * comes is left in the FIFO of 128 bytes until it is read.
 */
export class Uart {
  private readonly serial: Serial;
  /** Bytes for which the output FIFO has room, at least. */
  private room = 0;

  constructor(options: UartOptions) {
    this.serial = new Serial({
      ...options,
      format: "number",
      onWritable: (bytes) => {
        this.room = bytes;
      },
    });
  }

  /** Moves bytes that have come to the beginning of `to`; returns how many. */
  read(to: Uint8Array): number {
    for (let i = 0; i < to.length; i++) {
      const byte = this.serial.read() as number | undefined;
      if (byte === undefined) return i;
      to[i] = byte;
    }
    return to.length;
  }

  /** Sends bytes from..to-1 as far as there is room; returns how many. */
  write(bytes: Uint8Array, from: number, to: number): number {
    const count = Math.min(to - from, this.room);
    for (let i = 0; i < count; i++) this.serial.write(bytes[from + i]);
    this.room -= count;
    return count;
  }
}
