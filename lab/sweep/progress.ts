import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import type { IdentifiedRun } from "./jobs.ts";
import type { Progress } from "./keep.ts";
import { RunBars } from "./run-bars.ts";
import { meanFigure, taskMeasure } from "./statistics/task-runs.ts";

/** Learners that the running table shows at most. */
const SHOWN = 12;

/** A sweep's progress on a terminal: a bar with the time that is left, and each learner's mean so far. */
export function sweepProgress(total: number, before: number): Progress<IdentifiedRun, NetworkRows> {
  const bars = new RunBars("sweep", total, before);
  const means = new Map<string, { count: number; mean: number }>();
  const finished = ({ task, kind, learner }: IdentifiedRun, rows: NetworkRows) => {
    bars.finished();
    const name = `${task}, ${learner}`;
    const own = means.get(name) ?? { count: 0, mean: 0 };
    if (!means.has(name) && means.size === SHOWN) return;
    means.set(name, own);
    const error = meanFigure(rows, taskMeasure(kind));
    if (Number.isNaN(error)) return;
    own.count++;
    own.mean += (error - own.mean) / own.count;
    bars.show(name, `${name}: mean error ${own.mean.toFixed(4)} over ${own.count} runs`);
  };
  return { finished, stop: () => bars.stop() };
}
