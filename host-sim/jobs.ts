import { Worker } from "node:worker_threads";
import { type NetworkOutcome, type Prepared, prepare, runNetwork } from "./network/network.ts";
import { type Scenario, ScenarioError } from "./scenario.ts";
import { StreamError } from "./streams/index.ts";

/** One network: one learner of one task, with the scenario's labels or with ideal ones. */
export interface Job {
  readonly scenario: Scenario;
  /** The scenario's file: paths in it are relative to its folder. */
  readonly source: string;
  readonly task: number;
  readonly learner: number;
  readonly ideal: boolean;
}

/** Every network of a scenario, in the order of the results. */
export function jobsOf(scenario: Scenario, source: string): Job[] {
  return scenario.tasks.flatMap(({ learners }, task) =>
    learners.flatMap((_, learner) =>
      [false, true].map((ideal) => ({ scenario, source, task, learner, ideal })),
    ),
  );
}

let prepared: { key: string; streams: Prepared } | undefined;

/** Runs a job. The streams of the last task are kept: the next job is mostly of the same. */
export async function runJob(job: Job): Promise<NetworkOutcome> {
  const key = JSON.stringify([job.scenario, job.source, job.task]);
  if (prepared?.key !== key) prepared = { key, streams: await prepare(job.scenario, job.source, job.task) };
  return runNetwork(job.scenario, prepared.streams, job.task, job.learner, job.ideal);
}

/** A fault as it crosses from a thread: its line, and whether what the user gave is to blame. */
interface Fault {
  readonly message: string;
  readonly given: boolean;
}

export function faultOf(error: Error): Fault {
  const given = error instanceof ScenarioError || error instanceof StreamError || error instanceof RangeError;
  return { message: given ? error.message : String(error.stack), given };
}

/**
 * Runs jobs on `threads` threads; the outcomes come in the jobs' order, whatever the number of threads. `done` is
 * called after each. Rejects with the first fault: a ScenarioError where what the user gave is to blame.
 */
export async function runJobs(
  jobs: readonly Job[],
  threads: number,
  workerFile: URL,
  done: () => void,
): Promise<NetworkOutcome[]> {
  const outcomes: NetworkOutcome[] = new Array(jobs.length);
  const workers = Array.from({ length: Math.min(threads, jobs.length) }, () => new Worker(workerFile));
  let next = 0;
  const drain = async (worker: Worker) => {
    while (next < jobs.length) {
      const index = next++;
      outcomes[index] = await ask(worker, jobs[index]);
      done();
    }
  };
  try {
    await Promise.all(workers.map(drain));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return outcomes;
}

function ask(worker: Worker, job: Job): Promise<NetworkOutcome> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", ({ outcome, fault }: { outcome?: NetworkOutcome; fault?: Fault }) => {
      worker.off("error", reject);
      if (outcome) resolve(outcome);
      else reject(fault?.given ? new ScenarioError(fault.message) : new Error(fault?.message));
    });
    worker.postMessage(job);
  });
}
