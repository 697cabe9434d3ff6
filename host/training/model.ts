import { encodeModel } from "../../src/learn/model-bytes.ts";
import { Elementary } from "../../src/math/elementary.ts";
import type { Basis } from "./basis.ts";
import { type Fit, fitFewLabels } from "./few-labels.ts";
import { type Belief, isotropicBelief, LogisticPosterior } from "./logistic.ts";

const elementary = new Elementary();

/** A labelled sample as its node used it. */
export interface Lesson {
  /** The features, as float32 and in the node's own scale. */
  readonly x: Float32Array;
  /** -1 or +1. */
  readonly y: number;
}

/** True if a group whose samples have so many features can learn those: one number that isn't finite would spoil the models of all its nodes. */
export function areLearnable(x: Float32Array, dimension: number): boolean {
  return x.length === dimension && x.every(Number.isFinite);
}

/** The form of a group's models. */
export interface ModelForm {
  /** Features of a sample. */
  readonly dimension: number;
  /** Vectors of a kernel expansion; 0: a plane. */
  readonly vectors: number;
}

/** Variances that weights may have before any lesson: the larger, the surer each lesson. */
const VARIANCES = [1, 10, 100];
/** Shares of wrong labels that a group may have. */
const FLIPS = [0, 0.1, 0.25];

/** What lessons make of a belief over the weights of a basis. */
export function fitBelief(basis: Basis, lessons: readonly Lesson[], prior: Belief, flips: number): Fit {
  const rows = lessons.map((lesson) => basis.row(lesson));
  const labels = lessons.map(({ y }) => y);
  return rows.length < basis.size
    ? fitFewLabels(rows, labels, prior, flips)
    : new LogisticPosterior(rows, labels, prior, flips);
}

/** What a group's labels are supposed to be. */
export interface Nature {
  /** The variance of the weights before any lesson. */
  readonly variance: number;
  /** The share of labels that are wrong. */
  readonly flips: number;
}

/** A model of lessons alone. */
export function fitLessons(
  basis: Basis,
  lessons: readonly Lesson[],
  { variance, flips }: Nature,
): LogisticPosterior {
  return new LogisticPosterior(
    lessons.map((lesson) => basis.row(lesson)),
    lessons.map(({ y }) => y),
    isotropicBelief(basis.size, variance),
    flips,
  );
}

/**
 * The variance and the share of wrong labels that make the lessons likeliest. Larger variances fit right labels better than few lessons can show: each
 * counts for as many times the probability as it is large.
 */
export function likeliestNature(basis: Basis, lessons: readonly Lesson[]): Nature {
  const natures = FLIPS.flatMap((flips) => VARIANCES.map((variance) => ({ variance, flips })));
  const merits = natures.map(
    (nature) => fitLessons(basis, lessons, nature).evidence + elementary.log(nature.variance),
  );
  return natures[merits.indexOf(Math.max(...merits))];
}

/** The model of those weights in the form in which nodes take it: the bytes of an `InstalledModel`. */
export function installable(form: ModelForm, basis: Basis, weights: Float64Array): Uint8Array {
  const { dimension, vectors } = form;
  return encodeModel({
    weights: vectors === 0 ? weights.subarray(0, dimension) : new Float64Array(dimension),
    bias: weights[weights.length - 1],
    gamma: basis.vectors.length > 0 ? basis.gamma : 0,
    coefficients: basis.coefficients(weights),
    vectors: basis.vectors,
  });
}
