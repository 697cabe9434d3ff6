import { type Fields, FORMATS_BY_ID, type Format, nodeRecords, records } from "./format.ts";
import { chooseFrames, type FrameBytes } from "./frame-bytes.ts";
import { type KeyedEnd, looksKeyed, nonceBytes, TAG_BYTES, VERDICT } from "./keyed.ts";
import { FRAME_MAX, type Message, type MessageName } from "./messages.ts";

/** A receiver's counters: discarded bytes, and discarded frames by reason. */
export interface Thrown {
  /** bytes of all discarded frames */
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
  /** undamaged, but its tag wasn't made with the key, or the line isn't keyed */
  forged: number;
  /** keyed: a right tag, but received before, or of a session that this end doesn't have */
  stale: number;
}

/** Nothing discarded yet. */
export function nothingThrown(): Thrown {
  return { bytes: 0, wrongLength: 0, cobs: 0, crc: 0, unknown: 0, text: 0, forged: 0, stale: 0 };
}

/** Why a frame is discarded; values in place of literals, see `NAME`. */
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
 * Finds messages in a stream of bytes, however the stream is cut up. After any garbage it resynchronises at the next
 * whole frame. Nothing is allocated after construction.
 *
 *     for (let at = 0; at < bytes.length; at = receiver.at) {
 *       const name = receiver.next(bytes, at, bytes.length);
 *       if (name) handle(name, receiver.message(name));
 *     }
 */
export class Receiver<N extends MessageName> {
  readonly thrown = nothingThrown();
  /** The last received message of each name, or, in `shared`, of several. */
  readonly records: { readonly [name: string]: Fields | undefined };
  /** Bytes since the last delimiter; more than the frame holds: the frame is too long. */
  private length = 0;
  /** Where reading of the present bytes stopped. */
  at = 0;

  /**
   * @param names the messages to take; it discards any other as unknown.
   * @param keyed judges the frames of a keyed line, which takes no others; default: an unkeyed line.
   * @param isNode the messages are all that a node receives, and most share a record; default: each has its own.
   * @param frame `STUFFED_MAX` bytes for the frame that comes; default: its own.
   */
  constructor(
    names: readonly N[],
    private readonly frames: FrameBytes = chooseFrames(),
    private readonly keyed?: KeyedEnd,
    isNode = false,
    private readonly frame = new Uint8Array(STUFFED_MAX),
  ) {
    const most = keyed ? FRAME_MAX - TAG_BYTES : FRAME_MAX;
    this.records = isNode
      ? nodeRecords("down", most)
      : (records(names, most) as { readonly [name: string]: Fields });
  }

  /** The one record of that message: the last received, valid until the next arrives. */
  message<M extends N>(name: M): Message<M> {
    return (this.records[name] ?? this.records.shared) as unknown as Message<M>;
  }

  /** Takes bytes from..to-1 up to the end of a message, and stops behind it. Returns its name; undefined if they complete none. */
  next(bytes: Uint8Array, from: number, to: number): N | undefined {
    this.at = from;
    while (this.at < to) {
      const at = this.at;
      const before = this.length;
      const end =
        before === 0 && bytes[at] === 0 ? at : this.frames.gather(this.frame, before, bytes, at, to);
      this.at = end < to ? end + 1 : to;
      const length = before + end - at;
      this.length = end < to ? 0 : length;
      const name = end < to && length > 0 ? this.open(length) : undefined;
      if (name) return name;
    }
    return undefined;
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
    const frame = this.frame;
    const frames = this.frames;
    if (length < STUFFED_MIN || length > STUFFED_MAX) return this.discard(REASON.wrongLength, length);
    if (!frames.unstuff(frame, length)) return this.discard(REASON.cobs, length);
    const format = FORMATS_BY_ID[frame[1]];
    const record = format && (this.records[format.name] ?? (format.down ? this.records.shared : undefined));
    if (!format || !record) return this.discard(REASON.unknown, length);
    const keyed = this.keyed;
    if (!keyed || format.isRoutine)
      if (frames.read(frame, length, format, record, keyed?.words)) return format.name as N;
    return keyed ? this.openKeyed(keyed, format, record, length) : this.openUnkeyed(format, record, length);
  }

  private openUnkeyed(format: Format, record: Fields, length: number): N | undefined {
    const { frame, frames } = this;
    const end = length - CHECK_BYTES;
    const residue = frames.residue(frame, end, format.seed);
    if (residue !== 0) return this.discard(looksKeyed(residue) ? REASON.forged : REASON.crc, length);
    if (!format.fits(end - 2, record)) return this.discard(REASON.wrongLength, length);
    return frames.unpack(frame, 2, end - 2, format, record)
      ? (format.name as N)
      : this.discard(REASON.text, length);
  }

  private openKeyed(keyed: KeyedEnd, format: Format, record: Fields, length: number): N | undefined {
    const { frame, frames } = this;
    const end = length - CHECK_BYTES - TAG_BYTES;
    const fieldBytes = end - 2 - nonceBytes(format.id);
    const fits = format.fits(fieldBytes, record);
    const verdict = fits ? keyed.judge(frame, end, format.seed) : VERDICT.damaged;
    if (verdict === VERDICT.taken)
      return frames.unpack(frame, 2, fieldBytes, format, record)
        ? (format.name as N)
        : this.discard(REASON.text, length);
    if (verdict === VERDICT.stale) return this.discard(REASON.stale, length);
    // A sender without a key sends frames without a tag.
    const untagged = frames.residue(frame, length - CHECK_BYTES, format.seed) === 0;
    if (verdict === VERDICT.forged || untagged) return this.discard(REASON.forged, length);
    return this.discard(fits ? REASON.crc : REASON.wrongLength, length);
  }

  private discard(reason: keyof typeof REASON, length: number): undefined {
    this.thrown[reason]++;
    this.thrown.bytes += length;
  }
}

/** ASCII bytes as a text, up to the first zero; it allocates. */
export function readText(bytes: Uint8Array, length = bytes.length): string {
  let text = "";
  for (let i = 0; i < length && bytes[i] !== 0; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
