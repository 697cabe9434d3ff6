import { EXIT_INTERRUPTED } from "./exit.ts";

/** npx and timeout pass on a signal that the terminal has sent as well: one press comes twice. */
const SAME_PRESS_MS = 500;

/**
 * Ctrl-C asks to stop: `asked` becomes true, exit code 130 is set, and what was given to `onStop` is called, so that a
 * command can finish what it began. A second Ctrl-C ends the program at once.
 */
export class Interrupt {
  asked = false;
  /** When, in milliseconds. */
  private since = 0;
  private readonly acts: (() => void)[] = [];

  constructor() {
    process.on("SIGINT", () => {
      if (this.asked && performance.now() - this.since < SAME_PRESS_MS) return;
      if (this.asked) process.exit(EXIT_INTERRUPTED);
      this.asked = true;
      this.since = performance.now();
      process.exitCode = EXIT_INTERRUPTED;
      for (const act of this.acts) act();
    });
  }

  /** Calls `act` when asked to stop; at once if that was before. */
  onStop(act: () => void): void {
    if (this.asked) act();
    else this.acts.push(act);
  }
}
