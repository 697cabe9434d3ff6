import cliProgress from "cli-progress";
import { BAR_SIZE } from "../../../host/terminal/time-left.ts";
import type { Run } from "./plan.ts";

/** Steps of the bar. */
const STEPS = 1000;
/** A run's fixed cost, in vectors. */
const BASE = 20;

/**
 * A bench's progress and remaining time on a terminal; elsewhere it prints nothing. Runs count by their
 * budgets.
 */
export class BenchProgress {
  private readonly bar = new cliProgress.SingleBar(
    {
      format: "learning {bar} {percentage} %, {runs} runs, {duration_formatted}, {eta_formatted} left",
      stream: process.stderr,
      hideCursor: false,
      barsize: BAR_SIZE,
      etaBuffer: 200,
    },
    cliProgress.Presets.shades_classic,
  );
  private readonly total: number;
  private reached = 0;
  private done = 0;

  /** @param runs the remaining runs. */
  constructor(private readonly runs: readonly Run[]) {
    this.total = runs.reduce((sum, run) => sum + runWeight(run), 0);
    this.bar.start(STEPS, 0, { runs: this.countText() });
  }

  finished(place: number): void {
    this.done++;
    this.reached += runWeight(this.runs[place]);
    this.bar.update(Math.floor((STEPS * this.reached) / this.total), { runs: this.countText() });
  }

  stop(): void {
    this.bar.stop();
  }

  private countText(): string {
    return `${this.done}/${this.runs.length}`;
  }
}

function runWeight({ budget }: Run): number {
  return BASE + (budget ?? 0);
}
