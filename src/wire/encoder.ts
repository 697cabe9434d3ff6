import { type Checksum, Crc32 } from "../math/crc32.ts";
import { stuff } from "./cobs.ts";
import { type Formats, formats } from "./format.ts";
import { FRAME_MAX, type Message, type MessageName } from "./messages.ts";

/**
 * Makes frames: fill in `message(name)`, then `encode(name)`; the frame lies in `frame`. All is made in the
 * constructor, for the names given; nothing is allocated later.
 */
export class Encoder<N extends MessageName> {
  private readonly view: DataView;
  private readonly formats: Formats<N>;

  /**
   * @param frame where the last frame lies, from its first byte: room for 128.
   * @param frameBytes bytes of the longest frame, 96..128; default 128.
   */
  constructor(
    names: readonly N[],
    private readonly crc: Checksum = new Crc32(),
    readonly frame = new Uint8Array(FRAME_MAX),
    frameBytes?: number,
  ) {
    this.view = new DataView(frame.buffer, frame.byteOffset, FRAME_MAX);
    this.formats = formats(names, frameBytes);
  }

  /** The one record of that message, to be filled in; it keeps what was filled in before. */
  message<M extends N>(name: M): Message<M> {
    return this.formats[name].message;
  }

  /** Makes the frame of the record; returns its bytes, at most 128. */
  encode(name: N): number {
    const { frame, view } = this;
    const format = this.formats[name];
    frame[2] = format.id;
    const end = format.write(view, 3);
    view.setUint32(end, this.crc.crc32(frame, 2, end, format.seed), true);
    stuff(frame, 1, end + 4);
    frame[0] = 0;
    frame[end + 4] = 0;
    return end + 5;
  }
}

/**
 * Writes a text into bytes as ASCII, `?` for what isn't, zeros after it; returns its length, cut to what
 * fits.
 */
export function putText(to: Uint8Array, text: string): number {
  const length = Math.min(to.length, text.length);
  for (let i = 0; i < to.length; i++) {
    const code = i < length ? text.charCodeAt(i) : 0;
    to[i] = code < 128 ? code : 63;
  }
  return length;
}
