import Serial from "embedded:io/serial";
import { type ByteSerial, SerialBytes } from "./serial-bytes.ts";

/** A UART, as `config.wire` has it. */
export interface UartOptions {
  readonly port: number;
  readonly transmit: number;
  readonly receive: number;
  readonly baud: number;
}

/** Bytes over a UART, one by one; what comes is left in the FIFO of 128 bytes until it is read. */
export class Uart extends SerialBytes {
  constructor(options: UartOptions) {
    super((onWritable) => new Serial({ ...options, format: "number", onWritable }) as ByteSerial);
  }
}
