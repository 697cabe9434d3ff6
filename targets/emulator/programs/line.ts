import type { BytePort } from "../../../src/node/ports.ts";
import { SerialBytes } from "../../moddable/serial-bytes.ts";
import type { BytePipe } from "./byte-pipe.ts";

/** The key of lines and labels. */
export const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
/** The bits that damage a byte. */
const DAMAGE = 0x55;

/** Options of the line between a program's node and its peer; default: the usual line. */
export interface LineShape {
  /**
   * True if the line carries only labels, and every sample is from the node's own sensors; else it also has
   * damaged frames, fed samples and queries.
   */
  readonly quiet?: boolean;
  /**
   * True if bytes pass one by one, as over a UART where no C moves them (moddable/uart.ts); else in one call,
   * as uart.c and usb-serial.c do.
   */
  readonly uart?: boolean;
  /** True if the line is keyed, and whether labels are. */
  readonly keyed?: boolean;
  readonly keyedLabels?: boolean;
  /** True if the node, whose labels are keyed, is once given back a copy of its memory. */
  readonly restored?: boolean;
}

/**
 * The node's port, and its peer's bytes on the line. The node's frames are read until the peers have met,
 * then dropped.
 */
export abstract class Line {
  abstract readonly port: BytePort;

  constructor(protected readonly pipe: BytePipe) {}

  /** Hands over a frame; with the byte at `at` changed, if there is one. */
  carry(frame: Uint8Array, count: number, at = -1): void {
    if (at >= 0) frame[at] ^= DAMAGE;
    this.pipe.carry(frame, count);
    if (at >= 0) frame[at] ^= DAMAGE;
  }

  /** The receiver of the node's frames; undefined: none. */
  abstract heardBy(hear: ((byte: number) => void) | undefined): void;
}

/** Bytes that pass one by one. */
export class ByteLine extends Line {
  readonly port: SerialBytes;
  private readonly serial;

  constructor(pipe: BytePipe) {
    super(pipe);
    const { readByte, writeByte } = pipe;
    this.serial = { read: readByte, write: writeByte };
    this.port = new SerialBytes((onWritable) => {
      onWritable(Infinity);
      return this.serial;
    });
  }

  heardBy(hear: ((byte: number) => void) | undefined): void {
    this.serial.write = hear ?? this.pipe.writeByte;
  }
}

/** Bytes that pass in one call. */
export class CallLine extends Line {
  readonly port;

  constructor(pipe: BytePipe) {
    super(pipe);
    const { read, write } = pipe;
    this.port = { read, write };
  }

  heardBy(hear: ((byte: number) => void) | undefined): void {
    this.port.write = hear ? (bytes, from, to) => tell(hear, bytes, from, to) : this.pipe.write;
  }
}

function tell(hear: (byte: number) => void, bytes: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) hear(bytes[i]);
  return to - from;
}
