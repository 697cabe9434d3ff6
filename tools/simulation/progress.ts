import cliProgress from "cli-progress";

/** Steps of the bar. */
const STEPS = 1000;

/** A run's progress and remaining time on a terminal, by samples; elsewhere it prints nothing. */
export class SimulationProgress {
  private readonly bar = new cliProgress.SingleBar(
    {
      format: "simulating {bar} {percentage} %, {networks}, {duration_formatted}, {eta_formatted} left",
      stream: process.stderr,
      hideCursor: false,
      etaBuffer: 50,
    },
    cliProgress.Presets.shades_classic,
  );
  private readonly shares: number[];
  private done = 0;

  /** @param networks networks of the run; `kept` of them were done before. */
  constructor(
    private readonly networks: number,
    private readonly kept: number,
  ) {
    this.shares = new Array(networks - kept).fill(0);
    this.bar.start(STEPS, 0, { networks: this.counted() });
  }

  /** Sets the part of a network that is done, 0..1; `place` is its place in the run. */
  reached(place: number, share: number): void {
    this.shares[place] = share;
    const sum = this.shares.reduce((total, each) => total + each, 0);
    this.bar.update(Math.floor((STEPS * sum) / this.shares.length), { networks: this.counted() });
  }

  finished(place: number): void {
    this.done++;
    this.reached(place, 1);
  }

  stop(): void {
    this.bar.stop();
  }

  private counted(): string {
    return `${this.kept + this.done}/${this.networks} networks`;
  }
}
