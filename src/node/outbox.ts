import { FRAME_MAX } from "../wire/messages.ts";
import type { BytePort } from "./ports.ts";

/** Default of the bytes of frames that may wait. */
export const OUTBOX_BYTES = 512;
/** Bytes that droppable frames leave free for the frames that the peer waits for. */
export const RESERVE_BYTES = 64;

/** Bytes that an outbox of that capacity takes. */
export function outboxBytes(capacity: number): number {
  return capacity + FRAME_MAX;
}

/** Frames that wait until the port takes them, in a ring of fixed size. */
export class Outbox {
  /** Frames dropped because there was no room. */
  dropped = 0;
  /** Scratch in which a frame is made before `put`. It lies behind the ring in the same buffer, as the engine copies fast within one. */
  readonly frame: Uint8Array<ArrayBuffer>;
  private readonly ring: Uint8Array<ArrayBuffer>;
  private head = 0;
  private waiting = 0;

  /** @param capacity bytes. @param buffer begins with `outboxBytes(capacity)` bytes for ring and frame. */
  constructor(
    private readonly capacity: number,
    buffer: ArrayBuffer,
  ) {
    this.ring = new Uint8Array(buffer, 0, outboxBytes(capacity));
    this.frame = this.ring.subarray(capacity);
  }

  /** True if no frame waits. */
  get empty(): boolean {
    return this.waiting === 0;
  }

  /** True if a frame of that many bytes has room; `urgent` ones may fill the ring. */
  hasRoom(bytes: number, urgent: boolean): boolean {
    return this.waiting + bytes + (urgent ? 0 : RESERVE_BYTES) <= this.capacity;
  }

  /** Takes bytes 0..bytes-1 of `frame`, whole or not at all; counts a frame that it doesn't take. */
  put(bytes: number, urgent: boolean): boolean {
    const { ring, capacity } = this;
    if (!this.hasRoom(bytes, urgent)) return this.drop();
    let to = this.head + this.waiting;
    if (to >= capacity) to -= capacity;
    const first = capacity - to;
    ring.copyWithin(to, capacity, capacity + (first < bytes ? first : bytes));
    if (first < bytes) ring.copyWithin(0, capacity + first, capacity + bytes);
    this.waiting += bytes;
    return true;
  }

  /** Counts a frame that can't be taken; false. */
  drop(): boolean {
    this.dropped++;
    return false;
  }

  /** Writes what the port takes. */
  flush(port: BytePort): void {
    if (this.waiting === 0) return;
    const { ring, capacity } = this;
    while (this.waiting > 0) {
      const { head } = this;
      const end = head + this.waiting;
      const taken = port.write(ring, head, end < capacity ? end : capacity);
      if (taken === 0) return;
      this.head = head + taken < capacity ? head + taken : 0;
      this.waiting -= taken;
    }
  }
}
