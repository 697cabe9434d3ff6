import { classes } from "../../host-sim/streams/classes.ts";
import type { DataSet } from "../../host-sim/streams/table.ts";
import { labelsOf } from "../evaluation/targets.ts";
import type { ChoiceTask } from "./candidates.ts";

/** The shortest prefix on which candidates are compared. */
const ROWS_LEAST = 500;
/** How many times longer each prefix is than the one before. */
const GROWTH = 4;
/** A class with at least this share of the samples must be in a prefix... */
const SHARE_LEAST = 0.05;
/** ...with at least this fraction of its share. */
const PART_LEAST = 0.25;

/** Whether a prefix has every class of some size: not in a file sorted by class, or before an event. */
function isLikeAll(data: DataSet, order: Uint32Array, rows: number): boolean {
  const known = classes(labelsOf(data));
  const labels = labelsOf(data).map((label) => known.indexOf(label));
  const all = new Float64Array(known.count);
  const early = new Float64Array(known.count);
  order.forEach((row, place) => {
    all[labels[row]]++;
    if (place < rows) early[labels[row]]++;
  });
  return all.every((count, c) => {
    const share = count / data.count;
    return share < SHARE_LEAST || early[c] >= PART_LEAST * share * rows;
  });
}

/** The prefixes of a search: all samples, and before that a quarter, a quarter of that, while they have 500 samples and all classes. */
export function prefixesOf(data: DataSet, task: ChoiceTask, order: Uint32Array): number[] {
  const prefixes = [data.count];
  for (let rows = Math.floor(data.count / GROWTH); rows >= ROWS_LEAST; rows = Math.floor(rows / GROWTH)) {
    if (task === "regression" || isLikeAll(data, order, rows)) prefixes.unshift(rows);
  }
  return prefixes;
}
