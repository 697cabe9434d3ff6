import { frozen } from "../memory/frozen.ts";
import { NAME } from "../wire/messages.ts";
import type { SensorNode } from "./node.ts";
import type { Clock, FramePort } from "./ports.ts";

/** Where the state comes from: a restore's outcome, or `copied`. The number is its code on the wire. */
export const RESTORE_STATUS = frozen({ fresh: 0, restored: 1, fallback: 2, copied: 3 } as const);
/** The state came from the peer: a copy of a node's memory, or what a recording taught. */
export const COPIED: keyof typeof RESTORE_STATUS = "copied";

const HELLO_MS = 1000;
/** After QUESTIONS requests for hello, each within QUESTION_MS of the one before, the node assumes that their sender speaks another protocol. */
const QUESTIONS = 3;
const QUESTION_MS = 3000;
/** Requests that arrive closer together had queued while the node started or computed. One hello answers them all. */
const ONE_QUESTION_MS = 500;
/**
 * After another peer's welcome the holder keeps the node unless it stays silent for CONTEST_MS. After CONTEST_OVER_MS the node forgets the other's
 * welcome.
 */
const CONTEST_MS = 1500;
const CONTEST_OVER_MS = 5000;

/**
 * Pairs the node with a peer: the node sends hello until a peer welcomes it, then grants that peer credit.
 * A start of either end makes a new pair; `expects` recognises messages addressed to the present pair. Another peer gets the node
 * when the holder leaves, or answers no hello for 1.5 seconds after the other peer's first welcome.
 */
export class Handshake {
  /** True if a welcome is awaited, and whether there was one. */
  private greeting = true;
  private welcomed = false;
  private helloDue = false;
  private creditDue = false;
  /** True if another peer has welcomed the node since the node last heard its holder, and when it first did. */
  private contested = false;
  private contestedAt = 0;
  private granted = 0;
  /** Requests for hello that no welcome followed, and the time of the last one that counted. */
  private questions = 0;
  private askedAt = Number.NEGATIVE_INFINITY;
  private helloAt = Number.NEGATIVE_INFINITY;
  private creditAt = 0;
  /** The start number that labels and samples for this pair carry. */
  start = 0;

  constructor(
    private readonly wire: FramePort,
    private readonly node: SensorNode,
    private readonly clock: Clock,
  ) {}

  /** Begins start number `boot`; `restore` says where the state comes from. Every peer must welcome the node again. */
  begin(restore: keyof typeof RESTORE_STATUS, boot: number): void {
    const { wire } = this;
    const hello = wire.outgoing(NAME.hello);
    hello.restore = RESTORE_STATUS[restore];
    hello.since = this.node.seq;
    hello.boot = wire.outgoing(NAME.credit).boot = boot;
    this.greeting = true;
    this.welcomed = this.creditDue = false;
    this.helloDue = true;
  }

  /** A peer requests hello. Returns whether it has asked so often in vain that it seems to speak another protocol. */
  greet(): boolean {
    const now = this.clock.now();
    const since = now - this.askedAt;
    this.greeting = true;
    this.helloDue = true;
    if (since < ONE_QUESTION_MS) return false;
    this.askedAt = now;
    this.questions = since > QUESTION_MS ? 1 : this.questions + 1;
    return this.questions === QUESTIONS;
  }

  /** A peer welcomes the node. */
  welcome(): void {
    const { wire } = this;
    const { boot, peer, sent } = wire.incoming(NAME.welcome);
    const credit = wire.outgoing(NAME.credit);
    if (boot !== credit.boot) return;
    this.questions = 0;
    const held = this.welcomed && peer !== credit.peer;
    if (held && !(this.greeting && this.isAbandoned())) this.refuse(peer);
    else if (this.greeting && wire.countFrom(sent)) this.accept(boot, peer);
  }

  private accept(boot: number, peer: number): void {
    const { wire } = this;
    this.greeting = false;
    this.welcomed = true;
    this.contested = false;
    wire.outgoing(NAME.credit).peer = peer;
    this.start = (boot ^ peer) >>> 0;
    this.node.releaseHeld();
    this.creditDue = true;
  }

  /** True if the holder has been silent for CONTEST_MS since another peer's welcome. Notes a first such welcome. */
  private isAbandoned(): boolean {
    const now = this.clock.now();
    const since = now - this.contestedAt;
    if (this.contested && since <= CONTEST_OVER_MS) return since >= CONTEST_MS;
    this.contested = true;
    this.contestedAt = now;
    return false;
  }

  /** Answers a peer at once, as a keyed line can't later. Without room it sends nothing, and the peer asks again. */
  private refuse(peer: number): void {
    const { wire } = this;
    if (!wire.hasRoom(true)) return;
    const credit = wire.outgoing(NAME.credit);
    const occupied = wire.outgoing(NAME.occupied);
    occupied.boot = credit.boot;
    occupied.peer = peer;
    occupied.holder = credit.peer;
    wire.send(NAME.occupied, true);
  }

  /** The peer that holds the node leaves it. */
  leave(start: number): void {
    if (!this.expects(start)) return;
    this.welcomed = false;
    this.greeting = true;
  }

  /** True if a message with that `start` is meant for this pair; if so, its holder isn't silent. */
  expects(start: number): boolean {
    if (!this.welcomed || start !== this.start) return false;
    this.contested = false;
    return true;
  }

  /** The peer needs the node's position: credit is due at once. */
  announce(): void {
    this.creditDue = true;
  }

  /**
   * An acknowledgement was sent: it confirms all the peer's bytes up to that label. Unless more has come, a
   * credit for those bytes would be redundant.
   */
  acknowledged(): void {
    if (!this.wire.more) this.granted = this.wire.received;
  }

  /** When something becomes due by time alone; now or earlier if something is due. */
  get dueAt(): number {
    if (this.helloDue || this.creditDue) return Number.NEGATIVE_INFINITY;
    if (this.greeting) return this.helloAt + HELLO_MS;
    return this.welcomed ? this.creditAt + this.wire.limits.creditMs : Number.POSITIVE_INFINITY;
  }

  /** One turn: sends what is due, by now or by the time and the received bytes, as far as there is room. */
  turn(now: number): void {
    const wire = this.wire;
    if (this.greeting && now - this.helloAt >= HELLO_MS) this.helloDue = true;
    if (this.welcomed && !this.creditDue) {
      this.creditDue =
        now - this.creditAt >= wire.limits.creditMs ||
        (wire.received - this.granted) >>> 0 >= wire.windowBytes / 4;
    }
    if (this.helloDue && wire.hasRoom(true)) this.sendHello();
    if (this.creditDue && wire.hasRoom(true)) this.sendCredit();
  }

  private sendHello(): void {
    const { node, wire } = this;
    const hello = wire.outgoing(NAME.hello);
    hello.sid = node.sid;
    hello.seq = node.seq;
    hello.labelled = node.labelled;
    hello.durable = node.durable;
    hello.waiting = node.pending.waiting;
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
