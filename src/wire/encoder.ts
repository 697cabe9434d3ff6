import { type Checksum, Crc32 } from "../math/crc32.ts";
import { stuff } from "./cobs.ts";
import { type Formats, formats } from "./format.ts";
import { type KeyedEnd, nonceBytes, TAG_BYTES } from "./keyed.ts";
import { FRAME_MAX, FRAME_OVERHEAD, type Message, type MessageName } from "./messages.ts";

/**
 * Makes frames: fill in `message(name)`, then `encode(name)`; the frame lies in `frame`. All is made in the
 * constructor, for the names given; nothing is allocated later.
 */
export class Encoder<N extends MessageName> {
  private readonly view: DataView;
  private readonly formats: Formats<N>;

  /**
   * @param frame where the last frame lies, from its first byte: room for 128.
   * @param frameBytes bytes of the longest frame, 100..128, or 116..128 if it is keyed; default 128.
   * @param keyed tags the frames, as on a keyed line; default: they aren't.
   */
  constructor(
    names: readonly N[],
    private readonly crc: Checksum = new Crc32(),
    readonly frame = new Uint8Array(FRAME_MAX),
    frameBytes = FRAME_MAX,
    private readonly keyed?: KeyedEnd,
  ) {
    this.view = new DataView(frame.buffer, frame.byteOffset, FRAME_MAX);
    this.formats = formats(names, keyed ? frameBytes - TAG_BYTES : frameBytes);
  }

  /** The one record of that message, to be filled in; it keeps what was filled in before. */
  message<M extends N>(name: M): Message<M> {
    return this.formats[name].message;
  }

  /** Bytes of the frame that the record would make as it is now. */
  bytesOf(name: N): number {
    const format = this.formats[name];
    return FRAME_OVERHEAD + format.bytes + (this.keyed ? TAG_BYTES + nonceBytes(format.id) : 0);
  }

  /** Makes the frame of the record; returns its bytes, at most 128; 0 if the line is keyed and no session can tag it. */
  encode(name: N): number {
    const { frame, view, keyed, crc } = this;
    const format = this.formats[name];
    frame[2] = format.id;
    let end = format.write(view, 3);
    if (keyed) {
      end = keyed.seal(frame, view, end, format.seed, crc);
      if (end === 0) return 0;
    } else {
      view.setUint32(end, crc.crc32(frame, 2, end, format.seed), true);
      end += 4;
    }
    stuff(frame, 1, end);
    frame[0] = 0;
    frame[end] = 0;
    return end + 1;
  }
}

/**
 * Writes a text into bytes as printable ASCII, `?` for what isn't, zeros after it; returns its length, cut to what
 * fits.
 */
export function putText(to: Uint8Array, text: string): number {
  const length = Math.min(to.length, text.length);
  for (let i = 0; i < to.length; i++) {
    const code = i < length ? text.charCodeAt(i) : 0;
    to[i] = i >= length || (code >= 0x20 && code <= 0x7e) ? code : 63;
  }
  return length;
}
