import { average } from "../../../host/statistics.ts";
import { type MeanWithError, meanWithError } from "../../sweep/statistics/statistics.ts";
import type { Order } from "./conditions.ts";
import type { Entrant } from "./entrants.ts";
import { byFlips, type Cell, crossCells, type Grid, type Setting } from "./plan.ts";
import {
  type BenchExtent,
  type BytesRange,
  bytesRange,
  type ErrorsBy,
  errorsBy,
  type Find,
} from "./result.ts";
import type { Outcome } from "./run.ts";
import type { LeftOut } from "./sets.ts";

/** An entrant on the sets in one order, at most of a given size. */
interface InOrder {
  readonly order: Order;
  /** How many sets it fits. */
  readonly sets: number;
  /** A set's error is the mean over its conditions and seeds; mean over sets, with its standard error. */
  readonly error: MeanWithError;
  /** Its error less the reference's, paired by set, on the sets that both fit; null: on none. */
  readonly behind: MeanWithError | null;
}

/** An entrant at one size. */
export interface MemoryRow {
  readonly entrant: string;
  /** Bytes. */
  readonly memory: number;
  /** Of the entrant, over the sets that it fits; null for a trivial predictor, or where it fits none. */
  readonly bytes: BytesRange | null;
  readonly orders: readonly InOrder[];
  /** Mean error over the sets that it fits, and their orders. */
  readonly delays: ErrorsBy<"delay">;
  readonly flips: ErrorsBy<"flips">;
}

/** The form that `motelearn bench-learning --memory --json` prints. */
export interface MemoryResult extends BenchExtent {
  readonly schema: "motelearn.bench-memory/1";
  /** Compared with all others. */
  readonly reference: string;
  readonly table: readonly MemoryRow[];
}

/** A cell's outcomes of an entrant, over the seeds that are done. */
interface CellOutcome {
  readonly cell: Cell;
  readonly error: number;
  readonly bytes?: number;
}

/** The entrant's finished cells at that size. A cell whose memory is too small for it, or that lacks a seed, is left out. */
function finishedCells(grid: Grid, entrant: Entrant, memory: number, find: Find): CellOutcome[] {
  return crossCells(grid).flatMap((cell) => {
    const outcomes = Array.from({ length: grid.seeds }, (_, i) =>
      find(cell, entrant, entrant.takesBudget ? memory : null, i + 1),
    );
    const fits = (outcome: Outcome | undefined) =>
      outcome !== undefined && !outcome.unfit && (outcome.bytes ?? 0) <= memory;
    if (!outcomes.every(fits)) return [];
    const all = outcomes as Outcome[];
    return [{ cell, error: average(all.map(({ error }) => error)), bytes: all[0].bytes }];
  });
}

/** The mean error of each set in that order; a set with a cell that is missing isn't there. */
function bySet(grid: Grid, done: readonly CellOutcome[], order: Order): Map<string, number> {
  const cells = grid.delays.length * grid.flips.length;
  const means = grid.sets.flatMap(({ name }): [string, number][] => {
    const own = done.filter(({ cell }) => cell.set === name && cell.order === order);
    return own.length === cells ? [[name, average(own.map(({ error }) => error))]] : [];
  });
  return new Map(means);
}

function inOrder(own: Map<string, number>, reference: Map<string, number>, order: Order): InOrder[] {
  if (own.size === 0) return [];
  const differences = [...own].flatMap(([set, error]) => {
    const other = reference.get(set);
    return other === undefined ? [] : [error - other];
  });
  const behind = differences.length > 0 ? meanWithError(differences) : null;
  return [{ order, sets: own.size, error: meanWithError([...own.values()]), behind }];
}

function memoryRow(
  grid: Grid,
  { name }: Entrant,
  memory: number,
  done: readonly CellOutcome[],
  of: readonly CellOutcome[],
): MemoryRow {
  return {
    entrant: name,
    memory,
    bytes: bytesRange(done.flatMap(({ bytes }) => bytes ?? [])),
    orders: grid.orders.flatMap((order) => inOrder(bySet(grid, done, order), bySet(grid, of, order), order)),
    delays: errorsBy("delay", done, grid.delays),
    flips: errorsBy("flips", done, [...grid.flips].sort(byFlips)),
  };
}

/** The table of the finished runs: each entrant at each size, compared with `auto`, or else with the first learner. */
export function assembleMemory(
  grid: Grid,
  setting: Setting,
  leftOut: readonly LeftOut[],
  runs: BenchExtent["runs"],
  find: Find,
): MemoryResult {
  const { sets, entrants, budgets, seeds } = grid;
  const reference =
    entrants.find(({ name }) => name === "auto") ?? entrants.find(({ learner }) => learner) ?? entrants[0];
  const table = budgets.flatMap((memory) => {
    const of = finishedCells(grid, reference, memory, find);
    return entrants.flatMap((entrant) => {
      const done = finishedCells(grid, entrant, memory, find);
      return done.length > 0 ? [memoryRow(grid, entrant, memory, done, of)] : [];
    });
  });
  const { rows, scale, loss, prefix, until } = setting;
  return {
    schema: "motelearn.bench-memory/1",
    sets: sets.map(({ name, doc, timed }) => ({ name, doc, timed })),
    leftOut,
    reference: reference.name,
    ...{ seeds, rows, scale, loss, prefix, until, runs, table },
  };
}
