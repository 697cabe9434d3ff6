import type { Family } from "../../src/learn/family.ts";
import type { SearchedOption } from "../../src/learn/traits.ts";

export type Options = { readonly [name: string]: unknown };

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
export const WIDTH_IMPLIED = 0.5;
const DIGITS = 4;

/** Options by which a learner's bytes and instructions change: with each value it is another choice. */
export const SIZING = ["covariance", "rank", "storage", "bytes"] as const;

/** A number as a person would write it. */
const round = (value: number) => Number(value.toPrecision(DIGITS));

function gaussianKernel(distance: number, width: number): Options {
  return { type: "gaussian", sigma: round(width * distance) };
}

/** A learner's default kernel, where it is a Gaussian. */
export function gaussianDefault({ options }: Family): Options | undefined {
  const usual = options.kernel?.default as Options | undefined;
  return usual?.type === "gaussian" ? usual : undefined;
}

/** True if the width is one that float32 has. */
function isUsable(sigma: number): boolean {
  const gamma = 1 / (2 * sigma * sigma);
  return Math.fround(gamma) > 0 && Math.fround(gamma) < Infinity;
}

function scaledValues({ values, unit }: SearchedOption, units: Units): unknown[] {
  if (unit === undefined) return [...values];
  const size = units[unit];
  return size === null ? [] : values.map((value) => round((value as number) * size));
}

function listWidths(family: Family, { distance }: Units): Options[] {
  if (!gaussianDefault(family) || distance === null) return [];
  return WIDTHS.filter((width) => isUsable(width * distance)).map((width) => gaussianKernel(distance, width));
}

/** An option that is set to its default isn't written. */
function withoutDefaults(family: Family, options: Options): Options {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => family.options[name].default !== value),
  );
}

/**
 * The options that are tried with a learner, its defaults first (a Gaussian's width then follows from the data); `given` ones
 * stand. A learner without traits is tried with its defaults, and with each width if its kernel is a Gaussian. Dimension, classes and budget aren't among them.
 */
export function listSettings(family: Family, units: Units, options: Options): Options[] {
  const own = Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(family.options, name)),
  );
  const axes = [
    { option: "kernel", values: listWidths(family, units) },
    ...(family.traits?.searched ?? []).map((axis) => ({ ...axis, values: scaledValues(axis, units) })),
  ].filter(({ option, values }) => !Object.hasOwn(own, option) && values.length > 0);
  const usual =
    axes[0]?.option === "kernel" ? { kernel: gaussianKernel(units.distance as number, WIDTH_IMPLIED) } : {};
  const points = axes.reduce<Options[]>(
    (sofar, { option, values }) => sofar.flatMap((at) => values.map((value) => ({ ...at, [option]: value }))),
    [{}],
  );
  const all = [usual, ...points].map((point) => ({ ...withoutDefaults(family, point), ...own }));
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}
