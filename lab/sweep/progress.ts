import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import type { IdentifiedRun } from "./jobs.ts";
import { RunBars } from "./run-bars.ts";

/** Learners that the running table shows at most. */
const SHOWN = 12;

/** Sums of a learner in a task. */
class Running {
  private count = 0;
  private mean = 0;

  add(error: number): void {
    this.count++;
    this.mean += (error - this.mean) / this.count;
  }

  get text(): string {
    return `mean error ${this.mean.toFixed(4)} over ${this.count} runs`;
  }
}

/** A run's error: the mean of its nodes' error, or RMSE; undefined where none has one. */
function meanNodeError({ nodes }: NetworkRows): number | undefined {
  const errors = nodes.flatMap(({ error, rmse }) => {
    const value = error ?? rmse;
    return typeof value === "number" ? [value] : [];
  });
  return errors.length === 0 ? undefined : errors.reduce((sum, value) => sum + value, 0) / errors.length;
}

/** A sweep's progress on a terminal: a bar with the time that is left, and each learner's mean so far. */
export class SweepProgress {
  private readonly bars: RunBars;
  private readonly running = new Map<string, Running>();

  constructor(total: number, before: number) {
    this.bars = new RunBars("sweep", total, before);
  }

  finished({ task, learner }: IdentifiedRun, rows: NetworkRows): void {
    this.bars.finished();
    const name = `${task}, ${learner}`;
    const running = this.running.get(name) ?? new Running();
    if (!this.running.has(name) && this.running.size === SHOWN) return;
    this.running.set(name, running);
    const error = meanNodeError(rows);
    if (error === undefined) return;
    running.add(error);
    this.bars.show(name, `${name}: ${running.text}`);
  }

  stop(): void {
    this.bars.stop();
  }
}
