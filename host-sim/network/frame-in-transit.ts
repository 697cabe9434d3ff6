import type { Message, MessageName } from "../../src/wire/messages.ts";

/** Makes parcels from a message's record, and takes them back for reuse. */
interface ParcelSource<N extends MessageName> {
  parcel(length: number, message: Message<N>): FrameInTransit<N>;
  reuse(parcel: FrameInTransit<N>): void;
}

/** A frame on its way: its bytes, or the record of its message. */
export class FrameInTransit<N extends MessageName = MessageName> {
  /** When it is there, whole; milliseconds. */
  at = 0;
  /** True if a byte was changed or lost, so that the receiver gets no message. */
  damaged = false;

  constructor(
    /** Bytes on the line. */
    public length: number,
    readonly name: N | undefined,
    readonly message: Message<N> | undefined,
    readonly bytes: Uint8Array | undefined,
    /** The pool that takes it back; default: none. */
    private readonly source?: ParcelSource<N>,
  ) {}

  /** The same once more. */
  retry(): FrameInTransit<N> {
    const { source, length, name, message, bytes } = this;
    return source && message
      ? source.parcel(length, message)
      : new FrameInTransit(length, name, message, bytes?.slice());
  }

  /** The truncated parcel when only its first bytes fit. */
  cut(length: number): FrameInTransit<N> {
    const rest = new FrameInTransit(length, this.name, this.message, this.bytes?.subarray(0, length));
    rest.damaged = true;
    return rest;
  }

  /** Returns it and its message for reuse. A parcel that is never released is merely not reused. */
  release(): void {
    this.source?.reuse(this);
  }
}
