import type { PeerPort } from "../../src/peer/framing.ts";
import type { DownName, Message, UpName } from "../../src/wire/messages.ts";
import { nothingThrown } from "../../src/wire/receiver.ts";
import type { FrameInTransit } from "./frame-in-transit.ts";
import type { Line } from "./line.ts";
import type { MessageRecords } from "./records.ts";
import type { VirtualTime } from "./time.ts";

/** The peer's end of a line: its frames leave one after the other, at the line's rate. */
export class Transmitter {
  private sentAt = 0;

  constructor(
    private readonly down: Line<DownName>,
    private readonly time: VirtualTime,
  ) {}

  send(parcel: FrameInTransit<DownName>): void {
    this.sentAt = Math.max(this.sentAt, this.time.now) + parcel.length * this.down.byteMs;
    this.down.send(this.sentAt, parcel);
  }
}

/** The peer's end of a line that carries messages as records. */
export class RecordPeerPort implements PeerPort {
  readonly thrown = nothingThrown();
  private current: Message<UpName> | undefined;

  constructor(
    private readonly transmitter: Transmitter,
    private readonly records: MessageRecords<DownName>,
  ) {}

  /** Takes a frame. Unless it is damaged, its message becomes the current one, and its name is returned. */
  arrive({ name, message, damaged, length }: FrameInTransit<UpName>): UpName | undefined {
    if (damaged) {
      this.thrown.crc++;
      this.thrown.bytes += length;
      return undefined;
    }
    this.current = message;
    return name;
  }

  outgoing<N extends DownName>(name: N): Message<N> {
    return this.records.of(name).message;
  }

  messageBytes(name: DownName): number {
    return this.records.of(name).bytes;
  }

  send(name: DownName): void {
    this.transmitter.send(this.records.of(name).parcel());
  }

  incoming<N extends UpName>(_name: N): Message<N> {
    return this.current as Message<N>;
  }
}
