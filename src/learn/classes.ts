import { frozen } from "../memory/frozen.ts";
import { whole } from "./options.ts";

/** Option of a classifier that handles several classes by itself. */
export const classes = frozen(
  whole({ default: 2, min: 2, max: 256 }, "K, classes: 2 takes labels -1 and +1, more take labels 0..K-1"),
);

/** Binary problems for K classes: K, or 1 for two classes. */
export function problems(K: number): number {
  return K > 2 ? K : 1;
}

/** True if y is a label for K binary problems: -1 or +1 for one, else 0..K-1. */
export function isLabel(y: number, K: number): boolean {
  if (K === 1) return y === 1 || y === -1;
  return Number.isInteger(y) && y >= 0 && y < K;
}

/** The class with the largest of the K decision values at word `scores`, the lowest on ties. */
export function largestScore(words: Float32Array, scores: number, K: number): number {
  let best = 0;
  for (let c = 1; c < K; c++) if (words[scores + c] > words[scores + best]) best = c;
  return best;
}
