import { type Checksum, Crc32 } from "../math/crc32.ts";
import { unstuff } from "./cobs.ts";
import { type Format, type Formats, formats } from "./format.ts";
import { type KeyedEnd, looksKeyed, nonceBytes, TAG_BYTES, VERDICT } from "./keyed.ts";
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
  /** a text that isn't printable */
  text: number;
  /** sound, and not tagged by who has the key; or tagged where there is none */
  forged: number;
  /** keyed: rightly tagged, and here before; or of a session that this end doesn't have */
  stale: number;
}

/** Nothing thrown away yet. */
export function nothingThrown(): Thrown {
  return { bytes: 0, wrongLength: 0, cobs: 0, crc: 0, unknown: 0, text: 0, forged: 0, stale: 0 };
}

/** Why a frame is thrown away; no literals where bytes pass, see `NAME`. */
const REASON = Object.freeze({
  wrongLength: "wrongLength",
  cobs: "cobs",
  crc: "crc",
  unknown: "unknown",
  text: "text",
  forged: "forged",
  stale: "stale",
} as const);

/** Stuffed bytes between two delimiters. */
export const STUFFED_MAX = FRAME_MAX - 2;
/** The stuffing byte, the id, the check sum. */
const STUFFED_MIN = 6;
const CHECK_BYTES = 4;

/**
 * Finds messages in bytes as they come, however they are cut up, and resynchronises after any garbage: the
 * next whole frame is understood. All is made in the constructor; nothing is allocated later.
 */
export class Receiver<N extends MessageName> {
  readonly thrown = nothingThrown();
  private readonly frame = new Uint8Array(STUFFED_MAX);
  private readonly view = new DataView(this.frame.buffer);
  private readonly formats: Formats<N>;
  private readonly byId: readonly (Format<N> | undefined)[];
  /** Bytes since the last delimiter; more than the frame holds if it is too long. */
  private length = 0;

  /**
   * @param names the messages that are taken: any other is thrown away as unknown.
   * @param keyed judges the frames of a keyed line, which takes no others; default: it isn't one.
   */
  constructor(
    names: readonly N[],
    private readonly crc: Checksum = new Crc32(),
    private readonly keyed?: KeyedEnd,
  ) {
    this.formats = formats(names, keyed ? FRAME_MAX - TAG_BYTES : FRAME_MAX);
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
    const { keyed } = this;
    if (keyed) return this.openKeyed(keyed, format, length);
    const end = length - CHECK_BYTES;
    if (!this.isSound(format, end)) {
      const keyedToo = looksKeyed(frame, view, end, format.seed, this.crc);
      return this.discard(keyedToo ? REASON.forged : REASON.crc, length);
    }
    if (!format.fits(end - 2)) return this.discard(REASON.wrongLength, length);
    return format.read(view, 2, end - 2) ? format.name : this.discard(REASON.text, length);
  }

  private openKeyed(keyed: KeyedEnd, format: Format<N>, length: number): N | undefined {
    const { frame, view, crc } = this;
    const end = length - CHECK_BYTES - TAG_BYTES;
    const fieldBytes = end - 2 - nonceBytes(format.id);
    const fits = format.fits(fieldBytes);
    const verdict = fits ? keyed.judge(frame, view, end, format.seed, crc) : VERDICT.damaged;
    if (verdict === VERDICT.taken)
      return format.read(view, 2, fieldBytes) ? format.name : this.discard(REASON.text, length);
    if (verdict === VERDICT.stale) return this.discard(REASON.stale, length);
    // Whoever has no key sends frames without a tag.
    if (verdict === VERDICT.forged || this.isSound(format, length - CHECK_BYTES))
      return this.discard(REASON.forged, length);
    return this.discard(fits ? REASON.crc : REASON.wrongLength, length);
  }

  /** Whether id and fields up to `end` are followed by their check sum. */
  private isSound(format: Format<N>, end: number): boolean {
    return this.view.getUint32(end, true) === this.crc.crc32(this.frame, 1, end, format.seed);
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
