import type { Worker } from "node:worker_threads";
import type { Fusion } from "../network/fusion.ts";
import type { NetworkOutcome, PartOutcome } from "../network/network.ts";
import type { Scenario } from "../scenario.ts";
import type { JobOutcome, NetworkJob, NetworkRun } from "./runs.ts";
import { type ThreadEvents, Threads } from "./threads.ts";

/** Parts for each thread: as many that the last to end leaves the others idle for a few percent of the run. */
const PARTS_PER_THREAD = 16;
/** Nodes of a part, at least, where streams are generated. */
const PART_NODES = 4;

/** In how many parts a network of this scenario runs, beside so many others. */
function partsOf({ stream }: Scenario, networks: number, threads: number): number {
  if (threads === 1 || networks >= PARTS_PER_THREAD * threads) return 1;
  if (stream.type === "recorded-network") return 1;
  // Each thread reads all files; it then has them for all its parts.
  if (stream.type === "files") return Math.max(1, Math.min(stream.files.length, threads));
  const most = Math.max(1, Math.floor(stream.nodes / PART_NODES));
  return Math.min(most, Math.ceil((PARTS_PER_THREAD * threads) / networks));
}

/** Where a job's outcome belongs: the place of its network among the runs, and of its part; -1: the fusion. */
interface Place {
  readonly network: number;
  readonly part: number;
}

/** One network's pieces as they come in. */
class Puzzle {
  fusion: Fusion | undefined;
  private readonly parts: PartOutcome[] = [];
  private readonly shares: number[];
  private left: number;

  constructor(
    private readonly of: number,
    fuses: boolean,
  ) {
    this.left = of + (fuses ? 1 : 0);
    this.shares = new Array(of).fill(0);
  }

  /** Takes a piece; returns the whole when it is the last. */
  take(part: number, outcome: JobOutcome): NetworkOutcome | undefined {
    if (part < 0) this.fusion = outcome as Fusion;
    else this.parts[part] = outcome as PartOutcome;
    return --this.left === 0 ? this.whole : undefined;
  }

  private get whole(): NetworkOutcome {
    const { parts, of } = this;
    const count = parts.reduce((sum, { nodes }) => sum + nodes.length, 0);
    const nodes = Array.from({ length: count }, (_, i) => parts[i % of].nodes[Math.floor(i / of)]);
    return { nodes, fusion: this.fusion?.result };
  }

  /** A part is so far, 0..1; returns how far the whole is. */
  reached(part: number, share: number): number {
    this.shares[part] = share;
    return this.shares.reduce((sum, each) => sum + each, 0) / this.of;
  }
}

/** Runs that are performed in pieces. */
class Pieces {
  private readonly puzzles: readonly Puzzle[];
  private readonly of: readonly number[];

  constructor(
    private readonly runs: readonly NetworkRun[],
    private readonly threads: number,
    private readonly events: ThreadEvents<NetworkOutcome>,
  ) {
    this.of = runs.map(({ scenario }) => partsOf(scenario, runs.length, threads));
    this.puzzles = runs.map(
      (run, network) => new Puzzle(this.of[network], this.of[network] > 1 && fuses(run)),
    );
  }

  /** The fusion of networks whose nodes take its labels: it goes before them; or of the others: it goes beside them. */
  private fusions(before: boolean): [Place, NetworkJob][] {
    return [...this.runs.entries()]
      .filter(([network, run]) => this.of[network] > 1 && fuses(run))
      .filter(([, { scenario }]) => (scenario.fusion.rule !== "oracle") === before)
      .map(([network, run]) => [
        { network, part: -1 },
        { ...run, piece: { fuses: true } },
      ]);
  }

  private nodes(): [Place, NetworkJob][] {
    return [...this.runs.entries()].flatMap(([network, run]) => {
      const of = this.of[network];
      if (of === 1) return [[{ network, part: 0 }, run] satisfies [Place, NetworkJob]];
      const fused = this.puzzles[network].fusion?.labels;
      return Array.from({ length: of }, (_, part): [Place, NetworkJob] => [
        { network, part },
        { ...run, piece: { part, of, ...(fused && { fused }) } },
      ]);
    });
  }

  async perform(startWorker: () => Worker, stop?: AbortSignal): Promise<void> {
    const jobs = this.of.reduce((sum, each) => sum + each, 0);
    const pool = new Threads<NetworkJob, JobOutcome>(Math.min(this.threads, jobs), startWorker);
    try {
      await this.on(pool, this.fusions(true), stop);
      if (!stop?.aborted) await this.on(pool, [...this.fusions(false), ...this.nodes()], stop);
    } finally {
      await pool.close();
    }
  }

  private async on(
    pool: Threads<NetworkJob, JobOutcome>,
    jobs: readonly [Place, NetworkJob][],
    stop?: AbortSignal,
  ): Promise<void> {
    const { puzzles, events } = this;
    const done = (i: number, outcome: JobOutcome) => {
      const [{ network, part }, { piece }] = jobs[i];
      const whole = piece ? puzzles[network].take(part, outcome) : (outcome as NetworkOutcome);
      if (whole) events.done?.(network, whole);
    };
    const reached = (i: number, share: number) => {
      const [{ network, part }] = jobs[i];
      events.reached?.(network, puzzles[network].reached(part, share));
    };
    await pool.perform(
      jobs.map(([, job]) => job),
      { done, reached },
      stop,
    );
  }
}

/** Whether the network's votes are fused, or compared: those of a task's further learners are the same. */
function fuses({ scenario, learner }: NetworkRun): boolean {
  const { stream, fusion } = scenario;
  return stream.type === "scene" && (learner === 0 || fusion.rule !== "oracle");
}

/**
 * Performs networks on threads, and where they are few, the nodes of one on all of them. The outcomes are the same, to the
 * bit, whatever the number of threads. Rejects, and ends at `stop`, as `Threads.perform` does.
 */
export async function performNetworks(
  runs: readonly NetworkRun[],
  threads: number,
  startWorker: () => Worker,
  events: ThreadEvents<NetworkOutcome>,
  stop?: AbortSignal,
): Promise<void> {
  await new Pieces(runs, threads, events).perform(startWorker, stop);
}
