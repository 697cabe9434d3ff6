import type { DataSet } from "../../host/streams/table.ts";
import { findClasses } from "../../host/streams/targets.ts";
import type { LabelPath } from "../../host-sim/prequential/labelled-run.ts";
import { NODE_OPTIONS } from "../../src/node/node-options.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Target } from "../../targets/boards.ts";
import type { DataFlags } from "../evaluation/data-options.ts";
import { shuffleSeed } from "../evaluation/data-options.ts";
import type { LabelFlags } from "../evaluation/label-options.ts";
import { type ClassesRead, classesRead, type RowsRead, rowsRead } from "../evaluation/rows-read.ts";
import type { Scale } from "../evaluation/scaling.ts";
import type { SecondLabels } from "../evaluation/second-labels.ts";
import type { Trivial } from "../evaluation/trivial.ts";
import { type Advice, advise } from "./advice.ts";
import type { TrialOutcome } from "./candidate-runner.ts";
import { type ChoiceTask, type LeftOut, Q15 } from "./candidates.ts";
import type { FeaturesTried } from "./feature-search.ts";
import { acrossPasses, type Estimate, estimateDifference, estimateLoss, staysIn } from "./noise.ts";
import type { BoardLimits } from "./on-board.ts";
import { paretoFront } from "./pareto.ts";
import type { KnownRanges } from "./ranges.ts";
import { type Entry, firstOfKinds, type Round, wholeLoss } from "./search.ts";
import type { FileSearch } from "./searcher.ts";
import type { Usable } from "./usable.ts";
import { judgeBest, type LearningCurve, learningCurve, NOISE, type Verdict } from "./verdict.ts";

/** The costs of a learner, beside its loss. */
export const COSTS = ["bytes", "instructions"] as const;
export type Cost = (typeof COSTS)[number];

/** One learner with one budget, and the best options that the search found for it. */
export interface Choice extends Omit<TrialOutcome, "losses" | "learned"> {
  /** The most vectors that it stores; null for a learner without a budget, or with one that an option sizes. */
  readonly budget: number | null;
  /** The loss's standard error, by the noise of the samples. */
  readonly standardError: number | null;
  /** Its loss above the first choice's in the passes of both; null where it has other samples, or one pass and the first choice more. */
  readonly behindBest: (Estimate & { readonly withinNoise: boolean }) | null;
  /** How its node makes features of its readings. */
  readonly features: FeaturesOption;
  /** Samples of its node that may wait for a label. */
  readonly pending: number;
  /** Of the node: learner, waiting samples, features. */
  readonly bytes: number;
  /** Of the node's sample and its label; null where they weren't measured. */
  readonly instructions: number | null;
  /** Sizes beyond the measured ones. */
  readonly beyond: readonly string[];
  /** True if it lies on the Pareto front of loss against each cost. */
  readonly pareto: { readonly [cost in Cost]: boolean };
}

/** Why the search ended before its end. */
export type Cut = "seconds" | "interrupted";

export interface ChoiceSetup {
  readonly flags: DataFlags & LabelFlags;
  /** How labels come; undefined: right and at once. */
  readonly path: LabelPath | undefined;
  readonly plugins: readonly string[];
  readonly task: ChoiceTask;
  /** True if errors on each class count alike. */
  readonly balanced: boolean;
  readonly target: Target | undefined;
  /** The board whose instructions are counted, and its limits. */
  readonly limits: BoardLimits;
  /** Readings of each sensor in a sample of the file. */
  readonly each: number;
  readonly secondLabels?: SecondLabels;
}

/**
 * The output of `motelearn choose --json`. Everything but `timing` repeats for the same data, unless the
 * search was cut (`search.cut`).
 */
export interface ChoiceResult {
  readonly schema: "motelearn.choose/2";
  readonly task: ChoiceTask;
  /** The loss: share of wrong classes; its mean over the classes; or mean squared error. */
  readonly measure: "error" | "balanced" | "mse";
  /** Its samples, the readings of each, and the classes of a classification. */
  readonly train: RowsRead &
    ClassesRead & {
      readonly dimension: number;
      /** Of each sensor in a sample, of a raw recording. */
      readonly readings?: number;
      readonly secondLabels?: SecondLabels;
    };
  readonly scale: Scale;
  /** Seed of the order of the samples; null: the file's. */
  readonly shuffle: number | null;
  /** Passes that --repeat asks for. */
  readonly repeat: number;
  readonly target: Target | null;
  /** The board whose instructions these are. */
  readonly costsOf: Target;
  /** How labels come, where they aren't right and at once. */
  readonly labels?: LabelPath;
  /** Stays in one class, in the file's order; absent for a regression, or samples in another order. */
  readonly stays?: number;
  /** The same losses without a learner. */
  readonly trivial: Trivial;
  readonly search: {
    /** Best first, where features were searched. */
    readonly features?: readonly FeaturesTried[];
    readonly rounds: readonly Round[];
    readonly cut: Cut | null;
  };
  /** The best choice beside the trivial predictors, and how its loss fell; null where it isn't finite. */
  readonly verdict: Verdict | null;
  readonly learning: LearningCurve | null;
  /** Best first; those that were tried on fewer samples come last. */
  readonly choices: readonly Choice[];
  /** The best choice, and those within noise of it that cost much less, each ready to use. */
  readonly advice: readonly (Advice & Usable)[];
  /** Learners that weren't tried, each with the reason. */
  readonly leftOut: readonly LeftOut[];
  /**
   * Learners whose instructions weren't measured: no period leaves them out. NAME/OPTION: with an option that costs more,
   * NAME/q15: with vectors of 16 bits.
   */
  readonly unmeasured: readonly string[];
  /** The ranges of features for learners with vectors of 16 bits; null where none was tried. */
  readonly ranges: KnownRanges | null;
  readonly timing: { readonly seconds: number; readonly cpuSeconds: number; readonly threads: number };
}

function byLoss(a: Entry, b: Entry): number {
  if (a.tried.rows !== b.tried.rows) return b.tried.rows - a.tried.rows;
  if (a.tried.passes !== b.tried.passes) return b.tried.passes - a.tried.passes;
  const [first, second] = [wholeLoss(a), wholeLoss(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.candidate.bytes - b.candidate.bytes;
}

/** Of each kind the best of those that were tried on the most samples, best first. */
export function bestOfKinds(entries: readonly Entry[]): Entry[] {
  return firstOfKinds([...entries].sort(byLoss));
}

function behind({ tried }: Entry, { tried: best }: Entry): Choice["behindBest"] {
  const isFromOne = tried.passes === 1 && best.passes > 1;
  if (tried.rows !== best.rows || isFromOne || !tried.loss || !best.loss) return null;
  const estimate = acrossPasses(tried.losses.map((losses, i) => estimateDifference(losses, best.losses[i])));
  return { ...estimate, withinNoise: estimate.mean <= NOISE * estimate.standardError };
}

function onFront(entries: readonly Entry[], cost: Cost): Set<Entry> {
  const most = entries[0].tried.rows;
  const priced = entries.map(({ candidate: { bytes, board }, tried }) => ({
    cost: cost === "bytes" ? bytes : board.instructions,
    loss: tried.rows === most ? (tried.loss?.mean ?? null) : null,
  }));
  return new Set(paretoFront(priced).map((i) => entries[i]));
}

/** The choices, best first. */
function makeChoices(entries: readonly Entry[]): Choice[] {
  const [inBytes, inInstructions] = COSTS.map((cost) => onFront(entries, cost));
  return entries.map((entry): Choice => {
    const { budget, node, bytes, board } = entry.candidate;
    const { losses, loss, ...tried } = entry.tried;
    const estimate = loss && acrossPasses(losses.map(estimateLoss));
    return {
      learner: tried.learner,
      budget,
      options: tried.options,
      rows: tried.rows,
      passes: tried.passes,
      loss,
      standardError: estimate?.standardError ?? null,
      behindBest: behind(entry, entries[0]),
      balancedAccuracy: tried.balancedAccuracy,
      heldBack: tried.heldBack,
      features: node.features ?? {},
      pending: node.pending ?? NODE_OPTIONS.pending.default,
      bytes,
      instructions: board.instructions,
      beyond: board.beyond,
      supportVectors: tried.supportVectors,
      overflowed: tried.overflowed,
      stateHash: tried.stateHash,
      pareto: { bytes: inBytes.has(entry), instructions: inInstructions.has(entry) },
    };
  });
}

const isShort = ({ candidate }: Entry) => candidate.options.storage === Q15;

/** The result without its timing. `use` describes the use of a choice, by its place. */
export function assembleChoice(
  train: DataSet,
  { flags, path, task, balanced, target, limits, each, secondLabels }: ChoiceSetup,
  { entries, rounds, leftOut, features }: FileSearch,
  measured: { readonly trivial: Trivial; readonly known: KnownRanges; readonly cut: Cut | null },
  use: (entry: Entry, choice: Choice) => Usable,
): Omit<ChoiceResult, "timing"> {
  const best = bestOfKinds(entries);
  const choices = makeChoices(best);
  const unmeasured = entries.filter(({ candidate }) => candidate.board.instructions === null);
  return {
    schema: "motelearn.choose/2",
    task,
    measure: task === "regression" ? "mse" : balanced ? "balanced" : "error",
    train: {
      ...rowsRead(train),
      dimension: train.dimension,
      ...(each > 1 && { readings: each }),
      ...(secondLabels && { secondLabels }),
      ...classesRead(train, task === "classification" ? findClasses(train) : undefined),
    },
    scale: flags.scale,
    shuffle: shuffleSeed(flags),
    repeat: flags.repeat,
    target: target ?? null,
    costsOf: limits.target,
    ...(path && { labels: path }),
    ...(task !== "regression" && shuffleSeed(flags) === null && { stays: staysIn(train.labels) }),
    trivial: measured.trivial,
    search: { ...(features.length > 0 && { features }), rounds, cut: measured.cut },
    verdict: judgeBest(choices[0], measured.trivial),
    learning: choices[0]?.loss ? learningCurve(best[0].tried.losses, best[0].tried.learned) : null,
    choices,
    advice: advise(choices, measured.trivial).map((each) => ({
      ...each,
      ...use(best[each.choice], choices[each.choice]),
    })),
    leftOut,
    unmeasured: [...new Set(unmeasured.map(({ candidate }) => candidate.board.costed))],
    ranges: entries.some(isShort) ? measured.known : null,
  };
}
