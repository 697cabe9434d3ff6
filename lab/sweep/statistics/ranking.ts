import { type Estimate, type Ranking, rankBlocks } from "./statistics.ts";
import type { TaskRuns } from "./task-runs.ts";

/** Learners by their ranks in every block of every task that has all of them: a point or, where those are few, a seed. */
export interface LearnerRanking extends Ranking {
  readonly learners: readonly string[];
  readonly over: "points" | "seeds";
}

/** Blocks that a ranking takes at least. */
const BLOCKS_MIN = 3;

/** A task's errors in each block, in the order of `all`; NaN where a learner has none. */
type Blocks = (all: readonly string[]) => number[][];

/** Blocks of a task: its points, and its seeds. */
interface TaskBlocks {
  readonly learners: readonly string[];
  readonly points: Blocks;
  readonly seeds: Blocks;
}

/** The blocks of a task. @param names its learners @param points errors of these learners, in their order, point by point */
export function makeBlocks(
  names: readonly string[],
  points: readonly { readonly errors: readonly (Estimate | null)[] }[],
  runs: TaskRuns,
): TaskBlocks {
  return {
    learners: names,
    points: (all) =>
      points.map(({ errors }) => all.map((name) => errors[names.indexOf(name)]?.mean ?? Number.NaN)),
    seeds: (all) => {
      const columns = all.map((name) => runs.perSeed(name, runs.measure));
      return (columns[0] ?? []).map((_, seed) => columns.map((column) => column[seed]));
    },
  };
}

/** The learners ranked in the blocks that have all of them; null where there are too few of either. */
export function rankLearners(tasks: readonly TaskBlocks[]): LearnerRanking | null {
  const all = [...new Set(tasks.flatMap(({ learners }) => learners))];
  if (all.length < 2) return null;
  for (const over of ["points", "seeds"] as const) {
    const blocks = tasks.flatMap((task) => task[over](all)).filter((block) => !block.some(Number.isNaN));
    if (blocks.length >= BLOCKS_MIN) return { learners: all, over, ...rankBlocks(blocks) };
  }
  return null;
}
