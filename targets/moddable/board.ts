/** The board and its engine, by board.c. */
export class Board {
  /** Whether the build is with -d or -i: then UART0 belongs to xsbug. */
  debugged(): boolean {
    return native("board_debugged").call(this);
  }

  /** Why it started: a `reason` of message reset. */
  reset(): number {
    return native("board_reset").call(this);
  }

  /** Tells the task watchdog that a turn goes on which lasts longer than others. */
  feed(): void {
    native("board_feed").call(this);
  }

  /** 32 bits that no other start gets. */
  noise(): number {
    return this.random();
  }

  /** 32 bits from the chip's source of random numbers, which nobody can foresee. */
  random(): number {
    return native("board_random").call(this);
  }

  /** Bytes of XS slots in use, garbage included. */
  slots(): number {
    return native("board_slots").call(this);
  }

  /** Bytes of XS chunks in use, garbage included. */
  chunks(): number {
    return native("board_chunks").call(this);
  }
}
