import { RunBars } from "../sweep/run-bars.ts";
import type { PapersJob } from "./jobs.ts";

/**
 * The progress of `papers` on a terminal: a bar with the remaining time, and the experiment of the last run.
 */
export class PapersProgress {
  private readonly bars: RunBars;
  private readonly done = new Map<string, number>();

  constructor(total: number, before: number) {
    this.bars = new RunBars("papers", total, before);
  }

  finished({ experiment }: PapersJob): void {
    const done = (this.done.get(experiment) ?? 0) + 1;
    this.done.set(experiment, done);
    this.bars.add();
    this.bars.show("last", `${experiment}: ${done} more ${done === 1 ? "run" : "runs"} done`);
  }

  stop(): void {
    this.bars.stop();
  }
}
