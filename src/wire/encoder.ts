import { type Fields, FORMATS, type Format, nodeRecords, records } from "./format.ts";
import { chooseFrames, type FrameBytes } from "./frame-bytes.ts";
import { type KeyedEnd, nonceBytes, TAG_BYTES } from "./keyed.ts";
import { FRAME_MAX, FRAME_OVERHEAD, type Message, type MessageName } from "./messages.ts";

/**
 * Makes frames. Fill in the record `message(name)`, then `encode(name)` writes the frame into `frame`. Nothing is allocated
 * after construction.
 */
export class Encoder<N extends MessageName> {
  /** The records to fill in: a message's own, or else the `shared` one. */
  readonly records: { readonly [name: string]: Fields | undefined };

  /**
   * @param frame where the last frame lies, from its first byte: room for 128.
   * @param frameBytes bytes of the longest frame, 100..128, or 116..128 if it is keyed; default 128.
   * @param keyed tags the frames of a keyed line; default: no tags.
   * @param isNode the messages are all that a node sends, and most share a record; default: each has its own.
   */
  constructor(
    names: readonly N[],
    private readonly frames: FrameBytes = chooseFrames(),
    readonly frame = new Uint8Array(FRAME_MAX),
    frameBytes = FRAME_MAX,
    private readonly keyed?: KeyedEnd,
    isNode = false,
  ) {
    const most = keyed ? frameBytes - TAG_BYTES : frameBytes;
    this.records = isNode
      ? nodeRecords("up", most)
      : (records(names, most) as { readonly [name: string]: Fields });
  }

  /**
   * The one record of that message, to fill in. It keeps the values of the last time; its rest keeps them until another message's rest is
   * filled in. In a node only hello, credit, prediction, acknowledgement and updating keep their values.
   */
  message<M extends N>(name: M): Message<M> {
    return (this.records[name] ?? this.records.shared) as unknown as Message<M>;
  }

  /** Bytes of the frame that the record would make as it is now. */
  messageBytes(name: N): number {
    const format = FORMATS[name];
    const fields = format.recordBytes((this.records[name] ?? this.records.shared) as Fields);
    return FRAME_OVERHEAD + fields + (this.keyed ? TAG_BYTES + nonceBytes(format.id) : 0);
  }

  /** Makes the frame of the record; returns its bytes, at most 128; 0 if the line is keyed and no session can tag it. */
  encode(name: N): number {
    const format = FORMATS[name];
    const record = (this.records[name] ?? this.records.shared) as Fields;
    const session = this.keyed?.wordsFor(format);
    if (this.keyed && !session) return this.seal(this.keyed, format, record);
    return this.frames.make(this.frame, format, record, session);
  }

  private seal(keyed: KeyedEnd, format: Format, record: Fields): number {
    const { frame } = this;
    frame[2] = format.id;
    return keyed.seal(frame, this.frames.pack(frame, 3, format, record), format.seed);
  }
}

/**
 * Writes a text into bytes as printable ASCII, `?` for any other character, and fills up with zeros. Returns the text's length, at most the
 * length of the bytes.
 */
export function putText(to: Uint8Array, text: string): number {
  const length = Math.min(to.length, text.length);
  for (let i = 0; i < to.length; i++) {
    const code = i < length ? text.charCodeAt(i) : 0;
    to[i] = i >= length || (code >= 0x20 && code <= 0x7e) ? code : 63;
  }
  return length;
}
