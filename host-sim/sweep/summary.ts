import type { Curve } from "../result.ts";
import type { Axis } from "./axes.ts";
import { NodeSums, type WorstNodes, worstNodes } from "./nodes.ts";
import { CAUSES, type Cause, causesOf, type Point, type SweepPlan, type SweepRun } from "./plan.ts";
import { CurveMean, meanCurve, type NetworkRows, type NodeRow } from "./rows.ts";
import {
  ANY,
  type Difference,
  difference,
  differenceOf,
  differenceRange,
  type Estimate,
  estimateOf,
  meanOf,
  NOT_NEGATIVE,
  paretoPlaces,
  type Range,
  type Ranking,
  rankingOf,
  SHARE,
  sharesOf,
} from "./statistics.ts";

/** A run that is done, and what was kept of it. */
export interface Done {
  readonly run: SweepRun;
  readonly rows: NetworkRows;
}

/** What a learner comes to in a task, over all points; the seeds are what is independent. */
export interface LearnerSummary {
  readonly learner: string;
  readonly error: Estimate;
  /** Less the least error of the task, on the same seeds; null: it is that. */
  readonly behind: Difference | null;
  /** Means of the learner's range and of a prediction and its label on an ESP32-C3; null where it wasn't measured. */
  readonly bytes: number;
  readonly instructions: number | null;
  /** Whether no other of the task has less of one, and no more of the others, of bytes, instructions and error. */
  readonly pareto: boolean;
  /** The same learner with all labels, right and at once. */
  readonly ideal: Estimate | null;
}

/** Mean errors where a key has a value, or lies in a range of them. */
export interface Effect {
  readonly key: string;
  readonly values: readonly {
    readonly value: unknown;
    /** In the order of the task's learners. */
    readonly errors: readonly (Estimate | null)[];
  }[];
}

/** What labels that are late, lost, wrong or few cost a learner: Shapley's shares, which with `clean` add up to `error`. */
export interface Decomposition {
  readonly learner: string;
  readonly error: Estimate;
  readonly clean: Estimate;
  readonly causes: { readonly [cause in Cause]?: Estimate };
}

/** How a learner's error went, with the ends of its 95 % interval. */
export interface CurveBand extends Curve {
  readonly learner: string;
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

export interface TaskSummary {
  readonly task: string;
  readonly kind: string;
  readonly measure: "error" | "rmse";
  /** Least error first. */
  readonly learners: readonly LearnerSummary[];
  readonly trivial: { readonly majority: Estimate | null; readonly last: Estimate | null };
  /** The least error less that of each trivial predictor, on the same seeds. */
  readonly overTrivial: { readonly majority: Difference | null; readonly last: Difference | null };
  readonly effects: readonly Effect[];
  readonly decomposition: readonly Decomposition[];
  readonly curves: readonly CurveBand[];
  readonly points: readonly {
    readonly point: number;
    readonly errors: readonly (Estimate | null)[];
  }[];
  readonly nodes: WorstNodes;
}

/** Learners by their ranks in every block of every task that has all of them: a point or, where those are few, a seed. */
export interface LearnerRanking extends Ranking {
  readonly learners: readonly string[];
  readonly over: "points" | "seeds";
}

export interface SweepSummary {
  readonly tasks: readonly TaskSummary[];
  readonly ranking: LearnerRanking | null;
}

/** Blocks that a ranking takes at least. */
const BLOCKS_MIN = 3;
/** Parts that a key's range is cut into, and values that a listed key shows at most. */
const PARTS = 4;

/** What each measure can be. */
const RANGES: { readonly [measure in TaskSummary["measure"]]: Range } = { error: SHARE, rmse: NOT_NEGATIVE };
type Measure = keyof typeof RANGES;

/** What a run came to: the mean of its nodes' figure; NaN where none has it. */
function figureOf({ nodes }: NetworkRows, column: string): number {
  const values = nodes.flatMap((node: NodeRow) => {
    const value = node[column];
    return typeof value === "number" ? [value] : [];
  });
  return meanOf(values);
}

/** What a learner's runs came to, without a set of causes: a number each for a point, a seed and a figure. */
class Figures {
  private readonly values: number[] = [];

  constructor(
    private readonly seeds: number,
    private readonly figures: number,
  ) {}

  private place(point: number, seed: number, figure: number): number {
    return (point * this.seeds + seed) * this.figures + figure;
  }

  set(point: number, seed: number, figures: readonly number[]): void {
    const from = this.place(point, seed, 0);
    while (this.values.length < from + figures.length) this.values.push(Number.NaN);
    for (const [i, value] of figures.entries()) this.values[from + i] = value;
  }

  at(point: number, seed: number, figure: number): number {
    return this.values[this.place(point, seed, figure)] ?? Number.NaN;
  }
}

/** What is kept of a learner's runs. */
interface LearnerRuns {
  /** By the names of the causes that were taken away. */
  readonly without: Map<string, Figures>;
  readonly nodes: NodeSums;
  /** By seed, over its points. */
  readonly curves: (CurveMean | undefined)[];
}

/** The runs of a task, as they come: their figures are kept, not their rows. */
class TaskRuns {
  readonly measure: Measure;
  private readonly of = new Map<string, LearnerRuns>();
  private readonly at = new Map<number, { readonly place: number; readonly point: Point }>();
  private readonly seedAt: ReadonlyMap<number, number>;
  private readonly columns: readonly string[];

  constructor(
    readonly task: string,
    readonly kind: SweepRun["kind"],
    private readonly seeds: readonly number[],
  ) {
    this.measure = kind === "regression" ? "rmse" : "error";
    const compared = ["ideal", "majority", "last"].map((name) => `${name}.${this.measure}`);
    this.columns = [this.measure, "instructions", "bytes", ...compared];
    this.seedAt = new Map(seeds.map((seed, i) => [seed, i]));
  }

  add({ run: { learner, point, seed, without }, rows }: Done): void {
    const own = this.of.get(learner) ?? { without: new Map(), nodes: new NodeSums(), curves: [] };
    this.of.set(learner, own);
    const { place } = this.at.get(point.index) ?? { place: this.at.size };
    this.at.set(point.index, { place, point });
    const causes = without.join("+");
    const figures = own.without.get(causes) ?? new Figures(this.seeds.length, this.columns.length);
    own.without.set(causes, figures);
    const seedAt = this.seedAt.get(seed) as number;
    figures.set(
      place,
      seedAt,
      this.columns.map((column) => figureOf(rows, column)),
    );
    if (causes !== "") return;
    own.nodes.add(seedAt, rows, this.measure);
    if (rows.error.at.length === 0) return;
    own.curves[seedAt] ??= new CurveMean();
    own.curves[seedAt].add(rows.error);
  }

  get learners(): string[] {
    return [...this.of.keys()];
  }

  /** The indices of the points. */
  get points(): number[] {
    return [...this.at.keys()];
  }

  pointOf(index: number): Point {
    return (this.at.get(index) as { point: Point }).point;
  }

  nodesOf(learner: string): NodeSums {
    return (this.of.get(learner) as LearnerRuns).nodes;
  }

  /** A learner's curves, for each seed that has one: the mean over its points. */
  curvesOf(learner: string): Curve[] {
    return (this.of.get(learner) as LearnerRuns).curves.flatMap((curves) => curves?.mean ?? []);
  }

  /** The mean of a run's nodes; NaN where none has the figure, or the run is missing. */
  figure(
    learner: string,
    point: number,
    seed: number,
    column: string,
    without: readonly Cause[] = [],
  ): number {
    const figures = this.of.get(learner)?.without.get(without.join("+"));
    const place = this.at.get(point)?.place;
    if (!figures || place === undefined) return Number.NaN;
    return figures.at(place, this.seedAt.get(seed) as number, this.columns.indexOf(column));
  }

  /** A figure of the learner, seed by seed: its mean over the points that have it; NaN where none has. */
  perSeed(learner: string, column: string, points: readonly number[] = this.points): number[] {
    return this.seeds.map((seed) => {
      const values = points.map((point) => this.figure(learner, point, seed, column));
      return meanOf(values.filter((value) => !Number.isNaN(value)));
    });
  }
}

/** Of the values that are there; null where none is. */
function estimateOfKnown(values: readonly number[], range = ANY): Estimate | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : estimateOf(known, range);
}

function differenceOfKnown(a: readonly number[], b: readonly number[], range: Range): Difference | null {
  const known = [...a.keys()].filter((i) => !Number.isNaN(a[i]) && !Number.isNaN(b[i]));
  if (known.length === 0) return null;
  return differenceOf(
    known.map((i) => a[i]),
    known.map((i) => b[i]),
    range,
  );
}

/** The learners of a task, least error first. */
function learnersOf(runs: TaskRuns, measure: Measure): LearnerSummary[] {
  const range = RANGES[measure];
  const known = runs.learners.flatMap((learner) => {
    const perSeed = runs.perSeed(learner, measure);
    const error = estimateOfKnown(perSeed, range);
    if (!error) return [];
    const instructions = estimateOfKnown(runs.perSeed(learner, "instructions"))?.mean ?? null;
    const bytes = estimateOfKnown(runs.perSeed(learner, "bytes"))?.mean ?? 0;
    const ideal = estimateOfKnown(runs.perSeed(learner, `ideal.${measure}`), range);
    return [{ learner, perSeed, error, bytes, instructions, ideal }];
  });
  const ordered = known.sort((a, b) => a.error.mean - b.error.mean);
  const front = paretoPlaces(
    ordered.map(({ bytes, instructions, error }) => [
      bytes,
      instructions ?? Number.POSITIVE_INFINITY,
      error.mean,
    ]),
  );
  return ordered.map(({ perSeed, ...each }, place) => ({
    ...each,
    behind: place === 0 ? null : differenceOfKnown(perSeed, ordered[0].perSeed, range),
    pareto: front.includes(place),
  }));
}

/** The places of an axis's values, or of the parts of its range: the points that each has. */
function groupsOf(
  axis: Axis,
  at: (point: number) => unknown,
  points: readonly number[],
): [unknown, number[]][] {
  if ("values" in axis) {
    const shown = (value: unknown) => JSON.stringify(value);
    return axis.values.map((value) => [value, points.filter((point) => shown(at(point)) === shown(value))]);
  }
  const ordered = [...points].sort((a, b) => (at(a) as number) - (at(b) as number));
  return Array.from({ length: PARTS }, (_, i): [unknown, number[]] => {
    const part = ordered.slice((i * ordered.length) / PARTS, ((i + 1) * ordered.length) / PARTS);
    return [part.length > 0 ? `${at(part[0])}..${at(part[part.length - 1])}` : "", part];
  }).filter(([, part]) => part.length > 0);
}

function effectsOf(
  runs: TaskRuns,
  axes: readonly Axis[],
  at: (point: number, axis: number) => unknown,
  learners: readonly string[],
  measure: Measure,
): Effect[] {
  return axes.map((axis, i) => ({
    key: axis.key,
    values: groupsOf(axis, (point) => at(point, i), runs.points).map(([value, points]) => ({
      value,
      errors: learners.map((learner) =>
        estimateOfKnown(runs.perSeed(learner, measure, points), RANGES[measure]),
      ),
    })),
  }));
}

/** What each cause costs at a point on a seed, with what remains without any; undefined where a run is missing. */
function costsAt(
  runs: TaskRuns,
  learner: string,
  point: number,
  seed: number,
  measure: Measure,
):
  | { readonly clean: number; readonly error: number; readonly causes: Partial<Record<Cause, number>> }
  | undefined {
  const { scenario } = runs.pointOf(point);
  const causes = causesOf(scenario.tasks.find(({ name }) => name === runs.task)?.labels ?? scenario.labels);
  const costs = Array.from({ length: 1 << causes.length }, (_, there) => {
    const without = causes.filter((_, i) => !((there >> i) & 1));
    return runs.figure(learner, point, seed, measure, without);
  });
  if (costs.some(Number.isNaN)) return undefined;
  const shares = sharesOf(causes.length, costs);
  return {
    clean: costs[0],
    error: costs[costs.length - 1],
    causes: Object.fromEntries(causes.map((cause, i) => [cause, shares[i]])),
  };
}

function decompositionOf(
  runs: TaskRuns,
  seeds: readonly number[],
  learner: string,
  measure: Measure,
): Decomposition | undefined {
  const perSeed = seeds
    .map((seed) => runs.points.flatMap((point) => costsAt(runs, learner, point, seed, measure) ?? []))
    .filter((costs) => costs.length === runs.points.length);
  if (perSeed.length === 0) return undefined;
  const range = RANGES[measure];
  const perSeedOf = (value: (costs: (typeof perSeed)[number][number]) => number) =>
    perSeed.map((costs) => meanOf(costs.map(value)));
  const costOf = (cause: Cause) =>
    difference(
      perSeedOf(({ causes }) => causes[cause] ?? 0),
      differenceRange(range),
    );
  const there = CAUSES.filter((cause) =>
    perSeed.some((costs) => costs.some(({ causes }) => cause in causes)),
  );
  return {
    learner,
    error: estimateOf(
      perSeedOf(({ error }) => error),
      range,
    ),
    clean: estimateOf(
      perSeedOf(({ clean }) => clean),
      range,
    ),
    causes: Object.fromEntries(there.map((cause) => [cause, costOf(cause)])),
  };
}

/** A learner's curves: the mean over the points for each seed, then over the seeds. */
function bandOf(runs: TaskRuns, learner: string, range: Range): CurveBand | undefined {
  const perSeed = runs.curvesOf(learner);
  if (perSeed.length === 0) return undefined;
  const { at } = meanCurve(perSeed);
  const values = perSeed.map((curve) => new Map(curve.at.map((x, i) => [x, curve.value[i]])));
  const estimates = at.map((x) =>
    estimateOf(
      values.map((each) => each.get(x) as number),
      range,
    ),
  );
  return {
    learner,
    at,
    value: estimates.map(({ mean }) => mean),
    low: estimates.map(({ low }) => low),
    high: estimates.map(({ high }) => high),
  };
}

function defined<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}

function taskSummary(plan: SweepPlan, runs: TaskRuns): TaskSummary {
  const { seeds, axes, decompose } = plan;
  const { measure } = runs;
  const range = RANGES[measure];
  const learners = learnersOf(runs, measure);
  const names = learners.map(({ learner }) => learner);
  const at = (point: number, axis: number) => runs.pointOf(point).values[axis];
  const trivialPerSeed = (name: string) =>
    names.length === 0 ? [] : runs.perSeed(names[0], `${name}.${measure}`);
  const trivial = (name: string) => estimateOfKnown(trivialPerSeed(name), range);
  const over = (name: string) =>
    names.length === 0
      ? null
      : differenceOfKnown(runs.perSeed(names[0], measure), trivialPerSeed(name), range);
  return {
    task: runs.task,
    kind: runs.kind,
    measure,
    learners,
    trivial: { majority: trivial("majority"), last: trivial("last") },
    overTrivial: { majority: over("majority"), last: over("last") },
    effects: effectsOf(runs, axes, at, names, measure),
    decomposition: decompose
      ? defined(names.map((learner) => decompositionOf(runs, seeds, learner, measure)))
      : [],
    curves: defined(names.map((learner) => bandOf(runs, learner, range))),
    points: runs.points.map((point) => ({
      point,
      errors: names.map((learner) => estimateOfKnown(runs.perSeed(learner, measure, [point]), range)),
    })),
    nodes: worstNodes(
      names.map((learner) => runs.nodesOf(learner)),
      range,
    ),
  };
}

/** A task's errors in each block, in the order of `all`; NaN where a learner has none. */
type Blocks = (all: readonly string[]) => number[][];

/** Blocks of a task: its points, and its seeds. */
interface TaskBlocks {
  readonly learners: readonly string[];
  readonly points: Blocks;
  readonly seeds: Blocks;
}

function blocksOf({ learners, points }: TaskSummary, runs: TaskRuns, measure: Measure): TaskBlocks {
  const names = learners.map(({ learner }) => learner);
  return {
    learners: names,
    points: (all) =>
      points.map(({ errors }) => all.map((name) => errors[names.indexOf(name)]?.mean ?? Number.NaN)),
    seeds: (all) => {
      const columns = all.map((name) => runs.perSeed(name, measure));
      return (columns[0] ?? []).map((_, seed) => columns.map((column) => column[seed]));
    },
  };
}

/** The learners ranked in the blocks that have all of them; null where there are too few of either. */
function rankedOf(tasks: readonly TaskBlocks[]): LearnerRanking | null {
  const all = [...new Set(tasks.flatMap(({ learners }) => learners))];
  if (all.length < 2) return null;
  for (const over of ["points", "seeds"] as const) {
    const blocks = tasks.flatMap((task) => task[over](all)).filter((block) => !block.some(Number.isNaN));
    if (blocks.length >= BLOCKS_MIN) return { learners: all, over, ...rankingOf(blocks) };
  }
  return null;
}

/** What a sweep's runs come to, task by task. Each run's rows are looked at once, when their turn comes. */
export function summarise(plan: SweepPlan, done: Iterable<Done>): SweepSummary {
  const tasks = new Map<string, TaskRuns>();
  for (const each of done) {
    const { task, kind } = each.run;
    const runs = tasks.get(task) ?? new TaskRuns(task, kind, plan.seeds);
    tasks.set(task, runs);
    runs.add(each);
  }
  const all = [...tasks.values()].map((runs) => {
    const task = taskSummary(plan, runs);
    return { task, blocks: blocksOf(task, runs, task.measure) };
  });
  return { tasks: all.map(({ task }) => task), ranking: rankedOf(all.map(({ blocks }) => blocks)) };
}
