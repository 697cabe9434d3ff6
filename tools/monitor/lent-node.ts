import type { Peer } from "../../src/peer/peer.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { TAG_BYTES } from "../../src/wire/keyed.ts";
import {
  type DownName,
  type Message,
  type MessageName,
  messageNames,
  type UpName,
} from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { isTaught, type Taught } from "../record/recording.ts";
import type { NamedMessage, Received } from "../session/session-options.ts";

interface LentNodeParts {
  /** Holds the node. */
  readonly peer: Pick<Peer, "credit" | "pass">;
  /** True if the node's line is keyed. The guest's never is. */
  readonly keyed: boolean;
  /** Sends bytes to the guest; they are only valid during the call. */
  readonly write: (bytes: Uint8Array) => void;
  /** The guest teaches the node; the record is only valid during the call. */
  readonly sent?: (...taught: Taught) => void;
}

/** A message of the guest that waits for credit, and the bytes received before it. */
interface Waiting {
  readonly sent: NamedMessage<DownName>;
  readonly from: number;
}

/** Most waiting messages: a guest that keeps to its credit never has so many under way. */
const WAITING_MAX = 64;

/** Copies a message's fields: of its rest, as much as there is room for. */
function copyInto<N extends MessageName>(to: Message<N>, message: Message<N>): void {
  const target = to as Record<string, unknown>;
  for (const [field, value] of Object.entries<unknown>(message)) {
    const own = target[field];
    if (isArray(own) && isArray(value)) own.set(value.subarray(0, own.length));
    else target[field] = value;
  }
}

function isArray(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

/**
 * A node as a guest sees it. The guest is a program that uses the node through its holder, the node's real
 * peer. The guest welcomes this node and keeps to its credit as usual; the holder forwards its messages in
 * its own name when the node's credit allows. On a keyed line the holder has the key, and the guest needs
 * none.
 */
export class LentNode {
  private readonly receiver = new Receiver(messageNames("down"));
  private readonly encoder = new Encoder(messageNames("up"));
  private readonly waiting: Waiting[] = [];
  /** Bytes received, as the guest counts them, and those up to the end of the last frame. */
  private come = 0;
  private ended = 0;
  /** The node's start that the guest knows, and the guest that welcomed it. */
  private boot: number | undefined;
  private guest: number | undefined;
  /** The received bytes and the window in the last credit to the guest; 0: none sent yet. */
  private granted = 0;
  private window = 0;
  /** By number: where labels end among all that was sent to the node, see `Credit.pass`. */
  private readonly places = new Map<number, number>();

  constructor(private readonly parts: LentNodeParts) {}

  /** Takes the guest's bytes. */
  fromGuest(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.come = (this.come + 1) >>> 0;
      const name = this.receiver.take(byte);
      if (name) this.take(name);
      if (byte === 0) this.ended = this.come;
    }
    this.pass();
  }

  /** Takes the node's messages, before its peer acts upon them. */
  fromNode(...[name, message]: Received): void {
    if (name === "hello") this.greet(message);
    else if (name === "credit") this.grant(message);
    else if (name !== "occupied") this.say(name, message);
    if (name === "acknowledgement") this.reach(message.boot, message.number);
  }

  /** Forwards what credit allows. */
  pass(): void {
    const { waiting, parts } = this;
    while (waiting.length > 0) {
      const [name, message] = waiting[0].sent;
      const place = parts.peer.pass(name, (record) => copyInto(record, message));
      if (place === 0) break;
      if (name === "label" && !this.places.has(message.number)) this.places.set(message.number, place);
      waiting.shift();
    }
    const unreported = (this.received - this.granted) >>> 0;
    if (this.guest !== undefined && this.window > 0 && unreported >= this.window / 4) this.sayCredit();
  }

  /** Everything sent before the end of that label has arrived, or is lost. */
  private reach(boot: number, number: number): void {
    const place = this.places.get(number);
    if (place === undefined || boot !== this.boot) return;
    this.parts.peer.credit.pass(place);
    this.places.delete(number);
  }

  /**
   * Bytes of the guest that were forwarded. Waiting bytes don't count as received, so no more wait than fit
   * the window.
   */
  private get received(): number {
    return this.waiting.length > 0 ? this.waiting[0].from : this.come;
  }

  private take(name: DownName): void {
    const sent = [name, this.receiver.message(name)] as unknown as NamedMessage<DownName>;
    const message = sent[1];
    if (sent[0] === "welcome") this.beWelcomed(sent[1]);
    else if ("start" in message && message.start !== this.start) return;
    else if (name === "leave") this.guest = undefined;
    else this.keep(sent);
  }

  /** A message with another value belongs to another start of either. */
  private get start(): number | undefined {
    const { boot, guest } = this;
    return boot === undefined || guest === undefined ? undefined : (boot ^ guest) >>> 0;
  }

  private beWelcomed({ boot, peer, sent }: Message<"welcome">): void {
    if (boot !== this.boot) return;
    this.guest = peer;
    this.come = this.granted = sent;
    this.waiting.length = 0;
  }

  private keep(sent: NamedMessage<DownName>): void {
    if (isTaught(sent)) this.parts.sent?.(...sent);
    if (this.waiting.length >= WAITING_MAX) return;
    const [name, message] = sent;
    const fields = Object.entries<unknown>(message).map(([field, value]) => [
      field,
      isArray(value) ? value.slice() : value,
    ]);
    const copy = [name, Object.fromEntries(fields)] as NamedMessage<DownName>;
    this.waiting.push({ sent: copy, from: this.ended });
  }

  /** A tag takes room in the node's frames, not in the guest's. */
  private get spare(): number {
    return this.parts.keyed ? TAG_BYTES : 0;
  }

  private greet(hello: Message<"hello">): void {
    if (hello.boot !== this.boot) {
      this.guest = undefined;
      this.window = 0;
      this.waiting.length = 0; // of the start before: its labels would teach the node unseen by a log
      this.places.clear();
    }
    this.boot = hello.boot;
    this.say("hello", hello, (own) => {
      own.frame -= this.spare;
    });
  }

  private grant(credit: Message<"credit">): void {
    this.window = credit.window - this.spare;
    copyInto(this.encoder.message("credit"), credit);
    for (const number of this.places.keys()) if (number <= credit.labelled) this.reach(credit.boot, number);
    if (this.guest !== undefined) this.sayCredit();
  }

  /** Reports the node's last known position, and how many of the guest's bytes were forwarded. */
  private sayCredit(): void {
    const own = this.encoder.message("credit");
    own.peer = this.guest as number;
    own.received = this.granted = this.received;
    own.window = this.window;
    this.parts.write(this.encoder.frame.subarray(0, this.encoder.encode("credit")));
  }

  private say<N extends UpName>(name: N, message: Message<N>, change?: (own: Message<N>) => void): void {
    const own = this.encoder.message(name);
    copyInto(own, message);
    change?.(own);
    this.parts.write(this.encoder.frame.subarray(0, this.encoder.encode(name)));
  }
}
