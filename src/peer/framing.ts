import { Encoder } from "../wire/encoder.ts";
import type { KeyedPeer } from "../wire/keyed-peer.ts";
import { type DownName, type Message, messageNames, type UpName } from "../wire/messages.ts";
import { Receiver, type Thrown } from "../wire/receiver.ts";

/** A peer's way to its node, in messages. `PeerFraming` makes one of bytes; a line that keeps messages whole can be one. */
export interface PeerPort {
  /** Received bytes and frames that were no message. */
  readonly thrown: Thrown;
  /** The record of that message, to fill in; it keeps its last values. */
  outgoing<N extends DownName>(name: N): Message<N>;
  /** Bytes that the record of that message takes on the line as it is now. */
  messageBytes(name: DownName): number;
  /** Sends the record of that message. */
  send(name: DownName): void;
  /** The last received record of that message, valid until the next arrives. */
  incoming<N extends UpName>(name: N): Message<N>;
}

/** Messages as frames in a stream of bytes. */
export class PeerFraming implements PeerPort {
  private readonly encoder: Encoder<DownName>;
  private readonly receiver: Receiver<UpName>;

  /**
   * @param write sends bytes; they are only valid during the call.
   * @param keyed this end of a keyed line; default: an unkeyed line.
   */
  constructor(
    private readonly write: (bytes: Uint8Array) => void,
    private readonly keyed?: KeyedPeer,
  ) {
    this.encoder = new Encoder(messageNames("down"), undefined, undefined, undefined, keyed);
    this.receiver = new Receiver(messageNames("up"), undefined, keyed);
  }

  get thrown(): Thrown {
    return this.receiver.thrown;
  }

  /** True if only a welcome and a request for hello can be sent before a session begins. */
  get spent(): boolean {
    return this.keyed?.spent ?? false;
  }

  /**
   * Takes received bytes; calls `took` for each message that they complete. A keyed hello may be an old one, so it calls `heard` for
   * the hello, and `took` only before the first message of the session that its welcome begins.
   */
  receive(bytes: Uint8Array, took: (name: UpName) => void, heard: () => void): void {
    const { keyed, receiver } = this;
    for (const byte of bytes) {
      const name = receiver.take(byte);
      if (!name) continue;
      if (keyed && name === "hello") heard();
      else {
        if (keyed?.proven) took("hello");
        if (keyed) keyed.proven = false;
        took(name);
      }
    }
  }

  outgoing<N extends DownName>(name: N): Message<N> {
    return this.encoder.message(name);
  }

  messageBytes(name: DownName): number {
    return this.encoder.messageBytes(name);
  }

  send(name: DownName): void {
    const { frame } = this.encoder;
    this.write(frame.subarray(0, this.encoder.encode(name)));
  }

  incoming<N extends UpName>(name: N): Message<N> {
    return this.receiver.message(name);
  }
}
