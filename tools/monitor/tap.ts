import { REQUEST } from "../../src/node/station.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import {
  FRAME_MAX,
  FRAME_OVERHEAD,
  fixedBytes,
  MESSAGES,
  type Message,
  namesOf,
  type UpName,
} from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import type { Configuration } from "../session/session.ts";

/** Where a tap's bytes go, the node's messages, and the labels that it is told; valid during the call only. */
export interface TapEnds {
  toNode(bytes: Uint8Array): void;
  toPeer(bytes: Uint8Array): void;
  message<N extends UpName>(name: N, message: Message<N>): void;
  told?(label: Message<"label">): void;
}

const REQUEST_BYTES = FRAME_OVERHEAD + fixedBytes(MESSAGES.request);

/**
 * Sits in the line between a node and its peer: passes the bytes both ways, reads the node's messages along, and puts
 * requests of its own between the peer's frames. The node counts those bytes too, and the peer doesn't: so they are taken
 * off what each `credit` says was received.
 */
export class Tap {
  readonly receiver = new Receiver(namesOf("up"));
  private readonly down = new Receiver(namesOf("down"));
  private readonly encoder = new Encoder(namesOf("down"));
  private readonly credits = new Encoder<UpName>(["credit"]);
  /** The node's bytes since its last delimiter. */
  private readonly coming = new Uint8Array(FRAME_MAX);
  private have = 0;
  /** Whether the peer's last byte ended a frame. */
  private between = true;
  /** Bytes of the tap's own since the node last began to count. */
  private own = 0;

  constructor(private readonly ends: TapEnds) {}

  fromNode(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.coming[this.have++] = byte;
      const name = this.receiver.take(byte);
      if (name === "credit") this.passCredit();
      else if (byte === 0 || this.have === FRAME_MAX) this.ends.toPeer(this.coming.subarray(0, this.have));
      else continue;
      this.have = 0;
      if (name) this.ends.message(name, this.receiver.message(name));
    }
  }

  fromPeer(bytes: Uint8Array): void {
    this.ends.toNode(bytes);
    for (const byte of bytes) {
      const name = this.down.take(byte);
      // A welcome tells the node the peer's own count: what came before no longer counts.
      if (name === "welcome") this.own = 0;
      else if (name === "label") this.ends.told?.(this.down.message("label"));
      this.between = byte === 0;
    }
  }

  /** The peer went: what it left unended is ended, so that the next frame is understood. */
  peerLeft(): void {
    if (!this.between) this.ends.toNode(Uint8Array.of(0));
    this.between = true;
  }

  /** Asks the node for something; false in the middle of a frame of the peer: then it is to be tried again. */
  request(what: keyof typeof REQUEST): boolean {
    this.encoder.message("request").what = REQUEST[what];
    return this.send("request", REQUEST_BYTES);
  }

  /** Sends a configuration; false in the middle of a frame of the peer. */
  configure(configuration: Configuration): boolean {
    Object.assign(this.encoder.message("configuration"), configuration);
    return this.send("configuration", FRAME_OVERHEAD + fixedBytes(MESSAGES.configuration));
  }

  private send(name: "request" | "configuration", bytes: number): boolean {
    if (!this.between) return false;
    this.encoder.encode(name);
    this.own += bytes;
    this.ends.toNode(this.encoder.frame.subarray(0, bytes));
    return true;
  }

  private passCredit(): void {
    const credit = this.credits.message("credit");
    Object.assign(credit, this.receiver.message("credit"));
    credit.received = (credit.received - this.own) >>> 0;
    this.ends.toPeer(this.credits.frame.subarray(0, this.credits.encode("credit")));
  }
}
