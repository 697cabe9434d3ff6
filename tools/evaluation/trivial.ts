import type { Task } from "../../src/learn/learner.ts";
import { Score } from "./score.ts";

/** The best constant prediction in hindsight: the majority class (the least on ties), or the mean. */
export function bestConstant(task: Task, targets: Float64Array): number {
  if (task === "regression") return targets.reduce((sum, target) => sum + target / targets.length, 0);
  const counts = new Map<number, number>();
  for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a - b)[0][0];
}

/** Error, or mean squared error, of predicting `constant` for all targets. */
export function constantError(task: Task, classes: number, targets: Float64Array, constant: number): number {
  const score = new Score(task, classes);
  for (const target of targets) score.add(constant, target);
  return figure(score);
}

/** Error, or mean squared error, of repeating the last label in this order; the first sample, which has none, doesn't count. */
export function lastLabelError(
  task: Task,
  classes: number,
  targets: Float64Array,
  order: Uint32Array,
): number {
  const score = new Score(task, classes);
  for (let t = 1; t < order.length; t++) score.add(targets[order[t - 1]], targets[order[t]]);
  return figure(score);
}

/** 0 where nothing was scored. */
function figure(score: Score): number {
  const { error, mse } = score.scored();
  return error ?? mse ?? 0;
}
