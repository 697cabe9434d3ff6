import { Limiter } from "./limiter.ts";

/** Lets so many through in a stretch of time, and counts the others: for lines that a stranger can cause. */
export class Quota {
  private readonly limiter: Limiter;
  private unsaid = 0;

  /** @param now milliseconds of a clock that nobody sets */
  constructor(most: number, stretchMs: number, now: () => number) {
    this.limiter = new Limiter(most, stretchMs, now);
  }

  /** One more wants through. Returns how many before it did not get through; undefined: nor does this one. */
  pass(): number | undefined {
    if (this.limiter.wait("") > 0) {
      this.unsaid++;
      return undefined;
    }
    this.limiter.add("");
    const { unsaid } = this;
    this.unsaid = 0;
    return unsaid;
  }
}
