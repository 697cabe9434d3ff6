import { EXIT_INTERRUPTED } from "./exit.ts";

/** npx and timeout forward a signal that the terminal also sends, so one press arrives twice. */
const SAME_PRESS_MS = 500;

/**
 * The first Ctrl-C requests a stop: it sets `asked` and exit code 130, and calls the functions passed to
 * `onStop`, so that a command can finish its work. A second Ctrl-C ends the program at once.
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

  /** Calls `act` at a request to stop, or at once after one. */
  onStop(act: () => void): void {
    if (this.asked) act();
    else this.acts.push(act);
  }
}
