import { frozen } from "../memory/frozen.ts";
import { POSITIVE, TO_ONE } from "../memory/layout.ts";
import { type DefinedOptions, defineLearner, type Workspace } from "./define.ts";
import type { Family } from "./family.ts";
import { real, whole } from "./options.ts";
import { type DecisionTerms, featureTerms } from "./terms.ts";

const NAIVE_BAYES_OPTIONS = frozen({
  horizon: whole({ default: 1000, min: 2, max: 16777216 }, "most labels over which a class is averaged"),
  smoothing: real(
    { default: 0.01, above: 0 },
    "share of a feature's variance within both classes that is added to its variance in each",
  ),
});

type NaiveBayesOptions = DefinedOptions<typeof NAIVE_BAYES_OPTIONS>;
type Work = Workspace<
  NaiveBayesOptions,
  "means" | "variances" | "counts" | "share" | "centre" | "w" | "z" | "squares"
>;

/** A feature of less variance is constant, and says nothing. */
const LEAST_VARIANCE = 1e-30;
/** The largest |x|^2: squares of differences stay within float32. */
const LARGEST_SQUARE = 1e30;
const LARGEST_WEIGHT = 1e30;
/** A class begins with the variance within both, which counts as so many of its labels. */
const PRIOR = 2;

/** Moves mean and variance of class c, 0 for label -1. */
function moveClass({ f32, at, input, options: { dimension, horizon } }: Work, c: number): void {
  const { bits } = f32;
  const mean = at.means + c * dimension;
  const variance = at.variances + c * dimension;
  const n = bits[at.counts + c] < horizon ? bits[at.counts + c] + 1 : horizon;
  bits[at.counts + c] = n;
  f32.copy(at.z, input, dimension);
  f32.addScaled(at.z, -1, mean, dimension);
  f32.diagonalProduct(at.squares, at.z, at.z, dimension);
  f32.addScaled(mean, 1 / n, at.z, dimension);
  f32.scale(variance, 1 - 1 / n, dimension);
  f32.addScaled(variance, (1 - 1 / n) / n, at.squares, dimension);
}

/** The share of +1 among the last labels. */
function moveShare({ f32: { words, bits }, at, options: { horizon } }: Work, y: number): void {
  const labels = bits[at.counts] + bits[at.counts + 1];
  words[at.share] += ((y > 0 ? 1 : 0) - words[at.share]) / (labels < horizon ? labels : horizon);
}

/** The weights of the feature and of its square; returns its part of the offset. */
function weighFeature({ f32, at, options: { dimension: d, smoothing } }: Work, j: number): number {
  const { words, bits } = f32;
  const n = bits[at.counts];
  const m = bits[at.counts + 1];
  const v = words[at.variances + j];
  const u = words[at.variances + d + j];
  const within = (n * v + m * u) / (n + m);
  const half = (words[at.means + d + j] - words[at.means + j]) / 2;
  words[at.centre + j] = words[at.means + j] + half;
  words[at.w + j] = 0;
  words[at.w + d + j] = 0;
  if (!(within > LEAST_VARIANCE)) return 0;
  const minus = 1 / ((n * v + PRIOR * within) / (n + PRIOR) + smoothing * within);
  const plus = 1 / ((m * u + PRIOR * within) / (m + PRIOR) + smoothing * within);
  words[at.w + j] = clampWeight((plus + minus) * half);
  words[at.w + d + j] = clampWeight((minus - plus) / 2);
  return (f32.log(plus / minus) + (minus - plus) * half * half) / 2;
}

function clampWeight(weight: number): number {
  return weight > LARGEST_WEIGHT ? LARGEST_WEIGHT : weight < -LARGEST_WEIGHT ? -LARGEST_WEIGHT : weight;
}

/** The weights that the moments give. Before both classes came, the one that did is predicted. */
function weigh(work: Work): void {
  const { f32, at, options } = work;
  const { words, bits } = f32;
  const offset = at.w + 2 * options.dimension;
  const only = bits[at.counts] === 0 ? 1 : bits[at.counts + 1] === 0 ? -1 : 0;
  let sum = only === 0 ? f32.log(words[at.share]) - f32.log(1 - words[at.share]) : only;
  for (let j = 0; only === 0 && j < options.dimension; j++) sum += weighFeature(work, j);
  words[offset] = clampWeight(sum);
}

const NAIVE_BAYES_TERMS: DecisionTerms = frozen({
  weights: ["w"],
  terms(learner) {
    const { dimension: d } = learner;
    const weightName = (j: number) =>
      j < d ? `feature ${j + 1}` : j < 2 * d ? `square ${j - d + 1}` : "offset";
    return [featureTerms(learner, weightName)];
  },
});

/**
 * A normal distribution of each feature in each class, with features independent of each other. The decision is computed as w.z, with z
 * the differences u = x - c from the middle of both means, their squares and 1: |u| is small where the classes are near, however far from
 * 0 both lie. x is clipped, see `OutlierLimit`.
 *
 *     decision = log(q / (1 - q)) + sum_j log N(x_j; m_j+, v_j+) - log N(x_j; m_j-, v_j-)
 *     mean m, variance v and the share q of class +1 are averages over the last labels
 *
 * When to use it: As a baseline, and where a class is known by few labels. Features that repeat each other count twice.
 *
 * @see Duda, Hart, Stork: Pattern Classification. Wiley, 2nd edition, 2001
 */
export const NAIVE_BAYES: readonly Family[] = frozen([
  defineLearner({
    name: "naive-bayes",
    task: "classification",
    title: "Gaussian naive Bayes",
    paper: "Duda, Hart, Stork: Pattern Classification. Wiley, 2nd edition, 2001",
    options: NAIVE_BAYES_OPTIONS,
    bounded: true,
    traits: {
      searched: [{ option: "horizon", values: [100, 1000, 100000] }],
      decision: NAIVE_BAYES_TERMS,
    },
    state: ({ dimension: d }) => ({
      means: 2 * d,
      variances: 2 * d,
      counts: 2,
      share: 1,
      centre: d,
      w: 2 * d + 1,
    }),
    holds: ({ horizon }) => ({ variances: [POSITIVE], counts: [horizon], share: [TO_ONE] }),
    scratch: ({ dimension }) => ({ z: 2 * dimension + 1, squares: dimension }),
    predict({ f32, at, input, options: { dimension } }) {
      f32.copy(at.z, input, dimension);
      if (!f32.addScaled(at.z, -1, at.centre, dimension)) return Number.NaN;
      f32.diagonalProduct(at.z + dimension, at.z, at.z, dimension);
      f32.words[at.z + 2 * dimension] = 1;
      return f32.dot(at.w, at.z, 2 * dimension + 1);
    },
    update(work, y) {
      const { f32, input, options } = work;
      if (!(f32.dot(input, input, options.dimension) <= LARGEST_SQUARE)) return false;
      moveClass(work, y > 0 ? 1 : 0);
      moveShare(work, y);
      weigh(work);
      return true;
    },
  }),
]);
