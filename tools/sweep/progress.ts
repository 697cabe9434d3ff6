import cliProgress from "cli-progress";
import type { NetworkRows } from "../../host-sim/sweep/rows.ts";
import type { IdentifiedRun } from "./jobs.ts";

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

/** What a run erred: the mean of its nodes' error, or RMSE; undefined where none has one. */
export function errorOf({ nodes }: NetworkRows): number | undefined {
  const errors = nodes.flatMap(({ error, rmse }) => {
    const value = error ?? rmse;
    return typeof value === "number" ? [value] : [];
  });
  return errors.length === 0 ? undefined : errors.reduce((sum, value) => sum + value, 0) / errors.length;
}

/** A sweep's progress on a terminal: a bar with the time that is left, and each learner's mean so far. Elsewhere nothing is printed. */
export class SweepProgress {
  private readonly bars: cliProgress.MultiBar | undefined;
  private readonly whole: cliProgress.SingleBar | undefined;
  private readonly lines = new Map<
    string,
    { readonly running: Running; readonly line: cliProgress.SingleBar }
  >();
  private done = 0;

  /** @param total of the runs that are still to be done, beside those that were done `before`. */
  constructor(
    private readonly total: number,
    private readonly before: number,
  ) {
    if (!process.stderr.isTTY) return;
    const options = { stream: process.stderr, hideCursor: false, etaBuffer: 500, format: "{text}" };
    this.bars = new cliProgress.MultiBar(options, cliProgress.Presets.shades_classic);
    const format = "sweep {bar} {percentage} %, {runs} runs, {duration_formatted}, {eta_formatted} left";
    this.whole = this.bars.create(Math.max(1, total), 0, { runs: this.counted() }, { format });
  }

  finished({ task, learner }: IdentifiedRun, rows: NetworkRows): void {
    this.done++;
    this.whole?.update(this.done, { runs: this.counted() });
    const error = errorOf(rows);
    const found = this.lineOf(`${task}, ${learner}`);
    if (!found || error === undefined) return;
    found.running.add(error);
    found.line.update(0, { text: `  ${task}, ${learner}: ${found.running.text}` });
  }

  stop(): void {
    this.bars?.stop();
  }

  private lineOf(name: string) {
    if (this.bars && !this.lines.has(name) && this.lines.size < SHOWN)
      this.lines.set(name, { running: new Running(), line: this.bars.create(1, 0, { text: name }) });
    return this.lines.get(name);
  }

  private counted(): string {
    return `${this.before + this.done}/${this.before + this.total}`;
  }
}
