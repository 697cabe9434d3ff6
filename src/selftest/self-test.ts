import type { Family, GivenOptions } from "../learn/family.ts";
import type { Learner, Task } from "../learn/learner.ts";
import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import {
  ALL_DRAWN,
  BATCH,
  type Batch,
  type Call,
  type Calls,
  COMPONENTS,
  LONGEST,
  NEW,
  PLAIN_CALLS,
  ROWS,
} from "./calls.ts";
import { GIVEN, RESULTS_WORDS, STEP_CALLS } from "./steps.ts";

/** Vectors on which each primitive runs, and steps that the learner takes. */
const VECTORS = 1000;
const STEPS = 100;
/** The memory, in words: what is drawn for a batch, then the results. */
const WORDS = ALL_DRAWN + RESULTS_WORDS;
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

/** Every primitive, after those that it calls. */
const NAMED_CALLS: Calls = frozen([...PLAIN_CALLS, ...STEP_CALLS]);
const CALLS: readonly Call[] = frozen(NAMED_CALLS.map(([, call]) => call));

/** What each hash of a self-test is of, in their order. */
export const SELF_TEST_ITEMS: readonly string[] = frozen([...NAMED_CALLS.map(([name]) => name), "learner"]);

/** A learner to be tested: its family, and all its options, `dimension` included. */
export interface TestedLearner {
  readonly learner: Family;
  readonly options: GivenOptions;
}

/**
 * Bytes of memory that a self-test with that learner needs; a node's own range, before it is made,
 * mostly has them.
 */
export function selfTestBytes({ learner, options }: TestedLearner): number {
  return Math.max(4 * WORDS, learner.layout(options).bytes);
}

/** Whole numbers that are the same on every engine: xorshift (Marsaglia, J. Stat. Software 8(14), 2003). */
class Draw {
  private state = 1;

  /** 32 bits, signed. */
  next(): number {
    let s = this.state;
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    this.state = s;
    return s;
  }

  below(n: number): number {
    return (this.next() >>> 0) % n;
  }

  /**
   * Puts numbers of vector `vector` into words from..end-1. They run through the vectors after it: mostly they are about 1, and in
   * every other 16 vectors, by which time they fill one, something else.
   */
  numbers(ints: Int32Array, from: number, end: number, vector: number): void {
    const kind = vector & 16 ? ABOUT_ONE : RUNS[(vector >>> 5) & 7];
    const mask = kind[0];
    const set = kind[1];
    for (let k = from; k < end; k++) {
      const word = this.next();
      ints[k] = (word & mask) | set;
      if (kind === LARGEST && word & 1) ints[k] = (word & SIGN) | (word & 2 ? INFINITE : 0);
    }
  }
}

function mixed(hash: number, word: number): number {
  const h = Math.imul(hash ^ word, 0x01000193);
  return h ^ (h >>> 15);
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

/** Runs each primitive on the same vectors, and sums up what it returns and leaves in memory. */
function testPrimitives(f32: Primitives, at: number, hashes: Uint32Array, feed: () => void): void {
  const { words } = f32;
  const draw = new Draw();
  const batch = batchAt(f32, at);
  const { out, ints } = batch;
  const fresh = out - BATCH * NEW;
  draw.numbers(ints, at, out, 16);
  for (let first = 0; first < VECTORS; first += BATCH) {
    ints.copyWithin(at, at + BATCH * NEW, out);
    for (let k = 0, m = fresh; k < BATCH; k++, m += NEW) draw.numbers(ints, m, m + NEW, first + k);
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

/** A label of the task for a score. */
function labelOf(task: Task, score: number): number {
  if (task === "regression") return score;
  if (task === "multiclass") return score < 0 ? 0 : 1;
  if (task === "novelty") return score < 0 ? 0 : 1;
  return score < 0 ? -1 : 1;
}

/** Lets a learner take its steps, and hashes its state. Components are multiples of 1/64 in [-2, 2). */
function testLearner(learner: Learner): number {
  const draw = new Draw();
  const x = new Float32Array(learner.dimension);
  for (let step = 0; step < STEPS; step++) {
    for (let j = 0; j < x.length; j++) x[j] = ((draw.next() & 255) - 128) / 64;
    learner.learn(x, labelOf(learner.task, x[0] * x[1 % x.length] + x[2 % x.length]));
  }
  const { range, layout } = learner;
  const { words } = range.f32;
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  return range.f32.crc32(bytes, 4 * range.state, 4 * (range.state + layout.state), 0);
}

/**
 * Tries the arithmetic before a node starts: each primitive on 1,000 fixed vectors, then 100 steps of the
 * node's own learner. Returns one hash for each of `SELF_TEST_ITEMS`, so that whoever compares them can name
 * the first primitive that differs. The hashes are 4 bytes each, and it makes a learner, one input of `4 *
 * dimension` bytes, one of 104 and some views, which the engine may collect when it returns; it is called at boot only. Works in
 * `selfTestBytes(tested)` bytes from `memory.state` on, whose contents it spoils: make the node there
 * afterwards.
 * @param feed called for every ten vectors: a microcontroller takes a second or more, and its watchdog may wait for less.
 */
export function selfTest(tested: TestedLearner, memory: MemoryRange, feed = () => {}): Uint32Array {
  const hashes = new Uint32Array(CALLS.length + 1);
  testPrimitives(memory.f32, memory.state, hashes, feed);
  const { learner: family, options } = tested;
  const range = family.layout(options).range(memory.f32, 4 * memory.state);
  const learner = family.create({ ...options, memory: range });
  hashes[hashes.length - 1] = testLearner(learner);
  return hashes;
}

/** One hash of a self-test's hashes. */
export function combinedHash(hashes: Uint32Array): number {
  let hash = 0;
  for (let i = 0; i < hashes.length; i++) hash = mixed(hash, hashes[i]);
  return hash >>> 0;
}

/** The first item on which two self-tests differ; undefined if they agree. */
export function firstDifference(one: ArrayLike<number>, other: ArrayLike<number>): string | undefined {
  return SELF_TEST_ITEMS.find((_, i) => one[i] !== other[i]);
}
