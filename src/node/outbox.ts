import type { BytePort } from "./ports.ts";

/** Room that frames leave which may be dropped, for those that the peer waits for. */
const RESERVE = 64;

/** Frames that wait until the port takes them, in a ring of fixed size. */
export class Outbox {
  /** Frames dropped because there was no room. */
  dropped = 0;
  private readonly ring: Uint8Array;
  private head = 0;
  private waiting = 0;

  /** @param capacity bytes. */
  constructor(capacity: number) {
    this.ring = new Uint8Array(capacity);
  }

  /** Whether a frame of that many bytes has room; `urgent` ones may fill the ring. */
  hasRoom(bytes: number, urgent: boolean): boolean {
    return this.waiting + bytes + (urgent ? 0 : RESERVE) <= this.ring.length;
  }

  /** Takes the frame's bytes 0..bytes-1, whole or not at all; one not taken is counted. */
  put(frame: Uint8Array, bytes: number, urgent: boolean): boolean {
    const { ring } = this;
    if (!this.hasRoom(bytes, urgent)) {
      this.dropped++;
      return false;
    }
    const end = this.head + this.waiting;
    for (let i = 0; i < bytes; i++) ring[(end + i) % ring.length] = frame[i];
    this.waiting += bytes;
    return true;
  }

  /** Gives the port what it takes. */
  flush(port: BytePort): void {
    const { ring } = this;
    while (this.waiting > 0) {
      const end = Math.min(this.head + this.waiting, ring.length);
      const taken = port.write(ring, this.head, end);
      if (taken === 0) return;
      this.head = (this.head + taken) % ring.length;
      this.waiting -= taken;
    }
  }
}
