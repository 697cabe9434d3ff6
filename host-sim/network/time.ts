/** A simulation's own time, in milliseconds. Sums of what `exact` gives are exact for weeks, in whatever order. */
export class VirtualTime {
  now = 0;
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
