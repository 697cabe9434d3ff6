import type { SleepMemory } from "../../src/start/sleep.ts";

/** Deep sleep of an ESP32, and the part of its RTC memory that is the node's, by deep-sleep.c. */
export class DeepSleep implements SleepMemory {
  /** 7168; 0 on a machine that has no deep sleep. */
  get bytes(): number {
    return native("deep_sleep_bytes").call(this);
  }

  /** Throws a RangeError for bytes beyond its end. */
  read(offset: number, into: Uint8Array): void {
    native("deep_sleep_read").call(this, offset, into);
  }

  /** Throws a RangeError for bytes beyond its end. */
  write(offset: number, from: Uint8Array): void {
    native("deep_sleep_write").call(this, offset, from);
  }

  /** Milliseconds, modulo 2^32; the clock keeps counting in deep sleep. */
  now(): number {
    return native("deep_sleep_ticks").call(this);
  }

  /** Sleeps so many milliseconds, < 2^31; then the chip restarts. */
  begin(ms: number): void {
    native("deep_sleep_begin").call(this, ms);
  }
}
