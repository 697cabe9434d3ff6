import { meanCurve } from "../../../host-sim/runs/rows.ts";
import type { Curve } from "../../../host-sim/scoring/result.ts";
import { type Decomposition, decomposeCost } from "./decomposition.ts";
import { type Effect, measureEffects } from "./effects.ts";
import { type WorstNodes, worstNodes } from "./nodes.ts";
import type { SweepPlan } from "./plan.ts";
import { type LearnerRanking, makeBlocks, rankLearners } from "./ranking.ts";
import {
  type Difference,
  differenceOfKnown,
  type Estimate,
  estimateMean,
  estimateOfKnown,
  paretoPlaces,
} from "./statistics.ts";
import { type Measure, type StoredRun, TaskRuns } from "./task-runs.ts";

/** A learner's summary in a task, over all points. The seeds are independent. */
export interface LearnerSummary {
  readonly learner: string;
  readonly error: Estimate;
  /**
   * Its error less the task's least error, on the same seeds; null for the learner with the least error. The intervals hold for all pairs of
   * learners at once: so they count that these seeds chose the least.
   */
  readonly behind: Difference | null;
  /** Means of the learner's range and of a prediction and its label on an ESP32-C3; null where it wasn't measured. */
  readonly bytes: number;
  readonly instructions: number | null;
  /** True if it lies on the task's Pareto front of bytes, instructions and error. */
  readonly pareto: boolean;
  /** The same learner with every label, right and at once. */
  readonly ideal: Estimate | null;
}

/** The curve of a learner's error, with the ends of its 95 % interval. */
interface CurveBand extends Curve {
  readonly learner: string;
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

export interface TaskSummary {
  readonly task: string;
  readonly kind: string;
  readonly measure: Measure;
  /** True if all seeds give the same runs: then the figures are of the first, and there are no intervals. */
  readonly repeated: boolean;
  /** Least error first. */
  readonly learners: readonly LearnerSummary[];
  readonly trivial: { readonly majority: Estimate | null; readonly last: Estimate | null };
  /** The least error less that of each trivial predictor, on the same seeds; the intervals hold for all learners at once. */
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

export interface SweepSummary {
  readonly tasks: readonly TaskSummary[];
  readonly ranking: LearnerRanking | null;
}

/** The learners of a task, least error first. */
function summariseLearners(runs: TaskRuns): LearnerSummary[] {
  const { measure, range } = runs;
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
  const pairs = (ordered.length * (ordered.length - 1)) / 2;
  return ordered.map(({ perSeed, ...each }, place) => ({
    ...each,
    behind: place === 0 ? null : differenceOfKnown(perSeed, ordered[0].perSeed, range, pairs),
    pareto: front.includes(place),
  }));
}

/** A learner's curves: the mean over the points for each seed, then over the seeds. */
function curveBand(runs: TaskRuns, learner: string): CurveBand | undefined {
  const perSeed = runs.learnerCurves(learner);
  if (perSeed.length === 0) return undefined;
  const { at } = meanCurve(perSeed);
  const values = perSeed.map((curve) => new Map(curve.at.map((x, i) => [x, curve.value[i]])));
  const estimates = at.map((x) =>
    estimateMean(
      values.map((each) => each.get(x) as number),
      runs.range,
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

function taskSummary(plan: SweepPlan, runs: TaskRuns): TaskSummary {
  const { axes, decompose } = plan;
  const { measure, seeds, range } = runs;
  const learners = summariseLearners(runs);
  const names = learners.map(({ learner }) => learner);
  const trivialPerSeed = (name: string) =>
    names.length === 0 ? [] : runs.perSeed(names[0], `${name}.${measure}`);
  const trivial = (name: string) => estimateOfKnown(trivialPerSeed(name), range);
  const over = (name: string) =>
    names.length === 0
      ? null
      : differenceOfKnown(runs.perSeed(names[0], measure), trivialPerSeed(name), range, names.length);
  return {
    task: runs.task,
    kind: runs.kind,
    measure,
    repeated: runs.areRepeated,
    learners,
    trivial: { majority: trivial("majority"), last: trivial("last") },
    overTrivial: { majority: over("majority"), last: over("last") },
    effects: measureEffects(runs, axes, names),
    decomposition: decompose ? names.flatMap((learner) => decomposeCost(runs, learner) ?? []) : [],
    curves: names.flatMap((learner) => curveBand(runs, learner) ?? []),
    points: runs.points.map((point) => ({
      point,
      errors: names.map((learner) => runs.estimate(learner, [point])),
    })),
    nodes: worstNodes(
      names.map((learner) => runs.learnerNodes(learner)),
      range,
      seeds.length,
    ),
  };
}

/** Summarises a sweep's runs task by task. It reads each run's rows once, in turn. */
export function summarise(plan: SweepPlan, done: Iterable<StoredRun>): SweepSummary {
  const tasks = new Map<string, TaskRuns>();
  for (const each of done) {
    const { task, kind } = each.run;
    const runs = tasks.get(task) ?? new TaskRuns(task, kind, plan.seeds);
    tasks.set(task, runs);
    runs.add(each);
  }
  const all = [...tasks.values()].map((runs) => {
    const task = taskSummary(plan, runs);
    return {
      task,
      blocks: makeBlocks(
        task.learners.map(({ learner }) => learner),
        task.points,
        runs,
      ),
    };
  });
  return { tasks: all.map(({ task }) => task), ranking: rankLearners(all.map(({ blocks }) => blocks)) };
}
