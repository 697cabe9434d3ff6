import { identity } from "../../host/identity.ts";
import type { NamedRun, Progress } from "../sweep/keep.ts";
import { programHash } from "../sweep/program-key.ts";
import { RunBars } from "../sweep/run-bars.ts";
import type { PapersData } from "./lib/data.ts";
import type { Experiment } from "./lib/experiment.ts";
import { type MonteCarloRun, monteCarloRuns } from "./lib/run.ts";

export const PAPERS_WORKER = new URL("./papers-worker.js", import.meta.url);

/**
 * A Monte Carlo run with the hash of everything that determines it: experiment, seed, its data files'
 * contents, and the program.
 */
interface PapersJob extends MonteCarloRun, NamedRun {}

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

/** The progress of `papers` on a terminal: a bar with the remaining time, and the experiment of the last run. */
export function papersProgress(total: number, before: number): Progress<PapersJob, unknown> {
  const bars = new RunBars("papers", total, before);
  const counts = new Map<string, number>();
  const finished = ({ experiment }: PapersJob) => {
    const done = (counts.get(experiment) ?? 0) + 1;
    counts.set(experiment, done);
    bars.finished();
    bars.show("last", `${experiment}: ${done} more ${done === 1 ? "run" : "runs"} done`);
  };
  return { finished, stop: () => bars.stop() };
}
