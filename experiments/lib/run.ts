import type { Worker } from "node:worker_threads";
import { runOnThreads } from "../../host-sim/sweep/threads.ts";
import type { PapersData } from "./data.ts";
import type { Experiment, Measured } from "./experiment.ts";
import { Summary } from "./summary.ts";

/** One Monte Carlo run of one experiment. */
export interface MonteCarloRun {
  readonly id: string;
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
      Array.from({ length: once ? 1 : (runs ?? usual) }, (_, i) => ({ id, seed: i + 1 })),
    );
}

/**
 * Performs the runs on threads and sums them up: the same whatever the number of threads, but for timings. At `stop` with
 * the runs that are done.
 */
export async function runExperiments(
  experiments: readonly Experiment[],
  allRuns: readonly MonteCarloRun[],
  threads: number,
  startWorker: () => Worker,
  done: () => void,
  stop?: AbortSignal,
): Promise<Outcome[]> {
  const measured = await runOnThreads<MonteCarloRun, Measured>(allRuns, threads, startWorker, { done }, stop);
  return experiments.map((experiment) => {
    const planned = allRuns.filter(({ id }) => id === experiment.id).length;
    const own = measured.filter((_, i) => allRuns[i].id === experiment.id); // passes over the holes
    return { experiment, planned, ...(own.length > 0 && { summary: new Summary(own) }) };
  });
}
