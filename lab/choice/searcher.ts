import { Worker } from "node:worker_threads";
import type { DataSet } from "../../host/streams/table.ts";
import { Threads } from "../../host-sim/runs/threads.ts";
import { orderOf } from "../evaluation/one-pass.ts";
import type { Passes, Trial, Tried } from "./candidate-runner.ts";
import type { Candidate, ChoiceTask } from "./candidates.ts";
import { prefixesOf } from "./prefixes.ts";
import { SearchProgress } from "./progress.ts";
import { type Found, roundsOf, type ShorterOf, search } from "./search.ts";

/** CPU time of this process, with all its threads, in seconds. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The inputs of a search. */
export interface SearchOf {
  readonly train: DataSet;
  readonly task: ChoiceTask;
  readonly order: Passes;
  readonly plugins: readonly string[];
  readonly threads: number;
  readonly shorterOf?: ShorterOf;
  /** Called as a candidate is done. */
  readonly watch?: () => void;
  /** The signal at which the search ends with its results so far. */
  readonly stop?: AbortSignal;
}

/** The threads of a search, which have its data. */
export function searchThreads({ train, order, plugins, threads }: SearchOf): Threads<Trial, Tried> {
  const worker = new URL("./choose-worker.js", import.meta.url);
  return new Threads(threads, () => new Worker(worker, { workerData: { train, order, plugins } }));
}

/** Searches on threads, with its progress on a terminal. */
export async function searchOnThreads(candidates: readonly Candidate[], of: SearchOf): Promise<Found> {
  const { train, task, order, shorterOf, watch, stop } = of;
  const prefixes = prefixesOf(train, task, orderOf(train.count, order.shuffle));
  const pool = searchThreads({ ...of, threads: Math.min(of.threads, candidates.length) });
  const progress = new SearchProgress(roundsOf(prefixes, order.repeat).length + 1);
  try {
    const tryAll = async (trials: readonly Trial[]) => {
      if (stop?.aborted) return [];
      progress.begin(trials);
      const done = (place: number) => {
        progress.finished(place);
        watch?.();
      };
      return pool.perform(trials, { done }, stop);
    };
    return await search(candidates, prefixes, order.repeat, tryAll, shorterOf);
  } finally {
    progress.end();
    await pool.close();
  }
}
