/** Silence after which all bytes that will ever come have come. */
const QUIET_MS = 500;

/** The peer's side of credit (SPEC.md): what may be sent so that the node's input FIFO never overflows. */
export class Credit {
  /** Bytes that were lost on the way. */
  lost = 0;
  /** Bytes sent, as the node counts them, mod 2^32. */
  sent = 0;
  /** Bytes sent since the beginning, which no settling sets back, and how many of them are surely not on their way. */
  private all = 0;
  private passed = 0;
  private received = 0;
  private window = 0;
  private sentAt = Number.NEGATIVE_INFINITY;
  /** What the last credit told, if it came after a silence. */
  private told: number | undefined;

  /** Whether a frame of so many bytes may be sent. */
  allows(bytes: number): boolean {
    const unreported = (this.sent - this.received) | 0;
    const unanswered = this.all - this.passed;
    return Math.min(unreported, unanswered) + bytes <= this.window;
  }

  /** Bytes of the largest frame that may ever be sent; 0 as long as the node has granted none. */
  get largest(): number {
    return this.window;
  }

  /** Counts a frame that is sent. Returns its place, for `pass`. */
  spend(bytes: number, now: number): number {
    this.sent = (this.sent + bytes) >>> 0;
    this.all += bytes;
    this.sentAt = now;
    this.told = undefined;
    return this.all;
  }

  /** The frame at that place came, so that nothing sent before it is on its way: it came, or it is lost. */
  pass(place: number): void {
    if (place > this.passed) this.passed = place;
  }

  /** The node started anew: nothing is granted until it says so. */
  revoke(): void {
    this.window = 0;
    this.received = this.sent;
    this.passed = this.all;
    this.told = undefined;
  }

  /**
   * Takes what the node grants. One that tells less than is known is late, and ignored; unless, after a
   * silence, a second tells the same: then it is so, and what was sent beyond it is lost.
   */
  grant(received: number, window: number, now: number): void {
    const silent = now - this.sentAt > QUIET_MS;
    const settled = silent && this.told === received;
    this.told = silent ? received : undefined;
    const first = this.window === 0;
    if (!first && !settled && ((received - this.received) | 0) <= 0) return;
    this.window = window;
    this.received = received;
    const ahead = (this.sent - received) | 0;
    if (settled) this.lost += Math.max(0, ahead);
    if (settled || ahead < 0) {
      this.sent = received;
      this.passed = this.all;
    }
  }
}
