/** Silence after which all bytes that will ever come have come. */
const QUIET_MS = 500;

/** The peer's side of credit (docs/spec/wire.md): limits what it sends so that the node's input FIFO never overflows. */
export class Credit {
  /** Bytes that were lost on the way. */
  lost = 0;
  /** Bytes sent, as the node counts them, mod 2^32. */
  sent = 0;
  /** Bytes sent since the beginning, which nothing sets back, and how many of them are certainly no longer on their way. */
  private all = 0;
  private passed = 0;
  private received = 0;
  private window = 0;
  private sentAt = Number.NEGATIVE_INFINITY;
  /** The bytes in the last credit, if it came after a silence. */
  private reported: number | undefined;

  /** True if a frame of this many bytes may be sent. */
  allows(bytes: number): boolean {
    const unreported = (this.sent - this.received) | 0;
    const unanswered = this.all - this.passed;
    return Math.min(unreported, unanswered) + bytes <= this.window;
  }

  /** Bytes of the largest frame that may ever be sent; 0 until the node grants credit. */
  get largest(): number {
    return this.window;
  }

  /** Counts a frame that is sent. Returns its place, for `pass`. */
  spend(bytes: number, now: number): number {
    this.sent = (this.sent + bytes) >>> 0;
    this.all += bytes;
    this.sentAt = now;
    this.reported = undefined;
    return this.all;
  }

  /** The frame at that place has arrived, so whatever was sent before it has arrived or is lost. */
  pass(place: number): void {
    if (place > this.passed) this.passed = place;
  }

  /** The node restarted: no credit until it grants some. */
  revoke(): void {
    this.window = 0;
    this.received = this.sent;
    this.passed = this.all;
    this.reported = undefined;
  }

  /**
   * Takes a credit message. One that counts fewer received bytes than an earlier one is late, and ignored. But if a second one after a
   * silence counts the same, it is right, and the bytes sent beyond it are lost.
   */
  grant(received: number, window: number, now: number): void {
    const silent = now - this.sentAt > QUIET_MS;
    const resolved = silent && this.reported === received;
    this.reported = silent ? received : undefined;
    const first = this.window === 0;
    if (!first && !resolved && ((received - this.received) | 0) <= 0) return;
    this.window = window;
    this.received = received;
    const ahead = (this.sent - received) | 0;
    if (resolved) this.lost += Math.max(0, ahead);
    if (resolved || ahead < 0) {
      this.sent = received;
      this.passed = this.all;
    }
  }
}
