import type { Family, UserOptions } from "../learn/family.ts";
import { TASK } from "../learn/learner.ts";
import { choice, type ResolvedOptions, real, resolveOptions, whole } from "../learn/options.ts";
import { asksForRanges } from "../learn/storage.ts";
import { frozen } from "../memory/frozen.ts";
import { OptionError } from "../memory/option-error.ts";
import { type FeaturesOption, featureDimension, featureRanges, resolveFeatures } from "../signal/features.ts";
import { checkClasses } from "./classes.ts";
import { type GivenFlips, resolveFlips } from "./prediction-sets.ts";
import { checkLabelRange, checkRanges, type Range, type Ranges } from "./ranges.ts";

/** Coverage is a share of samples, or of those of each class; no literals, see `COUNT` of the learners. */
export const SAMPLES = "samples";
/** Of a learner that stores vectors of 16 bits. */
const Q15 = "q15";

/** Options of a node. */
export interface NodeOptions {
  /** Session: labels name it. A whole number >= 1 and <= 4294967295. Required. */
  readonly sid: number;
  /** Readings in a sample; with `features.burst` those of a burst of each sensor. A whole number >= 1 and <= 4096. Required. */
  readonly channels: number;
  /** Predicted samples that may wait for a label at once. A whole number >= 1 and <= 65535. Default 64. */
  readonly pending?: number;
  /** Labels that the node holds back while an earlier one is missing. A whole number >= 1 and <= 1024. Default 16. */
  readonly labelWindow?: number;
  /** Labels between two checkpoints; 0: only when asked. A whole number >= 0 and <= 4294967295. Default 0. */
  readonly checkpointEvery?: number;
  /** The possible values of each reading, one range a channel. The node refuses and counts a sample with a reading outside. Default: any. */
  readonly ranges?: Ranges;
  /** The possible values of a regression's label. The node refuses one outside as `range` and counts it. Default: any. */
  readonly labelRange?: Range;
  /** The share of samples whose labels the node asks for, see `LabelRequests`; 0: none, as of a regression. A number >= 0 and < 1. Default 0. */
  readonly labelBudget?: number;
  /** The share of samples whose prediction set holds the true class, see `PredictionSets`, or of a regression the interval the true value, see `PredictionIntervals`; 0: none, as of several classes and novelties. A number >= 0 and < 1. Default 0. */
  readonly coverage?: number;
  /** What that share is of, with two classes. samples: of all samples together; classes: of the samples of each class by itself, which takes four words more. One of samples, classes. Default "samples". */
  readonly coverageBy?: "samples" | "classes";
  /** Flip rates of labels, for the prediction sets: [P(-1 said | +1), P(+1 said | -1)], or a list of such pairs for labels of source 0, 1, ... Default: the learner's `sources`, else [0, 0]. */
  readonly labelFlips?: GivenFlips;
  /** What the node does about drift, see `DriftAlarms`. none: nothing; watch: it reports alarms; restart: an alarm from labels also restarts the learner's confidence. Not for a regression. One of none, watch, restart. Default "none". */
  readonly drift?: "none" | "watch" | "restart";
  /** The share of a regression's labels that are far off, for those intervals. A number >= 0 and < 0.9. Default 0. */
  readonly grossLabels?: number;
  /** Vectors of the largest model that the fleet may install, see `FleetModel`: 0: a plane; -1: it takes none. Two classes only. A whole number >= -1 and <= 4096. Default -1. */
  readonly fleetBudget?: number;
  /** The features that the node computes from the readings. Default: the readings themselves. */
  readonly features?: FeaturesOption;
  /** The names of its classes: two, for the labels -1 and +1, or K > 2 for 0 to K-1, from which the learner's option `classes` follows. Not for a regression. Default: none. */
  readonly classes?: readonly string[];
  /** The learner's family: one of `FAMILIES`, `oneVsAllFamily(...)`, or one of `defineLearner()`. */
  readonly learner: Family;
  /** The learner's options, without `dimension`: that follows from channels and features. */
  readonly options: UserOptions;
}

export const NODE_OPTIONS = frozen({
  sid: whole({ min: 1, max: 0xffffffff }, "session"),
  channels: whole({ min: 1, max: 4096 }, "readings in a sample"),
  pending: whole({ default: 64, min: 1, max: 65535 }, "samples that may wait for a label"),
  labelWindow: whole({ default: 16, min: 1, max: 1024 }, "labels that may come before their turn"),
  checkpointEvery: whole({ default: 0, min: 0, max: 0xffffffff }, "labels between two checkpoints"),
  labelBudget: real({ default: 0, min: 0, below: 1 }, "share of samples whose labels are asked for"),
  coverage: real(
    { default: 0, min: 0, below: 1 },
    "share of samples whose prediction set or interval holds the truth",
  ),
  coverageBy: choice(["samples", "classes"], "samples", "what `coverage` is a share of, with two classes"),
  drift: choice(["none", "watch", "restart"], "none", "whether drift is watched for, and what an alarm does"),
  grossLabels: real({ default: 0, min: 0, below: 0.9 }, "share of a regression's labels that are far off"),
  fleetBudget: whole(
    { default: -1, min: -1, max: 4096 },
    "vectors of the largest model that the fleet may install; 0: a plane; -1: it takes none",
  ),
});

/** A node's options, checked, with defaults filled in. Throws an OptionError. */
export function resolveNode(options: NodeOptions) {
  const { sid, channels, pending, labelWindow, checkpointEvery, labelBudget } = options;
  const { coverage, coverageBy, drift, grossLabels, fleetBudget, ranges, labelRange, learner } = options;
  checkClasses(options.classes, learner, options.options);
  checkRanges(ranges, channels);
  checkLabelRange(labelRange, learner.name, learner.task);
  const words = { sid, channels, pending, labelWindow, checkpointEvery };
  const given = { ...words, labelBudget, coverage, coverageBy, drift, grossLabels, fleetBudget };
  const resolved = resolveOptions("node", NODE_OPTIONS, given);
  checkForTask(resolved, learner);
  return { ...resolved, labelFlips: resolveFlips(options.labelFlips, options.options.sources) };
}

/** Throws an OptionError for an option that this learner's task doesn't allow. */
export function checkForTask(
  { labelBudget, coverage, coverageBy, drift, fleetBudget }: ResolvedOptions<typeof NODE_OPTIONS>,
  learner: Pick<Family, "name" | "task">,
): void {
  if (labelBudget > 0 && learner.task === TASK.regression)
    throw new OptionError(
      "node",
      "labelBudget",
      labelBudget,
      `0 with ${learner.name}: an estimate has no margin`,
    );
  if (coverage > 0 && learner.task !== TASK.classification && learner.task !== TASK.regression)
    throw new OptionError(
      "node",
      "coverage",
      coverage,
      `0 with ${learner.name}: sets are of the classes -1 and +1, intervals of a regression`,
    );
  if (coverageBy !== SAMPLES && learner.task === TASK.regression)
    throw new OptionError(
      "node",
      "coverageBy",
      coverageBy,
      `"samples" with ${learner.name}: it has no classes`,
    );
  if (drift !== "none" && learner.task === TASK.regression)
    throw new OptionError(
      "node",
      "drift",
      drift,
      `"none" with ${learner.name}: an estimate isn't right or wrong`,
    );
  if (fleetBudget >= 0 && learner.task !== TASK.classification)
    throw new OptionError(
      "node",
      "fleetBudget",
      fleetBudget,
      `-1 with ${learner.name}: a fleet's model decides between the classes -1 and +1`,
    );
}

const NO_NAMES: readonly string[] = frozen([]);

/** The learner's options, completed with their number of named classes, the features' dimension and, for rows of 16 bits, their ranges. */
export function learnerOptions({
  channels,
  features,
  ranges,
  classes = NO_NAMES,
  learner,
  options,
}: NodeOptions): UserOptions {
  const many = classes.length > 2 && { classes: classes.length };
  const given = { ...options, ...many, dimension: featureDimension(channels, features) };
  const known = asksForRanges(learner, options) && featureRanges(ranges, features);
  return known ? { ...given, ranges: known } : given;
}

/**
 * Leaves out `balanced` where it is false, and storage as float32, so that checkpoints from before these options keep their schema. The options are the caller's
 * own: a copy would take slots of each node's start.
 */
function withoutPlain(resolved: Record<string, unknown>, table: Family["options"]): object {
  if (!resolved.balanced) delete resolved.balanced;
  if (table.storage && resolved.storage !== Q15) {
    delete resolved.storage;
    delete resolved.ranges;
  }
  return resolved;
}

/** Every option that determines the meaning of a checkpoint's bytes, with defaults filled in: all but the session and how often it is saved. */
export function resolvedOptions(options: NodeOptions): object {
  const resolved = resolveNode(options);
  const { channels, pending, labelWindow, labelBudget, coverage, coverageBy } = resolved;
  const { drift, grossLabels, fleetBudget } = resolved;
  const labelFlips = resolved.labelFlips.length === 1 ? resolved.labelFlips[0] : resolved.labelFlips;
  const { name, options: table, task } = options.learner;
  const flips = task === TASK.regression ? { grossLabels } : { labelFlips };
  const learner = withoutPlain(resolveOptions(name, table, learnerOptions(options)), table);
  const features = resolveFeatures(options.features);
  return {
    channels,
    pending,
    labelWindow,
    features,
    learner,
    ...(labelBudget > 0 && { labelBudget }),
    ...(coverage > 0 && { coverage, ...flips }),
    ...(coverage > 0 && coverageBy !== SAMPLES && { coverageBy }),
    ...(drift !== "none" && { drift, labelFlips }),
    ...(fleetBudget >= 0 && { fleetBudget }),
  };
}

/** The node's learner as a self-test takes it: its family, and all its options. */
export function nodeLearner(options: NodeOptions): { learner: Family; options: UserOptions } {
  return { learner: options.learner, options: learnerOptions(options) };
}
