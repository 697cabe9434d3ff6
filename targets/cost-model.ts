import { familyNamed } from "../src/learn/registry.ts";
import type { CostTraits } from "../src/learn/traits.ts";
import { inputsForWidth } from "../src/learn/width-search.ts";

/**
 * The cost of a call: a polynomial in r, the vectors that a learner stores, and d, the components of an
 * input: sum_k c_k r^p_k d^q_k, with the powers [p_k, q_k] below and coefficients fitted to counts on an
 * emulated chip.
 */
const POWERS: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 0],
  [2, 1],
  [3, 0],
  [0, 2],
];

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product *= base;
  return product;
}

/** What a shipped learner costs beside the usual; nothing of any other. */
export function costTraits(learner: string): CostTraits {
  return familyNamed(learner)?.traits?.costs ?? {};
}

/** Behind the name of a learner whose costs with several classes are measured apart. */
export const CLASSES = "classes";

/** The option that gives that shipped learner its bytes; undefined: none does. */
export function sizeOption(learner: string): string | undefined {
  return familyNamed(learner)?.traits?.sizes?.option;
}

/** The terms of a learner's cost with r rows of d components. */
export function learnerTerms(rows: number, dimension: number): number[] {
  return POWERS.map(([p, q]) => power(rows, p) * power(dimension, q));
}

/**
 * The terms of the longest step in which a learner learns a label with r rows of d components: the whole
 * label, or the longest piece of its eigenproblem. They are the kernel row, rows of inverse iteration, and
 * multiplications besides.
 */
export function learnTerms(learner: string, rows: number, dimension: number, rank?: number): number[][] {
  const { spread } = costTraits(learner);
  if (!spread) return [learnerTerms(rows, dimension)];
  const usual = Number(familyNamed(learner)?.options.rank.default);
  return spread(rows, Math.min(rank ?? usual, rows), dimension).map(({ rows: iterated, besides }) => [
    rows * dimension,
    iterated,
    besides,
  ]);
}

/** The terms of a committee's longest label: the one that finds its member's width, with the inputs that waited for it, or a usual one. */
function committeeTerms(budget: number, dimension: number): number[] {
  const inputs = inputsForWidth(budget, dimension);
  return [...learnerTerms(budget, dimension), inputs, inputs * dimension, inputs * inputs];
}

/**
 * The terms of a learner's call. If it spreads its work over several labels, each has terms of its own, and the longest label counts.
 *
 * @param name the learner's, and behind it the options that cost apart.
 * @param size its vectors, the budget of a committee's member, or the bytes that an option gives it.
 * @param classes of a learner whose costs with several classes are measured apart.
 */
export function callTerms(
  name: string,
  call: "predict" | "learn",
  size: number,
  dimension: number,
  rank?: number,
  classes = 2,
): number[][] {
  const [learner, ...options] = name.split("/");
  const { termsOfBytes, finder } = costTraits(learner);
  if (termsOfBytes && options.some((option) => option === sizeOption(learner) || option === CLASSES))
    return [[...termsOfBytes(size, dimension, classes)]];
  if (call === "predict") return [learnerTerms(size, dimension)];
  if (finder !== undefined) return [committeeTerms(size, dimension)];
  return learnTerms(learner, size, dimension, rank);
}

/** The terms of the label that finds the width of a learner with r rows of d components. */
export function foundTerms(learner: string, rows: number, dimension: number): number[] {
  return learnerTerms(costTraits(learner).findsByBudget ? rows : 0, dimension);
}

/** The largest cost of several labels, by the terms of each. */
export function longest(coefficients: readonly number[], labels: readonly (readonly number[])[]): number {
  return Math.max(...labels.map((terms) => cost(coefficients, terms)));
}

/**
 * The terms of a prediction of so many classes that share one dictionary: constant, vectors, components, their
 * product, classes, and coefficients (each vector has one for each class).
 */
export function sharedTerms(rows: number, dimension: number, classes: number): number[] {
  return [1, rows, dimension, rows * dimension, classes, rows * classes];
}

/** The options of a node's features that cost time. */
export interface FeatureShape {
  readonly channels: number;
  /** Samples in each channel's window; 0: none. */
  readonly window: number;
  readonly standardise: boolean;
  /** Components of the feature vector. */
  readonly dimension: number;
  /** Undefined: it has none. */
  readonly spectrum?: SpectrumSize;
}

/** Sensors, each with a window, and how many bands and lines each has. */
export interface SpectrumSize {
  readonly sensors: number;
  readonly bands: number;
  readonly lines: number;
}

/**
 * The terms of a node besides its learner and a spectrum: constant, features, windows, samples in them,
 * standardised.
 */
export function nodeTerms({ channels, window, standardise, dimension, spectrum }: FeatureShape): number[] {
  const windows = window > 0 && !spectrum ? channels : 0;
  return [1, dimension, windows, windows * window, standardise ? dimension : 0];
}

/**
 * The terms of a spectrum: constant; readings; sensors, readings in their windows, butterflies of the
 * transforms; bands; lines, readings that each takes.
 */
export function spectrumTerms({ channels, window }: FeatureShape, spectrum: SpectrumSize): number[] {
  const { sensors, bands, lines } = spectrum;
  const stages = 31 - Math.clz32(window);
  const each = [1, window, window * stages, bands, lines, lines * window];
  return [1, channels, ...each.map((term) => sensors * term)];
}

/** Coefficients times terms. */
export function cost(coefficients: readonly number[], terms: readonly number[]): number {
  return coefficients.reduce((sum, c, k) => sum + c * terms[k], 0);
}

/**
 * Least squares of the relative errors with no negative coefficient, so that no cost falls as a size grows.
 * It solves the normal equations, and leaves out the most negative coefficient until none is left.
 */
export function fit(rows: readonly { readonly terms: readonly number[]; readonly cost: number }[]): number[] {
  const count = rows[0].terms.length;
  const kept = Array.from({ length: count }, (_, k) => k).filter((k) =>
    rows.some(({ terms }) => terms[k] > 0),
  );
  for (;;) {
    const scale = kept.map((k) => Math.max(...rows.map(({ terms, cost }) => terms[k] / cost)));
    const scaled = rows.map(({ terms, cost }) => kept.map((k, i) => terms[k] / cost / scale[i]));
    const solution = leastSquares(scaled);
    const least = Math.min(...solution);
    if (least >= 0) {
      const coefficients = new Array<number>(count).fill(0);
      kept.forEach((k, i) => {
        coefficients[k] = Number((solution[i] / scale[i]).toPrecision(6));
      });
      return coefficients;
    }
    kept.splice(solution.indexOf(least), 1);
  }
}

/**
 * At first, a row of inverse iteration counts as 200 multiplications. After so many rounds the longest label
 * no longer changes.
 */
const START = [0, 200, 1];
const SETTLED = 8;

/**
 * The same fit for the cost of the longest of several labels. The longest label depends on the coefficients,
 * and they on it, so the fit iterates.
 */
export function fitLongest(
  rows: readonly { readonly labels: readonly (readonly number[])[]; readonly cost: number }[],
): number[] {
  let coefficients: readonly number[] = START;
  const dearer = (a: readonly number[], b: readonly number[]) =>
    cost(coefficients, b) > cost(coefficients, a) ? b : a;
  for (let round = 0; round < SETTLED; round++) {
    coefficients = fit(rows.map(({ labels, cost }) => ({ terms: labels.reduce(dearer), cost })));
  }
  return [...coefficients];
}

/** The x that minimises |A x - 1|, by Gaussian elimination of A'A x = A'1; a dependent column gets 0. */
function leastSquares(a: readonly (readonly number[])[]): number[] {
  const n = a[0].length;
  const m = Array.from({ length: n }, (_, i) => [
    ...Array.from({ length: n }, (_, j) => a.reduce((sum, row) => sum + row[i] * row[j], 0)),
    a.reduce((sum, row) => sum + row[i], 0),
  ]);
  const free = new Set<number>();
  for (let i = 0; i < n; i++) {
    if (Math.abs(m[i][i]) < 1e-12) {
      free.add(i);
      continue;
    }
    for (let k = 0; k < n; k++) {
      if (k === i || free.has(k)) continue;
      const factor = m[k][i] / m[i][i];
      for (let j = i; j <= n; j++) m[k][j] -= factor * m[i][j];
    }
  }
  return m.map((row, i) => (free.has(i) ? 0 : row[n] / row[i]));
}

/** A learner's measured costs; undefined where nothing was measured, as for a plugin's. */
export function findMeasured<T>(of: { readonly [name: string]: T }, learner: string): T | undefined {
  return Object.hasOwn(of, learner) ? of[learner] : undefined;
}
