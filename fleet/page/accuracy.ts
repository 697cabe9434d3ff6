import type { GridLine } from "./grid.ts";
import type { PlacedLabel } from "./trace.ts";

/** Labels over which the curve of accuracy runs. */
export const RECENT_LABELS = 100;
const LABELS_LEAST = 10;

/** True if a node had predicted a label before it learned it; undefined: unknown. */
export function agrees({ decision, y }: PlacedLabel, task: string | undefined): boolean | undefined {
  if (decision === null || task === "regression") return undefined;
  return task === "multiclass" ? decision === y : decision < 0 === y < 0;
}

/** The share of the last labels that the node had predicted, in per cent, at each label's sample. `times`: of the grid. */
export function accuracyLine(
  labels: readonly PlacedLabel[],
  times: readonly number[],
  task: string | undefined,
): GridLine {
  const line: GridLine = new Array(times.length).fill(undefined);
  const step = times[1] - times[0];
  const window: number[] = [];
  let right = 0;
  for (const label of [...labels].sort((a, b) => a.sampled - b.sampled)) {
    const one = agrees(label, task);
    if (one === undefined) continue;
    window.push(Number(one));
    right += Number(one);
    if (window.length > RECENT_LABELS) right -= window.shift() as number;
    const at = Math.floor((label.sampled - times[0]) / step);
    if (window.length >= LABELS_LEAST && at >= 0 && at < line.length)
      line[at] = (100 * right) / window.length;
  }
  return line;
}
