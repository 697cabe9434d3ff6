import type { BytePort } from "../../../src/node/ports.ts";
import { FRAME_MAX } from "../../../src/wire/messages.ts";
import { SerialBytes } from "../../moddable/serial-bytes.ts";
import type { BytePipe } from "./byte-pipe.ts";

/** The key of lines and labels. */
export const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
/** What a byte is damaged by. */
const DAMAGE = 0x55;

/** What is between a program's node and its peer, where it isn't the usual. */
export interface LineShape {
  /** Whether nothing comes but labels, and every sample is of the node's own sensors; else frames are damaged, samples fed, questions asked. */
  readonly quiet?: boolean;
  /** Whether bytes pass one by one, as over a UART (moddable/uart.ts); else in one call, as usb-serial.c moves them. */
  readonly uart?: boolean;
  /** Whether the line is keyed, which takes a UART, and whether labels are. */
  readonly keyed?: boolean;
  readonly keyedLabels?: boolean;
}

/** The node's port, and what its peer puts on the line. */
export interface Line {
  readonly port: BytePort;
  /** Hands over a frame; with the byte at `at` changed, if there is one. */
  carry(frame: Uint8Array, count: number, at?: number): void;
}

/** Bytes that pass one by one. What the node sends is heard until the peers have met, and then forgotten. */
export class ByteLine implements Line {
  readonly port: SerialBytes;
  private readonly serial;

  constructor(private readonly pipe: BytePipe) {
    const { readByte, writeByte } = pipe;
    this.serial = { read: readByte, write: writeByte };
    this.port = new SerialBytes((onWritable) => {
      onWritable(Infinity);
      return this.serial;
    });
  }

  carry(frame: Uint8Array, count: number, at = -1): void {
    if (at >= 0) frame[at] ^= DAMAGE;
    this.pipe.carry(frame, count);
    if (at >= 0) frame[at] ^= DAMAGE;
  }

  /** Who hears what the node sends; undefined: nobody. */
  heardBy(hear: ((byte: number) => void) | undefined): void {
    this.serial.write = hear ?? this.pipe.writeByte;
  }
}

/** Bytes that pass in one call: what the peer sent last; what the node sends is taken and forgotten. */
export class CallLine implements BytePort, Line {
  readonly port = this;
  private readonly bytes = new Uint8Array(FRAME_MAX);
  private count = 0;

  constructor(private readonly pipe: BytePipe) {}

  /** Hands over a frame; with the byte at `at` changed, if there is one. */
  carry(frame: Uint8Array, count: number, at = -1): void {
    for (let i = 0; i < count; i++) this.bytes[i] = frame[i];
    if (at >= 0) this.bytes[at] ^= DAMAGE;
    this.count = count;
  }

  /** In one call, as usb-serial.c moves them. */
  read(to: Uint8Array): number {
    const { count } = this;
    this.pipe.move(to, this.bytes, count);
    this.count = 0;
    return count;
  }

  write(_bytes: Uint8Array, from: number, to: number): number {
    return to - from;
  }
}
