import { LEFT_WAITING } from "../src/learn/expansion.ts";
import type { Board } from "./boards.ts";
import {
  cost,
  costTraits,
  type FeatureShape,
  findMeasured,
  foundTerms,
  learnerTerms,
  learnTerms,
  longest,
  nodeTerms,
  sharedTerms,
  spectrumTerms,
} from "./cost-model.ts";
import costs from "./costs.json";
import { countDictionaries, type Part, type PlannedNode } from "./planned-node.ts";

/** Most inputs that wait for the width, and are learned with it. */
const WIDTH_INPUTS = 16;
/** Additional predictions of a label that tries another width. */
const TRIAL_PREDICTIONS = 2;

/**
 * A part's instructions in a sample and its label. `watch`: to check that a width found still fits;
 * `sources`: to correct the label for its source; `fleet`: to judge by the fleet's model.
 */
export interface PartTime {
  readonly part: Part | "watch" | "sources" | "fleet";
  readonly instructions: number;
}

/** Instructions of a sample and its label. */
export interface Time {
  readonly clockHz: number;
  /** Features, pending ring, labels: the node's work besides the learner. */
  readonly node: number;
  readonly predict: number;
  /**
   * An upper bound of a step, with the fit's error. Occasional work counts as if it came each time: a
   * factorisation, an eigenproblem, a stale vector that leaves.
   */
  readonly learn: number;
  /**
   * For a learner that finds its kernel's width: the longest label, which learns the first inputs, or tries
   * or takes another width. Few other labels take so long.
   */
  readonly width?: number;
  /** A received label, a sent prediction and acknowledgement; statistics once a second. */
  readonly wire: number;
  /** The optional parts. */
  readonly parts: readonly PartTime[];
  /** To restart the learner's confidence at a drift alarm. */
  readonly restart?: number;
  readonly sample: number;
  /** The largest relative error of the fits, on fitted and held-out sizes. */
  readonly error: number;
  readonly periodMs?: number;
}

interface FittedCost {
  readonly coefficients: readonly number[];
  /** True if it bounds the longest of the labels that share an eigenproblem: see `learnTerms`. */
  readonly spread?: boolean;
  /** The largest relative error on the measured sizes, fitted and held out. */
  readonly error: number;
}

interface LearnerCosts {
  readonly predict: FittedCost;
  readonly learn: FittedCost;
  /** For a learner whose confidence can be restarted. */
  readonly restart?: FittedCost;
}

/** A chip's measured costs of shared dictionaries and of widths; for some learners of the whole label. */
interface ChipCosts {
  /** For classes that share a dictionary; where it wasn't measured, they count as if each had its own. */
  readonly shared?: { readonly predict: FittedCost; readonly learn: FittedCost };
  readonly width: FittedCost;
  readonly found?: { readonly [learner: string]: FittedCost };
}

/** The fit's value, with its error added. */
function upperBound({ coefficients, error }: FittedCost, rows: number, { dimension }: FeatureShape): number {
  return (1 + error) * cost(coefficients, learnerTerms(rows, dimension));
}

/** The instructions of `call` for all problems together, with the fit's error added for a bound. */
function callCost(
  { learner, problems, shares, rank, features: { dimension } }: PlannedNode,
  chip: Board["chip"],
  call: "predict" | "learn",
  own: LearnerCosts,
  rows: number,
): number {
  const { learners, problem } = costs.instructions[chip];
  const { shared } = costs.instructions[chip] as ChipCosts;
  const terms = learnerTerms(rows, dimension);
  const labels = own[call].spread ? learnTerms(learner, rows, dimension, rank) : [terms];
  const one = longest(own[call].coefficients, labels);
  const margin = (...errors: number[]) => (call === "learn" ? 1 + Math.max(...errors) : 1);
  if (!shares || !shared) {
    const more = problems > 1 ? problem[call] : 0;
    return problems * (margin(own[call].error) * one + more);
  }
  // Measured with OLK-C: another learner's dictionary may cost a different time, its classes the same.
  const all = cost(shared[call].coefficients, sharedTerms(rows, dimension, problems));
  const alone = cost(learners["olk-c"][call].coefficients, terms);
  return margin(own[call].error, shared[call].error) * Math.max(one, one + all - alone);
}

/** To correct one label for its source, with so many vectors. */
function correction({ rows, features }: PlannedNode, chip: Board["chip"], stored: number): number {
  const { kernel, linear } = costs.instructions[chip].sources;
  return cost((rows > 0 ? kernel : linear).coefficients, learnerTerms(stored, features.dimension));
}

/**
 * The label that finds the width: that learner's measured cost, else the cost of finding it plus the first
 * inputs, each as long as the longest with so few vectors. With `sources` each of these is corrected; the
 * part of that name counts one of them. A correction was measured at a full budget, so this is a bound.
 */
function foundWidth(planned: PlannedNode, finder: string, own: LearnerCosts, chip: Board["chip"]): number {
  const { problems, shares, features, rows } = planned;
  const { found = {}, width } = costs.instructions[chip] as ChipCosts;
  const once = learnerTerms(0, features.dimension);
  const counted = findMeasured(found, finder);
  const inputs = costTraits(finder).leavesWaiting ? WIDTH_INPUTS - LEFT_WAITING : WIDTH_INPUTS;
  const corrected = planned.corrects ? (inputs - 1) * correction(planned, chip, WIDTH_INPUTS) : 0;
  if (counted && !shares)
    return (
      problems *
        (1 + counted.error) *
        cost(counted.coefficients, foundTerms(finder, rows, features.dimension)) +
      corrected
    );
  const each =
    callCost(planned, chip, "predict", own, WIDTH_INPUTS) +
    callCost(planned, chip, "learn", own, WIDTH_INPUTS);
  const finding = countDictionaries(planned) * (1 + width.error) * cost(width.coefficients, once);
  return finding + inputs * each + corrected;
}

/** To judge a sample and its label by the fleet's model: two predictions of an expansion with as many vectors, or of a plane. */
function judging({ fleet, features: { dimension } }: PlannedNode, chip: Board["chip"]): number {
  const { learners } = costs.instructions[chip];
  const { predict } = learners[fleet > 0 ? "olk-c" : "perceptron"];
  return 2 * cost(predict.coefficients, learnerTerms(fleet, dimension));
}

/** The optional parts, and watching the width of each dictionary. */
function partTimes(planned: PlannedNode, chip: Board["chip"]): PartTime[] {
  const { learner, parts, rows, finder, corrects, fleet } = planned;
  const { parts: each, width } = costs.instructions[chip];
  return [
    // A member's cost is part of the whole learner's measured cost.
    ...(finder === learner
      ? [{ part: "watch" as const, instructions: Math.round(countDictionaries(planned) * width.watch) }]
      : []),
    ...(corrects
      ? [{ part: "sources" as const, instructions: Math.round(correction(planned, chip, rows)) }]
      : []),
    ...(fleet >= 0 ? [{ part: "fleet" as const, instructions: Math.round(judging(planned, chip)) }] : []),
    ...parts
      .map((part) => ({ part, instructions: each[part] }))
      .filter(({ instructions }) => instructions > 0),
  ];
}

export function planTime(planned: PlannedNode, board: Board, periodMs?: number): Time | undefined {
  const { learner, costed, problems, shares, rows, finder, features, restarts } = planned;
  const { node, spectrum, learners, wire } = costs.instructions[board.chip];
  const { shared } = costs.instructions[board.chip] as ChipCosts;
  const of = findMeasured<LearnerCosts>(learners, costed);
  if (!of) return undefined;
  const spectral = features.spectrum
    ? cost(spectrum.coefficients, spectrumTerms(features, features.spectrum))
    : 0;
  const own = Math.round(cost(node.coefficients, nodeTerms(features)) + spectral);
  const predict = Math.round(callCost(planned, board.chip, "predict", of, rows));
  const learn = Math.round(callCost(planned, board.chip, "learn", of, rows));
  const parts = partTimes(planned, board.chip);
  const finding = finder && findMeasured<LearnerCosts>(learners, finder);
  const others = finder === learner ? 0 : learn;
  const found = finding ? foundWidth(planned, finder, finding, board.chip) + others : 0;
  const watched = learn + partInstructions("watch", parts);
  // Rows of the label's own work, and the input's.
  const renewed = (costTraits(learner).renewedRows?.(rows, features.dimension) ?? -1) + 1;
  const changed = renewed > 0 ? watched + (TRIAL_PREDICTIONS + renewed) * predict : 0;
  const longest = Math.max(found, watched + TRIAL_PREDICTIONS * predict, changed);
  const error = Math.max(
    node.error,
    features.spectrum ? spectrum.error : 0,
    shares && shared ? Math.max(shared.predict.error, shared.learn.error) : 0,
    of.predict.error,
    of.learn.error,
  );
  return {
    clockHz: board.clockHz,
    node: own,
    predict,
    learn,
    ...(finding && { width: Math.round(longest) }),
    wire,
    parts,
    ...(restarts && of.restart && { restart: Math.round(problems * upperBound(of.restart, rows, features)) }),
    sample: own + predict + learn + wire + parts.reduce((sum, { instructions }) => sum + instructions, 0),
    error,
    periodMs,
  };
}

/** The part's cost; 0 where the node lacks it. */
function partInstructions(name: PartTime["part"], parts: Time["parts"]): number {
  return parts.find(({ part }) => part === name)?.instructions ?? 0;
}

/** Instructions of the learner alone: a prediction, and the learning of its label. */
export function learnerInstructions({ predict, learn, parts }: Time): number {
  return predict + learn + partInstructions("watch", parts) + partInstructions("sources", parts);
}

/** Instructions of the sample whose label takes longest. */
export function longestSample({ sample, learn, parts, width, restart = 0 }: Time): number {
  const longer = width === undefined ? 0 : width - learn - partInstructions("watch", parts);
  return sample + longer + restart;
}

/** Milliseconds for so many instructions at one a clock cycle. */
export function milliseconds({ clockHz }: { readonly clockHz: number }, instructions: number): number {
  return (1000 * instructions) / clockHz;
}
