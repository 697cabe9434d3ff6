import { Worker } from "node:worker_threads";
import type { NetworkRows } from "../../host-sim/sweep/rows.ts";
import type { NetworkRun } from "../../host-sim/sweep/runs.ts";
import { runOnThreads } from "../../host-sim/sweep/threads.ts";
import { type IdentifiedRun, networkOf } from "./jobs.ts";
import { WORKER } from "./program-key.ts";

/** Threads or workers that perform runs. */
export interface Performance {
  readonly source: string;
  readonly plugin: readonly string[];
  readonly threads: number;
}

/** Performs runs until all are done or `stop`; calls `done` as each ends. */
export async function performJobs(
  jobs: readonly IdentifiedRun[],
  { source, plugin, threads }: Performance,
  done: (job: IdentifiedRun, rows: NetworkRows) => void,
  stop: AbortSignal,
): Promise<void> {
  const runs = jobs.map((job) => networkOf(job, source));
  const startWorker = () => new Worker(WORKER, { workerData: { plugin } });
  const events = { done: (place: number, rows: NetworkRows) => done(jobs[place], rows) };
  await runOnThreads<NetworkRun, NetworkRows>(runs, threads, startWorker, events, stop);
}
