import { JobsBar } from "../../host/terminal/jobs-bar.ts";
import type { Trial } from "./candidate-runner.ts";

/** A trial's fixed cost of a sample, in vectors. */
const BASE = 20;

function trialWeight({ options, rows, passes }: Trial): number {
  return rows * passes * (BASE + ((options.budget as number | undefined) ?? 0));
}

/** The search's progress on a terminal, with the remaining time of its round. */
export const searchBar = () =>
  new JobsBar(
    "{rows} samples {bar} {done}/{total_trials} candidates, {duration_formatted}, {eta_formatted} left{later}",
    100,
  );

/** @param left rounds after this one. */
export function startRound(bar: JobsBar, trials: readonly Trial[], left: number): void {
  const later = left === 0 ? "" : left === 1 ? ", then the last round" : `, then ${left} rounds`;
  const [{ rows }] = trials;
  bar.start(trials.map(trialWeight), (done) => ({ rows, done, total_trials: trials.length, later }));
}
