import type { Family } from "../learn/family.ts";
import { noteWords, TASK } from "../learn/learner.ts";
import { ANY, Layout, type Region } from "../memory/layout.ts";
import { featureDimension, featureRegions } from "../signal/features.ts";
import { DriftAlarms } from "./drift-alarms.ts";
import { FleetModel } from "./fleet-model.ts";
import { LabelRequests } from "./label-requests.ts";
import { LEDGER_WORDS } from "./ledger.ts";
import { Lesson } from "./lesson.ts";
import { NODE_COUNTERS } from "./node-counters.ts";
import { learnerOptions, type NodeOptions, resolveNode, SAMPLES } from "./node-options.ts";
import { PendingRing } from "./pending.ts";
import { PredictionIntervals } from "./prediction-intervals.ts";
import { PredictionSets } from "./prediction-sets.ts";
import { ReorderBuffer } from "./reorder-buffer.ts";

function coverageRegions(
  { task }: Family,
  { coverage, coverageBy, pending }: ReturnType<typeof resolveNode>,
): Region[] {
  if (coverage === 0) return [];
  return task === TASK.regression
    ? PredictionIntervals.regions(pending)
    : PredictionSets.regions(pending, coverageBy !== SAMPLES);
}

/** A node's memory, to the byte: its learner, features, pending ring, cursors and counters. */
export function nodeLayout(options: NodeOptions): Layout {
  const resolved = resolveNode(options);
  const { channels, pending, labelWindow, labelBudget, drift, fleetBudget } = resolved;
  const dimension = featureDimension(channels, options.features);
  const learner = options.learner.layout(learnerOptions(options));
  return new Layout([
    { name: "cursors", kind: "state", words: 4, holds: [ANY] },
    ...featureRegions(channels, options.features),
    ...PendingRing.regions(pending, dimension, noteWords(learner)),
    ...ReorderBuffer.regions(labelWindow),
    ...(labelBudget > 0 ? LabelRequests.regions() : []),
    ...coverageRegions(options.learner, resolved),
    ...(drift === "none" ? [] : DriftAlarms.regions()),
    ...(fleetBudget < 0 ? [] : [...FleetModel.regions(dimension, fleetBudget), ...Lesson.regions(dimension)]),
    ...learner.parts("learner"),
    { name: "node.counters", kind: "counters", words: NODE_COUNTERS.length },
    { name: "vector", kind: "scratch", words: dimension },
    { name: "ledger", kind: "scratch", words: LEDGER_WORDS },
  ]);
}
