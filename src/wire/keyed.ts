import { frozen } from "../memory/frozen.ts";
import { type FrameBytes, framesOf } from "./frame-bytes.ts";
import { MESSAGES } from "./messages.ts";
import { putWord, wordAt } from "./words.ts";

/** Bytes of a key. */
export const KEY_BYTES = 16;
/** What a keyed frame has besides an unkeyed one: the tag. Hello and welcome bring a nonce, too. */
export const TAG_BYTES = 8;
const NONCE_BYTES = 8;
/** Boot, peer and nonces, of which a session's key is made, and room for half of it. */
const DERIVED_BYTES = 24;
/** Bytes of the buffers of one end. */
export const KEYED_BYTES = 4 * KEY_BYTES + DERIVED_BYTES + TAG_BYTES;

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
  if (id > WELCOME) return 0;
  return id === HELLO || id === WELCOME ? NONCE_BYTES : 0;
}

/** Whether a frame belongs to no session: hello, and the request for it. `what`: its first field. */
function isOpen(id: number, what: number): boolean {
  return id === HELLO || (id === REQUEST && what === WHO);
}

/** The counter of a frame that nothing damaged, by the residue of its check word. */
function counterOf(residue: number): number {
  return Math.imul(~residue, GATHER) >>> 0;
}

/** Whether a frame with that residue is one of a keyed line's first. */
export function looksKeyed(residue: number): boolean {
  return counterOf(residue) < FAR;
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
function isOfWelcome(
  { made, peer, welcomeLow, welcomeHigh }: Session,
  frame: Uint8Array,
  end: number,
): boolean {
  if (!made || wordAt(frame, 2 + PEER) >>> 0 !== peer) return false;
  return wordAt(frame, end - 8) === welcomeLow && wordAt(frame, end - 4) === welcomeHigh;
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
  private readonly derived = new Uint8Array(DERIVED_BYTES + TAG_BYTES);

  /**
   * @param key 16 bytes.
   * @param random 32 bits that nobody can foresee.
   * @param way what this end's frames have for their direction: 1 up, 0 down.
   */
  constructor(
    key: Uint8Array,
    protected readonly random: () => number,
    private readonly way: number,
    private readonly frames: FrameBytes = framesOf(),
  ) {
    this.root = keyWords(key);
  }

  /** Whether no frame can be tagged in the session: there is none, or its counter is used up. */
  get spent(): boolean {
    return !this.session.made || this.session.sent >= COUNTER_MAX;
  }

  /**
   * Completes a frame whose id is byte 2 and whose fields end at `end`: by nonce, tag, check word, stuffing and delimiters. Returns
   * its bytes; 0 if there is no session to tag it in.
   */
  seal(frame: Uint8Array, end: number, seed: number): number {
    const { frames } = this;
    const id = frame[2];
    const open = id <= REQUEST && isOpen(id, frame[3]);
    let { session } = this;
    if (id === WELCOME) session = this.welcoming(frame);
    else if (id === OCCUPIED) session = this.next;
    if (!open && (!session.made || session.sent >= COUNTER_MAX)) return 0;
    const at = id <= WELCOME ? end + nonceBytes(id) : end;
    if (at > end) this.putNonce(frame, end, session);
    const counter = open ? 0 : ++session.sent;
    frame[1] = this.way;
    frames.sign(frame, 1, at, open ? this.root : session.key, seed, counter);
    return frames.close(frame, at + TAG_BYTES, seed, ~Math.imul(counter, SPREAD));
  }

  /**
   * Judges a frame that came: its id is byte 1, fields and nonce end at `end`, tag and check word follow. Byte 0 is spoilt.
   */
  judge(frame: Uint8Array, end: number, seed: number): Verdict {
    const counter = counterOf(this.frames.residue(frame, end + TAG_BYTES, seed));
    frame[0] = 1 - this.way;
    if (counter > 0) return this.judgeInSession(frame, end, seed, counter);
    if (!isOpen(frame[1], frame[2]) || !this.isTagged(this.root, seed, 0, frame, end)) return VERDICT.forged;
    return this.takeOpen(frame[1], frame, end);
  }

  /** The session in which a welcome that is about to be sent is tagged. */
  protected abstract welcoming(frame: Uint8Array): Session;
  /** Writes the nonce of a hello or welcome. */
  protected abstract putNonce(frame: Uint8Array, at: number, session: Session): void;
  /** Takes a frame that belongs to no session, and is rightly tagged. */
  protected abstract takeOpen(id: number, frame: Uint8Array, end: number): Verdict;
  protected abstract judgeInSession(frame: Uint8Array, end: number, seed: number, counter: number): Verdict;

  /** Judges a frame by the session that is used. */
  protected judgeByCounter(frame: Uint8Array, end: number, seed: number, counter: number): Verdict {
    const { session } = this;
    if (!session.made) return VERDICT.stale;
    if (!this.frames.isSigned(frame, 0, end, session.key, seed, counter)) {
      const { made, key } = this.former;
      const late = made && this.isTagged(key, seed, counter, frame, end);
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
    end: number,
  ): boolean {
    return this.frames.isSigned(frame, 0, end, key, seed, counter);
  }

  /** Makes a session's key of boot, peer and nonces. */
  protected derive(session: Session): void {
    const { derived, frames, root } = this;
    const { key } = session;
    putWord(derived, 0, session.boot);
    putWord(derived, 4, session.peer);
    putWord(derived, 8, session.helloLow);
    putWord(derived, 12, session.helloHigh);
    putWord(derived, 16, session.welcomeLow);
    putWord(derived, 20, session.welcomeHigh);
    for (let half = 0; half < 2; half++) {
      frames.sign(derived, 0, DERIVED_BYTES, root, 0, half === 0 ? PURPOSE.firstHalf : PURPOSE.secondHalf);
      key[2 * half] = wordAt(derived, DERIVED_BYTES);
      key[2 * half + 1] = wordAt(derived, DERIVED_BYTES + 4);
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

  constructor(key: Uint8Array, random: () => number, frames?: FrameBytes) {
    super(key, random, 1, frames);
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

  protected putNonce(frame: Uint8Array, at: number): void {
    putWord(frame, at, this.nonceLow);
    putWord(frame, at + 4, this.nonceHigh);
  }

  protected takeOpen(id: number): Verdict {
    return id === REQUEST ? VERDICT.taken : VERDICT.forged;
  }

  protected judgeInSession(frame: Uint8Array, end: number, seed: number, counter: number): Verdict {
    this.answered = frame[1] === WELCOME && isOfWelcome(this.session, frame, end);
    this.offered = false;
    if (frame[1] !== WELCOME || this.answered) return this.judgeByCounter(frame, end, seed, counter);
    const tagged =
      (isOfWelcome(this.next, frame, end) && this.isTagged(this.next.key, seed, counter, frame, end)) ||
      this.answers(this.nonceLow, this.nonceHigh, frame, end, seed, counter) ||
      this.answers(this.pastLow, this.pastHigh, frame, end, seed, counter);
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
    end: number,
    seed: number,
    counter: number,
  ): boolean {
    const { next } = this;
    next.boot = wordAt(frame, 2) >>> 0;
    next.peer = wordAt(frame, 2 + PEER) >>> 0;
    next.helloLow = low;
    next.helloHigh = high;
    next.welcomeLow = wordAt(frame, end - 8);
    next.welcomeHigh = wordAt(frame, end - 4);
    this.derive(next);
    next.made = this.isTagged(next.key, seed, counter, frame, end);
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

  constructor(key: Uint8Array, random: () => number, frames?: FrameBytes) {
    super(key, random, 0, frames);
  }

  protected welcoming(frame: Uint8Array): Session {
    const { next } = this;
    if (this.isOfHello(this.session)) return this.session;
    if (this.isOfHello(next)) return next;
    next.boot = this.boot;
    next.peer = wordAt(frame, 3 + PEER) >>> 0;
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

  protected putNonce(frame: Uint8Array, at: number, session: Session): void {
    putWord(frame, at, session.welcomeLow);
    putWord(frame, at + 4, session.welcomeHigh);
  }

  protected takeOpen(id: number, frame: Uint8Array, end: number): Verdict {
    if (id !== HELLO) return VERDICT.forged;
    this.boot = wordAt(frame, 2 + BOOT) >>> 0;
    this.nonceLow = wordAt(frame, end - 8);
    this.nonceHigh = wordAt(frame, end - 4);
    return VERDICT.taken;
  }

  protected judgeInSession(frame: Uint8Array, end: number, seed: number, counter: number): Verdict {
    if (!this.next.made || !this.isTagged(this.next.key, seed, counter, frame, end))
      return this.judgeByCounter(frame, end, seed, counter);
    this.adopt();
    this.session.taken = counter;
    this.proven = true;
    return VERDICT.taken;
  }
}
