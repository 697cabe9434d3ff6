/** Whole numbers that are the same on every engine: xorshift (Marsaglia, J. Stat. Software 8(14), 2003). */
export class Draw {
  private state = 1;

  /** 32 bits, signed. */
  next(): number {
    let s = this.state;
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    this.state = s;
    return s;
  }

  below(n: number): number {
    return (this.next() >>> 0) % n;
  }
}
