import type { PeerPort } from "../../src/peer/framing.ts";
import { type DownName, type Message, namesOf, type UpName } from "../../src/wire/messages.ts";
import type { Thrown } from "../../src/wire/receiver.ts";
import { type Line, Parcel } from "./line.ts";
import { Records } from "./records.ts";
import type { VirtualTime } from "./time.ts";

/** The peer's end of a line: what it sends leaves one frame after the other, at the line's rate. */
export class Transmitter {
  private sentAt = 0;

  constructor(
    private readonly down: Line<DownName>,
    private readonly time: VirtualTime,
  ) {}

  send(parcel: Parcel<DownName>): void {
    this.sentAt = Math.max(this.sentAt, this.time.now) + parcel.length * this.down.byteMs;
    this.down.send(this.sentAt, parcel);
  }
}

/** The peer's end of a line that carries messages as records. */
export class RecordPeerPort implements PeerPort {
  readonly thrown: Thrown = { bytes: 0, wrongLength: 0, cobs: 0, crc: 0, unknown: 0 };
  private readonly records = new Records(namesOf("down"));
  private current: Message<UpName> | undefined;

  constructor(private readonly transmitter: Transmitter) {}

  /** Takes a frame; returns the name of its message, which is then the current one, unless it is damaged. */
  arrive({ name, message, damaged, length }: Parcel<UpName>): UpName | undefined {
    if (damaged) {
      this.thrown.crc++;
      this.thrown.bytes += length;
      return undefined;
    }
    this.current = message;
    return name;
  }

  outgoing<N extends DownName>(name: N): Message<N> {
    return this.records.message(name);
  }

  bytesOf(name: DownName): number {
    return this.records.bytesOf(name);
  }

  send(name: DownName): void {
    this.transmitter.send(new Parcel(this.bytesOf(name), name, this.records.copy(name), undefined));
  }

  incoming<N extends UpName>(_name: N): Message<N> {
    return this.current as Message<N>;
  }
}
