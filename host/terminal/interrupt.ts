import { EXIT_OF_SIGNAL, endWithoutOutput, onOutputFailure } from "./exit.ts";

/** npx and timeout forward a signal that the terminal also sends, so one press arrives twice. */
const SAME_PRESS_MS = 500;

/**
 * The first Ctrl-C, SIGTERM, or SIGHUP of a terminal that closes, requests a stop: it aborts `signal`, sets the exit code, and calls the
 * functions passed to `onStop`, so that a command can finish its work. A second one ends the program at once. An output that can't be
 * written any more requests a stop, too.
 */
export class Interrupt {
  private readonly stop = new AbortController();
  readonly signal = this.stop.signal;
  /** When it was asked to stop, in milliseconds. */
  private since = 0;

  constructor() {
    for (const [signal, code] of Object.entries(EXIT_OF_SIGNAL))
      process.on(signal, () => {
        if (this.asked && performance.now() - this.since < SAME_PRESS_MS) return;
        process.exitCode = code;
        if (this.asked) process.exit();
        this.ask();
      });
    onOutputFailure((why) => {
      if (this.asked) return;
      endWithoutOutput(why);
      this.ask();
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

  private ask(): void {
    this.since = performance.now();
    this.stop.abort();
  }
}
