import cliProgress from "cli-progress";
import { BAR_SIZE } from "../../host/terminal/time-left.ts";
import type { Trial } from "./candidate-runner.ts";

/** Steps of the bar. */
const STEPS = 1000;
/** A trial's fixed cost of a sample, in vectors. */
const BASE = 20;

function trialWeight({ options, rows, passes }: Trial): number {
  return rows * passes * (BASE + ((options.budget as number | undefined) ?? 0));
}

/** The search's progress on a terminal, with the remaining time of its round; elsewhere it prints nothing. */
export class SearchProgress {
  private readonly bar = new cliProgress.SingleBar(
    {
      format:
        "{rows} samples {bar} {done}/{total_trials} candidates, {duration_formatted}, {eta_formatted} left{later}",
      stream: process.stderr,
      hideCursor: false,
      barsize: BAR_SIZE,
      etaBuffer: 100,
    },
    cliProgress.Presets.shades_classic,
  );
  private trials: readonly Trial[] = [];
  private total = 1;
  private reached = 0;
  private done = 0;
  private round = 0;

  /** @param rounds of the search. */
  constructor(private readonly rounds: number) {}

  begin(trials: readonly Trial[]): void {
    this.trials = trials;
    this.total = trials.reduce((sum, trial) => sum + trialWeight(trial), 0);
    [this.reached, this.done] = [0, 0];
    this.round++;
    this.bar.start(STEPS, 0, this.payload());
  }

  finished(place: number): void {
    this.done++;
    this.reached += trialWeight(this.trials[place]);
    this.bar.update(Math.floor((STEPS * this.reached) / this.total), this.payload());
  }

  end(): void {
    this.bar.stop();
  }

  private payload() {
    const left = this.rounds - this.round;
    return {
      rows: this.trials[0].rows,
      done: this.done,
      total_trials: this.trials.length,
      later: left === 0 ? "" : left === 1 ? ", then the last round" : `, then ${left} rounds`,
    };
  }
}
