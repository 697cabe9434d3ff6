import { rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import { performNetworks } from "../../host-sim/runs/pieces.ts";
import { type NetworkRows, networkRows } from "../../host-sim/runs/rows.ts";
import type { NetworkRun } from "../../host-sim/runs/runs.ts";
import { runOnThreads } from "../../host-sim/runs/threads.ts";
import { KeptPieces } from "../simulation/kept-pieces.ts";
import { withInstructions } from "./instructions.ts";
import { type IdentifiedRun, makeNetworkRun, type RunDone } from "./jobs.ts";
import { isLarge } from "./large.ts";
import { WORKER } from "./program-key.ts";

/** Threads that perform runs. */
interface Performance {
  readonly source: string;
  readonly plugin: readonly string[];
  readonly threads: number;
  /** The file that keeps the finished parts of a large network; without it each network is performed whole. */
  readonly parts?: string;
}

/**
 * Performs runs until all are done or `stop`; calls `done` as each ends. Large networks come last, one after the other, each on all
 * threads: the same call continues within one.
 */
export async function performJobs(
  jobs: readonly IdentifiedRun[],
  on: Performance,
  done: RunDone,
  stop: AbortSignal,
): Promise<void> {
  const { source, plugin, threads, parts } = on;
  const startWorker = () => new Worker(WORKER, { workerData: { plugin } });
  const large = new Set(parts === undefined ? [] : jobs.filter(({ scenario }) => isLarge(scenario, source)));
  const small = large.size === 0 ? jobs : jobs.filter((job) => !large.has(job));
  const runs = { length: small.length, at: (place: number) => makeNetworkRun(small[place], source) };
  const events = { done: (place: number, rows: NetworkRows) => done(small[place], rows) };
  await runOnThreads<NetworkRun, NetworkRows>(runs, threads, startWorker, events, stop);
  for (const job of large) if (!stop.aborted) await performLarge(job, on, startWorker, done, stop);
  if (parts !== undefined && !stop.aborted) rmSync(parts, { force: true });
}

/** Performs a network in parts, each kept as it ends, but for those that an interrupted call left. */
async function performLarge(
  job: IdentifiedRun,
  { source, plugin, threads, parts = "" }: Performance,
  startWorker: () => Worker,
  done: RunDone,
  stop: AbortSignal,
): Promise<void> {
  const { scenario, id } = job;
  const catalogue = await catalogueWith(plugin);
  const kept = new KeptPieces(parts, id);
  const events = {
    piece: kept.add.bind(kept),
    done: (_: number, outcome: NetworkOutcome) =>
      done(job, withInstructions(networkRows(outcome), scenario, catalogue)),
  };
  const before = { done: kept.pieces, stop };
  await performNetworks([makeNetworkRun(job, source)], threads, startWorker, events, before);
}
