import { identity } from "../../host/identity.ts";
import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import type { NetworkRun } from "../../host-sim/runs/runs.ts";
import type { Scenario } from "../../host-sim/scenario/scenario.ts";
import type { Hashes } from "./program-key.ts";
import type { SweepRun } from "./statistics/plan.ts";

/** A run with its identity: two runs of one identity are the same, and are performed once. */
export type IdentifiedRun = SweepRun & { readonly id: string };

export type RunDone = (job: IdentifiedRun, rows: NetworkRows) => void;

/** One of `of` parts of a sweep, from 1. */
export interface Shard {
  readonly part: number;
  readonly of: number;
}

/**
 * What names a run: the scenario with one task, one learner and its options, the seed, the files' contents and the program. Names and titles
 * aren't part of it.
 */
export function runIdentity(scenario: Scenario, files: readonly string[], program: string): string {
  const { name: _, title: __, ...rest } = scenario;
  return identity([rest, files, program]);
}

export function pieceIdentity(run: string, piece: object): string {
  return identity([run, piece]);
}

export function identifyRuns(runs: readonly SweepRun[], files: Hashes, program: string): IdentifiedRun[] {
  return runs.map((run) => {
    const { scenario } = run;
    return Object.assign(run, { id: runIdentity(scenario, files.ofStreams(scenario), program) });
  });
}

/** The jobs to perform: each identity once, the first seed of all points first, limited to the shard. */
export function planJobs(runs: readonly IdentifiedRun[], shard?: Shard): IdentifiedRun[] {
  const first = new Map<string, IdentifiedRun>();
  for (const run of runs) if (!first.has(run.id)) first.set(run.id, run);
  const once = [...first.values()];
  const mine = shard ? once.filter((_, i) => i % shard.of === shard.part - 1) : once;
  const turn = new Map([...new Set(runs.map(({ seed }) => seed))].map((seed, i) => [seed, i]));
  const seedTurn = ({ seed }: SweepRun) => turn.get(seed) as number;
  return mine.sort((a, b) => seedTurn(a) - seedTurn(b) || a.index - b.index);
}

export function makeNetworkRun({ scenario }: SweepRun, source: string): NetworkRun {
  return { scenario, source, task: 0, learner: 0 };
}
