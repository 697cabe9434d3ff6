import { normal } from "../math/normal.ts";
import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { whole } from "./options.ts";

/** Option `budget` of a learner on these features. */
export const frequencyBudget = frozen(
  whole(
    { default: 64, min: 1, max: 4096 },
    "D, random frequencies u_i: w has 2 D components, no vectors are stored",
  ),
);
/** Option of a learner on these features. */
export const frequencySeed = frozen(
  whole({ default: 1, min: 0, max: 2147483647 }, "seed from which the frequencies are drawn"),
);

/** The name of feature j, for people. */
export function nameFourierFeature(j: number): string {
  return `${j % 2 === 0 ? "cosine" : "sine"} of frequency ${1 + (j >> 1)}`;
}

/** Draws a seed's frequencies `from` to `to`, exclusive, of that standard deviation, to the rows at word `frequencies`. */
export function drawFrequencies(
  f32: Primitives,
  frequencies: number,
  dimension: number,
  seed: number,
  deviation: number,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    for (let j = 0; j < dimension; j++) {
      f32.words[frequencies + 4 * dimension * (i >> 2) + 4 * j + (i & 3)] =
        deviation * normal(f32, seed, i * dimension + j);
    }
  }
}

/** The cosine and sine of u_i.x for n frequencies, in 2 n words at z; 0 where the phase is too large for a cosine, |u_i.x| > 8192. */
export function fourierFeatures(
  f32: Primitives,
  z: number,
  frequencies: number,
  x: number,
  n: number,
  dimension: number,
): void {
  f32.fourierFeatures(z, frequencies, x, n, dimension);
  if (f32.finite(z, 2 * n)) return;
  const { words } = f32;
  for (let i = z; i < z + 2 * n; i++) if (words[i] - words[i] !== 0) words[i] = 0;
}
