/** The delays before the next tries, in milliseconds: each twice the one before, from `least` to `most`. */
export class Backoff {
  private delay: number;

  constructor(
    private readonly least: number,
    private readonly most: number,
  ) {
    this.delay = least;
  }

  next(): number {
    const { delay } = this;
    this.delay = Math.min(2 * delay, this.most);
    return delay;
  }

  /** A try succeeded. */
  reset(): void {
    this.delay = this.least;
  }

  /** The next delay is the longest. */
  lengthen(): void {
    this.delay = this.most;
  }
}
