import { ShareBar } from "../../../host/terminal/share-bar.ts";
import type { Run } from "./plan.ts";

/** A run's fixed cost, in vectors. */
const BASE = 20;

function runWeight({ budget }: Run): number {
  return BASE + (budget ?? 0);
}

/** A bench's progress on a terminal. Runs count by their budgets. */
export class BenchProgress {
  private readonly bar = new ShareBar(
    "learning {bar} {percentage} %, {runs} runs, {duration_formatted}, {eta_formatted} left",
    200,
  );
  private readonly total: number;
  private reached = 0;
  private done = 0;

  /** @param runs the remaining runs. */
  constructor(private readonly runs: readonly Run[]) {
    this.total = runs.reduce((sum, run) => sum + runWeight(run), 0);
    this.bar.start(0, this.texts);
  }

  finished(place: number): void {
    this.done++;
    this.reached += runWeight(this.runs[place]);
    this.bar.update(this.reached / this.total, this.texts);
  }

  stop(): void {
    this.bar.stop();
  }

  private get texts() {
    return { runs: `${this.done}/${this.runs.length}` };
  }
}
