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

/** A bar on a terminal for jobs of different weights; elsewhere it prints nothing. */
export class JobsBar {
  private readonly bar: cliProgress.SingleBar;
  private weights: readonly number[] = [];
  private shares: number[] = [];
  private texts: (done: number) => object = () => ({});
  private done = 0;

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

  /**
   * Begins with jobs of these weights.
   *
   * @param texts of the line, after so many jobs are done.
   * @param shares of each job that are done at first, 0..1. Default: 0.
   */
  start(
    weights: readonly number[],
    texts: (done: number) => object,
    shares: readonly number[] = weights.map(() => 0),
  ): void {
    Object.assign(this, { weights, texts, shares: [...shares], done: 0 });
    this.bar.start(STEPS, this.steps, texts(0));
  }

  /** Sets the part of a job that is done, 0..1. */
  reached(place: number, share: number): void {
    this.shares[place] = share;
    this.bar.update(this.steps, this.texts(this.done));
  }

  finished(place: number): void {
    this.done++;
    this.reached(place, 1);
  }

  stop(): void {
    this.bar.stop();
  }

  private get steps(): number {
    const weigh = (shares: readonly number[]) =>
      shares.reduce((sum, share, place) => sum + share * this.weights[place], 0);
    return Math.floor((STEPS * weigh(this.shares)) / weigh(this.shares.map(() => 1))) || 0;
  }
}
