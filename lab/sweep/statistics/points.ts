import { Random } from "../../../host/random.ts";
import { ScenarioError } from "../../../host-sim/scenario/scenario.ts";
import { Elementary } from "../../../src/math/elementary.ts";
import type { Axis, RangeAxis } from "./axes.ts";
import { SOBOL_DIMENSIONS, Sobol } from "./sobol.ts";

/** How a sweep chooses its points: all combinations, or a draw. */
export const METHODS = ["grid", "random", "sobol"] as const;
export type Method = (typeof METHODS)[number];

/** A draw of points: how many, and its seed. */
export interface Draw {
  readonly points: number;
  readonly seed: number;
}

/** Significant digits of a drawn value: the table's text is then the value. */
const DIGITS = 6;
/** Points of a sweep at most. */
export const POINTS_MAX = 1_000_000;

const elementary = new Elementary();

/** Every combination of the values, the last axis fastest. Throws a ScenarioError for a range. */
export function gridPoints(axes: readonly Axis[]): unknown[][] {
  let points: unknown[][] = [[]];
  for (const axis of axes) {
    if (!("values" in axis))
      throw new ScenarioError(
        `vary ${axis.key}: a grid takes a list of values; for a range draw points: --sample random, or sobol`,
      );
    if (points.length * axis.values.length > POINTS_MAX)
      throw new ScenarioError(`vary: the grid has more than ${POINTS_MAX} points; draw some: --sample sobol`);
    points = points.flatMap((point) => axis.values.map((value) => [...point, value]));
  }
  return points;
}

/** Points drawn at random: each axis from a random stream of its own, so that another axis moves none of its values. */
export function randomPoints(axes: readonly Axis[], { points, seed }: Draw): unknown[][] {
  const streams = axes.map(({ key }) => new Random(seed, `sweep/${key}`));
  return Array.from({ length: points }, () => axes.map((axis, i) => valueAt(axis, streams[i].uniform())));
}

/** The first points of Sobol's sequence; a seed other than 0 shifts them (Cranley and Patterson's rotation in base 2). */
export function sobolPoints(axes: readonly Axis[], { points, seed }: Draw): unknown[][] {
  if (axes.length > SOBOL_DIMENSIONS)
    throw new ScenarioError(
      `--sample sobol: ${axes.length} keys vary; takes at most ${SOBOL_DIMENSIONS}, --sample random any number`,
    );
  const shifts = axes.map(({ key }) => (seed === 0 ? 0 : new Random(seed, `sweep/${key}`).uint32()));
  const sequence = new Sobol(axes.length, shifts);
  return Array.from({ length: points }, () => {
    const point = sequence.next();
    return axes.map((axis, i) => valueAt(axis, point[i]));
  });
}

/** The axis's value at u in [0, 1). */
export function valueAt(axis: Axis, u: number): unknown {
  if ("values" in axis) return axis.values[Math.floor(u * axis.values.length)];
  return axis.integer ? wholeAt(axis, u) : roundWithin(axis, continuousAt(axis, u));
}

function continuousAt({ min, max, log }: RangeAxis, u: number): number {
  return log ? min * elementary.exp(u * elementary.log(max / min)) : min + u * (max - min);
}

/** Each whole number of the range as likely, or as its share of the logarithm. */
function wholeAt({ key, min, max, log, integer }: RangeAxis, u: number): number {
  if (!log) return Math.min(max, min + Math.floor(u * (max - min + 1)));
  const value = continuousAt({ key, min, max: max + 1, log, integer }, u);
  return Math.min(max, Math.max(min, Math.floor(value)));
}

function roundWithin({ min, max }: RangeAxis, value: number): number {
  return Math.min(max, Math.max(min, Number(value.toPrecision(DIGITS))));
}
