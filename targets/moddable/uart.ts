import Serial from "embedded:io/serial";
import type { BytePort } from "../../src/node/ports.ts";
import { type ByteSerial, SerialBytes } from "./serial-bytes.ts";

/** A UART, as `config.wire` has it. */
export interface UartOptions {
  readonly port: number;
  readonly transmit: number;
  readonly receive: number;
  readonly baud: number;
}

/** The functions of uart.c. */
class Fifos {
  /** Whether this chip has them: an ESP32 of any kind. */
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

/** Bytes over a UART of which the SDK's driver knows nothing but the pins: moved in one call each way. What comes is left in its FIFO of 128 bytes. */
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

/** Bytes over a UART: what comes is left in the FIFO of 128 bytes until it is read. In one call where the chip is an ESP32, else one by one. */
export class Uart implements BytePort {
  private readonly bytes: BytePort;

  constructor(options: UartOptions) {
    this.bytes = FIFOS.exist()
      ? new FifoBytes(options)
      : new SerialBytes(
          (onWritable) => new Serial({ ...options, format: "number", onWritable }) as ByteSerial,
        );
  }

  /** The port itself, for whoever calls it often. */
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
