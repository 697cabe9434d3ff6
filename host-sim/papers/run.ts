import type { Worker } from "node:worker_threads";
import { runOnThreads } from "../threads.ts";
import type { PapersData } from "./data.ts";
import type { Experiment, Measured } from "./experiment.ts";
import { Summary } from "./summary.ts";

/** One Monte Carlo run of one experiment. */
export interface Job {
  readonly id: string;
  readonly seed: number;
}

/** An experiment and, unless data are missing, all its runs. */
export interface Outcome {
  readonly experiment: Experiment;
  readonly summary?: Summary;
}

/** The files that it needs and that aren't there. */
export function missingFiles({ files = [] }: Experiment, data: PapersData): string[] {
  return files.filter((file) => !data.has(file));
}

/** Every run of these experiments, in order; `runs`, if given, replaces the number of each. */
export function jobsOf(experiments: readonly Experiment[], data: PapersData, runs?: number): Job[] {
  return experiments
    .filter((experiment) => missingFiles(experiment, data).length === 0)
    .flatMap(({ id, once, runs: usual }) =>
      Array.from({ length: once ? 1 : (runs ?? usual) }, (_, i) => ({ id, seed: i + 1 })),
    );
}

/** Does the jobs on threads and sums them up: the same whatever the number of threads, but for timings. */
export async function runExperiments(
  experiments: readonly Experiment[],
  jobs: readonly Job[],
  threads: number,
  startWorker: () => Worker,
  done: () => void,
): Promise<Outcome[]> {
  const measured = await runOnThreads<Job, Measured>(jobs, threads, startWorker, done);
  return experiments.map((experiment) => {
    const own = measured.filter((_, i) => jobs[i].id === experiment.id);
    return own.length > 0 ? { experiment, summary: new Summary(own) } : { experiment };
  });
}
