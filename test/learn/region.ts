import type { KernelExpansion } from "../../src/learn/expansion.ts";
import type { Learner } from "../../src/learn/learner.ts";

/** The words of a region of a learner's memory, or the first of them, which change with it. */
export function readWords(
  { layout, range }: Pick<Learner, "layout" | "range">,
  region: string,
  words = layout.regionWords(region),
): Float32Array {
  const at = layout.at(region, range);
  return range.f32.words.subarray(at, at + words);
}

/** The stored vectors of a kernel expansion, row by row. */
export function readVectors({ dictionary, range }: KernelExpansion): number[][] {
  const { rows, dimension, size } = dictionary;
  const word = (i: number, j: number) => range.f32.words[rows + 4 * dimension * (i >> 2) + 4 * j + (i & 3)];
  return Array.from({ length: size }, (_, i) => Array.from({ length: dimension }, (_, j) => word(i, j)));
}

/** Their coefficients, in the same order. */
export function readCoefficients({ dictionary }: KernelExpansion): number[] {
  return Array.from({ length: dictionary.size }, (_, i) => dictionary.coefficient(i));
}
