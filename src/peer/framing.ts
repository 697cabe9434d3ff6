import { Encoder } from "../wire/encoder.ts";
import { type DownName, type Message, namesOf, type UpName } from "../wire/messages.ts";
import { Receiver, type Thrown } from "../wire/receiver.ts";

/** A peer's way to its node, in messages. `PeerFraming` makes one of bytes; a line that keeps messages whole can be one. */
export interface PeerPort {
  /** What came and was no message. */
  readonly thrown: Thrown;
  /** The record of that message, to be filled in; it keeps what was filled in before. */
  outgoing<N extends DownName>(name: N): Message<N>;
  /** Bytes that the record of that message takes on the line as it is now. */
  bytesOf(name: DownName): number;
  /** Sends the record of that message, for which `bytesOf` was asked last. */
  send(name: DownName): void;
  /** The record of that message as it came last, until the next comes. */
  incoming<N extends UpName>(name: N): Message<N>;
}

/** Messages as frames in a stream of bytes. */
export class PeerFraming implements PeerPort {
  private readonly encoder = new Encoder(namesOf("down"));
  private readonly receiver = new Receiver(namesOf("up"));
  private bytes = 0;

  /** @param write sends bytes; they are only valid during the call. */
  constructor(private readonly write: (bytes: Uint8Array) => void) {}

  get thrown(): Thrown {
    return this.receiver.thrown;
  }

  /** Takes bytes as they come; calls `took` for each message that they complete. */
  receive(bytes: Uint8Array, took: (name: UpName) => void): void {
    for (const byte of bytes) {
      const name = this.receiver.take(byte);
      if (name) took(name);
    }
  }

  outgoing<N extends DownName>(name: N): Message<N> {
    return this.encoder.message(name);
  }

  bytesOf(name: DownName): number {
    this.bytes = this.encoder.encode(name);
    return this.bytes;
  }

  send(_name: DownName): void {
    this.write(this.encoder.frame.subarray(0, this.bytes));
  }

  incoming<N extends UpName>(name: N): Message<N> {
    return this.receiver.message(name);
  }
}
