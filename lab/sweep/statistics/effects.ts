import type { Axis } from "./axes.ts";
import type { Estimate } from "./statistics.ts";
import type { TaskRuns } from "./task-runs.ts";

/** Mean errors where a key has a value, or lies in a range of them. */
export interface Effect {
  readonly key: string;
  readonly values: readonly {
    readonly value: unknown;
    /** In the order of the task's learners. */
    readonly errors: readonly (Estimate | null)[];
  }[];
}

/** Parts that a key's range is cut into, and values that a listed key shows at most. */
const PARTS = 4;

/** The places of an axis's values, or of the parts of its range: the points that each has. */
function groupPoints(
  axis: Axis,
  at: (point: number) => unknown,
  points: readonly number[],
): [unknown, number[]][] {
  if ("values" in axis) {
    const valueText = (value: unknown) => JSON.stringify(value);
    return axis.values.map((value) => [
      value,
      points.filter((point) => valueText(at(point)) === valueText(value)),
    ]);
  }
  const ordered = [...points].sort((a, b) => (at(a) as number) - (at(b) as number));
  return Array.from({ length: PARTS }, (_, i): [unknown, number[]] => {
    const part = ordered.slice((i * ordered.length) / PARTS, ((i + 1) * ordered.length) / PARTS);
    const [low, high] = [part.at(0) ?? 0, part.at(-1) ?? 0].map(at);
    return [low === high ? low : `${low}..${high}`, part];
  }).filter(([, part]) => part.length > 0);
}

export function measureEffects(runs: TaskRuns, axes: readonly Axis[], learners: readonly string[]): Effect[] {
  return axes.map((axis, i) => ({
    key: axis.key,
    values: groupPoints(axis, (point) => runs.findPoint(point).values[i], runs.points).map(
      ([value, points]) => ({ value, errors: learners.map((learner) => runs.estimate(learner, points)) }),
    ),
  }));
}
