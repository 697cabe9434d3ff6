import { frozen } from "../memory/frozen.ts";
import type { Format } from "./format.ts";
import { type FrameBytes, framesOf } from "./frame-bytes.ts";
import { MESSAGES } from "./messages.ts";
import { counterOf, maskOf, putWord, SESSION_WORD, wordAt } from "./words.ts";

/** Bytes of a key. */
export const KEY_BYTES = 16;
/** What a keyed frame has besides an unkeyed one: the tag. Hello and welcome bring a nonce, too. */
export const TAG_BYTES = 8;
const NONCE_BYTES = 8;
/** Boot, peer and nonces, which a session's key is derived from, and room for half the key. */
const DERIVED_BYTES = 24;
/** Words of a session: those by which frames are made and read, then who meets, and the nonces of their hello and welcome. */
const SESSION = Object.freeze({
  ...SESSION_WORD,
  ...{ boot: 8, peer: 9, helloLow: 10, helloHigh: 11, welcomeLow: 12, welcomeHigh: 13 },
} as const);
const SESSION_WORDS = 14;
/** Bytes of the buffers of one end. */
export const KEYED_BYTES = KEY_BYTES + 3 * 4 * SESSION_WORDS + DERIVED_BYTES + TAG_BYTES;

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

/** Whether a frame with that residue is one of a keyed line's first. */
export function looksKeyed(residue: number): boolean {
  return counterOf(residue) < FAR;
}

/** A session between a start of the node and a start of its peer: words, for which C takes no look at names. */
export class Session {
  /** Its key first, by which frames are signed. */
  readonly words = new Int32Array(SESSION_WORDS);

  /** @param way what its end's frames have for their direction. */
  constructor(way: number) {
    this.words[SESSION.way] = way;
  }

  /** Whether there is one. */
  get made(): boolean {
    return this.words[SESSION.made] !== 0;
  }

  set made(made: boolean) {
    this.words[SESSION.made] = made ? 1 : 0;
  }

  /** Whether its counter is used up. */
  get spent(): boolean {
    return this.words[SESSION.sent] >>> 0 >= COUNTER_MAX;
  }

  /** The counter of the next frame that this end sends in it. */
  count(): number {
    return ++this.words[SESSION.sent] >>> 0;
  }

  /** The counter of the last frame that this end took. */
  get taken(): number {
    return this.words[SESSION.taken] >>> 0;
  }

  set taken(counter: number) {
    this.words[SESSION.taken] = counter;
  }

  /** Who meets, and the nonces of their hello and welcome. */
  describe(boot: number, peer: number, helloLow: number, helloHigh: number, low: number, high: number): void {
    const { words } = this;
    words[SESSION.boot] = boot;
    words[SESSION.peer] = peer;
    words[SESSION.helloLow] = helloLow;
    words[SESSION.helloHigh] = helloHigh;
    words[SESSION.welcomeLow] = low;
    words[SESSION.welcomeHigh] = high;
  }

  /** Whether it answers a hello with that nonce. */
  hasHello(low: number, high: number): boolean {
    return this.words[SESSION.helloLow] === low && this.words[SESSION.helloHigh] === high;
  }

  /** Begins it: nobody has sent anything in it. */
  begin(): void {
    this.words[SESSION.made] = 1;
    this.words[SESSION.sent] = 0;
    this.words[SESSION.taken] = 0;
  }
}

/** Whether a welcome whose fields and nonce end at `end` belongs to that session. */
function isOfWelcome({ made, words }: Session, frame: Uint8Array, end: number): boolean {
  if (!made || wordAt(frame, 2 + PEER) !== words[SESSION.peer]) return false;
  return (
    wordAt(frame, end - 8) === words[SESSION.welcomeLow] &&
    wordAt(frame, end - 4) === words[SESSION.welcomeHigh]
  );
}

/**
 * One end of a keyed line: completes the frames that it sends by nonce, check word and tag, and judges those that come, as
 * SPEC.md says. Both ends share this; they differ in what hello and welcome do. Nothing is allocated after construction.
 */
export abstract class KeyedEnd {
  /** The node's key, and the sessions: the one that is used, one that is being made, and the one before, whose frames may be late. */
  protected readonly root: Int32Array;
  protected session: Session;
  protected next: Session;
  private former: Session;
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
    this.session = new Session(way);
    this.next = new Session(way);
    this.former = new Session(way);
  }

  /** The words of the session in use. A frame that continues it is read in them at once. */
  get words(): Int32Array {
    return this.session.words;
  }

  /** The same where a frame of that format can be made in it at once; undefined: see `seal`. */
  wordsFor(format: Format): Int32Array | undefined {
    const session = this.session;
    return format.isRoutine && session.made && !session.spent ? session.words : undefined;
  }

  /** Whether no frame can be tagged in the session: there is none, or its counter is used up. */
  get spent(): boolean {
    return !this.session.made || this.session.spent;
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
    if (!open && (!session.made || session.spent)) return 0;
    const at = id <= WELCOME ? end + nonceBytes(id) : end;
    if (at > end) this.putNonce(frame, end, session);
    const counter = open ? 0 : session.count();
    frame[1] = this.way;
    frames.sign(frame, 1, at, open ? this.root : session.words, seed, counter);
    return frames.close(frame, at + TAG_BYTES, seed, maskOf(counter));
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
    if (!this.frames.isSigned(frame, 0, end, session.words, seed, counter)) {
      const { made, words } = this.former;
      const late = made && this.isTagged(words, seed, counter, frame, end);
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

  /** Makes a session's key of boot, peer and nonces, as it describes them. */
  protected derive(session: Session): void {
    const { derived, frames, root } = this;
    const { words } = session;
    for (let i = 0; i < DERIVED_BYTES; i += 4) putWord(derived, i, words[SESSION.boot + i / 4]);
    for (let half = 0; half < 2; half++) {
      frames.sign(derived, 0, DERIVED_BYTES, root, 0, half === 0 ? PURPOSE.firstHalf : PURPOSE.secondHalf);
      words[2 * half] = wordAt(derived, DERIVED_BYTES);
      words[2 * half + 1] = wordAt(derived, DERIVED_BYTES + 4);
    }
    session.begin();
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
      (isOfWelcome(this.next, frame, end) && this.isTagged(this.next.words, seed, counter, frame, end)) ||
      this.answers(this.nonceLow, this.nonceHigh, frame, end, seed, counter) ||
      this.answers(this.pastLow, this.pastHigh, frame, end, seed, counter);
    const { next } = this;
    if (!tagged) return this.blame(counter);
    if (counter <= next.taken) return VERDICT.stale;
    next.taken = counter;
    this.offered = next.hasHello(this.nonceLow, this.nonceHigh);
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
    const peer = wordAt(frame, 2 + PEER);
    next.describe(wordAt(frame, 2), peer, low, high, wordAt(frame, end - 8), wordAt(frame, end - 4));
    this.derive(next);
    next.made = this.isTagged(next.words, seed, counter, frame, end);
    return next.made;
  }
}

/** The peer's end: it answers a hello by a welcome with a nonce of its own, and believes the hello once its session is used. */
export class KeyedPeer extends KeyedEnd {
  /** Whether a session began that the peer doesn't know of: its hello is believed then. */
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
    const peer = wordAt(frame, 3 + PEER);
    next.describe(this.boot, peer, this.nonceLow, this.nonceHigh, this.random(), this.random());
    this.derive(next);
    return next;
  }

  private isOfHello(session: Session): boolean {
    const isOfBoot = session.words[SESSION.boot] === this.boot;
    return session.made && isOfBoot && session.hasHello(this.nonceLow, this.nonceHigh);
  }

  protected putNonce(frame: Uint8Array, at: number, { words }: Session): void {
    putWord(frame, at, words[SESSION.welcomeLow]);
    putWord(frame, at + 4, words[SESSION.welcomeHigh]);
  }

  protected takeOpen(id: number, frame: Uint8Array, end: number): Verdict {
    if (id !== HELLO) return VERDICT.forged;
    this.boot = wordAt(frame, 2 + BOOT);
    this.nonceLow = wordAt(frame, end - 8);
    this.nonceHigh = wordAt(frame, end - 4);
    return VERDICT.taken;
  }

  protected judgeInSession(frame: Uint8Array, end: number, seed: number, counter: number): Verdict {
    if (!this.next.made || !this.isTagged(this.next.words, seed, counter, frame, end))
      return this.judgeByCounter(frame, end, seed, counter);
    this.adopt();
    this.session.taken = counter;
    this.proven = true;
    return VERDICT.taken;
  }
}
