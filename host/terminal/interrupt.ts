import { EXIT_INTERRUPTED } from "./exit.ts";

/** npx and timeout forward a signal that the terminal also sends, so one press arrives twice. */
const SAME_PRESS_MS = 500;

/**
 * The first Ctrl-C requests a stop: it aborts `signal`, sets exit code 130, and calls the functions passed to
 * `onStop`, so that a command can finish its work. A second Ctrl-C ends the program at once.
 */
export class Interrupt {
  private readonly stop = new AbortController();
  readonly signal = this.stop.signal;
  /** When it was asked to stop, in milliseconds. */
  private since = 0;

  constructor() {
    process.on("SIGINT", () => {
      if (this.asked && performance.now() - this.since < SAME_PRESS_MS) return;
      if (this.asked) process.exit(EXIT_INTERRUPTED);
      this.since = performance.now();
      process.exitCode = EXIT_INTERRUPTED;
      this.stop.abort();
    });
  }

  get asked(): boolean {
    return this.signal.aborted;
  }

  /** Calls `act` at a request to stop, or at once after one. */
  onStop(act: () => void): void {
    if (this.asked) act();
    else this.signal.addEventListener("abort", () => act());
  }
}
