import Serial from "embedded:io/serial";
import type { BytePort } from "../../src/node/ports.ts";
import { type ByteSerial, SerialBytes } from "./serial-bytes.ts";

/** A UART, in `config.wire`'s terms. */
export interface UartOptions {
  /** Number of the UART. */
  readonly port: number;
  /** GPIO on which it transmits. */
  readonly transmit: number;
  /** GPIO on which it receives. */
  readonly receive: number;
  /** Bits a second, in both directions. */
  readonly baud: number;
}

/** The functions of uart.c. */
class Fifos {
  /** True if this chip has them: an ESP32 of any kind. */
  exist(): boolean {
    return native("uart_has_fifo").call(this);
  }

  read(port: number, to: Uint8Array): number {
    return native("uart_read").call(this, port, to);
  }

  write(port: number, bytes: Uint8Array, from: number, to: number): number {
    return native("uart_write").call(this, port, bytes, from, to);
  }
}

const FIFOS = Object.freeze(new Fifos());

/**
 * Bytes over a UART, moved in one call each way; the SDK's driver only sets the pins. Received bytes stay in
 * its FIFO of 128 bytes.
 */
class FifoBytes implements BytePort {
  private readonly port: number;

  constructor(options: UartOptions) {
    new Serial({ ...options, format: "number" });
    this.port = options.port;
  }

  read(to: Uint8Array): number {
    return FIFOS.read(this.port, to);
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    return FIFOS.write(this.port, bytes, from, to);
  }
}

/**
 * Bytes over a UART: received bytes stay in the FIFO of 128 bytes until they are read; in one call on an
 * ESP32, else one by one.
 */
export class Uart implements BytePort {
  private readonly bytes: BytePort;

  constructor(options: UartOptions) {
    this.bytes = FIFOS.exist()
      ? new FifoBytes(options)
      : new SerialBytes(
          (onWritable) => new Serial({ ...options, format: "number", onWritable }) as ByteSerial,
        );
  }

  /** The port itself, for frequent callers. */
  get direct(): BytePort {
    return this.bytes;
  }

  read(to: Uint8Array): number {
    return this.bytes.read(to);
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    return this.bytes.write(bytes, from, to);
  }
}
