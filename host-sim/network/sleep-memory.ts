import type { SleepMemory } from "../../src/start/sleep.ts";

/** The part of an ESP32's RTC memory that its firmware gives a node. */
export const SLEEP_MEMORY_BYTES = 7168;

/** Memory that outlasts a simulated sleep. */
export class SimulatedSleepMemory implements SleepMemory {
  readonly contents: Uint8Array;

  constructor(readonly bytes = SLEEP_MEMORY_BYTES) {
    this.contents = new Uint8Array(bytes);
  }

  read(offset: number, into: Uint8Array): void {
    this.check(offset, into);
    into.set(this.contents.subarray(offset, offset + into.length));
  }

  write(offset: number, from: Uint8Array): void {
    this.check(offset, from);
    this.contents.set(from, offset);
  }

  /** The power fails. */
  lose(): void {
    this.contents.fill(0);
  }

  /** True if nothing was written since the power failed. */
  get isLost(): boolean {
    return this.contents.every((byte) => byte === 0);
  }

  private check(offset: number, { length }: Uint8Array): void {
    if (offset < 0 || offset + length > this.bytes) throw new RangeError(`no ${length} bytes at ${offset}`);
  }
}
