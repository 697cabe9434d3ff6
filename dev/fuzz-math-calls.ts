// The random calls of every primitive, of fuzz-math-calls.h, translated when this is loaded; and what they take beside
// the memory, which fuzz-math.c has in C.
import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { transformSync } from "esbuild";
import type { Primitives } from "../src/math/primitives.ts";
import { frozen } from "../src/memory/frozen.ts";
import { bytesFrom, readBits, setBits, taken } from "../src/selftest/access.ts";
import { fuzzCalls } from "./translate-calls.mjs";

/** Arguments, and inputs from outside the memory. */
const doubles = new Float64Array(68);
const doubleBits = new Uint32Array(doubles.buffer);

const TAKEN = {
  ...{ frozen, bytesFrom, readBits, setBits, taken, doubles },
  times: Math.imul,
  /** Of whole numbers that aren't negative. */
  quotient: (a: number, b: number) => Math.floor(a / b),
  setDouble: (at: number, high: number, low: number) => {
    doubleBits[2 * at] = low;
    doubleBits[2 * at + 1] = high;
  },
  loadDoubles: (f32: Primitives, to: number, n: number) => Number(f32.load(to, doubles.subarray(0, n), n)),
};

/** A call's arguments, and the words of memory that it may access, and some beyond: `end`. */
export interface Call {
  readonly end: number;
}

interface Calls {
  /** The primitives, in the order of the calls' numbers. */
  readonly NAMES: readonly string[];
  /** Enough for any call's memory. */
  readonly WORDS: number;
  draw(f32: Primitives, call: Call, seed: number, primitive: number, index: number): void;
  run(f32: Primitives, primitive: number, call: Call): number;
}

function translated(file: string): Calls {
  const { code } = transformSync(fuzzCalls(readFileSync(file, "utf8")), { loader: "ts", format: "cjs" });
  const made = { exports: {} as Calls };
  compileFunction(code, ["module", ...Object.keys(TAKEN)])(made, ...Object.values(TAKEN));
  return made.exports;
}

export const { NAMES, WORDS, draw, run } = translated("dev/fuzz-math-calls.h");
