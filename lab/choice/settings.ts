import type { Family } from "../../src/learn/family.ts";

export type Options = { readonly [name: string]: unknown };

/** The unit of a value that depends on the data. */
export type Unit = "distance" | "labels";

/** An option that is searched: its values. They include the learner's default unless they have a unit. */
interface Axis {
  readonly option: string;
  readonly values: readonly unknown[];
  /** Values are multiples of it: of the median distance between inputs, or of the labels' standard deviation. */
  readonly unit?: Unit;
}

/** The data's units, by which values and widths are multiplied. */
export interface Units {
  /** Median distance between two inputs; null where it is 0 or not finite. */
  readonly distance: number | null;
  /** Standard deviation of the labels, where they are numbers to be estimated. */
  readonly labels: number | null;
}

/** Standard deviations of a Gaussian kernel, in median distances between inputs. */
const WIDTHS = [0.125, 0.25, 0.5, 1, 2];
/** The width of a learner without a search. */
const WIDTH_IMPLIED = 0.5;
const DIGITS = 4;

const BIAS: Axis = { option: "bias", values: [true, false] };
const COVARIANCE: Axis = { option: "covariance", values: ["full", "diagonal"] };
const C_DUAL: Axis = { option: "C", values: [0, 0.1, 2, 10] };
const CONFIDENCE: Axis = { option: "confidence", values: [0.6, 0.8, 0.95] };
const TUBE: Axis = { option: "epsilon", values: [0.02, 0.2], unit: "labels" };
const QUANTIZATION: Axis = { option: "epsilon", values: [0.05, 0.2], unit: "distance" };
const RIDGE: Axis = { option: "regularization", values: [0.01, 0.1, 1] };
const PROJECTION: Axis = { option: "projectionThreshold", values: [0.1, 0.3] };

/**
 * One or two options that matter for each learner, beside the width of a Gaussian kernel and the offset. A learner that isn't
 * here, as a plugin's, is tried with its defaults, and with each width if its kernel is a Gaussian.
 */
export const SEARCHED: { readonly [learner: string]: readonly Axis[] } = {
  auto: [],
  "olk-c": [C_DUAL],
  "olk-r": [{ option: "C", values: [0.3, 1, 3], unit: "labels" }, TUBE],
  "olk-n": [
    { option: "C", values: [0.2, 0.5] },
    { option: "nu", values: [0.02, 0.1] },
  ],
  qkrls: [QUANTIZATION, RIDGE],
  qklms: [QUANTIZATION, { option: "eta", values: [0.1, 0.2, 0.5] }],
  qkapa: [QUANTIZATION, { option: "eta", values: [0.02, 0.08] }],
  "krls-ald": [{ option: "nu", values: [0.01, 0.04, 0.2] }],
  "krls-novelty": [RIDGE, { option: "noveltyDistance", values: [0.05, 0.2], unit: "distance" }],
  "krls-surprise": [RIDGE],
  "krls-ald-discard": [RIDGE],
  lol: [
    { option: "C", values: [0, 1] },
    { option: "lambda", values: [0.1, 1] },
  ],
  "i-lol": [{ option: "C", values: [0, 0.1, 1] }],
  pa: [{ option: "C", values: [0, 0.001, 0.01, 1] }, BIAS],
  perceptron: [BIAS],
  pegasos: [{ option: "lambda", values: [1e-4, 1e-3, 0.01, 0.1] }, BIAS],
  cw: [CONFIDENCE, COVARIANCE, BIAS],
  "cw-var": [CONFIDENCE, COVARIANCE, BIAS],
  "scw-1": [{ option: "C", values: [0.01, 0.1, 1] }, COVARIANCE, BIAS],
  "scw-2": [{ option: "C", values: [0.01, 0.1, 1] }, COVARIANCE, BIAS],
  arow: [{ option: "noiseVariance", values: [0.1, 1, 10, 100] }, COVARIANCE, BIAS],
  oskm: [{ option: "eta", values: [0.1, 0.7] }],
  "rls-hmm": [{ option: "regularization", values: [2, 10] }, BIAS],
  "dual-rho": [{ option: "C", values: [0, 0.1, 1, 4] }],
  "dual-aga": [C_DUAL],
  "dual-greedy": [C_DUAL],
  "norma-c": [
    { option: "eta", values: [0, 0.1, 0.5] },
    { option: "bias", values: [false, true] },
  ],
  "norma-r": [{ option: "eta", values: [0.03, 0.1, 0.3], unit: "labels" }, TUBE],
  "norma-n": [{ option: "nu", values: [0.02, 0.1] }],
  "kernel-perceptron": [],
  "kernel-perceptron-r": [{ option: "eta", values: [0.03, 0.1, 0.3], unit: "labels" }, TUBE],
  forgetron: [],
  projectron: [PROJECTION],
  "projectron-pp": [PROJECTION],
  bsgd: [{ option: "lambda", values: [0, 1e-4, 1e-3, 0.01] }],
  nogd: [
    { option: "etaFeatures", values: [0.1, 0.5] },
    { option: "rank", values: [16, 32] },
  ],
  fogd: [{ option: "eta", values: [0, 0.002, 0.02] }],
};

/** Options by which a learner's bytes and instructions change: with each value it is another choice. */
export const SIZING = ["covariance", "rank", "storage"] as const;

/** A number as a person would write it. */
const rounded = (value: number) => Number(value.toPrecision(DIGITS));

function kernelOf(distance: number, width: number): Options {
  return { type: "gaussian", sigma: rounded(width * distance) };
}

function hasGaussian({ options }: Family): boolean {
  return (options.kernel?.default as { readonly type?: string } | undefined)?.type === "gaussian";
}

/** Whether the width is one that float32 has. */
function isUsable(sigma: number): boolean {
  const gamma = 1 / (2 * sigma * sigma);
  return Math.fround(gamma) > 0 && Math.fround(gamma) < Infinity;
}

function valuesOf({ values, unit }: Axis, units: Units): unknown[] {
  if (unit === undefined) return [...values];
  const size = units[unit];
  return size === null ? [] : values.map((value) => rounded((value as number) * size));
}

function widthsOf(family: Family, { distance }: Units): Options[] {
  if (!hasGaussian(family) || distance === null) return [];
  return WIDTHS.filter((width) => isUsable(width * distance)).map((width) => kernelOf(distance, width));
}

/** An option that is set to its default isn't written. */
function withoutDefaults(family: Family, options: Options): Options {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => family.options[name].default !== value),
  );
}

/**
 * The options that are tried with a learner, its defaults first (a Gaussian's width then follows from the data); `given` ones
 * stand. Dimension, classes and budget aren't among them.
 */
export function settingsOf(family: Family, units: Units, given: Options): Options[] {
  const own = Object.fromEntries(
    Object.entries(given).filter(([name]) => Object.hasOwn(family.options, name)),
  );
  const axes = [
    { option: "kernel", values: widthsOf(family, units) },
    ...(SEARCHED[family.name] ?? []).map((axis) => ({ ...axis, values: valuesOf(axis, units) })),
  ].filter(({ option, values }) => !Object.hasOwn(own, option) && values.length > 0);
  const usual =
    axes[0]?.option === "kernel" ? { kernel: kernelOf(units.distance as number, WIDTH_IMPLIED) } : {};
  const points = axes.reduce<Options[]>(
    (sofar, { option, values }) => sofar.flatMap((at) => values.map((value) => ({ ...at, [option]: value }))),
    [{}],
  );
  const all = [usual, ...points].map((point) => ({ ...withoutDefaults(family, point), ...own }));
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}
