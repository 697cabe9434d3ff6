import type { Primitives } from "./primitives.ts";

/** The step of a family that a bound call takes after a prediction, as f32.h names it. */
export const STEP = Object.freeze({ olkC: 0, normaC: 1, normaR: 2, normaN: 3, bsgd: 4, dual: 5 } as const);

/** Flags of dual ascent: coefficients may shrink; steps are bounded; the step is greedy. */
export const DUAL_FLAGS = Object.freeze({ forget: 1, bounded: 2, greedy: 4 } as const);
/** Flag of NORMA: f has an offset. */
export const NORMA_BIAS = 1;
/** Flag of any expansion: labels are classes. */
export const CLASSES = 8;

/** Real numbers and whole ones, in the order of `f32_bound`. */
const REALS = Object.freeze(["gamma", "scale", "threshold", "keep", "a", "b", "c"] as const);
const WHOLE = Object.freeze([
  ...(["x", "set", "capacity", "d", "rule", "term", "leaving", "counts", "step", "word", "more"] as const),
  ...(["flags", "width", "errors"] as const),
] as const);

/** Bound arguments of a call, by the names of `f32_bound`; default 0. */
export type Bound = { readonly [name in (typeof REALS)[number] | (typeof WHOLE)[number]]?: number };

/**
 * The same in C's layout, with its memory; and, where the width is found from the first inputs, the methods that predict until it is found
 * and learn where it may change.
 */
export type BoundArguments = ArrayBuffer & {
  readonly words: Float32Array;
  readonly otherwise?: (x: ArrayLike<number>) => number;
  readonly otherwiseLearn?: (x: ArrayLike<number>, y: number) => number;
};

export function boundArguments(
  { words }: Primitives,
  options: Bound,
  methods: Pick<BoundArguments, "otherwise" | "otherwiseLearn"> = {},
): BoundArguments {
  const bytes = new ArrayBuffer(8 * REALS.length + 4 * WHOLE.length);
  const reals = new Float64Array(bytes, 0, REALS.length);
  const whole = new Int32Array(bytes, reals.byteLength, WHOLE.length);
  for (let i = 0; i < REALS.length; i++) reals[i] = options[REALS[i]] ?? 0;
  for (let i = 0; i < WHOLE.length; i++) whole[i] = options[WHOLE[i]] ?? 0;
  return Object.assign(bytes, { words, ...methods });
}
