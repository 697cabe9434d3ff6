import { FIFO_BYTES, resolvedLimits } from "../../src/node/framing.ts";
import { OUTBOX_BYTES, RESERVE_BYTES } from "../../src/node/outbox.ts";
import type { BytePort, FramePort } from "../../src/node/ports.ts";
import { type DownName, FRAME_MAX, type Message, type UpName } from "../../src/wire/messages.ts";
import { nothingThrown } from "../../src/wire/receiver.ts";
import { FrameInTransit } from "./frame-in-transit.ts";
import type { Line } from "./line.ts";
import type { MessageRecords } from "./records.ts";
import { type Listener, overhear } from "./simulated-node.ts";
import type { VirtualTime } from "./time.ts";

/**
 * A simulated node's UART, each way with an ESP32's FIFO. A received frame is complete with its last byte;
 * bytes without room are lost. Sent bytes leave one by one at the line's rate.
 */
export abstract class Uart {
  /** Bytes that came while the FIFO was full. */
  overruns = 0;
  protected come: FrameInTransit<DownName>[] = [];
  protected comeBytes = 0;
  /** When the last byte that was taken to be sent has left. */
  private sentAt = 0;

  constructor(
    protected readonly up: Line<UpName>,
    protected readonly time: VirtualTime,
  ) {}

  /** Takes a frame from the line. */
  arrive(parcel: FrameInTransit<DownName>): void {
    const room = FIFO_BYTES - this.comeBytes;
    const kept = parcel.length <= room ? parcel : parcel.cut(room);
    this.overruns += parcel.length - kept.length;
    this.comeBytes += kept.length;
    if (kept.length > 0) this.come.push(kept);
  }

  /** True if something has come that no turn has read. */
  get unread(): boolean {
    return this.comeBytes > 0;
  }

  /** When all that was taken has left, and there is room again. */
  get emptyAt(): number {
    return this.sentAt;
  }

  /** Free bytes now. */
  get room(): number {
    const left = this.sentAt - this.time.now;
    return left <= 0 ? FIFO_BYTES : FIFO_BYTES - Math.ceil(left / this.up.byteMs);
  }

  /** Takes so many bytes to be sent; returns when the byte before the first of them has left. */
  protected transmit(bytes: number): number {
    const from = Math.max(this.sentAt, this.time.now);
    this.sentAt = from + bytes * this.up.byteMs;
    return from;
  }

  /** The power fails, and the FIFO loses its bytes. */
  reset(): void {
    this.come = [];
    this.comeBytes = 0;
    this.sentAt = this.time.now;
  }
}

/** A UART whose station frames its messages itself. */
export class ByteUart extends Uart implements BytePort {
  private frame: number[] = [];

  read(to: Uint8Array): number {
    let count = 0;
    while (this.come.length > 0 && count + this.come[0].length <= to.length) {
      const { bytes } = this.come.shift() as FrameInTransit;
      to.set(bytes as Uint8Array, count);
      count += (bytes as Uint8Array).length;
    }
    this.comeBytes -= count;
    return count;
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    const count = Math.min(to - from, this.room);
    if (count <= 0) return 0;
    const begun = this.transmit(count);
    for (let i = 0; i < count; i++) {
      this.frame.push(bytes[from + i]);
      if (bytes[from + i] !== 0 || this.frame.length === 1) continue;
      const whole = Uint8Array.from(this.frame);
      this.up.send(
        begun + (i + 1) * this.up.byteMs,
        new FrameInTransit<UpName>(whole.length, undefined, undefined, whole),
      );
      this.frame = [];
    }
    return count;
  }

  override reset(): void {
    super.reset();
    this.frame = [];
  }
}

/** A UART that carries messages as records: with the times of a `ByteUart`'s bytes, without making them. */
export class RecordUart extends Uart implements FramePort {
  readonly limits = resolvedLimits({});
  readonly windowBytes = this.limits.fifoBytes - this.limits.uncreditedBytes;
  received = 0;
  dropped = 0;
  readonly thrown = nothingThrown();
  /** Parcels read in this turn and before; those from `dealt` on are still to process. */
  private chunk: FrameInTransit<DownName>[] = [];
  private chunkBytes = 0;
  private dealt = 0;
  private current: FrameInTransit<DownName> | undefined;
  /** Frames that wait to be sent, their bytes, and how many bytes of the first have been taken. */
  private outbox: FrameInTransit<UpName>[] = [];
  private outboxBytes = 0;
  private begun = 0;

  constructor(
    up: Line<UpName>,
    time: VirtualTime,
    private readonly listener: Listener,
    private readonly records: MessageRecords<UpName>,
  ) {
    super(up, time);
  }

  get more(): boolean {
    return this.dealt < this.chunk.length;
  }

  get waiting(): boolean {
    return this.outboxBytes > 0;
  }

  fetch(): void {
    if (this.comeBytes === 0 || this.more) return;
    this.chunk = this.come;
    this.chunkBytes = this.comeBytes;
    this.dealt = this.comeBytes = 0;
    this.come = [];
    this.received = (this.received + this.chunkBytes) >>> 0;
  }

  next(): DownName | undefined {
    this.current = undefined;
    while (this.dealt < this.chunk.length) {
      const parcel = this.chunk[this.dealt++];
      this.chunkBytes -= parcel.length;
      if (parcel.damaged) {
        this.thrown.crc++;
        this.thrown.bytes += parcel.length;
        continue;
      }
      this.current = parcel;
      return parcel.name;
    }
    return undefined;
  }

  incoming<N extends DownName>(_name: N): Message<N> {
    return this.current?.message as Message<N>;
  }

  countFrom(sent: number): boolean {
    this.received = (sent + this.chunkBytes) >>> 0;
    return true;
  }

  outgoing<N extends UpName>(name: N): Message<N> {
    return this.records.of(name).message;
  }

  hasRoom(urgent: boolean): boolean {
    return this.fits(FRAME_MAX, urgent);
  }

  private fits(bytes: number, urgent: boolean): boolean {
    return this.outboxBytes + bytes + (urgent ? 0 : RESERVE_BYTES) <= OUTBOX_BYTES;
  }

  send(name: UpName, urgent: boolean): boolean {
    const record = this.records.of(name);
    overhear(this.listener, name, record.message);
    const { bytes } = record;
    if (!this.fits(bytes, urgent)) {
      this.dropped++;
      return false;
    }
    this.outbox.push(record.parcel(bytes));
    this.outboxBytes += bytes;
    return true;
  }

  flush(): void {
    const count = Math.min(this.outboxBytes, this.room);
    if (count <= 0) return;
    const from = this.transmit(count);
    const { outbox, up } = this;
    let taken = 0;
    let whole = 0;
    while (whole < outbox.length && taken + outbox[whole].length - this.begun <= count) {
      taken += outbox[whole].length - this.begun;
      this.begun = 0;
      up.send(from + taken * up.byteMs, outbox[whole]);
      whole++;
    }
    outbox.splice(0, whole);
    this.begun += count - taken;
    this.outboxBytes -= count;
  }

  override reset(): void {
    super.reset();
    this.chunk = [];
    this.chunkBytes = this.dealt = this.received = this.dropped = 0;
    this.outbox = [];
    this.outboxBytes = this.begun = 0;
  }
}
