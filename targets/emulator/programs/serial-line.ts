/** A byte at 115,200 baud, with start and stop bit. */
const MS_PER_BYTE = 10_000 / 115_200;

/** Bytes in a ring of fixed size. */
class Fifo {
  held = 0;
  private readonly ring: Uint8Array;
  private head = 0;

  constructor(readonly capacity: number) {
    this.ring = new Uint8Array(capacity);
  }

  append(byte: number): void {
    this.ring[(this.head + this.held++) % this.capacity] = byte;
  }

  first(): number {
    const byte = this.ring[this.head];
    this.head = (this.head + 1) % this.capacity;
    this.held--;
    return byte;
  }
}

export interface LineTraffic {
  readonly bytes: number;
  readonly frames: number;
  /** Bytes of the longest frame, both delimiters included. */
  readonly longest: number;
  /** Bytes lost because the receiver's FIFO was full. */
  readonly lost: number;
  /** Bytes that nobody has read yet. */
  readonly left: number;
}

/**
 * One direction of a serial line: bytes wait in the sender's FIFO, cross one by one, and wait in the
 * receiver's.
 */
export class SerialLine {
  private readonly sending: Fifo;
  private readonly arrived: Fifo;
  /** When the present byte began to cross. */
  private since = 0;
  private bytes = 0;
  private frames = 0;
  private longest = 0;
  private lost = 0;
  /** Bytes since the last delimiter. */
  private length = 0;

  /** @param holds bytes for which the receiver has room. */
  constructor(sends: number, holds: number) {
    this.sending = new Fifo(sends);
    this.arrived = new Fifo(holds);
  }

  /** Takes as many of bytes from..to-1 as have room at that time, in milliseconds; returns how many. */
  send(bytes: Uint8Array, from: number, to: number, now: number): number {
    const { sending } = this;
    const count = Math.min(to - from, sending.capacity - sending.held);
    if (sending.held === 0) this.since = now;
    for (let i = from; i < from + count; i++) {
      sending.append(bytes[i]);
      this.measure(bytes[i]);
    }
    this.bytes += count;
    return count;
  }

  private measure(byte: number): void {
    if (byte !== 0) {
      this.length++;
      return;
    }
    if (this.length > 0) this.frames++;
    this.longest = Math.max(this.longest, this.length + 2);
    this.length = 0;
  }

  /** Moves the bytes that have had time to cross. */
  advance(now: number): void {
    const { sending, arrived } = this;
    while (sending.held > 0 && this.since + MS_PER_BYTE <= now) {
      this.since += MS_PER_BYTE;
      const byte = sending.first();
      if (arrived.held < arrived.capacity) arrived.append(byte);
      else this.lost++;
    }
  }

  /** When the next byte will have crossed; infinite if there is none. */
  get next(): number {
    return this.sending.held > 0 ? this.since + MS_PER_BYTE : Number.POSITIVE_INFINITY;
  }

  /** Received bytes that weren't read yet. */
  get waiting(): number {
    return this.arrived.held;
  }

  /** Moves received bytes to the beginning of `to`; returns how many. */
  read(to: Uint8Array): number {
    const count = Math.min(to.length, this.arrived.held);
    for (let i = 0; i < count; i++) to[i] = this.arrived.first();
    return count;
  }

  get carried(): LineTraffic {
    const { bytes, frames, longest, lost } = this;
    return { bytes, frames, longest, lost, left: this.sending.held + this.arrived.held };
  }
}
