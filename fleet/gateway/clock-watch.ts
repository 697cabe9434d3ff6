/** A change of the machine's clock larger than small corrections. */
const JUMP_MS = 60_000;
const UNITS: readonly [ms: number, name: string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
];

/** Notices that the machine's clock was set. */
export class ClockWatch {
  private ahead: number;

  /**
   * @param now milliseconds since 1970 by the machine's clock.
   * @param elapsed milliseconds by a clock that nobody sets.
   */
  constructor(
    private readonly now: () => number,
    private readonly elapsed: () => number,
  ) {
    this.ahead = now() - elapsed();
  }

  /** A change of the clock since the last call; undefined: none that matters. */
  look(): string | undefined {
    const ahead = this.now() - this.elapsed();
    const jump = ahead - this.ahead;
    if (Math.abs(jump) < JUMP_MS) return undefined;
    this.ahead = ahead;
    if (jump < 0) return `the clock was set back by ${spanText(-jump)}${CONSEQUENCE}`;
    return `the clock was set forward by ${spanText(jump)}, or the machine slept${CONSEQUENCE}`;
  }

  /** A warning if the clock is behind the newest record's time; undefined: none. */
  since(newest: number | undefined): string | undefined {
    const behind = (newest ?? 0) - this.now();
    if (behind < JUMP_MS) return undefined;
    return `the clock is ${spanText(behind)} behind the newest record${CONSEQUENCE}`;
  }
}

const CONSEQUENCE = "; records keep their order, and nothing is removed sooner";

function spanText(ms: number): string {
  const [unit, name] = UNITS.find(([each]) => ms >= each) ?? UNITS[UNITS.length - 1];
  return `${Math.round(ms / unit)} ${name}`;
}
