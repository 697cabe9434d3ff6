const KEYS_MAX = 10_000;

/** A rate limit for each key. With too many keys it forgets the first ones. */
export class Limiter {
  private readonly counts = new Map<string, { count: number; until: number }>();

  /** @param now milliseconds of a clock that nobody sets */
  constructor(
    private readonly most: number,
    private readonly stretchMs: number,
    private readonly now: () => number,
  ) {}

  /** Milliseconds until there is room; 0: there is. */
  wait(key: string): number {
    const held = this.counts.get(key);
    return held && held.count >= this.most ? Math.max(0, held.until - this.now()) : 0;
  }

  /** One more happened. */
  add(key: string): void {
    const { counts } = this;
    const now = this.now();
    const held = counts.get(key);
    if (held && held.until > now) {
      held.count++;
      return;
    }
    counts.delete(key);
    if (counts.size >= KEYS_MAX) counts.delete(counts.keys().next().value as string);
    counts.set(key, { count: 1, until: now + this.stretchMs });
  }

  forget(key: string): void {
    this.counts.delete(key);
  }
}
