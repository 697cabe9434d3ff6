/** A simulation's own time, in milliseconds. Sums of `exact` times are exact for weeks, in any order. */
export class VirtualTime {
  now = 0;
}

/** How long before its wrap a simulated node's clock starts. */
const TICKS_AT_START = 0x7fffffff - 1500;

/** The reading of a device's signed 32-bit clock that long after its start. */
export function ticksAfter(ms: number): number {
  return (TICKS_AT_START + Math.floor(ms)) | 0;
}

const STEPS_PER_MS = 0x100000;

/** That time to the nearest 2^-20 ms, so that two ways to add it up agree. */
export function exact(ms: number): number {
  return Math.round(ms * STEPS_PER_MS) / STEPS_PER_MS;
}

/** The duration of a byte on a serial line: eight bits, a start bit and a stop bit. */
export function byteTime(baud: number): number {
  return exact(10_000 / baud);
}
