import { ticksAfter } from "../programs/ticks.ts";

declare const board: { milliseconds(): number };

/** Replaces moddable/deep-sleep.ts: the emulated board has no deep sleep, and refuses a node with it. */
export class DeepSleep {
  readonly bytes = 0;

  read(): void {}

  write(): void {}

  now(): number {
    return ticksAfter(board.milliseconds());
  }

  begin(): void {}
}
