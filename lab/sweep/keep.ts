import { existsSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { UserError } from "../../host/errors.ts";
import { printNote } from "../../host/terminal/print.ts";
import { runOnThreads } from "../../host-sim/runs/threads.ts";
import type { RunStore, StoreHead } from "./store.ts";

/** A run named by the hash of everything that determines its outcome. */
export interface NamedRun {
  readonly id: string;
}

/** Performs runs until all are done or `stop`; calls `done` as each ends. */
export type Perform<Run, Outcome> = (
  runs: readonly Run[],
  done: (run: Run, outcome: Outcome) => void,
  stop: AbortSignal,
) => Promise<void>;

/** Performs runs on threads of this machine, which take them as they are. */
export function onThreads<Run, Outcome>(threads: number, startWorker: () => Worker): Perform<Run, Outcome> {
  return async (runs, done, stop) => {
    const events = { done: (place: number, outcome: Outcome) => done(runs[place], outcome) };
    await runOnThreads<Run, Outcome>(runs, threads, startWorker, events, stop);
  };
}

export interface Progress<Run, Outcome> {
  finished(run: Run, outcome: Outcome): void;
  stop(): void;
}

/**
 * Performs the runs that the store lacks, and keeps each as it ends: kill -9 costs the runs under
 * way, and the same call continues. `makeProgress` gets the counts of remaining and finished runs.
 */
export async function performMissing<Run extends NamedRun, Outcome extends object>(
  runs: readonly Run[],
  store: RunStore<Outcome>,
  perform: Perform<Run, Outcome>,
  makeProgress: (total: number, before: number) => Progress<Run, Outcome>,
  stop: AbortSignal,
): Promise<void> {
  const todo = runs.filter(({ id }) => !store.has(id));
  const before = runs.length - todo.length;
  if (before > 0 && process.stderr.isTTY)
    printNote(`${store.path}: ${before} of ${runs.length} runs are done`);
  const progress = makeProgress(todo.length, before);
  const done = (run: Run, outcome: Outcome) => {
    store.add(run.id, outcome);
    progress.finished(run, outcome);
  };
  try {
    await perform(todo, done, stop);
  } finally {
    progress.stop();
  }
}

/** Begins a store, and reports that its runs are of no use where another program performed them. Throws a UserError where it takes none. */
export function beginStore(store: RunStore<object>, head: StoreHead, runs: readonly NamedRun[]): void {
  const { head: before } = store;
  if (before && before.program !== head.program && !runs.some(({ id }) => store.has(id)))
    printNote(
      `motelearn: ${store.path}: its runs are of ${programName(before)}; this is ${programName(head)}, and performs all runs again`,
    );
  store.begin(head);
  if (store.fault !== undefined) throw new UserError(`--report ${store.path}: ${store.fault}`);
}

/** A program for people: builds of one version differ. */
export function programName({ version, program }: Pick<StoreHead, "version" | "program">): string {
  return `${version} (program ${program.slice(0, 8)})`;
}

/** Reports an incomplete set of runs, where the finished ones are, and those parts of a large one that are done. */
export function noteInterrupted(
  done: number,
  planned: number,
  { path, fault }: RunStore<object>,
  parts?: string,
): void {
  const more =
    parts !== undefined && existsSync(parts) ? `, and ${parts} the finished parts of the next` : "";
  const kept = fault
    ? `, and couldn't be kept: ${path}: ${fault}`
    : `; ${path} keeps them${more}, and the same command continues`;
  printNote(`motelearn: interrupted: ${done} of ${planned} runs are done${kept}`);
}

/** Reports that the disk took no more runs. */
export function noteFault({ path, fault }: RunStore<object>): void {
  if (fault !== undefined) printNote(`motelearn: runs couldn't be kept: ${path}: ${fault}`);
}
