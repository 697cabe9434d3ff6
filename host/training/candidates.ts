import { Elementary } from "../../src/math/elementary.ts";
import type { Basis } from "./basis.ts";
import { type Belief, isotropicBelief, widen } from "./logistic.ts";
import { fitBelief, type Lesson, type Nature } from "./model.ts";

const elementary = new Elementary();

/**
 * A node's model is the mean of these. `group` supposes that the node's weights are the group's; `light`, `medium` and `strong` suppose that they
 * differ more and more. `mirrored` supposes that they are the group's with the sign turned, as a sensor mounted the other way round or class names that
 * are mixed up make them. `own` learns the node's own labels alone.
 */
const CANDIDATES = ["group", "light", "medium", "strong", "mirrored", "own"] as const;

export type Candidate = (typeof CANDIDATES)[number];

/** The variance of a node's weights around the others', from group to strong, in mean squares of these. */
const WIDTHS = [0, 0.03, 0.3, 1];
const LEAST_SQUARE = 0.01;
/** What own labels alone may be, besides what the group's are: right, so that weights vary much. */
const OWN_NATURES: readonly Nature[] = [
  { variance: 10, flips: 0 },
  { variance: 100, flips: 0 },
];
/** Nodes as which the belief in each candidate counts that nothing has been seen of. */
const BEFORE: readonly number[] = [2, 1, 0.5, 0.25, 0.1, 0.1, 0.1, 0.1];
/** Own labels without which no node is supposed to be mirrored: one may be wrong. */
const MIRRORED_LABELS = 2;
const MIRRORED = CANDIDATES.indexOf("mirrored");
/** Own labels that a candidate learns: the last ones. */
const OWN_LESSONS = 1000;
const ROUNDS = 20;

/** A node's candidates. The last of `CANDIDATES` is one for the group's nature, and one for each of `OWN_NATURES`. */
export interface NodeCandidates {
  readonly models: readonly Pick<Belief, "mean">[];
  /** How well each predicts the node's labels, each label by the others: the sum of the logarithms of their probabilities. */
  readonly merits: readonly number[];
  /** How sure each is of the node's labels, see `leaveOneOut`. */
  readonly certainties: readonly number[];
}

/** What a node's weights may be, as the other nodes' model has it: a belief for each of `WIDTHS`, and that of a mirrored node. */
export function widenPriors(others: Belief): Belief[] {
  const square = others.mean.reduce((sum, each) => sum + each * each, 0) / others.mean.length;
  const { precision, root } = others;
  return [
    ...WIDTHS.map((width) => (width === 0 ? others : widen(others, width * Math.max(LEAST_SQUARE, square)))),
    { mean: others.mean.map((each) => -each), precision, root },
  ];
}

/** The candidates of a node with those own lessons, in a group of that nature. */
export function makeCandidates(
  basis: Basis,
  priors: readonly Belief[],
  lessons: readonly Lesson[],
  nature: Nature,
): NodeCandidates {
  const own = lessons.slice(-OWN_LESSONS);
  const models = [
    ...priors.map((prior) => fitBelief(basis, own, prior, nature.flips)),
    ...[nature, ...OWN_NATURES].map(({ variance, flips }) =>
      fitBelief(basis, own, isotropicBelief(basis.size, variance), flips),
    ),
  ];
  const views = models.map((model) => model.leaveOneOut());
  return {
    models,
    merits: views.map(({ merit }, c) => (c === MIRRORED && own.length < MIRRORED_LABELS ? -Infinity : merit)),
    certainties: views.map(({ certainty }) => certainty),
  };
}

/** How likely each candidate makes a node's labels, relative to the best. */
function likelihoods(merits: readonly number[]): number[] {
  const most = Math.max(...merits);
  return merits.map((merit) => elementary.exp(merit - most));
}

/** Each candidate's part of the products of two lists. */
function parts(before: readonly number[], likelihood: readonly number[]): number[] {
  const products = before.map((share, c) => share * likelihood[c]);
  const sum = products.reduce((all, each) => all + each, 0);
  return products.map((each) => each / sum);
}

/** How many nodes each candidate fits: a mixture, by expectation and maximisation. */
function countFitted(fellows: readonly (readonly number[])[]): readonly number[] {
  let nodes = BEFORE;
  for (let round = 0; round < ROUNDS; round++) {
    const fits = fellows.map((likelihood) => parts(nodes, likelihood));
    nodes = BEFORE.map((before, c) => fits.reduce((sum, each) => sum + each[c], before));
  }
  return nodes;
}

/**
 * The shares of a node's candidates in its model: their probabilities by its merits, where other nodes of the group show how many nodes each candidate
 * fits. If it is unlike its group, only `mirrored` and `own` count.
 *
 * @param others the merits of the other nodes
 * @param unlike the probability that it is unlike its group, by `GroupTrust`
 */
export function candidateShares(
  merits: readonly number[],
  others: readonly (readonly number[])[],
  unlike: number,
): number[] {
  const nodes = countFitted(others.map(likelihoods));
  const apart = parts(nodes.slice(WIDTHS.length), likelihoods(merits.slice(WIDTHS.length)));
  return parts(nodes, likelihoods(merits)).map(
    (share, c) => (1 - unlike) * share + (c < WIDTHS.length ? 0 : unlike * apart[c - WIDTHS.length]),
  );
}

/** The candidate that those shares name most. */
export function mainCandidate(shares: readonly number[]): Candidate {
  const own = CANDIDATES.length - 1;
  const all = [...shares.slice(0, own), shares.slice(own).reduce((sum, each) => sum + each, 0)];
  return CANDIDATES[all.indexOf(Math.max(...all))];
}

export function meanWeights(
  models: readonly Pick<Belief, "mean">[],
  shares: readonly number[],
): Float64Array {
  const weights = new Float64Array(models[0].mean.length);
  models.forEach(({ mean }, c) => {
    for (let j = 0; j < weights.length; j++) weights[j] += shares[c] * mean[j];
  });
  return weights;
}
