import type { DataSet } from "../../host/streams/table.ts";
import { classRule, findClasses } from "../../host/streams/targets.ts";
import type { ChoiceTask } from "./candidates.ts";

/** The shortest prefix on which candidates are compared. */
const ROWS_LEAST = 500;
/** How many times longer each prefix is than the one before. */
const GROWTH = 4;
/** A class with at least this share of the samples must be in a prefix... */
const SHARE_LEAST = 0.05;
/** ...with at least this fraction of its share. */
const PART_LEAST = 0.25;

/** Samples of each class among the first `rows` of the order. */
function countClasses(data: DataSet, order: Uint32Array, rows: number): Float64Array {
  const known = findClasses(data).forTask("multiclass");
  const toClass = classRule(data, known);
  const counts = new Float64Array(known.count);
  for (const row of order.subarray(0, rows)) {
    const label = toClass(data.labels[row]);
    if (!Number.isNaN(label)) counts[label]++;
  }
  return counts;
}

/** How many of the first `rows` of the order have a label. */
function labelledIn({ labels }: DataSet, order: Uint32Array, rows: number): number {
  return order.subarray(0, rows).reduce((sum, row) => sum + (Number.isNaN(labels[row]) ? 0 : 1), 0);
}

/** True if a prefix has every class of some size: not in a file sorted by class, or before an event. */
function isLikeAll(all: Float64Array, early: Float64Array, rows: number, count: number): boolean {
  return all.every((each, c) => {
    const share = each / count;
    return share < SHARE_LEAST || early[c] >= PART_LEAST * share * rows;
  });
}

/**
 * The prefixes of a search: all samples, and before that a quarter, a quarter of that, while 500 labels come within them, so many samples
 * late, and they have all classes.
 */
export function choosePrefixes(data: DataSet, task: ChoiceTask, order: Uint32Array, delay = 0): number[] {
  const prefixes = [data.count];
  const all = task === "regression" ? undefined : countClasses(data, order, data.count);
  const labelled = labelledIn(data, order, data.count);
  for (let rows = Math.floor(data.count / GROWTH); rows >= ROWS_LEAST; rows = Math.floor(rows / GROWTH)) {
    const labels = labelledIn(data, order, rows);
    if (labelledIn(data, order, Math.max(0, rows - Math.ceil(delay))) < ROWS_LEAST) continue;
    const early = all && countClasses(data, order, rows);
    if (!all || !early || isLikeAll(all, early, labels, labelled)) prefixes.unshift(rows);
  }
  return prefixes;
}
