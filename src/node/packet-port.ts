import type { BytePort } from "./ports.ts";

/** Default of the bytes that may wait for the node: several labels. The node reports credit each quarter of it. */
export const PACKET_FIFO_BYTES = 512;
/** Bytes of a packet at most: several frames share one. */
export const PACKET_MAX = 1024;
/** A packet without news costs its transport as much as any: credit alone goes half as often as on a UART. */
export const PACKET_CREDIT_MS = 500;

/**
 * A byte port over a transport of whole packets, such as the messages of an MQTT broker. Each packet that leaves consists of whole
 * frames, delimiters included, so a lost packet, a repeated one, or two in the wrong order never spoil a frame in another packet. All
 * buffers are made in the constructor.
 *
 *     const port = new PacketPort((packet, bytes) => client.publish(packet.slice(0, bytes)));
 *     client.on("message", (payload) => port.arrive(payload));
 */
export class PacketPort implements BytePort {
  /** Packets that were dropped whole because there was no room. */
  overrun = 0;
  readonly creditMs = PACKET_CREDIT_MS;
  private readonly packet = new Uint8Array(PACKET_MAX);
  /** Bytes of `packet` in use, and how many of those are whole frames. */
  private filled = 0;
  private whole = 0;
  private readonly ring: Uint8Array;
  private head = 0;
  private waiting = 0;

  /**
   * @param transmit sends bytes 0..bytes-1 of a packet, valid during the call; false if the transport takes none now.
   * @param fifoBytes bytes that may have arrived and not been read, 73..65535.
   */
  constructor(
    private readonly transmit: (packet: Uint8Array, bytes: number) => boolean,
    readonly fifoBytes = PACKET_FIFO_BYTES,
  ) {
    this.ring = new Uint8Array(fifoBytes);
  }

  /** Bytes that have arrived and weren't read. */
  get available(): number {
    return this.waiting;
  }

  /** Takes a packet's bytes, all or none; returns whether it took them. */
  arrive(bytes: Uint8Array): boolean {
    const { ring } = this;
    if (bytes.length > ring.length - this.waiting) {
      this.overrun++;
      return false;
    }
    let to = (this.head + this.waiting) % ring.length;
    for (let i = 0; i < bytes.length; i++) {
      ring[to] = bytes[i];
      to = to + 1 < ring.length ? to + 1 : 0;
    }
    this.waiting += bytes.length;
    return true;
  }

  read(to: Uint8Array): number {
    const { ring } = this;
    const count = Math.min(to.length, this.waiting);
    let from = this.head;
    for (let i = 0; i < count; i++) {
      to[i] = ring[from];
      from = from + 1 < ring.length ? from + 1 : 0;
    }
    this.head = from;
    this.waiting -= count;
    return count;
  }

  /** Takes bytes from..to-1 and sends the frames that they complete; takes fewer, or none, while the transport takes no packet. */
  write(bytes: Uint8Array, from: number, to: number): number {
    for (let i = from; i < to; i++) {
      if (this.filled === PACKET_MAX && !this.leave()) return i - from;
      this.put(bytes[i]);
    }
    this.leave();
    return to - from;
  }

  /** A delimiter behind a frame's bytes ends the frame; the one before them begins it. */
  private put(byte: number): void {
    this.packet[this.filled++] = byte;
    if (byte === 0 && this.filled - this.whole > 1) this.whole = this.filled;
  }

  /** Sends the whole frames and keeps what follows them. False if there is still no room. */
  private leave(): boolean {
    const { packet, whole } = this;
    if (whole === 0) {
      if (this.filled === PACKET_MAX) this.filled = 0; // no frame is that long
      return true;
    }
    if (!this.transmit(packet, whole)) return false;
    packet.copyWithin(0, whole, this.filled);
    this.filled -= whole;
    this.whole = 0;
    return true;
  }
}
