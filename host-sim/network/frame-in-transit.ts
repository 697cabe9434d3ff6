import type { Message, MessageName } from "../../src/wire/messages.ts";

/** A frame on its way: its bytes, or the record of its message. */
export class FrameInTransit<N extends MessageName = MessageName> {
  /** When it is there, whole; milliseconds. */
  at = 0;
  /** True if a byte was changed or lost, so that the receiver gets no message. */
  damaged = false;

  constructor(
    /** Bytes on the line. */
    readonly length: number,
    readonly name: N | undefined,
    readonly message: Message<N> | undefined,
    readonly bytes: Uint8Array | undefined,
  ) {}

  /** The same once more. */
  retry(): FrameInTransit<N> {
    const { length, name, message, bytes } = this;
    return new FrameInTransit(length, name, message, bytes?.slice());
  }

  /** The truncated parcel when only its first bytes fit. */
  cut(length: number): FrameInTransit<N> {
    const rest = new FrameInTransit(length, this.name, this.message, this.bytes?.subarray(0, length));
    rest.damaged = true;
    return rest;
  }
}
