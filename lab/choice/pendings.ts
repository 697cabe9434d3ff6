import { leastPending } from "../../host-sim/labels/late-labels.ts";
import type { LabelPath } from "../../host-sim/prequential/labelled-run.ts";
import { delayWithin } from "../../host-sim/scenario/pending.ts";
import { NODE_OPTIONS } from "../../src/node/node-options.ts";

/** The standard deviations above the mean delay below which 99, 90 and 75 % of the labels come. */
const DEVIATIONS = [2.3263, 1.2816, 0.6745];

/**
 * How many samples may wait for their label, most first. A node has the first number for which its board has room: the path's own, then what
 * holds 99 % of the labels without room to spare, then fewer, which lose labels. `--pending` is the only one.
 */
export function pendingsFor(path: LabelPath | undefined, fixed: number | undefined): number[] {
  if (!path) return [NODE_OPTIONS.pending.default];
  if (fixed !== undefined) return [fixed];
  const { labels, horizon } = path;
  const tight = DEVIATIONS.map((deviations) => leastPending(delayWithin(labels, deviations, horizon)));
  const fewer = tight.filter((pending) => pending < path.pending);
  return [...new Set([path.pending, ...fewer])];
}
