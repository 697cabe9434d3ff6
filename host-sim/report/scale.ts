/** An axis from 0: its end and its ticks, at 1, 2 or 5 times a power of ten. */
export interface Scale {
  readonly max: number;
  readonly ticks: readonly number[];
}

/** The axis from 0 that holds `largest` with at most `steps` steps. */
export function scaleTo(largest: number, steps: number): Scale {
  if (!(largest > 0 && Number.isFinite(largest))) return { max: 1, ticks: [0, 1] };
  let decade = 1;
  while (decade > largest) decade /= 10;
  while (decade * 10 <= largest) decade *= 10;
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((m) => m * decade).find((s) => s * steps >= largest)!;
  const count = Math.ceil(largest / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  return { max: ticks[count], ticks };
}

/** A coordinate in an SVG: two decimals. */
export function coordinate(value: number): string {
  return String(Number(value.toFixed(2)));
}
