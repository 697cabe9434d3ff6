import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ALL_DRAWN, BATCH, type Batch, COMPONENTS, LONGEST, NEW, ROWS } from "./calls.ts";
import { Draw } from "./draw.ts";
import { CALLS, WORDS } from "./items.ts";
import { GIVEN } from "./steps.ts";
import { testByC, VECTORS } from "./tests-in-c.ts";

/** A float32 times this is a double that float32 can't hold. */
const FRACTION = 0.7;
/** Bits of numbers, and how many words are looked at together for a NaN. */
const MAGNITUDE = 0x7fffffff;
const INFINITE = 0x7f800000;
const NAN = 0x7fc00000;
const PIECE = 16;
/** Kinds of numbers: the bits of a drawn word that stay, and those that are set. Signed: to XS a larger number isn't whole. */
const ABOUT_ONE = frozen([0x83ffffff | 0, 0x3c000000]);
const BELOW_TWO = frozen([0xbfffffff | 0, 0]);
/** 2^-95 to 2^-64: many of their products are subnormal. */
const TINY = frozen([0x8fffffff | 0, 0x10000000]);
/** 2^65 to 2^96: so are products of their inverses. */
const LARGE = frozen([0x8fffffff | 0, 0x60000000]);
const SUBNORMAL = frozen([0x807fffff | 0, 0]);
/** The largest numbers, and infinities and zeros of a word's sign. */
const LARGEST = frozen([0x80ffffff | 0, 0x7e000000]);
const SIGN = 0x80000000 | 0;
/** Eight runs of numbers that aren't about 1. */
const RUNS = frozen([TINY, SUBNORMAL, BELOW_TWO, SUBNORMAL, LARGE, SUBNORMAL, LARGEST, SUBNORMAL]);

/**
 * Puts the numbers of vector `vector` into words from..end-1; later vectors reuse them, shifted. Mostly they are about 1. In every other run of
 * 16 vectors, long enough to fill a vector, they are of another kind.
 */
function drawNumbers(draw: Draw, ints: Int32Array, from: number, end: number, vector: number): void {
  const kind = vector & 16 ? ABOUT_ONE : RUNS[(vector >>> 5) & 7];
  const mask = kind[0];
  const set = kind[1];
  for (let k = from; k < end; k++) {
    const word = draw.next();
    ints[k] = (word & mask) | set;
    if (kind === LARGEST && word & 1) ints[k] = (word & SIGN) | (word & 2 ? INFINITE : 0);
  }
}

/** A batch before its vectors are drawn. */
function batchAt({ words }: Primitives, at: number): Batch {
  const out = at + ALL_DRAWN;
  const given = out + GIVEN;
  const views: Float32Array[] = [];
  for (let n = 1; n <= LONGEST; n++) views.push(words.subarray(given, given + n));
  const sizes = { n: 0, rows: 0, d: 0, row: 0, column: 0, scalar: 0 };
  const bytes = new Uint8Array(words.buffer, words.byteOffset + 4 * at, 4 * WORDS);
  const ints = new Int32Array(words.buffer, words.byteOffset, words.length);
  const doubles = new Float64Array(LONGEST);
  return { at, end: at + BATCH * NEW, out, ...sizes, bytes, ints, given, views, doubles };
}

/** As `testPrimitives`, in TypeScript. */
function testByCalls(f32: Primitives, at: number, hashes: Uint32Array, feed: () => void): void {
  const { words } = f32;
  const draw = new Draw();
  const batch = batchAt(f32, at);
  const { out, ints } = batch;
  const fresh = out - BATCH * NEW;
  drawNumbers(draw, ints, at, out, 16);
  for (let first = 0; first < VECTORS; first += BATCH) {
    ints.copyWithin(at, at + BATCH * NEW, out);
    for (let k = 0, m = fresh; k < BATCH; k++, m += NEW) drawNumbers(draw, ints, m, m + NEW, first + k);
    batch.n = 1 + draw.below(LONGEST);
    batch.rows = 1 + draw.below(ROWS);
    batch.d = 1 + draw.below(COMPONENTS);
    batch.row = draw.below(batch.rows);
    batch.column = draw.below(batch.d);
    batch.scalar = FRACTION * words[at];
    feed();
    for (let i = 0; i < CALLS.length; i++) hashes[i] = testCall(f32, i, batch, hashes[i]);
  }
}

/**
 * Gives every NaN the same bits: engines differ in which they give. A sum of squares is a NaN only if one of the numbers is,
 * so that XS looks at few of them one by one.
 */
function unifyNaN(f32: Primitives, ints: Int32Array, from: number, end: number): void {
  for (let first = from; first < end; first += PIECE) {
    const n = first + PIECE < end ? PIECE : end - first;
    if (f32.finite(first, n) || f32.dot(first, first, n) >= 0) continue;
    for (let k = first; k < first + n; k++) if ((ints[k] & MAGNITUDE) > INFINITE) ints[k] = NAN;
  }
}

/** Calls one primitive on the batch; returns the check sum after `before`. */
function testCall(f32: Primitives, index: number, batch: Batch, before: number): number {
  const { out, bytes, ints } = batch;
  const end = CALLS[index](f32, batch);
  if (!f32.finite(out, end - out)) unifyNaN(f32, ints, out, end);
  return f32.crc32(bytes, 4 * ALL_DRAWN, 4 * (ALL_DRAWN + end - out), before);
}

/**
 * Runs each primitive on the same vectors, in the memory from word `at`, and hashes its results there: a hash
 * for each, with one more word for its own use. `feed` is called for every batch.
 */
export function testPrimitives(f32: Primitives, at: number, hashes: Uint32Array, feed: () => void): void {
  if (f32.testBatch) testByC(f32, at, hashes, feed);
  else testByCalls(f32, at, hashes, feed);
}
