import type { Message, MessageName } from "../../src/wire/messages.ts";

/** What makes parcels of a message's record, and takes them back. */
interface ParcelSource<N extends MessageName> {
  parcel(length: number, message: Message<N>): Parcel<N>;
  reuse(parcel: Parcel<N>): void;
}

/** A frame on its way: its bytes, or the record of its message. */
export class Parcel<N extends MessageName = MessageName> {
  /** When it is there, whole; milliseconds. */
  at = 0;
  /** Whether a byte of it was changed or lost, so that no message comes of it. */
  damaged = false;

  constructor(
    /** Bytes on the line. */
    public length: number,
    readonly name: N | undefined,
    readonly message: Message<N> | undefined,
    readonly bytes: Uint8Array | undefined,
    /** Where it is taken back to; default: nowhere. */
    private readonly source?: ParcelSource<N>,
  ) {}

  /** The same once more. */
  again(): Parcel<N> {
    const { source, length, name, message, bytes } = this;
    return source && message
      ? source.parcel(length, message)
      : new Parcel(length, name, message, bytes?.slice());
  }

  /** What is left of it when only its first bytes find room. */
  cut(length: number): Parcel<N> {
    const rest = new Parcel(length, this.name, this.message, this.bytes?.subarray(0, length));
    rest.damaged = true;
    return rest;
  }

  /** Nobody needs it or its message any more: another may be made of it. One that is never released is merely not used again. */
  release(): void {
    this.source?.reuse(this);
  }
}
