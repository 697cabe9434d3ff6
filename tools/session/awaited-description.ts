import type { Clock } from "../../src/node/ports.ts";
import type { Peer } from "../../src/peer/peer.ts";
import type { Message } from "../../src/wire/messages.ts";
import { DescriptionParts, type NodeDescription, readDescription } from "./description.ts";
import type { Hello } from "./hello.ts";

/** Milliseconds between two requests, and requests without an answer, after which a node counts as giving none. */
const ASK_MS = 1000;
const TRIES = 10;
/** The name of its message. */
const DESCRIPTION = "description";

/** What a node says of itself, asked for at each of its starts until it has come. */
export class AwaitedDescription {
  /** Undefined until it has come; null: the node says nothing. */
  description: NodeDescription | null | undefined;
  private readonly parts = new DescriptionParts();
  /** When its last part came or was asked for, and the requests since. */
  private at = Number.NEGATIVE_INFINITY;
  private asked = 0;

  /** @param described called once for each start. */
  constructor(
    private readonly clock: Clock,
    private readonly described: () => void,
  ) {}

  /** The node has started. */
  begin(): void {
    this.description = undefined;
    this.at = Number.NEGATIVE_INFINITY;
    this.asked = 0;
  }

  /** Asks if it is time. Only an older node has no such message. */
  ask(peer: Peer, hello: Hello | undefined): void {
    if (!hello || this.description !== undefined || peer.credit.largest === 0) return;
    if (this.clock.now() - this.at < ASK_MS) return;
    const isOlder = peer.differences?.some((one) => one.startsWith(`${DESCRIPTION}:`));
    if (isOlder || this.asked === TRIES) {
      this.describe(null);
      return;
    }
    this.asked++;
    this.at = this.clock.now();
    peer.request(DESCRIPTION);
  }

  take(message: Message<"description">, hello: Hello | undefined): void {
    if (!hello || this.description !== undefined) return;
    this.at = this.clock.now();
    const text = this.parts.take(message);
    if (text !== undefined) this.describe(readDescription(text, hello) ?? null);
  }

  private describe(description: NodeDescription | null): void {
    this.description = description;
    this.described();
  }
}
