/** An axis from 0: its end and its ticks, at 1, 2 or 5 times a power of ten. */
export interface Scale {
  readonly max: number;
  readonly ticks: readonly number[];
}

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

/** The axis from 0 that holds `largest` with at most `steps` steps. */
export function scaleTo(largest: number, steps: number): Scale {
  if (!(largest > 0 && Number.isFinite(largest))) return { max: 1, ticks: [0, 1] };
  const step = roundStep(largest, steps);
  const count = Math.ceil(largest / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  return { max: ticks[count], ticks };
}

/** A coordinate in an SVG: two decimals. */
export function coordinate(value: number): string {
  return String(Number(value.toFixed(2)));
}
