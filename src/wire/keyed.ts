import { frozen } from "../memory/frozen.ts";
import type { Format } from "./format.ts";
import { chooseFrames, type FrameBytes } from "./frame-bytes.ts";
import { MESSAGES } from "./messages.ts";
import { maskCounter, putWord, SESSION_WORD, unmaskCounter, wordAt } from "./words.ts";

/** Bytes of a key. */
export const KEY_BYTES = 16;
/** A keyed frame has a tag in addition. Hello and welcome carry a nonce, too. */
export const TAG_BYTES = 8;
const NONCE_BYTES = 8;
/** Boot, peer and nonces, which a session's key is derived from, and room for half the key. */
const DERIVED_BYTES = 24;
/** Words of a session: those for making and reading frames, then boot and peer, and the nonces of hello and welcome. */
export const SESSION = Object.freeze({
  ...SESSION_WORD,
  ...{ boot: 8, peer: 9, helloLow: 10, helloHigh: 11, welcomeLow: 12, welcomeHigh: 13 },
} as const);
const SESSION_WORDS = 14;
/** Bytes of the buffers of one end. */
export const KEYED_BYTES = KEY_BYTES + 3 * 4 * SESSION_WORDS + DERIVED_BYTES + TAG_BYTES;

export const HELLO = MESSAGES.hello.id;
const WELCOME = MESSAGES.welcome.id;
const REQUEST = MESSAGES.request.id;
const OCCUPIED = MESSAGES.occupied.id;
/** A request's `what` for hello. */
const WHO = 1;
/** Where `peer` lies in welcome's fields. */
export const PEER = 4;
/** A damaged check word gives a counter farther than this from the last one; an undamaged frame doesn't. */
const FAR = 0x10000;
const COUNTER_MAX = 0xffffffff;

/** Takes the place of the counter in the first block of a hash that isn't a frame's, so that no hash can pass for another kind. */
export const PURPOSE = frozen({
  firstHalf: 1,
  secondHalf: 2,
  label: 3,
  labelFirstHalf: 4,
  labelSecondHalf: 5,
  install: 6,
  digest: 7,
  restore: 8,
} as const);

/** The verdict on a received frame. */
export const VERDICT = frozen({
  taken: 0,
  /** received before, or of a session that this end doesn't have */
  stale: 1,
  /** its sender doesn't have the key */
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

/** Bytes of the nonce that a message of that id carries in a keyed frame. */
export function nonceBytes(id: number): number {
  if (id > WELCOME) return 0;
  return id === HELLO || id === WELCOME ? NONCE_BYTES : 0;
}

/** True if a frame belongs to no session: hello, and the request for it. `what`: its first field. */
function isOpen(id: number, what: number): boolean {
  return id === HELLO || (id === REQUEST && what === WHO);
}

/** True if a frame with that residue is one of a keyed line's first. */
export function looksKeyed(residue: number): boolean {
  return unmaskCounter(residue) < FAR;
}

/** A session between a start of the node and a start of its peer, as words, which C reads without a lookup of names. */
export class Session {
  /** The key that tags frames comes first. */
  readonly words = new Int32Array(SESSION_WORDS);

  /** @param way the direction of its end's frames. */
  constructor(way: number) {
    this.words[SESSION.way] = way;
  }

  /** True if it has begun. */
  get made(): boolean {
    return this.words[SESSION.made] !== 0;
  }

  set made(made: boolean) {
    this.words[SESSION.made] = made ? 1 : 0;
  }

  /** True if its counter is used up. */
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

  /** Sets boot and peer, and the nonces of hello and welcome. */
  describe(boot: number, peer: number, helloLow: number, helloHigh: number, low: number, high: number): void {
    const { words } = this;
    words[SESSION.boot] = boot;
    words[SESSION.peer] = peer;
    words[SESSION.helloLow] = helloLow;
    words[SESSION.helloHigh] = helloHigh;
    words[SESSION.welcomeLow] = low;
    words[SESSION.welcomeHigh] = high;
  }

  /** True if it answers a hello with that nonce. */
  hasHello(low: number, high: number): boolean {
    return this.words[SESSION.helloLow] === low && this.words[SESSION.helloHigh] === high;
  }

  /** Begins it; no frame has been sent in it. */
  begin(): void {
    this.words[SESSION.made] = 1;
    this.words[SESSION.sent] = 0;
    this.words[SESSION.taken] = 0;
  }
}

/** True if a welcome whose fields and nonce end at `end` belongs to that session. */
function isOfWelcome({ made, words }: Session, frame: Uint8Array, end: number): boolean {
  if (!made || wordAt(frame, 2 + PEER) !== words[SESSION.peer]) return false;
  return (
    wordAt(frame, end - 8) === words[SESSION.welcomeLow] &&
    wordAt(frame, end - 4) === words[SESSION.welcomeHigh]
  );
}

/**
 * One end of a keyed line. It adds nonce, check word and tag to the frames that it sends, and judges received ones, as
 * docs/spec/wire.md says. Both ends share this; they differ in what hello and welcome do. Nothing is allocated after construction.
 */
export abstract class KeyedEnd {
  /** The node's key, and three sessions: the present one, the one being made, and the one before, whose frames may arrive late. */
  protected readonly root: Int32Array;
  protected session: Session;
  protected next: Session;
  protected former: Session;
  private readonly derived = new Uint8Array(DERIVED_BYTES + TAG_BYTES);

  /**
   * @param key 16 bytes.
   * @param random 32 unpredictable bits.
   * @param way the direction of this end's frames: 1 up, 0 down.
   */
  constructor(
    key: Uint8Array,
    protected readonly random: () => number,
    private readonly way: number,
    private readonly frames: FrameBytes = chooseFrames(),
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

  /** True if no frame can be tagged now: no session has begun, or its counter is used up. */
  get spent(): boolean {
    return !this.session.made || this.session.spent;
  }

  /**
   * Completes a frame whose id is at byte 2 and whose fields end at `end`: adds nonce, tag, check word, stuffing and delimiters. Returns
   * its length; 0 without a session to tag it in.
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
    return frames.close(frame, at + TAG_BYTES, seed, maskCounter(counter));
  }

  /**
   * Judges a received frame: its id is at byte 1, fields and nonce end at `end`, tag and check word follow. It overwrites byte 0.
   */
  judge(frame: Uint8Array, end: number, seed: number): Verdict {
    const counter = unmaskCounter(this.frames.residue(frame, end + TAG_BYTES, seed));
    frame[0] = 1 - this.way;
    if (counter > 0) return this.judgeInSession(frame, end, seed, counter);
    if (!isOpen(frame[1], frame[2]) || !this.isTagged(this.root, seed, 0, frame, end)) return VERDICT.forged;
    return this.takeOpen(frame[1], frame, end);
  }

  /** The session that tags the welcome about to be sent. */
  protected abstract welcoming(frame: Uint8Array): Session;
  /** Writes the nonce of a hello or welcome. */
  protected abstract putNonce(frame: Uint8Array, at: number, session: Session): void;
  /** Takes a frame with a right tag that belongs to no session. */
  protected abstract takeOpen(id: number, frame: Uint8Array, end: number): Verdict;
  protected abstract judgeInSession(frame: Uint8Array, end: number, seed: number, counter: number): Verdict;

  /** Judges a frame by the present session. */
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

  /** Why a tag is wrong: a forged frame has the right check word, a damaged one seldom. */
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

  /** Derives a session's key from its boot, peer and nonces. */
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

  /** Makes the new session the present one. */
  protected adopt(): void {
    const { former } = this;
    this.former = this.session;
    this.session = this.next;
    this.next = former;
    former.made = false;
  }
}

/**
 * The node's end. Once the node accepts a welcome that answers a hello's nonce, no later hello has that nonce. The session that a welcome
 * begins becomes the present one; the node answers a refused welcome in that welcome's own session.
 *
 * It takes each welcome once: it knows the last frame that it took of the sessions `session` and `next`, and no other session answers
 * a nonce that it still takes answers to.
 */
export class KeyedNode extends KeyedEnd {
  private nonceLow = 0;
  private nonceHigh = 0;
  /** The nonce before, which identifies a second welcome, to refuse it; or else the present one. */
  private pastLow = 0;
  private pastHigh = 0;
  /** True if `next` answers the nonce that was the present one when it was offered. */
  private isTimely = false;
  /** True if the last welcome taken belongs to the present session, or begins one. */
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
    const isNext =
      isOfWelcome(this.next, frame, end) && this.isTagged(this.next.words, seed, counter, frame, end);
    const isNew =
      !isNext &&
      (this.answers(this.nonceLow, this.nonceHigh, frame, end, seed, counter) ||
        this.answers(this.pastLow, this.pastHigh, frame, end, seed, counter));
    if (!isNext && !isNew) return this.blame(counter);
    if (isNew) this.offer();
    const { next } = this;
    if (counter <= next.taken) return VERDICT.stale;
    next.taken = counter;
    this.offered = this.isTimely;
    return VERDICT.taken;
  }

  /** Accepts the last welcome taken; false if it answers an old hello. */
  accept(): boolean {
    if (this.answered) return true;
    if (!this.offered) return false;
    this.offered = false;
    this.adopt();
    this.drawNonce();
    return true;
  }

  /** True if a welcome answers a hello with that nonce; if so, `former` is its session. Else `next` stays, and `former` is lost. */
  private answers(
    low: number,
    high: number,
    frame: Uint8Array,
    end: number,
    seed: number,
    counter: number,
  ): boolean {
    const { former } = this;
    const peer = wordAt(frame, 2 + PEER);
    former.describe(wordAt(frame, 2), peer, low, high, wordAt(frame, end - 8), wordAt(frame, end - 4));
    this.derive(former);
    former.made = this.isTagged(former.words, seed, counter, frame, end);
    return former.made;
  }

  /** Makes that session the next one. The one that it replaces is forgotten, and so must be the nonce that it answers. */
  private offer(): void {
    const { former, next } = this;
    this.isTimely = former.hasHello(this.nonceLow, this.nonceHigh);
    this.next = former;
    this.former = next;
    if (!next.made) return;
    if (next.hasHello(this.nonceLow, this.nonceHigh)) this.drawNonce();
    this.pastLow = this.nonceLow;
    this.pastHigh = this.nonceHigh;
  }
}
