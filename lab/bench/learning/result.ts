import { average } from "../../../host/statistics.ts";
import { type MeanWithError, meanWithError } from "../../sweep/statistics/statistics.ts";
import type { Entrant } from "./entrants.ts";
import { type Goal, judgeGoals } from "./goals.ts";
import {
  type Cell,
  crossCells,
  entrantBudgets,
  type Grid,
  isPlain,
  plainBudget,
  type Setting,
} from "./plan.ts";
import type { Outcome } from "./run.ts";
import type { LearningSet, LeftOut } from "./sets.ts";

/** An entrant in a cell with a budget: its error, a share of the scored samples. */
export interface Standing {
  readonly entrant: string;
  readonly error: MeanWithError;
  /** Of the last third. */
  readonly late: MeanWithError;
  /** Null where a class has no scored sample. */
  readonly balancedAccuracy: MeanWithError | null;
  /** Seed by seed, for the seeds that all of the cell's entrants have run. */
  readonly errors: readonly number[];
  readonly bytes?: number;
}

/** A cell with a budget, and its entrants. */
export interface CellResult extends Cell {
  readonly budget: number;
  /** Of the set. */
  readonly classes: number;
  /** True if option grids also compete here. */
  readonly plain: boolean;
  readonly seeds: number;
  /** In the entrants' order. */
  readonly standings: readonly Standing[];
  /** Variations of learners' options, where they compete. */
  readonly varied: readonly (Standing & { readonly of: string })[];
  /** The entrant with the least error. */
  readonly best: string;
}

/** Mean errors by what cells have of a name. */
export type ErrorsBy<Key extends keyof Cell> = readonly (Pick<Cell, Key> & { readonly error: number })[];

/** Bytes of an entrant on the narrowest set, and on the widest. */
export interface BytesRange {
  readonly least: number;
  readonly most: number;
}

/** An entrant over all cells of a budget. */
export interface Summary {
  readonly entrant: string;
  readonly budget: number;
  readonly bytes: BytesRange | null;
  readonly error: MeanWithError;
  /** Mean over the cells whose classes all have a scored sample; null without one. */
  readonly balancedAccuracy: number | null;
  /** Mean over the cells of its error above the best entrant's in hindsight. */
  readonly regret: number;
  /** Share of the cells where its error is at most 1.05 times the best entrant's + .5 point. */
  readonly within: number;
  /** Its error beyond that bound in its worst cell. */
  readonly worst: number;
  /** Cells where its error exceeds the last label's + .5 point. */
  readonly beyondLast: number;
  /** Mean error by each condition. */
  readonly by: { readonly [Key in keyof Cell]: ErrorsBy<Key> };
}

/** Sets, settings and runs of a bench. */
export interface BenchExtent extends Pick<Setting, "rows" | "scale" | "loss" | "prefix" | "until"> {
  readonly sets: readonly Pick<LearningSet, "name" | "doc" | "timed">[];
  readonly leftOut: readonly LeftOut[];
  readonly seeds: number;
  readonly runs: { readonly done: number; readonly planned: number };
}

/** The form that `motelearn bench-learning --json` prints. */
export interface BenchResult extends BenchExtent, Pick<Grid, "budgets" | "delays" | "flips" | "orders"> {
  readonly schema: "motelearn.bench-learning/1";
  readonly entrants: readonly Pick<Entrant, "name" | "learner" | "options" | "width">[];
  readonly cells: readonly CellResult[];
  readonly summary: readonly Summary[];
  readonly goals: readonly Goal[];
  readonly timing?: { readonly seconds: number; readonly threads: number };
}

/** The bound for as good as the best: a factor on the best error, and points more. */
export const WITHIN_TIMES = 1.05;
export const WITHIN_MORE = 0.005;

/** Finds a run's outcome, if it is done. */
export type Find = (cell: Cell, entrant: Entrant, budget: number | null, seed: number) => Outcome | undefined;

/** The outcomes of every entrant with the first seeds, as many as all have; none: undefined. */
function cellResult(grid: Grid, cell: Cell, budget: number, find: Find): CellResult | undefined {
  const competing = grid.entrants.filter((entrant) =>
    entrantBudgets(grid, cell, entrant).includes(entrant.takesBudget ? budget : null),
  );
  const listOutcomes = (entrant: Entrant): Outcome[] => {
    const all = Array.from({ length: grid.seeds }, (_, i) =>
      find(cell, entrant, entrant.takesBudget ? budget : null, i + 1),
    );
    const missing = all.indexOf(undefined);
    return (missing < 0 ? all : all.slice(0, missing)) as Outcome[];
  };
  const named = competing.filter(({ gridOf }) => gridOf === undefined);
  const seeds = Math.min(...named.map((entrant) => listOutcomes(entrant).length));
  if (seeds === 0) return undefined;
  const standings = named.map((entrant) => standing(entrant.name, listOutcomes(entrant).slice(0, seeds)));
  const plain = isPlain(grid, cell) && budget === plainBudget(grid);
  const varied = plain
    ? competing.flatMap((entrant) => variation(entrant, listOutcomes(entrant), seeds))
    : [];
  const best = standings.reduce((least, each) => (each.error.mean < least.error.mean ? each : least));
  const { classes } = listOutcomes(named[0])[0];
  return { ...cell, budget, classes, plain, seeds, standings, varied, best: best.entrant };
}

function standing(entrant: string, outcomes: readonly Outcome[]): Standing {
  const errors = outcomes.map(({ error }) => error);
  const balanced = outcomes.map(({ balancedAccuracy }) => balancedAccuracy);
  const { bytes } = outcomes[0];
  return {
    entrant,
    error: meanWithError(errors),
    late: meanWithError(outcomes.map(({ late }) => late)),
    balancedAccuracy: balanced.some((each) => each === null) ? null : meanWithError(balanced as number[]),
    errors,
    ...(bytes !== undefined && { bytes }),
  };
}

/** A member of a learner's grid whose runs with these seeds are done. */
function variation(
  { name, gridOf }: Entrant,
  outcomes: readonly Outcome[],
  seeds: number,
): CellResult["varied"] {
  if (gridOf === undefined || outcomes.length < seeds) return [];
  return [{ ...standing(name, outcomes.slice(0, seeds)), of: gridOf }];
}

export function findStanding({ standings }: CellResult, entrant: string): Standing | undefined {
  return standings.find((each) => each.entrant === entrant);
}

/** Its error in the cell; NaN where it didn't compete. */
export function meanError(cell: CellResult, entrant: string): number {
  return findStanding(cell, entrant)?.error.mean ?? Number.NaN;
}

/** Mean errors by what the cells have of that name. Default: in the order of the cells. */
export function errorsBy<Key extends keyof Cell>(
  key: Key,
  cells: readonly { readonly cell: Cell; readonly error: number }[],
  values: readonly Cell[Key][] = [...new Set(cells.map(({ cell }) => cell[key]))],
): ErrorsBy<Key> {
  return values.map((value) => {
    const own = cells.filter(({ cell }) => cell[key] === value);
    return { [key]: value, error: average(own.map(({ error }) => error)) } as ErrorsBy<Key>[number];
  });
}

export function bytesRange(sizes: readonly number[]): BytesRange | null {
  return sizes.length === 0 ? null : { least: Math.min(...sizes), most: Math.max(...sizes) };
}

function summarise(cells: readonly CellResult[], entrant: string, budget: number): Summary {
  const seeds = Math.min(...cells.map((cell) => cell.seeds));
  const overSeeds = Array.from({ length: seeds }, (_, i) =>
    average(cells.map((cell) => findStanding(cell, entrant)?.errors[i] as number)),
  );
  const beyond = (cell: CellResult, times: number, other: string) =>
    meanError(cell, entrant) - times * meanError(cell, other) - WITHIN_MORE;
  const errors = cells.map((cell) => ({ cell, error: meanError(cell, entrant) }));
  const accuracies = cells.flatMap((cell) => findStanding(cell, entrant)?.balancedAccuracy?.mean ?? []);
  const excess = cells.map((cell) => beyond(cell, WITHIN_TIMES, cell.best));
  return {
    entrant,
    budget,
    bytes: bytesRange(cells.flatMap((cell) => findStanding(cell, entrant)?.bytes ?? [])),
    error: {
      mean: average(errors.map(({ error }) => error)),
      standardError: meanWithError(overSeeds).standardError,
    },
    balancedAccuracy: accuracies.length > 0 ? average(accuracies) : null,
    regret: average(cells.map((cell) => meanError(cell, entrant) - meanError(cell, cell.best))),
    within: excess.filter((value) => value <= 0).length / cells.length,
    worst: Math.max(0, ...excess),
    beyondLast: cells.filter((cell) => beyond(cell, 1, "last") > 0).length,
    by: {
      flips: errorsBy("flips", errors),
      delay: errorsBy("delay", errors),
      order: errorsBy("order", errors),
      set: errorsBy("set", errors),
    },
  };
}

/** The result of the finished runs: cells in which every entrant has run at least one seed. */
export function assembleBench(
  grid: Grid,
  setting: Setting,
  leftOut: readonly LeftOut[],
  runs: BenchResult["runs"],
  find: Find,
): BenchResult {
  const { sets, budgets, delays, flips, orders, seeds } = grid;
  const { rows, scale, loss, prefix, until } = setting;
  const cells = crossCells(grid).flatMap((cell) =>
    budgets.flatMap((budget) => cellResult(grid, cell, budget, find) ?? []),
  );
  const entrants = grid.entrants.filter(({ gridOf }) => gridOf === undefined);
  const summary = budgets.flatMap((budget) => {
    const own = cells.filter((cell) => cell.budget === budget);
    const competing = entrants.filter(({ refuses = [] }) => !refuses.includes(budget));
    return own.length === 0 ? [] : competing.map(({ name }) => summarise(own, name, budget));
  });
  return {
    schema: "motelearn.bench-learning/1",
    sets: sets.map(({ name, doc, timed }) => ({ name, doc, timed })),
    leftOut,
    entrants: entrants.map(({ name, learner, options, width }) => ({ name, learner, options, width })),
    ...{ budgets, delays, flips, orders, seeds, rows, scale, loss, prefix, until, runs, cells, summary },
    goals: judgeGoals(
      cells,
      entrants.map(({ name }) => name),
      new Set(sets.filter(({ files }) => files.length === 0).map(({ name }) => name)),
    ),
  };
}
