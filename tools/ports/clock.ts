import type { Clock } from "../../src/node/ports.ts";

/** The clock by which ports, sessions and sources measure waiting: this machine's, or a test's own. */
export const MACHINE_CLOCK: Clock = { now: () => performance.now() };
