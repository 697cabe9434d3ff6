import type { Worker } from "node:worker_threads";
import type { Fusion } from "../network/fusion.ts";
import { concatenate, type NetworkOutcome, type PartOutcome } from "../network/network.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { JobOutcome, NetworkJob, NetworkRun } from "./runs.ts";
import { type ThreadEvents, Threads } from "./threads.ts";

/** Nodes of a part, at least, where streams are generated. */
const PART_NODES = 4;
/** Parts of a network at most: an interruption costs one for each thread. */
export const PARTS_MAX = 512;
/** In place of a part: the fusion of all votes. */
const FUSION = -1;

/**
 * The number of parts in which a network of this scenario runs. It follows from the scenario alone, so finished parts are valid for any
 * number of threads.
 */
export function countParts({ stream, together }: Scenario): number {
  if (stream.type === "recorded-network" || together) return 1;
  const most = stream.type === "files" ? stream.files.length : Math.floor(stream.nodes / PART_NODES);
  return Math.max(1, Math.min(PARTS_MAX, most));
}

/** A finished piece: its network, its part (the fusion is part -1), and its outcome. */
export interface DonePiece {
  readonly network: number;
  readonly part: number;
  readonly outcome: JobOutcome;
}

export interface PieceEvents extends ThreadEvents<NetworkOutcome> {
  piece?(piece: DonePiece): void;
}

/** One network's pieces as they come in. */
class NetworkPieces {
  readonly of: number;
  readonly fuses: boolean;
  fusion: Fusion | undefined;
  private readonly done = new Set<number>();
  private readonly parts: PartOutcome[] = [];
  private readonly shares: number[];

  constructor(readonly run: NetworkRun) {
    this.of = countParts(run.scenario);
    this.fuses = this.of > 1 && fuses(run);
    this.shares = new Array(this.of).fill(0);
  }

  take({ part, outcome }: Pick<DonePiece, "part" | "outcome">): void {
    this.done.add(part);
    if (part === FUSION) {
      this.fusion = outcome as Fusion;
      return;
    }
    this.parts[part] = outcome as PartOutcome;
    this.shares[part] = 1;
  }

  get isWhole(): boolean {
    return this.done.size === this.of + (this.fuses ? 1 : 0);
  }

  /** The whole network's outcome; undefined until all pieces are done. */
  get whole(): NetworkOutcome {
    const { parts, of } = this;
    if (of === 1) return parts[0];
    return { nodes: concatenate(parts.map(({ nodes }) => nodes)), fusion: this.fusion?.result };
  }

  /** The parts that aren't done, and the fusion if the network has one that isn't: it is the first. */
  get missing(): number[] {
    const all = Array.from({ length: this.of }, (_, part) => part);
    return (this.fuses ? [FUSION, ...all] : all).filter((part) => !this.done.has(part));
  }

  makeJob(part: number): NetworkJob {
    const { run, of, fusion } = this;
    if (of === 1) return run;
    if (part === FUSION) return { ...run, piece: { fuses: true } };
    return { ...run, piece: { part, of, ...(fusion && { fused: fusion.labels }) } };
  }

  /** The share of the network that is done, 0..1. */
  get share(): number {
    return this.shares.reduce((sum, each) => sum + each, 0) / this.of;
  }

  /** Takes the progress of a part, 0..1. */
  reached(part: number, share: number): void {
    if (part !== FUSION) this.shares[part] = share;
  }
}

function groupPieces(runs: readonly NetworkRun[], done: readonly DonePiece[]): NetworkPieces[] {
  const puzzles = runs.map((run) => new NetworkPieces(run));
  for (const piece of done) puzzles[piece.network].take(piece);
  return puzzles;
}

/** The share of each network, 0..1, that these finished pieces make. */
export function pieceShares(runs: readonly NetworkRun[], done: readonly DonePiece[]): number[] {
  return groupPieces(runs, done).map(({ share }) => share);
}

type Place = Pick<DonePiece, "network" | "part">;

class Pieces {
  constructor(
    private readonly puzzles: readonly NetworkPieces[],
    private readonly events: PieceEvents,
  ) {
    for (const [network, puzzle] of puzzles.entries())
      if (puzzle.isWhole) events.done?.(network, puzzle.whole);
  }

  /** True if the piece needs no fused labels, or makes those that others need. */
  private isFirst({ network, part }: Place): boolean {
    const { fuses, run } = this.puzzles[network];
    return part === FUSION && fuses && run.scenario.fusion.rule !== "oracle";
  }

  /** Fusions whose labels the nodes take go before all others. */
  async perform(threads: number, startWorker: () => Worker, stop?: AbortSignal): Promise<void> {
    const places = this.puzzles.flatMap(({ missing }, network) => missing.map((part) => ({ network, part })));
    const first = places.filter((place) => this.isFirst(place));
    const rest = places.filter((place) => !this.isFirst(place));
    const pool = new Threads<NetworkJob, JobOutcome>(Math.min(threads, places.length), startWorker);
    try {
      await this.on(pool, first, stop);
      if (!stop?.aborted) await this.on(pool, rest, stop);
    } finally {
      await pool.close();
    }
  }

  private async on(
    pool: Threads<NetworkJob, JobOutcome>,
    places: readonly Place[],
    stop?: AbortSignal,
  ): Promise<void> {
    const { puzzles, events } = this;
    const done = (i: number, outcome: JobOutcome) => {
      const { network, part } = places[i];
      const puzzle = puzzles[network];
      puzzle.take({ part, outcome });
      events.piece?.({ network, part, outcome });
      if (puzzle.isWhole) events.done?.(network, puzzle.whole);
    };
    const reached = (i: number, share: number) => {
      const { network, part } = places[i];
      puzzles[network].reached(part, share);
      events.reached?.(network, puzzles[network].share);
    };
    const jobs = places.map(({ network, part }) => puzzles[network].makeJob(part));
    await pool.each(jobs, { done, reached }, stop);
  }
}

/** True if the network's votes are fused, or compared: a task's further learners have the same votes. */
export function fuses({ scenario, learner }: Pick<NetworkRun, "scenario" | "learner">): boolean {
  const { stream, fusion } = scenario;
  return stream.type === "scene" && (learner === 0 || fusion.rule !== "oracle");
}

/**
 * Performs networks on threads, each network's nodes on all of them, and skips finished pieces. The outcomes have the same bits for any
 * number of threads and any finished pieces. Rejects, and ends at `stop`, as `Threads.perform` does.
 */
export async function performNetworks(
  runs: readonly NetworkRun[],
  threads: number,
  startWorker: () => Worker,
  events: PieceEvents,
  { done = [], stop }: { readonly done?: readonly DonePiece[]; readonly stop?: AbortSignal } = {},
): Promise<void> {
  await new Pieces(groupPieces(runs, done), events).perform(threads, startWorker, stop);
}
