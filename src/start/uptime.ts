import type { Clock } from "../node/ports.ts";

/**
 * Whole milliseconds since it was made, by a clock that may wrap: a device's `Time.ticks` counts in 32 bits, and wraps
 * after 24.9 days. This count doesn't wrap if it is read at least once in 2^31 ms. A node reads it in each turn.
 */
export class Uptime implements Clock {
  /**
   * @param clock milliseconds from any moment on, whole or not, in full or modulo 2^32.
   * @param startedAt the clock's value, mod 2^32, when this uptime was 0; default: its present value.
   * @param passed the uptime at its last reading; default 0.
   */
  constructor(
    private readonly clock: Clock,
    readonly startedAt = clock.now(),
    private passed = 0,
  ) {}

  now(): number {
    this.passed += (this.clock.now() - this.startedAt - this.passed) | 0;
    return this.passed;
  }
}
