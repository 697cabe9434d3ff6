import type { Checksum } from "../math/crc32.ts";
import { frozen } from "../memory/frozen.ts";
import { MESSAGES } from "./messages.ts";
import { SipHash } from "./siphash.ts";

/** Bytes of a key. */
export const KEY_BYTES = 16;
/** What a keyed frame has besides an unkeyed one: the tag. Hello and welcome bring a nonce, too. */
export const TAG_BYTES = 8;
const NONCE_BYTES = 8;
/** Bytes of the buffers of one end. */
export const KEYED_BYTES = 4 * KEY_BYTES;

const HELLO = MESSAGES.hello.id;
const WELCOME = MESSAGES.welcome.id;
const REQUEST = MESSAGES.request.id;
const OCCUPIED = MESSAGES.occupied.id;
/** A request's `what` for hello. */
const WHO = 1;
/** Where `boot` lies in hello's fields, and `peer` in welcome's. */
const BOOT = 4;
const PEER = 4;
/** No counter of a sound frame is farther from the last one. */
const FAR = 0x10000;
const COUNTER_MAX = 0xffffffff;
/** By which a counter is spread over its word, and gathered again: so that a bit that flips makes it a far one. */
const SPREAD = 0x9e3779b1;
const GATHER = 0x0e8b2f51;

/** What the first block of an input holds in place of a counter where no frame is hashed, so that no hash stands for another. */
export const PURPOSE = frozen({
  firstHalf: 1,
  secondHalf: 2,
  label: 3,
  labelFirstHalf: 4,
  labelSecondHalf: 5,
} as const);

/** What becomes of a frame that came. */
export const VERDICT = frozen({
  taken: 0,
  /** it came before, or belongs to a session that this end doesn't have */
  stale: 1,
  /** it isn't from who has the key */
  forged: 2,
  /** its check word is wrong */
  damaged: 3,
} as const);
export type Verdict = (typeof VERDICT)[keyof typeof VERDICT];

/** A key as words. Throws a RangeError for another length than 16 bytes. */
export function keyWords(key: Uint8Array): Int32Array {
  if (key.length !== KEY_BYTES) throw new RangeError(`key: got ${key.length} bytes; takes ${KEY_BYTES}`);
  const words = new Int32Array(4);
  for (let i = 0; i < KEY_BYTES; i++) words[i >> 2] |= key[i] << (8 * (i & 3));
  return words;
}

/** Bytes of the nonce that a message of that id brings in a keyed frame. */
export function nonceBytes(id: number): number {
  return id === HELLO || id === WELCOME ? NONCE_BYTES : 0;
}

/** Whether a frame belongs to no session: hello, and the request for it. `what`: its first field. */
function isOpen(id: number, what: number): boolean {
  return id === HELLO || (id === REQUEST && what === WHO);
}

/** The counter of a frame whose id is byte 1 and whose check word lies at `check`, if nothing is damaged. */
function counterOf(frame: Uint8Array, view: DataView, check: number, seed: number, crc: Checksum): number {
  return Math.imul(view.getInt32(check, true) ^ ~crc.crc32(frame, 1, check, seed), GATHER) >>> 0;
}

/** Whether a frame of which that is the check word's place is one of a keyed line's first. */
export function looksKeyed(
  frame: Uint8Array,
  view: DataView,
  check: number,
  seed: number,
  crc: Checksum,
): boolean {
  return counterOf(frame, view, check, seed, crc) < FAR;
}

/** A session between a start of the node and a start of its peer. */
class Session {
  readonly key = new Int32Array(4);
  /** Whether there is one. */
  made = false;
  /** Frames that this end sent in it, and the counter of the last that it took. */
  sent = 0;
  taken = 0;
  boot = 0;
  peer = 0;
  /** The nonces of its hello and its welcome. */
  helloLow = 0;
  helloHigh = 0;
  welcomeLow = 0;
  welcomeHigh = 0;
}

/** Whether a welcome of which fields and nonce end at `end` is one of that session. */
function isOfWelcome({ made, peer, welcomeLow, welcomeHigh }: Session, view: DataView, end: number): boolean {
  if (!made || view.getUint32(2 + PEER, true) !== peer) return false;
  return view.getInt32(end - 8, true) === welcomeLow && view.getInt32(end - 4, true) === welcomeHigh;
}

/**
 * One end of a keyed line: completes the frames that it sends by nonce, check word and tag, and judges those that come, as
 * SPEC.md says. Both ends share this; they differ in what hello and welcome do. Nothing is allocated after construction.
 */
export abstract class KeyedEnd {
  /** The node's key, and the sessions: the one that is used, one that is being made, and the one before, whose frames may be late. */
  protected readonly root: Int32Array;
  protected session = new Session();
  protected next = new Session();
  private former = new Session();
  private readonly sip = new SipHash();

  /**
   * @param key 16 bytes.
   * @param random 32 bits that nobody can foresee.
   * @param way what this end's frames have for their direction: 1 up, 0 down.
   */
  constructor(
    key: Uint8Array,
    protected readonly random: () => number,
    private readonly way: number,
  ) {
    this.root = keyWords(key);
  }

  /** Whether no frame can be tagged in the session: there is none, or its counter is used up. */
  get spent(): boolean {
    return !this.session.made || this.session.sent >= COUNTER_MAX;
  }

  /**
   * Completes a frame whose id is byte 2 and whose fields end at `end`; byte 1 is spoilt. Returns the byte after its check
   * word; 0 if there is no session to tag it in.
   */
  seal(frame: Uint8Array, view: DataView, end: number, seed: number, crc: Checksum): number {
    const id = frame[2];
    const open = isOpen(id, frame[3]);
    let { session } = this;
    if (id === WELCOME) session = this.welcoming(view);
    else if (id === OCCUPIED) session = this.next;
    if (!open && (!session.made || session.sent >= COUNTER_MAX)) return 0;
    const at = end + nonceBytes(id);
    if (at > end) this.putNonce(view, end, session);
    const counter = open ? 0 : ++session.sent;
    frame[1] = this.way;
    this.hash(open ? this.root : session.key, seed, counter, frame, 1, at);
    view.setInt32(at, this.sip.low, true);
    view.setInt32(at + 4, this.sip.high, true);
    const check = at + TAG_BYTES;
    view.setInt32(check, ~crc.crc32(frame, 2, check, seed) ^ Math.imul(counter, SPREAD), true);
    return check + 4;
  }

  /**
   * Judges a frame that came: its id is byte 1, fields and nonce end at `end`, tag and check word follow. Byte 0 is spoilt.
   */
  judge(frame: Uint8Array, view: DataView, end: number, seed: number, crc: Checksum): Verdict {
    const counter = counterOf(frame, view, end + TAG_BYTES, seed, crc);
    frame[0] = 1 - this.way;
    if (counter > 0) return this.judgeInSession(frame, view, end, seed, counter);
    if (!isOpen(frame[1], frame[2]) || !this.isTagged(this.root, seed, 0, frame, view, end))
      return VERDICT.forged;
    return this.takeOpen(frame[1], view, end);
  }

  /** The session in which a welcome that is about to be sent is tagged. */
  protected abstract welcoming(view: DataView): Session;
  /** Writes the nonce of a hello or welcome. */
  protected abstract putNonce(view: DataView, at: number, session: Session): void;
  /** Takes a frame that belongs to no session, and is rightly tagged. */
  protected abstract takeOpen(id: number, view: DataView, end: number): Verdict;
  protected abstract judgeInSession(
    frame: Uint8Array,
    view: DataView,
    end: number,
    seed: number,
    counter: number,
  ): Verdict;

  /** Judges a frame by the session that is used. */
  protected judgeByCounter(
    frame: Uint8Array,
    view: DataView,
    end: number,
    seed: number,
    counter: number,
  ): Verdict {
    const { session } = this;
    if (!session.made) return VERDICT.stale;
    if (!this.isTagged(session.key, seed, counter, frame, view, end)) {
      const { made, key } = this.former;
      const late = made && this.isTagged(key, seed, counter, frame, view, end);
      return late ? VERDICT.stale : this.blame(counter);
    }
    if (counter <= session.taken) return VERDICT.stale;
    session.taken = counter;
    return VERDICT.taken;
  }

  /** Why a tag is wrong: whoever forges a frame gives it the right check word; damage seldom does. */
  protected blame(counter: number): Verdict {
    const { taken } = this.session;
    return counter < FAR || (counter < taken + FAR && counter > taken - FAR)
      ? VERDICT.forged
      : VERDICT.damaged;
  }

  protected isTagged(
    key: Int32Array,
    seed: number,
    counter: number,
    frame: Uint8Array,
    view: DataView,
    end: number,
  ): boolean {
    this.hash(key, seed, counter, frame, 0, end);
    const low = this.sip.low ^ view.getInt32(end, true);
    const high = this.sip.high ^ view.getInt32(end + 4, true);
    return (low | high) === 0;
  }

  private hash(
    key: Int32Array,
    seed: number,
    counter: number,
    frame: Uint8Array,
    from: number,
    to: number,
  ): void {
    const { sip } = this;
    sip.start(key);
    sip.block(seed | 0, counter | 0);
    sip.finish(frame, from, to);
  }

  /** Makes a session's key of boot, peer and nonces. */
  protected derive(session: Session): void {
    const { sip, root } = this;
    const { key } = session;
    for (let half = 0; half < 2; half++) {
      sip.start(root);
      sip.block(0, half === 0 ? PURPOSE.firstHalf : PURPOSE.secondHalf);
      sip.block(session.boot | 0, session.peer | 0);
      sip.block(session.helloLow, session.helloHigh);
      sip.block(session.welcomeLow, session.welcomeHigh);
      sip.end();
      key[2 * half] = sip.low;
      key[2 * half + 1] = sip.high;
    }
    session.made = true;
    session.sent = 0;
    session.taken = 0;
  }

  /** From now on the session that was being made is used. */
  protected adopt(): void {
    const { former } = this;
    this.former = this.session;
    this.session = this.next;
    this.next = former;
    former.made = false;
  }
}

/**
 * The node's end: its hello brings a nonce that no other hello brings once a welcome with it was accepted. A session that a welcome
 * begins is used from then on; a welcome that is refused is answered in its own session.
 */
export class KeyedNode extends KeyedEnd {
  private nonceLow = 0;
  private nonceHigh = 0;
  /** The nonce before it, by which a welcome that came second is known, and refused. */
  private pastLow = 0;
  private pastHigh = 0;
  /** Whether the welcome that was taken last is of the session that is used, or begins one. */
  private answered = false;
  private offered = false;

  constructor(key: Uint8Array, random: () => number) {
    super(key, random, 1);
    this.drawNonce();
  }

  private drawNonce(): void {
    this.pastLow = this.nonceLow;
    this.pastHigh = this.nonceHigh;
    this.nonceLow = this.random() | 0;
    this.nonceHigh = this.random() | 0;
  }

  protected welcoming(): Session {
    return this.session;
  }

  protected putNonce(view: DataView, at: number): void {
    view.setInt32(at, this.nonceLow, true);
    view.setInt32(at + 4, this.nonceHigh, true);
  }

  protected takeOpen(id: number): Verdict {
    return id === REQUEST ? VERDICT.taken : VERDICT.forged;
  }

  protected judgeInSession(
    frame: Uint8Array,
    view: DataView,
    end: number,
    seed: number,
    counter: number,
  ): Verdict {
    this.answered = frame[1] === WELCOME && isOfWelcome(this.session, view, end);
    this.offered = false;
    if (frame[1] !== WELCOME || this.answered) return this.judgeByCounter(frame, view, end, seed, counter);
    const tagged =
      (isOfWelcome(this.next, view, end) && this.isTagged(this.next.key, seed, counter, frame, view, end)) ||
      this.answers(this.nonceLow, this.nonceHigh, frame, view, end, seed, counter) ||
      this.answers(this.pastLow, this.pastHigh, frame, view, end, seed, counter);
    const { next } = this;
    if (!tagged) return this.blame(counter);
    if (counter <= next.taken) return VERDICT.stale;
    next.taken = counter;
    this.offered = next.helloLow === this.nonceLow && next.helloHigh === this.nonceHigh;
    return VERDICT.taken;
  }

  /** Accepts the welcome that was taken last; false if it answers an old hello. */
  accept(): boolean {
    if (this.answered) return true;
    if (!this.offered) return false;
    this.offered = false;
    this.adopt();
    this.drawNonce();
    return true;
  }

  /** Whether a welcome answers a hello with that nonce; then its session is made. */
  private answers(
    low: number,
    high: number,
    frame: Uint8Array,
    view: DataView,
    end: number,
    seed: number,
    counter: number,
  ): boolean {
    const { next } = this;
    next.boot = view.getUint32(2, true);
    next.peer = view.getUint32(2 + PEER, true);
    next.helloLow = low;
    next.helloHigh = high;
    next.welcomeLow = view.getInt32(end - 8, true);
    next.welcomeHigh = view.getInt32(end - 4, true);
    this.derive(next);
    next.made = this.isTagged(next.key, seed, counter, frame, view, end);
    return next.made;
  }
}

/** The peer's end: it answers a hello by a welcome with a nonce of its own, and believes the hello once its session is used. */
export class KeyedPeer extends KeyedEnd {
  /** Whether a session began of which the peer hasn't been told: its hello is true then. */
  proven = false;
  private boot = 0;
  private nonceLow = 0;
  private nonceHigh = 0;

  constructor(key: Uint8Array, random: () => number) {
    super(key, random, 0);
  }

  protected welcoming(view: DataView): Session {
    const { next } = this;
    if (this.isOfHello(this.session)) return this.session;
    if (this.isOfHello(next)) return next;
    next.boot = this.boot;
    next.peer = view.getUint32(3 + PEER, true);
    next.helloLow = this.nonceLow;
    next.helloHigh = this.nonceHigh;
    next.welcomeLow = this.random() | 0;
    next.welcomeHigh = this.random() | 0;
    this.derive(next);
    return next;
  }

  private isOfHello({ made, boot, helloLow, helloHigh }: Session): boolean {
    return made && boot === this.boot && helloLow === this.nonceLow && helloHigh === this.nonceHigh;
  }

  protected putNonce(view: DataView, at: number, session: Session): void {
    view.setInt32(at, session.welcomeLow, true);
    view.setInt32(at + 4, session.welcomeHigh, true);
  }

  protected takeOpen(id: number, view: DataView, end: number): Verdict {
    if (id !== HELLO) return VERDICT.forged;
    this.boot = view.getUint32(2 + BOOT, true);
    this.nonceLow = view.getInt32(end - 8, true);
    this.nonceHigh = view.getInt32(end - 4, true);
    return VERDICT.taken;
  }

  protected judgeInSession(
    frame: Uint8Array,
    view: DataView,
    end: number,
    seed: number,
    counter: number,
  ): Verdict {
    if (!this.next.made || !this.isTagged(this.next.key, seed, counter, frame, view, end))
      return this.judgeByCounter(frame, view, end, seed, counter);
    this.adopt();
    this.session.taken = counter;
    this.proven = true;
    return VERDICT.taken;
  }
}
