import { frozen } from "../memory/frozen.ts";
import { NAME } from "../wire/messages.ts";
import type { SensorNode } from "./node.ts";
import type { Clock, FramePort } from "./ports.ts";

/** Where the state comes from. The number is its code on the wire. */
export const RESTORE_STATUS = frozen({ fresh: 0, restored: 1, fallback: 2 } as const);

const HELLO_MS = 1000;
const CREDIT_MS = 250;

/**
 * Pairs the node with a peer: the node sends hello until a peer welcomes it, then grants that peer credit.
 * A start of either end makes a new pair; `expects` recognises what is addressed to this one.
 */
export class Handshake {
  /** Whether a welcome is awaited, and whether there was one. */
  private greeting = true;
  private welcomed = false;
  private helloDue = false;
  private creditDue = false;
  private granted = 0;
  private helloAt = Number.NEGATIVE_INFINITY;
  private creditAt = 0;
  /** What labels and samples carry that are meant for this pair. */
  start = 0;

  constructor(
    private readonly wire: FramePort,
    private readonly node: SensorNode,
    private readonly clock: Clock,
    private readonly boot: number,
  ) {
    wire.outgoing(NAME.hello).boot = boot;
    wire.outgoing(NAME.credit).boot = boot;
  }

  /** Says where the node's state comes from, once that is known. */
  begin(restore: keyof typeof RESTORE_STATUS): void {
    const hello = this.wire.outgoing(NAME.hello);
    hello.restore = RESTORE_STATUS[restore];
    hello.since = this.node.seq;
    this.helloDue = true;
  }

  /** The peer asks who is there. */
  greet(): void {
    this.greeting = true;
    this.helloDue = true;
  }

  /** The peer welcomes the node. */
  welcome(): void {
    const { wire } = this;
    const { boot, peer, sent } = wire.incoming(NAME.welcome);
    if (boot !== this.boot || !this.greeting) return;
    this.greeting = false;
    this.welcomed = true;
    wire.outgoing(NAME.credit).peer = peer;
    this.start = (boot ^ peer) >>> 0;
    wire.countFrom(sent);
    this.node.releaseHeld();
    this.creditDue = true;
  }

  /** Whether what carries that `start` is meant for this pair. */
  expects(start: number): boolean {
    return this.welcomed && start === this.start;
  }

  /** The peer is to know where the node is. */
  tell(): void {
    this.creditDue = true;
  }

  /** When time makes something due, whatever comes; no later than now if something is. */
  get dueAt(): number {
    if (this.helloDue || this.creditDue) return Number.NEGATIVE_INFINITY;
    if (this.greeting) return this.helloAt + HELLO_MS;
    return this.welcomed ? this.creditAt + CREDIT_MS : Number.POSITIVE_INFINITY;
  }

  /** Makes due what time and bytes received make so. */
  schedule(now: number): void {
    const { wire } = this;
    if (this.greeting && now - this.helloAt >= HELLO_MS) this.helloDue = true;
    const unreported = (wire.received - this.granted) >>> 0;
    if (this.welcomed && (unreported >= wire.windowBytes / 4 || now - this.creditAt >= CREDIT_MS)) {
      this.creditDue = true;
    }
  }

  /** Sends what is due and has room. */
  sendDue(): void {
    if (this.helloDue && this.wire.hasRoom(true)) this.sendHello();
    if (this.creditDue && this.wire.hasRoom(true)) this.sendCredit();
  }

  private sendHello(): void {
    const { node, wire } = this;
    const hello = wire.outgoing(NAME.hello);
    hello.sid = node.sid;
    hello.seq = node.seq;
    hello.labelled = node.labelled;
    hello.durable = node.durable;
    this.helloAt = this.clock.now();
    this.helloDue = false;
    wire.send(NAME.hello, true);
  }

  private sendCredit(): void {
    const { node, wire } = this;
    const credit = wire.outgoing(NAME.credit);
    credit.received = this.granted = wire.received;
    credit.window = wire.windowBytes;
    credit.sid = node.sid;
    credit.seq = node.seq;
    credit.labelled = node.labelled;
    credit.durable = node.durable;
    this.creditAt = this.clock.now();
    this.creditDue = false;
    wire.send(NAME.credit, true);
  }
}
