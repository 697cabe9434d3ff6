import type { Primitives } from "../math/primitives.ts";

// How calls.ts accesses the memory; self-test.c begins with the same in C.

export function magnitude(x: number): number {
  return Math.abs(x);
}

export function setBits({ bits }: Primitives, at: number, value: number): void {
  bits[at] = value;
}

export function readBits({ bits }: Primitives, at: number): number {
  return bits[at];
}

export function moveWords({ bits }: Primitives, to: number, from: number, n: number): void {
  bits.copyWithin(to, from, from + n);
}

/** The memory's bytes from a word on. */
export function bytesFrom({ words }: Primitives, at: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + 4 * at, 4 * (words.length - at));
}

/** An input from outside the memory: a primitive copies it itself. */
export function taken({ words }: Primitives, from: number, n: number): Float32Array {
  return words.subarray(from, from + n);
}

export function loadWords(f32: Primitives, to: number, from: number, n: number): number {
  return Number(f32.load(to, taken(f32, from, n), n));
}

/** Of doubles that no float32 is. */
export function loadScaled(f32: Primitives, to: number, s: number, from: number, n: number): number {
  const doubles = Float64Array.from(taken(f32, from, n), (x) => s * x);
  return Number(f32.load(to, doubles, n));
}
