import type { Primitives } from "../src/math/primitives.ts";

// What fuzz-math-calls.ts takes beside the memory; fuzz-math.c has the same in C.

/** Arguments, and inputs from outside the memory. */
export const doubles = new Float64Array(68);
const doubleBits = new Uint32Array(doubles.buffer);

export function setDouble(at: number, high: number, low: number): void {
  doubleBits[2 * at] = low;
  doubleBits[2 * at + 1] = high;
}

export function loadDoubles(f32: Primitives, to: number, n: number): number {
  return Number(f32.load(to, doubles.subarray(0, n), n));
}

/** Of 32 bits. */
export function times(a: number, b: number): number {
  return Math.imul(a, b);
}

/** Of whole numbers that aren't negative. */
export function quotient(a: number, b: number): number {
  return Math.floor(a / b);
}
