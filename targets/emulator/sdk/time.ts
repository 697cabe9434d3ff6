declare const board: { milliseconds(): number };

/** `time`: milliseconds since the start. */
export default {
  get ticks(): number {
    return board.milliseconds();
  },
};
