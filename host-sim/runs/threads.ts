import { once } from "node:events";
import { parentPort, type Worker } from "node:worker_threads";
import { UserError } from "../../host/errors.ts";
import { isUsersFault } from "../../host/terminal/exit.ts";
import { blamePlugin } from "../catalogue/plugins.ts";

/** The user's input caused a fault in a thread; the message says what and where, on one line. */
export class InputError extends UserError {}

/** A fault as it crosses from a thread: its line, and whether the user's input caused it. */
export interface Fault {
  readonly message: string;
  readonly given: boolean;
}

/** A thread's reports on its run: the share that is done, 0..1, then its outcome, or its fault. */
interface Answer<Outcome> {
  readonly share?: number;
  readonly outcome?: Outcome;
  readonly fault?: Fault;
}

/**
 * In a thread: performs the runs that it is sent, one at a time; `work` may report the share of its run that is done, 0..1. `isInput`
 * recognises errors of the user's input.
 */
export function answer<Run, Outcome>(
  work: (run: Run, report: (share: number) => void) => Promise<Outcome>,
  isInput: (error: unknown) => boolean = isUsersFault,
): void {
  const report = (share: number) => parentPort?.postMessage({ share });
  parentPort?.on("message", async (run: Run) => {
    try {
      parentPort?.postMessage({ outcome: await work(run, report) });
    } catch (thrown) {
      const error = blamePlugin(thrown) as Error;
      const given = isInput(error);
      parentPort?.postMessage({ fault: { message: given ? error.message : String(error.stack), given } });
    }
  });
}

export interface ThreadEvents<Outcome> {
  done?(place: number, outcome: Outcome): void;
  /** The share that is done, 0..1. */
  reached?(place: number, share: number): void;
}

/** Runs by their places: an array, or an object that makes each in its turn. */
export interface Runs<Run> {
  readonly length: number;
  at(place: number): Run | undefined;
}

/** Threads that perform runs, in any number of calls, until they are closed. */
export class Threads<Run, Outcome> {
  private readonly workers: Worker[];

  constructor(threads: number, startWorker: () => Worker) {
    this.workers = Array.from({ length: threads }, startWorker);
  }

  /**
   * Performs runs; the outcomes come in the runs' order, whatever the number of threads. Runs that aren't done at `stop` leave holes
   * among them. Else as `each`.
   */
  async perform(runs: readonly Run[], events: ThreadEvents<Outcome>, stop?: AbortSignal): Promise<Outcome[]> {
    const outcomes: Outcome[] = new Array(runs.length);
    const done = (place: number, outcome: Outcome) => {
      outcomes[place] = outcome;
      events.done?.(place, outcome);
    };
    await this.each(runs, { ...events, done }, stop);
    return outcomes;
  }

  /**
   * Performs runs, and holds no outcome. Rejects with the first fault: a InputError if the user's input caused it. At `stop` it resolves at
   * once, and the threads are of no further use.
   */
  async each(runs: Runs<Run>, events: ThreadEvents<Outcome>, stop?: AbortSignal): Promise<void> {
    let next = 0;
    const drain = async (worker: Worker) => {
      while (next < runs.length && !stop?.aborted) {
        const place = next++;
        const outcome = await ask<Run, Outcome>(worker, runs.at(place) as Run, (share) =>
          events.reached?.(place, share),
        );
        if (stop?.aborted) return;
        events.done?.(place, outcome);
      }
    };
    await Promise.race([Promise.all(this.workers.map(drain)), ...(stop ? [once(stop, "abort")] : [])]);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

/** Performs runs on at most `threads` threads of their own, as `Threads.each` does. */
export async function runOnThreads<Run, Outcome>(
  runs: Runs<Run>,
  threads: number,
  startWorker: () => Worker,
  events: ThreadEvents<Outcome>,
  stop?: AbortSignal,
): Promise<void> {
  const pool = new Threads<Run, Outcome>(Math.min(threads, runs.length), startWorker);
  try {
    await pool.each(runs, events, stop);
  } finally {
    await pool.close();
  }
}

function ask<Run, Outcome>(worker: Worker, run: Run, reached: (share: number) => void): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const hear = ({ share, outcome, fault }: Answer<Outcome>) => {
      if (share !== undefined) return reached(share);
      worker.off("error", reject);
      worker.off("message", hear);
      if (fault) reject(fault.given ? new InputError(fault.message) : new Error(fault.message));
      else resolve(outcome as Outcome);
    };
    worker.once("error", reject);
    worker.on("message", hear);
    worker.postMessage(run);
  });
}
