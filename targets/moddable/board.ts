/** The board and its engine, by board.c. */
export class Board {
  /** True if the build is with -d or -i: then UART0 belongs to xsbug. */
  debugged(): boolean {
    return native("board_debugged").call(this);
  }

  /** Why it started: a `reason` of message reset. */
  reset(): number {
    return native("board_reset").call(this);
  }

  /** Resets the task watchdog during a long turn, and lets the idle task run, which the watchdog looks after, too. */
  feed(): void {
    native("board_feed").call(this);
  }

  /** 32 bits, different at each start. */
  noise(): number {
    return this.random();
  }

  /** 32 unpredictable bits from the chip's random-number generator. */
  random(): number {
    return native("board_random").call(this);
  }

  /** The most bytes of XS slots in use since the start, garbage included. */
  slots(): number {
    return native("board_slots").call(this);
  }

  /** The most bytes of XS chunks in use since the start, garbage included. */
  chunks(): number {
    return native("board_chunks").call(this);
  }
}
