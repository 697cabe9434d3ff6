import { Worker } from "node:worker_threads";
import type { DataSet } from "../../host/streams/table.ts";
import { JobsBar } from "../../host/terminal/jobs-bar.ts";
import type { LabelPath } from "../../host-sim/prequential/labelled-run.ts";
import { Threads } from "../../host-sim/runs/threads.ts";
import { sampleOrder } from "../evaluation/one-pass.ts";
import type { Passes, Trial, TrialOutcome } from "./candidate-runner.ts";
import type { ChoiceTask } from "./candidates.ts";
import { type FeatureChoice, type FeaturesFound, withBestFeatures } from "./feature-search.ts";
import { choosePrefixes } from "./prefixes.ts";
import { planRounds, type SearchResult, type ShorterOf, search } from "./search.ts";

export interface SearchOf {
  readonly train: DataSet;
  readonly task: ChoiceTask;
  readonly order: Passes;
  readonly plugins: readonly string[];
  readonly threads: number;
  readonly shorterOf?: ShorterOf;
  /** Called as a candidate is done; those that judge features don't count. */
  readonly watch?: () => void;
  /** The signal at which the search ends with its results so far. */
  readonly stop?: AbortSignal;
}

/** A trial's fixed cost of a sample, in vectors. */
const BASE = 20;

function trialWeight({ options, rows, passes }: Trial): number {
  return rows * passes * (BASE + ((options.budget as number | undefined) ?? 0));
}

/** The search's progress on a terminal, with the remaining time of its round. */
const searchBar = () =>
  new JobsBar(
    "{rows} samples {bar} {done}/{total_trials} candidates, {duration_formatted}, {eta_formatted} left{later}",
    100,
  );

/** @param left rounds after this one. */
function startRound(bar: JobsBar, trials: readonly Trial[], left: number): void {
  const later = left === 0 ? "" : left === 1 ? ", then the last round" : `, then ${left} rounds`;
  const [{ rows }] = trials;
  bar.start(trials.map(trialWeight), (done) => ({ rows, done, total_trials: trials.length, later }));
}

/** Samples between a sample and its label, in the mean. */
const pathDelay = (path: LabelPath | undefined) => (path ? Math.max(path.labels.delayMean, path.horizon) : 0);

export function searchThreads({ train, order, plugins, threads }: SearchOf): Threads<Trial, TrialOutcome> {
  const worker = new URL("./choose-worker.js", import.meta.url);
  return new Threads(threads, () => new Worker(worker, { workerData: { train, order, plugins } }));
}

/** What a search found, the learners that it left out, and the features that it tried before. */
export type FileSearch = SearchResult & Pick<FeaturesFound, "leftOut" | "features">;

/** Searches on threads, with its progress on a terminal. */
export async function searchOnThreads(choice: FeatureChoice, of: SearchOf): Promise<FileSearch> {
  const { train, task, order, shorterOf, watch = () => {}, stop } = of;
  const prefixes = choosePrefixes(
    train,
    task,
    sampleOrder(train.count, order.shuffle),
    pathDelay(order.path),
  );
  const pool = searchThreads(of);
  let left = planRounds(prefixes, order.repeat).length + (choice.sets.length > 1 ? 2 : 1);
  const progress = searchBar();
  try {
    const trying = (finished: () => void) => async (trials: readonly Trial[]) => {
      if (stop?.aborted) return [];
      startRound(progress, trials, --left);
      const done = (place: number) => {
        progress.finished(place);
        finished();
      };
      return pool.perform(trials, { done }, stop);
    };
    const [rows] = prefixes;
    const judging = trying(() => {});
    const { candidates, judges, ...more } = await withBestFeatures(choice, rows, judging);
    const found = await search(candidates, prefixes, order.repeat, trying(watch), shorterOf);
    if (found.entries.length > 0 || judges.length === 0) return { ...found, ...more };
    const round = { rows, passes: 1, candidates: candidates.length, tried: judges.length };
    return { entries: judges, rounds: [round], ...more };
  } finally {
    progress.stop();
    await pool.close();
  }
}
