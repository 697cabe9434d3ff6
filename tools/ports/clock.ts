import type { Clock } from "../../src/node/ports.ts";

/** By which ports, sessions and sources measure how long an answer is missing: this machine's, unless a test drives its own. */
export const MACHINE_CLOCK: Clock = { now: () => performance.now() };
