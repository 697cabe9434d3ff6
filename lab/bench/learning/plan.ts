import { statSync } from "node:fs";
import { sha256 } from "../../../host/identity.ts";
import { byTurns } from "../../choice/turns.ts";
import type { Scale } from "../../evaluation/scaling.ts";
import type { NamedRun } from "../../sweep/keep.ts";
import { type Condition, type Flips, ONE_CLASS, type Order } from "./conditions.ts";
import type { Entrant } from "./entrants.ts";
import type { Protocol } from "./run.ts";
import type { LearningSet, SetSources } from "./sets.ts";

/** The settings that all runs of a bench share. */
export interface Setting extends Protocol {
  readonly sources: SetSources;
  /** Most rows of a set. */
  readonly rows: number;
  readonly scale: Scale;
  /** True if a budget counts bytes; default: vectors. */
  readonly inBytes?: boolean;
}

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
  /** Vectors or bytes; null where the entrant's size follows from the set. */
  readonly budget: number | null;
  readonly seed: number;
}

export function crossCells({ sets, delays, flips, orders }: Grid): Cell[] {
  return sets.flatMap(({ name, timed }) =>
    (timed ? orders : ["shuffled" as const]).flatMap((order) =>
      delays.flatMap((delay) => flips.map((share) => ({ set: name, order, delay, flips: share }))),
    ),
  );
}

/** The cells of the option grids: least delay and fewest flips, in each order, one budget. */
export function isPlain({ delays, flips }: Grid, { delay, flips: share }: Cell): boolean {
  const least = [...flips].sort(byFlips)[0];
  return delay === Math.min(...delays) && share === least;
}

/** The option grids' budget: 64, or the next larger one, or the largest. */
export function plainBudget({ budgets }: Pick<Grid, "budgets">): number {
  return budgets.find((budget) => budget >= 64) ?? budgets[budgets.length - 1];
}

/** Fewer before more, one class last. */
export function byFlips(a: Flips, b: Flips): number {
  return (a === ONE_CLASS ? 1 : a) - (b === ONE_CLASS ? 1 : b);
}

/**
 * Every run, with the first seed of all cells first, so a bench that ends early has compared all entrants in
 * the cells that it reached. Cells alternate between sets, so these cells cover all sets. A seed's option
 * grids come last.
 */
export function planRuns(grid: Grid): Run[] {
  const cells = crossCells(grid);
  const order = byTurns(cells.map(({ set }) => set));
  const runs = Array.from({ length: grid.seeds }, (_, i) => i + 1).flatMap((seed) => {
    const all = order.flatMap((at) => cellRuns(grid, cells[at], seed));
    const isVaried = ({ entrant }: Run) => entrant.gridOf !== undefined;
    return [...all.filter((run) => !isVaried(run)), ...all.filter(isVaried)];
  });
  // A member of a learner's grid may also compete under its own name.
  return [...new Map(runs.map((run) => [nameOfRun(run), run])).values()];
}

/** The budgets with which an entrant competes in a cell; null where it stores no vectors. */
export function entrantBudgets(
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
    entrantBudgets(grid, cell, entrant).map((budget) => ({ ...cell, entrant, budget, seed })),
  );
}

/** A run's name within its setting. */
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

/** The runs, each named by all that determines its outcome. `program` is the hash of the code that performs them. */
export function nameRuns(
  runs: readonly Run[],
  sets: readonly LearningSet[],
  setting: Setting,
  program: string,
): (Run & NamedRun)[] {
  const keys = new Map(sets.map((set) => [set.name, settingKey(set, setting, program)]));
  return runs.map((run) => ({ ...run, id: `${keys.get(run.set)} ${nameOfRun(run)}` }));
}

/**
 * Hash of everything besides the run that determines a set's outcomes: the setting, the set's files and the
 * program.
 */
function settingKey(
  set: LearningSet,
  { rows, scale, loss, prefix, until, inBytes = false }: Setting,
  program: string,
): string {
  const files = set.files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return [size, mtimeMs];
  });
  const { name, doc } = set;
  const text = JSON.stringify([program, name, doc, files, rows, scale, loss, prefix, until, inBytes]);
  return sha256(text).slice(0, 16);
}
