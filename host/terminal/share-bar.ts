import cliProgress, { type TimeFormatter } from "cli-progress";

/** Characters of a progress bar: with its text it fits in 80 columns. */
export const BAR_SIZE = 20;
/** Steps of a bar of shares. */
const STEPS = 1000;

/** A time as a progress bar shows it; "?" where the bar has no estimate, as before the first run is done. */
export const timeText: TimeFormatter = (time, options, roundTo) => {
  const isEstimate = typeof time === "number" && Number.isFinite(time);
  return isEstimate ? cliProgress.Format.TimeFormat(time, options, roundTo) : "?";
};

/** A bar on a terminal for the share of work that is done, 0..1; elsewhere it prints nothing. */
export class ShareBar {
  private readonly bar: cliProgress.SingleBar;

  /**
   * @param format of the line: see cli-progress.
   * @param etaBuffer newest shares from which the remaining time is estimated.
   */
  constructor(format: string, etaBuffer: number) {
    const options = { format, stream: process.stderr, hideCursor: false, barsize: BAR_SIZE, etaBuffer };
    this.bar = new cliProgress.SingleBar(
      { ...options, formatTime: timeText },
      cliProgress.Presets.shades_classic,
    );
  }

  start(share: number, texts: object): void {
    this.bar.start(STEPS, Math.floor(STEPS * share), texts);
  }

  update(share: number, texts: object): void {
    this.bar.update(Math.floor(STEPS * share), texts);
  }

  stop(): void {
    this.bar.stop();
  }
}
