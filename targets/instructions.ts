import { LEFT_WAITING } from "../src/learn/expansion.ts";
import type { Board } from "./boards.ts";
import {
  callTerms,
  cost,
  costTraits,
  findMeasured,
  foundTerms,
  learnerTerms,
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
  /** The longest prediction, with the note of its sample. */
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
  /** The largest relative error on the measured sizes, fitted and held out. */
  readonly error: number;
}

interface LearnerCosts {
  readonly predict: FittedCost;
  readonly learn: FittedCost;
  /** For a learner whose confidence can be restarted. */
  readonly restart?: FittedCost;
}

/** A chip's measured costs of shared dictionaries, of widths and of sources; for some learners of the whole label that finds the width. */
interface ChipCosts {
  /** For classes that share a dictionary; where it wasn't measured, they count as if each had its own. */
  readonly shared?: { readonly predict: FittedCost; readonly learn: FittedCost };
  /** `watch`: of each label once the width was found; `predict`: of each prediction. */
  readonly width: FittedCost & { readonly watch: number; readonly predict: number };
  readonly found?: { readonly [learner: string]: FittedCost & { readonly predict?: number } };
  /** What a label takes more of an expansion, or of any other learner; and a prediction of an expansion. */
  readonly sources: {
    readonly kernel: FittedCost;
    readonly linear: FittedCost;
    readonly predict: FittedCost;
  };
}

/** The most that any of these labels takes: a fit f errs by at most `error` of a cost c, |f / c - 1| <= error, so c <= f / (1 - error). */
function upperBound({ coefficients, error }: FittedCost, labels: readonly (readonly number[])[]): number {
  return longest(coefficients, labels) / (1 - error);
}

/** A learner as it was counted: its name with the options that cost apart, its costs, its vectors or bytes. */
interface Counted {
  readonly name: string;
  readonly costs: LearnerCosts;
  readonly size: number;
}

/** The instructions of `call` for all problems together: of a prediction the fit's, of a label at most. */
function callCost(
  { classes, problems, shares, rank, features: { dimension } }: PlannedNode,
  chip: Board["chip"],
  call: "predict" | "learn",
  { name, costs: own, size }: Counted,
): number {
  const { learners, problem } = costs.instructions[chip];
  const { shared } = costs.instructions[chip] as ChipCosts;
  const one = longest(own[call].coefficients, callTerms(name, call, size, dimension, rank, classes));
  const most = (...errors: number[]) => (call === "learn" ? 1 / (1 - Math.max(...errors)) : 1);
  if (!shares || !shared) {
    const more = problems > 1 ? problem[call] : 0;
    return problems * (most(own[call].error) * one + more);
  }
  // Measured with OLK-C: another learner's dictionary may cost a different time, its classes the same.
  const all = cost(shared[call].coefficients, sharedTerms(size, dimension, problems));
  const alone = cost(learners["olk-c"][call].coefficients, learnerTerms(size, dimension));
  return most(own[call].error, shared[call].error) * Math.max(one, one + all - alone);
}

/** What a prediction takes more with a width that was found, and with rates of wrong labels, which leave an expansion unbound. */
function unboundPrediction(planned: PlannedNode, chip: Board["chip"]): number {
  const { learner, finder, corrects, expands, rows, features } = planned;
  const { found = {}, width, sources } = costs.instructions[chip] as ChipCosts;
  const read = finder === learner ? (findMeasured(found, learner)?.predict ?? width.predict) : 0;
  const corrected =
    corrects && expands ? cost(sources.predict.coefficients, learnerTerms(rows, features.dimension)) : 0;
  return countDictionaries(planned) * (read + corrected);
}

/** To correct one label for its source, with so many vectors. */
function correction({ expands, features }: PlannedNode, chip: Board["chip"], stored: number): number {
  const { kernel, linear } = costs.instructions[chip].sources;
  return cost((expands ? kernel : linear).coefficients, learnerTerms(stored, features.dimension));
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
    return problems * upperBound(counted, [foundTerms(finder, rows, features.dimension)]) + corrected;
  const few = { name: finder, costs: own, size: WIDTH_INPUTS };
  const each = callCost(planned, chip, "predict", few) + callCost(planned, chip, "learn", few);
  const finding = countDictionaries(planned) * upperBound(width, [once]);
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
  const { learner, costed, classes, problems, shares, rows, bytes, finder, features, restarts } = planned;
  const { node, spectrum, learners, wire } = costs.instructions[board.chip];
  const { shared } = costs.instructions[board.chip] as ChipCosts;
  const of = findMeasured<LearnerCosts>(learners, costed);
  if (!of) return undefined;
  const spectral = features.spectrum
    ? cost(spectrum.coefficients, spectrumTerms(features, features.spectrum))
    : 0;
  const own = Math.round(cost(node.coefficients, nodeTerms(features)) + spectral);
  const counted = { name: costed, costs: of, size: bytes || rows };
  const more = unboundPrediction(planned, board.chip);
  const predict = Math.round(callCost(planned, board.chip, "predict", counted) + more);
  const learn = Math.round(callCost(planned, board.chip, "learn", counted));
  const restarting = callTerms(costed, "predict", counted.size, features.dimension, undefined, classes);
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
    ...(restarts && of.restart && { restart: Math.round(problems * upperBound(of.restart, restarting)) }),
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
