/** An axis: its ends, which are ticks, and the position of a value, 0..1. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly logarithmic: boolean;
  /** Rising, each 1, 2 or 5 times a power of ten, or a multiple of one such step. */
  readonly ticks: readonly number[];
  place(value: number): number;
}

/** Steps on a linear axis unless stated, and ticks on a logarithmic one, at most. */
const STEPS = 5;
const TICKS_MAX = 8;
/** Ratio of the ends below which the axis has steps, else decades. */
const FEW_TIMES = 3;

/** A tick without its rounding digits. */
const tidy = (value: number) => Number(value.toPrecision(9));

/**
 * The smallest step 1, 2 or 5 times a power of ten that covers the span (> 0, finite) in at most `steps`
 * steps.
 */
export function roundStep(span: number, steps: number): number {
  let decade = 1;
  while (decade > span) decade /= 10;
  while (decade * 10 <= span) decade *= 10;
  const fits = (step: number) => step * steps >= span * (1 - 1e-9);
  let step = decade * 10;
  for (const times of [5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01])
    if (fits(times * decade)) step = times * decade;
  return Number(step.toPrecision(1));
}

/** Ticks a step apart, from at most `low` to at least `high`. */
function stepTicks(low: number, high: number, steps: number): number[] {
  const alike = high - low <= 1e-6 * Math.abs(high); // six digits of a tick tell no more apart
  const span = alike ? Math.abs(high) || 1 : high - low;
  const step = roundStep(span, steps);
  const from = Math.floor(tidy(low / step));
  const to = Math.max(from + 1, Math.ceil(tidy(high / step)));
  return Array.from({ length: to - from + 1 }, (_, i) => tidy((from + i) * step));
}

/** 1, 2 and 5 times powers of ten, from at most `low` to at least `high`; where they are many, powers of ten between the ends. */
function decadeTicks(low: number, high: number): number[] {
  const decades = Array.from({ length: 80 }, (_, i) => i - 40);
  const all = decades.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  const from = all.findIndex((tick) => tick > low) - 1;
  const to = all.findIndex((tick) => tick >= high);
  const ticks = all.slice(from, to + 1);
  if (ticks.length <= TICKS_MAX) return ticks;
  return ticks.filter((_, i) => i === 0 || i === ticks.length - 1 || (from + i) % 3 === 0);
}

/** The axis on which all of the values lie; a logarithmic one takes values > 0. */
export function makeAxis(values: readonly number[], logarithmic = false, steps = STEPS): Axis {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  const isLog = logarithmic && most > FEW_TIMES * least;
  const ticks = isLog ? decadeTicks(least, most) : stepTicks(least, most, steps);
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const at = logarithmic ? Math.log10 : (value: number) => value;
  return {
    low,
    high,
    logarithmic,
    ticks,
    place: (value) => (at(value) - at(low)) / (at(high) - at(low)),
  };
}

/** The axis from 0 to the largest of the values. */
export function axisFrom0(values: readonly number[], steps = STEPS): Axis {
  const known = values.filter((value) => value > 0 && Number.isFinite(value));
  return makeAxis(known.length > 0 ? [0, ...known] : [0, 1], false, steps);
}

/** A coordinate in an SVG: two decimals. */
export function coordinate(value: number): string {
  return String(Math.round(100 * value) / 100);
}
