import { identity } from "../../host/identity.ts";
import type { PapersData } from "../experiments/lib/data.ts";
import type { Experiment } from "../experiments/lib/experiment.ts";
import { type MonteCarloRun, monteCarloRuns } from "../experiments/lib/run.ts";
import type { NamedRun } from "../sweep/keep.ts";
import { programHash } from "../sweep/program-key.ts";

/** Performs the runs of `papers`. */
export const PAPERS_WORKER = new URL("./papers-worker.js", import.meta.url);

/**
 * A Monte Carlo run with the hash of everything that determines it: experiment, seed, its data files'
 * contents, and the program.
 */
export interface PapersJob extends MonteCarloRun, NamedRun {}

/** The runs of these experiments, in order, each named. */
export function papersJobs(
  experiments: readonly Experiment[],
  data: PapersData,
  runs: number | undefined,
): PapersJob[] {
  const program = programHash(PAPERS_WORKER);
  return experiments.flatMap((experiment) => {
    const planned = monteCarloRuns([experiment], data, runs);
    if (planned.length === 0) return [];
    const { id, files = [], optional = [] } = experiment;
    const read = [...files, ...optional.filter((name) => data.has(name))];
    const hashes = read.map((name) => [name, data.hash(name)]);
    return planned.map((run) => ({ ...run, id: identity([id, run.seed, hashes, program]) }));
  });
}
