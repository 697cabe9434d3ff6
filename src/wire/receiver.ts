import { type Checksum, Crc32 } from "../math/crc32.ts";
import { unstuff } from "./cobs.ts";
import { type Format, type Formats, formats } from "./format.ts";
import { FRAME_MAX, ID_MAX, type Message, type MessageName } from "./messages.ts";

/** What a receiver counts: bytes thrown away, and frames thrown away by reason. */
export interface Thrown {
  bytes: number;
  /** too short, too long, or not of their message's length */
  wrongLength: number;
  /** not stuffed bytes */
  cobs: number;
  /** a wrong check sum: damaged, or a message that differs between the ends */
  crc: number;
  /** an id that this receiver doesn't take */
  unknown: number;
}

/** Why a frame is thrown away; no literals where bytes pass, see `NAME`. */
const REASON = Object.freeze({
  wrongLength: "wrongLength",
  cobs: "cobs",
  crc: "crc",
  unknown: "unknown",
} as const);

/** Stuffed bytes between two delimiters. */
export const STUFFED_MAX = FRAME_MAX - 2;
/** The stuffing byte, the id, the check sum. */
const STUFFED_MIN = 6;

/**
 * Finds messages in bytes as they come, however they are cut up, and resynchronises after any garbage: the
 * next whole frame is understood. All is made in the constructor; nothing is allocated later.
 */
export class Receiver<N extends MessageName> {
  readonly thrown: Thrown = { bytes: 0, wrongLength: 0, cobs: 0, crc: 0, unknown: 0 };
  private readonly frame = new Uint8Array(STUFFED_MAX);
  private readonly view = new DataView(this.frame.buffer);
  private readonly formats: Formats<N>;
  private readonly byId: readonly (Format<N> | undefined)[];
  /** Bytes since the last delimiter; more than the frame holds if it is too long. */
  private length = 0;

  /** @param names the messages that are taken: any other is thrown away as unknown. */
  constructor(
    names: readonly N[],
    private readonly crc: Checksum = new Crc32(),
  ) {
    this.formats = formats(names);
    const byId: (Format<N> | undefined)[] = new Array(ID_MAX + 1).fill(undefined);
    for (const name of names) byId[this.formats[name].id] = this.formats[name] as unknown as Format<N>;
    this.byId = byId;
  }

  /** The one record of that message: what came last; valid until the next comes. */
  message<M extends N>(name: M): Message<M> {
    return this.formats[name].message;
  }

  /**
   * Takes bytes from..to-1 up to the next delimiter, which no message is complete without; returns its index, or `to`. Many bytes
   * take a third of the instructions of one after the other.
   */
  gather(bytes: Uint8Array, from: number, to: number): number {
    const { frame } = this;
    let { length } = this;
    let i = from;
    for (; i < to; i++) {
      const byte = bytes[i];
      if (byte === 0) break;
      if (length < STUFFED_MAX) frame[length] = byte;
      length++;
    }
    this.length = length;
    return i;
  }

  /** Takes one byte. Returns the name of the message that it completes, else undefined. */
  take(byte: number): N | undefined {
    if (byte === 0) {
      const { length } = this;
      this.length = 0;
      return length === 0 ? undefined : this.open(length);
    }
    if (this.length < STUFFED_MAX) this.frame[this.length] = byte;
    this.length++;
    return undefined;
  }

  private open(length: number): N | undefined {
    const { frame, view } = this;
    if (length < STUFFED_MIN || length > STUFFED_MAX) return this.discard(REASON.wrongLength, length);
    if (!unstuff(frame, 0, length)) return this.discard(REASON.cobs, length);
    const format = this.byId[frame[1]];
    if (!format) return this.discard(REASON.unknown, length);
    const end = length - 4;
    const check = this.crc.crc32(frame, 1, end, format.seed);
    if (view.getUint32(end, true) !== check) return this.discard(REASON.crc, length);
    if (!format.fits(end - 2)) return this.discard(REASON.wrongLength, length);
    format.read(view, 2, end - 2);
    return format.name;
  }

  private discard(reason: keyof typeof REASON, length: number): undefined {
    this.thrown[reason]++;
    this.thrown.bytes += length;
  }
}

/** ASCII bytes as a text, up to the first zero; it allocates. */
export function textOf(bytes: Uint8Array, length = bytes.length): string {
  let text = "";
  for (let i = 0; i < length && bytes[i] !== 0; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
