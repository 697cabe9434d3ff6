import type { Worker } from "node:worker_threads";
import { JobsBar } from "../../host/terminal/jobs-bar.ts";
import { printNote } from "../../host/terminal/print.ts";
import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import { type DonePiece, performNetworks, pieceShares } from "../../host-sim/runs/pieces.ts";
import { type NetworkRun, planRuns } from "../../host-sim/runs/runs.ts";
import type { Scenario } from "../../host-sim/scenario/scenario.ts";
import type { KeptPieces } from "./kept-pieces.ts";

/** What of a run is done. */
export class DoneParts {
  /** The networks that are whole, by place. */
  readonly outcomes = new Map<number, NetworkOutcome>();
  private readonly nodes = new Map<number, number>();

  constructor(readonly networks: number) {}

  add({ network, outcome }: DonePiece): void {
    if (!outcome || !("nodes" in outcome)) return;
    this.nodes.set(network, (this.nodes.get(network) ?? 0) + outcome.nodes.length);
  }

  get isWhole(): boolean {
    return this.outcomes.size === this.networks;
  }

  get isBegun(): boolean {
    return this.nodes.size > 0;
  }

  /** "2 of 6 networks and 320 nodes of others" */
  get text(): string {
    const { outcomes, networks, nodes } = this;
    const others = [...nodes].filter(([network]) => !outcomes.has(network));
    const count = others.reduce((sum, [, each]) => sum + each, 0);
    return `${outcomes.size} of ${networks} networks${count === 0 ? "" : ` and ${count} nodes of others`}`;
  }
}

/** Performs the pieces of these networks that aren't kept yet, until all are done or `stop`; each is kept as it ends. */
export async function performKept(
  runs: readonly NetworkRun[],
  kept: KeptPieces,
  threads: number,
  startWorker: () => Worker,
  stop: AbortSignal,
): Promise<DoneParts> {
  const done = new DoneParts(runs.length);
  for (const piece of kept.pieces) done.add(piece);
  if (done.isBegun && process.stderr.isTTY) printNote(`${kept.path}: continues an interrupted run`);
  const progress = new JobsBar(
    "simulating {bar} {percentage} %, {networks}, {duration_formatted}, {eta_formatted} left",
    50,
  );
  progress.start(
    runs.map(() => 1),
    (finished) => ({ networks: `${finished}/${runs.length} networks` }),
    pieceShares(runs, kept.pieces),
  );
  const events = {
    piece: (piece: DonePiece) => {
      kept.add(piece);
      done.add(piece);
    },
    reached: (network: number, share: number) => progress.reached(network, share),
    done: (network: number, outcome: NetworkOutcome) => {
      done.outcomes.set(network, outcome);
      progress.finished(network);
    },
  };
  try {
    await performNetworks(runs, threads, startWorker, events, { done: kept.pieces, stop });
  } finally {
    progress.stop();
  }
  return done;
}

/** The part of a scenario whose networks are all done, and their outcomes in its order. */
export function finishedPart(
  scenario: Scenario,
  outcomes: ReadonlyMap<number, NetworkOutcome>,
): { readonly scenario: Scenario; readonly outcomes: readonly NetworkOutcome[] } {
  const runs = planRuns(scenario, "");
  const isDone = (task: number, learner: number) =>
    outcomes.has(runs.findIndex((run) => run.task === task && run.learner === learner));
  const tasks = scenario.tasks
    .map((task, t) => ({ ...task, learners: task.learners.filter((_, l) => isDone(t, l)) }))
    .filter(({ learners }) => learners.length > 0);
  const places = [...runs.keys()].filter((place) => outcomes.has(place));
  return {
    scenario: { ...scenario, tasks },
    outcomes: places.map((place) => outcomes.get(place) as NetworkOutcome),
  };
}
