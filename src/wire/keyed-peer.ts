import type { FrameBytes } from "./frame-bytes.ts";
import { HELLO, KeyedEnd, PEER, SESSION, type Session, VERDICT, type Verdict } from "./keyed.ts";
import { putWord, wordAt } from "./words.ts";

/** Where `boot` lies in hello's fields. */
const BOOT = 4;

/** The peer's end. It answers a hello by a welcome with a nonce of its own, and trusts the hello once a frame of its session arrives. */
export class KeyedPeer extends KeyedEnd {
  /** True if a session has begun that the peer doesn't know of; then its hello is trusted. */
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
