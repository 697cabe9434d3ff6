import cliProgress from "cli-progress";
import { BAR_SIZE, timeText } from "../../host/terminal/time-left.ts";

/** Steps of the bar. */
const STEPS = 1000;

/** A run's progress and remaining time on a terminal, by samples; elsewhere it prints nothing. */
export class SimulationProgress {
  private readonly bar = new cliProgress.SingleBar(
    {
      format: "simulating {bar} {percentage} %, {networks}, {duration_formatted}, {eta_formatted} left",
      stream: process.stderr,
      hideCursor: false,
      barsize: BAR_SIZE,
      etaBuffer: 50,
      formatTime: timeText,
    },
    cliProgress.Presets.shades_classic,
  );
  private readonly shares: number[];
  private done = 0;

  /** @param shares how far each network is at first, 0..1. */
  constructor(shares: readonly number[]) {
    this.shares = [...shares];
    this.bar.start(STEPS, this.steps(), { networks: this.countText() });
  }

  /** Sets the part of a network that is done, 0..1; `place` is its place in the run. */
  reached(place: number, share: number): void {
    this.shares[place] = share;
    this.bar.update(this.steps(), { networks: this.countText() });
  }

  finished(place: number): void {
    this.done++;
    this.reached(place, 1);
  }

  stop(): void {
    this.bar.stop();
  }

  private steps(): number {
    const sum = this.shares.reduce((total, each) => total + each, 0);
    return Math.floor((STEPS * sum) / this.shares.length);
  }

  private countText(): string {
    return `${this.done}/${this.shares.length} networks`;
  }
}
