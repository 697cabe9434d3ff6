/** A simulation's own time, in milliseconds. Sums of what `exact` gives are exact for weeks, in whatever order. */
export class VirtualTime {
  now = 0;
}

/** A simulated node's clock starts so shortly before it wraps. */
const TICKS_AT_START = 0x7fffffff - 1500;

/** What a device's clock of 32 bits, signed, shows that long after its start. */
export function ticksAfter(ms: number): number {
  return (TICKS_AT_START + Math.floor(ms)) | 0;
}

const STEPS_PER_MS = 0x100000;

/** That time to the nearest 2^-20 ms, so that two ways to add it up agree. */
export function exact(ms: number): number {
  return Math.round(ms * STEPS_PER_MS) / STEPS_PER_MS;
}

/** What a byte takes on a serial line: eight bits between start and stop. */
export function byteTime(baud: number): number {
  return exact(10_000 / baud);
}
