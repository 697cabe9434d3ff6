import { ticksAfter } from "../programs/ticks.ts";

declare const board: { milliseconds(): number };

/** `time`: milliseconds, signed, in 32 bits, as a device has them; they wrap shortly after the start. */
export default {
  get ticks(): number {
    return ticksAfter(board.milliseconds());
  },
};
