import { parentPort, type Worker } from "node:worker_threads";

/** What the user gave is to blame for what went wrong in a thread; the message says what and where, on one line. */
export class GivenError extends Error {}

/** A fault as it crosses from a thread: its line, and whether what the user gave is to blame. */
interface Fault {
  readonly message: string;
  readonly given: boolean;
}

/** `Outcome` where the job was done, else its fault. */
interface Answer<Outcome> {
  readonly outcome?: Outcome;
  readonly fault?: Fault;
}

/** In a thread: does the jobs that it is sent, one at a time. `given` tells the errors that the user is to blame for. */
export function answer<Job, Outcome>(
  work: (job: Job) => Promise<Outcome>,
  given: (error: Error) => boolean,
): void {
  parentPort?.on("message", async (job: Job) => {
    try {
      parentPort?.postMessage({ outcome: await work(job) });
    } catch (thrown) {
      const error = thrown as Error;
      const blame = given(error);
      parentPort?.postMessage({
        fault: { message: blame ? error.message : String(error.stack), given: blame },
      });
    }
  });
}

/**
 * Runs jobs on `threads` threads; the outcomes come in the jobs' order, whatever the number of threads. `done` is
 * called after each. Rejects with the first fault: a GivenError where what the user gave is to blame. At `stop` the
 * threads end at once, and jobs that aren't done leave holes among the outcomes.
 */
export async function runOnThreads<Job, Outcome>(
  jobs: readonly Job[],
  threads: number,
  startWorker: () => Worker,
  done: () => void,
  stop?: AbortSignal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = new Array(jobs.length);
  const workers = Array.from({ length: Math.min(threads, jobs.length) }, startWorker);
  let next = 0;
  const drain = async (worker: Worker) => {
    while (next < jobs.length && !stop?.aborted) {
      const index = next++;
      outcomes[index] = await ask(worker, jobs[index]);
      done();
    }
  };
  try {
    await Promise.race([Promise.all(workers.map(drain)), ...(stop ? [aborted(stop)] : [])]);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return outcomes;
}

function aborted(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
}

function ask<Job, Outcome>(worker: Worker, job: Job): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", ({ outcome, fault }: Answer<Outcome>) => {
      worker.off("error", reject);
      if (fault) reject(fault.given ? new GivenError(fault.message) : new Error(fault.message));
      else resolve(outcome as Outcome);
    });
    worker.postMessage(job);
  });
}
