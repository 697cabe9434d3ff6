import { NOT_NEGATIVE } from "../../sweep/statistics/statistics.ts";
import type { PapersData } from "./data.ts";
import type { Experiment, RunMeasures } from "./experiment.ts";
import { Summary } from "./summary.ts";

/** One Monte Carlo run of the experiment of that id. */
export interface MonteCarloRun {
  readonly experiment: string;
  readonly seed: number;
}

/** An experiment and, unless data are missing or nothing of it was done before the end, its runs. */
export interface Outcome {
  readonly experiment: Experiment;
  readonly summary?: Summary;
  /** Runs that it was to have: more than it has where the whole was interrupted, 0 where data are missing. */
  readonly planned: number;
}

/** The files that it needs and that aren't there. */
export function missingFiles({ files = [] }: Experiment, data: PapersData): string[] {
  return files.filter((file) => !data.has(file));
}

/** Every run of these experiments, in order; `runs`, if given, replaces the number of each. */
export function monteCarloRuns(
  experiments: readonly Experiment[],
  data: PapersData,
  runs?: number,
): MonteCarloRun[] {
  return experiments
    .filter((experiment) => missingFiles(experiment, data).length === 0)
    .flatMap(({ id, once, runs: usual }) =>
      Array.from({ length: once ? 1 : (runs ?? usual) }, (_, i) => ({ experiment: id, seed: i + 1 })),
    );
}

/** Summarises the finished runs in their order, whatever order they were performed in. */
export function runAll<Run extends MonteCarloRun>(
  experiments: readonly Experiment[],
  allRuns: readonly Run[],
  find: (run: Run) => RunMeasures | undefined,
): Outcome[] {
  return experiments.map((experiment) => {
    const planned = allRuns.filter((run) => run.experiment === experiment.id);
    const measured = planned.flatMap((run) => find(run) ?? []);
    const summary =
      measured.length > 0 ? new Summary(measured, experiment.figureRange ?? (() => NOT_NEGATIVE)) : undefined;
    return { experiment, planned: planned.length, summary };
  });
}
