import type { Host } from "../programs/host.ts";
import { Engine } from "../programs/peripherals.ts";

declare const host: Host;
declare const board: { noise(): number };

const POWER = 1;

/** Replaces moddable/board.ts: the emulated board and its engine. */
export class Board extends Engine {
  constructor() {
    super(host);
  }

  debugged(): boolean {
    return false;
  }

  reset(): number {
    return POWER;
  }

  noise(): number {
    return board.noise();
  }

  /** The emulated board has no source of random numbers: its clock's nanoseconds stand in. */
  random(): number {
    return board.noise();
  }

  feed(): void {
    host.feed();
  }
}
