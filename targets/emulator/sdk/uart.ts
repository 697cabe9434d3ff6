import type { BytePort } from "../../../src/node/ports.ts";

declare const uart: BytePort;

/** Replaces moddable/uart.ts: the wire's UART, for any port and pins, by machine/uart.c. */
export class Uart implements BytePort {
  read(to: Uint8Array): number {
    return uart.read(to);
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    return uart.write(bytes, from, to);
  }

  get direct(): BytePort {
    return this;
  }
}
