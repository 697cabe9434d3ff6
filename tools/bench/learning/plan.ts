import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { Scale } from "../../evaluation/scaling.ts";
import { type Condition, type Flips, ONE_CLASS, type Order } from "./conditions.ts";
import type { Entrant } from "./entrants.ts";
import type { Protocol } from "./run.ts";
import type { LearningSet, SetSources } from "./sets.ts";

/** How samples are scaled: as a node standardises what it reads, or as `evaluate` does, which sees the whole file first. */
export type BenchScale = "node" | Scale;

/** What every run of a bench shares. */
export interface Setting extends Protocol {
  readonly sources: SetSources;
  /** Rows of a set at most. */
  readonly rows: number;
  readonly scale: BenchScale;
}

/** The grid that is run. */
export interface Grid {
  readonly sets: readonly LearningSet[];
  readonly entrants: readonly Entrant[];
  readonly budgets: readonly number[];
  readonly delays: readonly number[];
  readonly flips: readonly Flips[];
  readonly orders: readonly Order[];
  readonly seeds: number;
}

/** A set and a condition: where entrants are compared. */
export interface Cell extends Condition {
  readonly set: string;
}

/** One entrant in one cell, with one seed. */
export interface Run extends Cell {
  readonly entrant: Entrant;
  /** Null where the entrant stores no vectors. */
  readonly budget: number | null;
  readonly seed: number;
}

/** The orders in which a set may come: one without an order of time only shuffled. */
export function ordersOf({ timed }: LearningSet, orders: readonly Order[]): readonly Order[] {
  return timed ? orders : ["shuffled"];
}

/** Every cell, set by set. */
export function cellsOf({ sets, delays, flips, orders }: Grid): Cell[] {
  return sets.flatMap((set) =>
    ordersOf(set, orders).flatMap((order) =>
      delays.flatMap((delay) => flips.map((share) => ({ set: set.name, order, delay, flips: share }))),
    ),
  );
}

/** Where the grids of options compete: the least delay and the fewest flips, in each order, one budget. */
export function isPlain({ delays, flips }: Grid, { delay, flips: share }: Cell): boolean {
  const least = [...flips].sort(byFlips)[0];
  return delay === Math.min(...delays) && share === least;
}

/** The budget at which grids of options compete: 64, or that nearest above, or the largest. */
export function plainBudget({ budgets }: Pick<Grid, "budgets">): number {
  return budgets.find((budget) => budget >= 64) ?? budgets[budgets.length - 1];
}

/** Fewer before more, one class last. */
export function byFlips(a: Flips, b: Flips): number {
  return (a === ONE_CLASS ? 1 : a) - (b === ONE_CLASS ? 1 : b);
}

/**
 * Every run, the first seed of all cells first: a bench that ends early has compared all entrants in the cells that it
 * reached. Cells alternate between sets, so that these are of all sets. A seed's variations of options come last.
 */
export function runsOf(grid: Grid): Run[] {
  const cells = cellsOf(grid);
  const turns = new Map<string, number>();
  const turn = cells.map(({ set }) => {
    const before = turns.get(set) ?? 0;
    turns.set(set, before + 1);
    return before;
  });
  const order = [...cells.keys()].sort((a, b) => turn[a] - turn[b] || a - b);
  const runs = Array.from({ length: grid.seeds }, (_, i) => i + 1).flatMap((seed) => {
    const all = order.flatMap((at) => cellRuns(grid, cells[at], seed));
    const isVaried = ({ entrant }: Run) => entrant.gridOf !== undefined;
    return [...all.filter((run) => !isVaried(run)), ...all.filter(isVaried)];
  });
  // One of a learner's grid may compete under its own name as well.
  return [...new Map(runs.map((run) => [nameOfRun(run), run])).values()];
}

/** The budgets with which an entrant competes in a cell; null where it stores no vectors. */
export function budgetsOf(
  grid: Grid,
  cell: Cell,
  { gridOf, takesBudget, refuses = [] }: Entrant,
): (number | null)[] {
  if (gridOf !== undefined && !isPlain(grid, cell)) return [];
  if (!takesBudget) return [null];
  const offered = gridOf === undefined ? grid.budgets : [plainBudget(grid)];
  return offered.filter((budget) => !refuses.includes(budget));
}

function cellRuns(grid: Grid, cell: Cell, seed: number): Run[] {
  return grid.entrants.flatMap((entrant) =>
    budgetsOf(grid, cell, entrant).map((budget) => ({ ...cell, entrant, budget, seed })),
  );
}

/** A run's name among those of its setting. */
export function nameOfRun({ set, entrant, budget, delay, flips, order, seed }: Run): string {
  return [
    set,
    entrant.name,
    `budget ${budget}`,
    `delay ${delay}`,
    `flips ${flips}`,
    order,
    `seed ${seed}`,
  ].join(", ");
}

/** What a set's outcomes follow from, beside the run: the setting, the set's files and the program. */
export function settingKey(
  set: LearningSet,
  { rows, scale, loss, prefix }: Setting,
  program: string,
): string {
  const files = set.files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return [size, mtimeMs];
  });
  const given = JSON.stringify([program, set.name, set.doc, files, rows, scale, loss, prefix]);
  return createHash("sha256").update(given).digest("hex").slice(0, 16);
}
