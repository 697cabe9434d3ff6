import { OptionError } from "../memory/option-error.ts";
import { KeyedPeer } from "../wire/keyed-peer.ts";
import type { DownName } from "../wire/messages.ts";
import { Credit } from "./credit.ts";
import { PeerFraming, type PeerPort } from "./framing.ts";
import type { PeerOptions } from "./peer.ts";

/** The options of a peer that concern its line. */
export type LineOptions = Pick<PeerOptions, "write" | "now" | "key" | "random">;

/** The peer's way to its node: a port, and the credit that the node grants for it. */
export class Line {
  readonly credit = new Credit();
  readonly port: PeerPort;
  private readonly framing: PeerFraming | undefined;

  constructor(private readonly options: LineOptions) {
    const { write, key, random } = options;
    if (key && (!random || typeof write !== "function"))
      throw new OptionError("peer", "key", "a key", "none without `random`, or where `write` takes messages");
    const keyed = key && random && new KeyedPeer(key, random);
    this.framing = typeof write === "function" ? new PeerFraming(write, keyed) : undefined;
    this.port = this.framing ?? (write as PeerPort);
  }

  /** Milliseconds since any moment. */
  now(): number {
    return this.options.now();
  }

  /** True if only a welcome and a request for hello can be sent before a session begins. */
  get spent(): boolean {
    return this.framing?.spent ?? false;
  }

  /** Takes bytes from the node, see `PeerFraming.receive`. */
  receive(...received: Parameters<PeerFraming["receive"]>): void {
    this.framing?.receive(...received);
  }

  /** Sends the message if credit allows; returns its place, see `Credit.pass`, or 0. */
  send(name: DownName): number {
    const bytes = this.port.messageBytes(name);
    if (this.spent) return 0;
    return this.credit.allows(bytes) ? this.put(name, bytes, this.now()) : 0;
  }

  /** Sends the message without credit, as only a welcome and a request for hello may be. */
  transmit(name: DownName, now: number): void {
    this.put(name, this.port.messageBytes(name), now);
  }

  private put(name: DownName, bytes: number, now: number): number {
    const place = this.credit.spend(bytes, now);
    this.port.send(name);
    return place;
  }
}
