import type { Clock } from "../../src/node/ports.ts";
import { Uptime } from "../../src/start/uptime.ts";

/** Milliseconds before the wrap at which a test's clock starts. */
const BEFORE = 70;

/** A device's `Time.ticks` at a test's time: signed, 32 bits, and about to wrap when the time is 0. */
export function ticksAt(now: number): number {
  return (0x7fffffff - BEFORE + now) | 0;
}

/** The clock that `startNode` passes to a node's parts, on a device whose ticks are about to wrap. */
export function wrappingClock(now: () => number): Clock {
  return new Uptime({ now: () => ticksAt(now()) });
}
