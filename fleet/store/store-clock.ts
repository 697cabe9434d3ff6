/** A monotonic clock, from 0. */
function millisecondsFromNow(): () => number {
  const start = performance.now();
  return () => performance.now() - start;
}

/**
 * The store's time. The machine's clock may be set, forward or back. So each row also has `ran`: milliseconds that count while a gateway
 * runs. Order and age follow from it.
 */
export class StoreClock {
  /** `ran` when the store was opened. */
  ranBefore = 0;

  constructor(
    private readonly now: () => number = Date.now,
    /** Monotonic milliseconds. */
    readonly elapsed: () => number = millisecondsFromNow(),
  ) {}

  get ran(): number {
    return Math.round(this.ranBefore + this.elapsed());
  }

  /** The present time by the machine's clock, and `ran`. */
  get when(): readonly [time: number, ran: number] {
    return [this.now(), this.ran];
  }
}
