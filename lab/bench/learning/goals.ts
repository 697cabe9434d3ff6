import { average } from "../../../host/statistics.ts";
import { ONE_CLASS } from "./conditions.ts";
import { KNOWS_FLIPS } from "./entrants.ts";
import { MOVING } from "./generated.ts";
import { type CellResult, findStanding, meanError } from "./result.ts";

export interface Goal {
  /** The learner: "olk-c, budget 64". */
  readonly of: string;
  readonly goal: string;
  /** The figure in words; null: it wasn't run. */
  readonly figure: string | null;
  /** Null: the necessary runs are missing; `figure` or `lacks` says which. */
  readonly met: boolean | null;
  readonly lacks?: string;
}

const REFERENCE = "bsgd";
/** A learner's largest error relative to BSGD's: geometric mean over sets, and on the worst set. */
interface MergeGoal {
  readonly learner: string;
  readonly mean: number;
  readonly worst: number | null;
}

const MERGED: readonly MergeGoal[] = [
  { learner: "olk-c", mean: 1.05, worst: 1.4 },
  { learner: "norma-c", mean: 1.05, worst: 1.4 },
  { learner: "dual-greedy", mean: 1.05, worst: 1.4 },
  { learner: "kernel-perceptron", mean: 1.3, worst: null },
];

/** The experts that bound `auto`: in each cell the best of them in hindsight. */
const EXPERTS = ["arow:noiseVariance=1", "arow:noiseVariance=10", REFERENCE, "majority", "last"];
const AUTO = "auto";
const SYMMETRIC_MOST = 0.2;

const GRID_TIMES = 1.25;
const GRID_SHARE = 0.85;

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function points(share: number): string {
  return (100 * share).toFixed(2);
}

function notRun(of: string, goal: string, lacks: string): Goal {
  return { of, goal, figure: null, met: null, lacks };
}

function cellName({ set, order, delay, flips, budget }: CellResult): string {
  return `${set}, ${order}, delay ${delay}, flips ${flips}, budget ${budget}`;
}

/** Cells with correct, immediate labels, where every error is the learner's. */
function quiet(cells: readonly CellResult[]): CellResult[] {
  const least = Math.min(...cells.map(({ delay }) => delay));
  return cells.filter(({ delay, flips }) => delay === least && flips === 0);
}

/** The learner with its defaults and with options; by its own name where it wasn't run. */
function matchingEntrants(learner: string, names: readonly string[]): readonly string[] {
  const own = names.filter((name) => name === learner || name.startsWith(`${learner}:`));
  return own.length > 0 ? own : [learner];
}

function mergeGoals(cells: readonly CellResult[], names: readonly string[]): Goal[] {
  const budgets = [...new Set(cells.map(({ budget }) => budget))];
  return MERGED.flatMap((wanted) =>
    matchingEntrants(wanted.learner, names).flatMap((name) => {
      const lacks = [name, REFERENCE].filter((each) => !names.includes(each));
      if (lacks.length > 0) return [notRun(name, mergeText(wanted), lacks.join(", "))];
      return budgets.map((budget) => mergeGoal(wanted, name, cells, budget));
    }),
  );
}

function mergeText({ mean, worst }: MergeGoal): string {
  const most = worst === null ? "" : `, ${worst} on the worst set`;
  return `error at most ${mean} times ${REFERENCE}'s in the geometric mean${most}, labels right`;
}

function mergeGoal(wanted: MergeGoal, name: string, cells: readonly CellResult[], budget: number): Goal {
  const of = `${name}, budget ${budget}`;
  const goal = mergeText(wanted);
  const own = quiet(cells.filter((cell) => cell.budget === budget));
  const ratios = own
    .filter((cell) => meanError(cell, REFERENCE) > 0)
    .map((cell) => ({ cell, ratio: meanError(cell, name) / meanError(cell, REFERENCE) }));
  if (ratios.length === 0) return notRun(of, goal, "--flips 0");
  const mean = Math.exp(average(ratios.map(({ ratio }) => Math.log(ratio))));
  const most = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  const figure = `${mean.toFixed(2)} over ${own.length} cells; worst ${most.ratio.toFixed(2)} (${most.cell.set}, ${most.cell.order})`;
  return {
    of,
    goal,
    figure,
    met: mean <= wanted.mean && (wanted.worst === null || most.ratio <= wanted.worst),
  };
}

type CellBound = (cell: CellResult) => number;

/** How many cells keep to a bound, and the cell that exceeds it most. */
function judgeBound(
  { of, goal }: Pick<Goal, "of" | "goal">,
  name: string,
  cells: readonly CellResult[],
  bound: CellBound,
  exceptions: number,
): Goal {
  if (cells.length === 0) return notRun(of, goal, "a cell of that kind");
  const over = cells.map((cell) => ({ cell, excess: meanError(cell, name) - bound(cell) }));
  const kept = over.filter(({ excess }) => excess <= 0).length;
  const most = over.reduce((a, b) => (b.excess > a.excess ? b : a));
  const worst = most.excess > 0 ? `; worst + ${points(most.excess)} points (${cellName(most.cell)})` : "";
  return {
    of,
    goal,
    figure: `${kept} of ${cells.length} cells, ${percent(kept / cells.length)}${worst}`,
    met: cells.length - kept <= exceptions * cells.length,
  };
}

const AUTO_GOALS = {
  last: "error at most that of the last label received + .5 point, in every cell",
  few: "up to 20 % flips: at most 1.05 times + .5 point the best of arow 1, arow 10, bsgd, majority, last, but for 2 % of cells",
  many: "more flips, or one class's: at most 1.1 times + 2 points the same best, in every cell",
};

/** Two classes; and several, where there are such sets, for which no goals were set. */
function autoGoals(cells: readonly CellResult[], names: readonly string[]): Goal[] {
  const several = cells.filter(({ classes }) => classes > 2);
  const two = cells.filter(({ classes }) => classes <= 2);
  return matchingEntrants(AUTO, names).flatMap((name) => [
    ...entrantGoals(name, "", two, names),
    ...(several.length > 0 ? entrantGoals(name, ", several classes", several, names) : []),
  ]);
}

function entrantGoals(
  name: string,
  which: string,
  cells: readonly CellResult[],
  names: readonly string[],
): Goal[] {
  const { last, few, many } = AUTO_GOALS;
  const of = `${name}${which}`;
  if (!names.includes(name)) return [last, few, many].map((goal) => notRun(of, goal, name));
  const mild = ({ flips }: CellResult) => flips !== ONE_CLASS && flips <= SYMMETRIC_MOST;
  const best = (cell: CellResult) => Math.min(...EXPERTS.map((each) => meanError(cell, each)));
  const lacks = EXPERTS.filter((each) => !names.includes(each)).join(", ");
  const [mildCells, otherCells] = [cells.filter(mild), cells.filter((cell) => !mild(cell))];
  const bounds: [string, readonly CellResult[], CellBound, number][] = [
    [last, cells, (cell) => meanError(cell, "last") + 0.005, 0],
    [few, mildCells, (cell) => 1.05 * best(cell) + 0.005, 0.02],
    [many, otherCells, (cell) => 1.1 * best(cell) + 0.02, 0],
  ];
  return bounds.map(([goal, own, bound, exceptions]) => {
    if (goal !== last && lacks !== "") return notRun(of, goal, lacks);
    return judgeBound({ of, goal }, name, own, bound, exceptions);
  });
}

/** The learner that finds its rate of forgetting, and those with fixed rates that bound it. */
const FINDS = "olk-drift";
const FIXED = /^olk-c(:regularization=[^:]*)?$/;
const DEFAULT_RATE = "olk-c";
const FOUND_GOALS = {
  moves:
    "boundary moves: error at most 1.1 times, or .5 point more than, the best olk-c:regularization=R of the cell, in every cell",
  still: "other sets: error at most 1.03 times, or .05 point more than, olk-c's, in every cell",
};

/** Only where such a learner ran. */
function foundGoals(cells: readonly CellResult[], names: readonly string[]): Goal[] {
  const rates = names.filter((name) => FIXED.test(name));
  const best = (cell: CellResult) => Math.min(...rates.map((name) => meanError(cell, name)));
  const usual = (cell: CellResult) => meanError(cell, DEFAULT_RATE);
  const moves = ({ set, order }: CellResult) => order === "time" && MOVING.has(set);
  const bounds: [string, readonly CellResult[], CellBound][] = [
    [FOUND_GOALS.moves, cells.filter(moves), (cell) => Math.max(1.1 * best(cell), best(cell) + 0.005)],
    [
      FOUND_GOALS.still,
      cells.filter((cell) => !moves(cell)),
      (cell) => Math.max(1.03 * usual(cell), usual(cell) + 0.0005),
    ],
  ];
  return names
    .filter((name) => name.split(":")[0] === FINDS)
    .flatMap((of) =>
      bounds.map(([goal, own, bound]) => {
        if (!names.includes(DEFAULT_RATE)) return notRun(of, goal, DEFAULT_RATE);
        return judgeBound({ of, goal }, of, own, bound, 0);
      }),
    );
}

/**
 * Each order by itself: in time order, an option may profit from persistent classes, as repeating the last
 * label does.
 */
function gridGoals(cells: readonly CellResult[]): Goal[] {
  const orders = [...new Set(cells.map(({ order }) => order))];
  return orders.map((order) =>
    gridGoal(
      cells.filter((cell) => cell.order === order),
      `all learners' defaults, ${order}`,
    ),
  );
}

/** A learner with its defaults in a cell, beside the best of its grid. */
interface GridComparison {
  readonly cell: CellResult;
  readonly learner: string;
  readonly ratio: number;
  /** True if the best of the grid errs less than the last label received. */
  readonly isWorthIt: boolean;
}

function triedIn(cell: CellResult): GridComparison[] {
  const learners = [...new Set(cell.varied.map((each) => each.of))];
  return learners.map((learner) => {
    const own = meanError(cell, learner);
    const grid = cell.varied.filter((each) => each.of === learner).map(({ error }) => error.mean);
    const best = Math.min(...grid, own);
    return { cell, learner, ratio: own / best, isWorthIt: best < meanError(cell, "last") };
  });
}

/** "8 of 10, 80.0 %", of the tried; 0 / 0, neither errs, counts as good. */
function countGood(tried: readonly GridComparison[]): { readonly share: number; readonly words: string } {
  const good = tried.filter(({ ratio }) => !(ratio > GRID_TIMES)).length;
  const share = good / tried.length;
  return { share, words: `${good} of ${tried.length}, ${percent(share)}` };
}

function gridGoal(cells: readonly CellResult[], of: string): Goal {
  const goal = `error at most ${GRID_TIMES} times the best of a small grid, for ${percent(GRID_SHARE)} of sets and learners`;
  const tried = cells.flatMap(triedIn);
  if (tried.length === 0) return notRun(of, goal, "the grid of a learner with its defaults");
  const { share, words } = countGood(tried);
  const most = tried.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  const worth = tried.filter(({ isWorthIt }) => isWorthIt);
  const paying =
    worth.length === tried.length || worth.length === 0
      ? ""
      : `; ${countGood(worth).words}, where the best of the grid errs less than the last label received`;
  const figure = `${words}${paying}; worst ${most.ratio.toFixed(2)} times (${most.learner}, ${most.cell.set})`;
  return { of, goal, figure, met: share >= GRID_SHARE };
}

/**
 * Largest loss of balanced accuracy by wrong labels at known rates, and the largest share of flips, overall
 * or of one class.
 */
const CORRECTED = { generated: 0.02, recorded: 0.04 };
const CORRECTED_MOST = 0.3;

/** For each learner that runs with and without known rates: compared with itself on correct labels. */
function correctedGoals(
  cells: readonly CellResult[],
  names: readonly string[],
  generated: ReadonlySet<string>,
): Goal[] {
  return names
    .filter((name) => name.endsWith(KNOWS_FLIPS))
    .flatMap((name) => {
      const plain = name.slice(0, -KNOWS_FLIPS.length);
      const kinds = Object.entries(CORRECTED).map(([kind, most]) => {
        const own = cells.filter(({ set }) => generated.has(set) === (kind === "generated"));
        return { of: `${name}, ${kind} sets`, own, most };
      });
      return kinds
        .filter(({ own }) => own.length > 0)
        .map(({ of, own, most }) => correctedGoal(of, own, { name, plain, most }));
    });
}

/** The fields in which a cell equals the one whose labels are all right. */
const SETTING = ["set", "order", "delay", "budget"] as const;

interface Correction {
  readonly name: string;
  readonly plain: string;
  readonly most: number;
}

function correctedGoal(of: string, cells: readonly CellResult[], { name, plain, most }: Correction): Goal {
  const goal = `wrong labels, up to ${percent(CORRECTED_MOST)} or of one class, cost at most ${most} of balanced accuracy against ${plain} with right ones`;
  const accuracy = (cell: CellResult | undefined, entrant: string) =>
    (cell && findStanding(cell, entrant)?.balancedAccuracy?.mean) ?? Number.NaN;
  const unflippedCell = (cell: CellResult) =>
    cells.find((other) => other.flips === 0 && SETTING.every((name) => other[name] === cell[name]));
  const costs = cells
    .filter(({ flips }) => flips === ONE_CLASS || (flips > 0 && flips <= CORRECTED_MOST))
    .map((cell) => ({ cell, cost: accuracy(unflippedCell(cell), plain) - accuracy(cell, name) }))
    .filter(({ cost }) => !Number.isNaN(cost));
  if (costs.length === 0) return notRun(of, goal, `${plain}, --flips 0,${CORRECTED_MOST}`);
  const kept = costs.filter(({ cost }) => cost <= most).length;
  const worst = costs.reduce((a, b) => (b.cost > a.cost ? b : a));
  const figure = `${kept} of ${costs.length} cells; at most ${worst.cost.toFixed(4)} (${cellName(worst.cell)})`;
  return { of, goal, figure, met: kept === costs.length };
}

/**
 * Each goal with its figure, from the entrants that ran. `generated`: the names of the sets that aren't
 * recorded.
 */
export function judgeGoals(
  cells: readonly CellResult[],
  names: readonly string[],
  generated: ReadonlySet<string>,
): Goal[] {
  return [
    ...mergeGoals(cells, names),
    ...autoGoals(cells, names),
    ...foundGoals(cells, names),
    ...gridGoals(cells),
    ...correctedGoals(cells, names, generated),
  ];
}
