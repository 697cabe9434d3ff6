const PERIOD = 48;
const NOISE = 1 / 16;

/** The signal that the emulated board measures: a slow wave with some noise, the same at each start. */
export class Wave {
  private n: number;
  private state: number;

  /** @param seed sets its phase and its noise. */
  constructor(seed: number) {
    this.n = 7 * seed;
    this.state = seed;
  }

  /** The next number, 0 to 1: a triangle of 48 numbers between 1/4 and 3/4, give or take 1/16. */
  next(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) | 0;
    const phase = (this.n++ % PERIOD) / PERIOD;
    const triangle = phase < 0.5 ? 2 * phase : 2 - 2 * phase;
    return 0.25 + 0.5 * triangle + NOISE * ((this.state >>> 24) / 128 - 1);
  }
}
