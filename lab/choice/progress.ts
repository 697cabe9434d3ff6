import { ShareBar } from "../../host/terminal/share-bar.ts";
import type { Trial } from "./candidate-runner.ts";

/** A trial's fixed cost of a sample, in vectors. */
const BASE = 20;

function trialWeight({ options, rows, passes }: Trial): number {
  return rows * passes * (BASE + ((options.budget as number | undefined) ?? 0));
}

/** The search's progress on a terminal, with the remaining time of its round. */
export class SearchProgress {
  private readonly bar = new ShareBar(
    "{rows} samples {bar} {done}/{total_trials} candidates, {duration_formatted}, {eta_formatted} left{later}",
    100,
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
    this.bar.start(0, this.texts);
  }

  finished(place: number): void {
    this.done++;
    this.reached += trialWeight(this.trials[place]);
    this.bar.update(this.reached / this.total, this.texts);
  }

  end(): void {
    this.bar.stop();
  }

  private get texts() {
    const left = this.rounds - this.round;
    return {
      rows: this.trials[0].rows,
      done: this.done,
      total_trials: this.trials.length,
      later: left === 0 ? "" : left === 1 ? ", then the last round" : `, then ${left} rounds`,
    };
  }
}
