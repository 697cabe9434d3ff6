import { ticksAfter } from "../programs/ticks.ts";

declare const board: { milliseconds(): number };

/** In place of moddable/deep-sleep.ts: the emulated board has no deep sleep, and a node that is to sleep is refused. */
export class DeepSleep {
  readonly bytes = 0;

  read(): void {}

  write(): void {}

  now(): number {
    return ticksAfter(board.milliseconds());
  }

  begin(): void {}
}
