import type { Primitives } from "./primitives.ts";

const TWO_PI = 6.283185307179586;
const UNIT_24 = 5.9604644775390625e-8; // 2^-24
const STEP = 0x9e3779b9;

/** The finalizer of MurmurHash3: 32 bits mixed. */
function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * The i-th of a seed's standard normal numbers, i and seed whole numbers in [0, 2^31): the same on every
 * engine. By Box and Muller, from two words that follow from (seed, i) by whole-number arithmetic.
 */
export function normal(f32: Primitives, seed: number, i: number): number {
  const start = mix(seed) + Math.imul(2 * i, STEP);
  const radius = Math.sqrt(-2 * f32.log(((mix(start) >>> 8) + 0.5) * UNIT_24));
  return radius * f32.cos(TWO_PI * UNIT_24 * (mix(start + STEP) >>> 8));
}
