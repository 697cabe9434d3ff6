import type { Learner, Task } from "../learn/learner.ts";
import type { Primitives } from "../math/primitives.ts";
import { ceil4, packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { type NodeOptions, nodeLearner, nodeLearnerLayout } from "./node.ts";

/** Vectors on which each primitive runs, and steps that the learner takes. */
const VECTORS = 1000;
const STEPS = 100;
/** Vectors on which one primitive runs after the other: so many have the same sizes, and their results one check sum. */
const BATCH = 10;
/** Numbers in a vector, rows of a matrix, components of a row: at most. */
const LONGEST = 13;
const ROWS = 6;
const COMPONENTS = 3;

/** Words of a vector: a matrix, and what it is multiplied with. The next vector begins so many words later. */
const VECTOR = ceil4(ROWS) * COMPONENTS;
const DRAWN = VECTOR + 16;
const NEW = 3;
/** From one vector to the next of those that are matrices of rows: each of its rows, 3.5 on average, is a vector to them. */
const MATRICES = 3 * NEW;
/** The memory, in words: the vectors of a batch, then their results. */
const RESULTS = DRAWN + (BATCH - 1) * NEW;
const WORDS = RESULTS + BATCH * (VECTOR + 1);
const NAN = 0x7fc00000;
/** What brings numbers of at most 1 to where exp is subnormal, and the period of sine and cosine matters. */
const SPREAD = 100;
/** Kinds of numbers: the bits of a drawn word that stay, and those that are set. */
const ABOUT_ONE = frozen([0x83ffffff, 0x3c000000]);
const BELOW_TWO = frozen([0xbfffffff, 0]);
/** 2^-95 to 2^-64: many of their products are subnormal. */
const TINY = frozen([0x8fffffff, 0x10000000]);
/** 2^65 to 2^96: so are products of their inverses. */
const LARGE = frozen([0x8fffffff, 0x60000000]);
const SUBNORMAL = frozen([0x807fffff, 0]);
/** Eight runs of numbers that aren't about 1; in the one that isn't of a kind come infinities, zeros, and the largest. */
const RUNS = frozen([TINY, SUBNORMAL, BELOW_TWO, SUBNORMAL, LARGE, SUBNORMAL, undefined, SUBNORMAL]);

/** What one primitive has to run on: sizes are those of each vector of a batch. */
interface Batch {
  /** Word of the first vector, and that behind the last one's. */
  at: number;
  end: number;
  /** Word of the first result. */
  out: number;
  n: number;
  rows: number;
  d: number;
  row: number;
  column: number;
  scalar: number;
}

/** One primitive on each vector of a batch, the results one behind the other; returns the word behind them. */
type Call = (f32: Primitives, batch: Batch) => number;

/**
 * Every primitive but `load`, which all the learner's steps go through, in the order of their hashes. One that writes where
 * it reads works on a copy; whether it did is a word more. Each has a loop of its own: on XS a function more at each vector
 * costs as much as the primitive.
 */
const CALLS: readonly (readonly [name: string, call: Call])[] = frozen([
  [
    "copy",
    (f32, { at, end, out, n }) => {
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m + 3, n);
        r += n;
      }
      return r;
    },
  ],
  [
    "finite",
    (f32, { at, end, out, n }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.finite(m, n) ? 1 : 0;
      return r;
    },
  ],
  [
    "dot",
    (f32, { at, end, out, n }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.dot(m, m + VECTOR, n);
      return r;
    },
  ],
  [
    "addScaled",
    (f32, { at, end, out, n, scalar }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, n);
        words[r + n] = f32.addScaled(r, scalar, m + VECTOR, n) ? 1 : 0;
        r += n + 1;
      }
      return r;
    },
  ],
  [
    "scale",
    (f32, { at, end, out, n, scalar }) => {
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, n);
        f32.scale(r, scalar, n);
        r += n;
      }
      return r;
    },
  ],
  [
    "argmin",
    (f32, { at, end, out, n }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.argmin(m, n);
      return r;
    },
  ],
  [
    "argminMagnitude",
    (f32, { at, end, out, n }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.argminMagnitude(m, n);
      return r;
    },
  ],
  [
    "oldest",
    (f32, { at, end, out, n }) => {
      const { words, bits } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.oldest(m, bits[m + VECTOR], n);
      return r;
    },
  ],
  [
    "storeRow",
    (f32, { at, end, out, rows, row, d }) => {
      const size = ceil4(rows) * d;
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, size);
        f32.storeRow(r, row, m + VECTOR, d);
        r += size;
      }
      return r;
    },
  ],
  [
    "fetchRow",
    (f32, { at, end, out, row, d }) => {
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.fetchRow(r, m, row, d);
        r += d;
      }
      return r;
    },
  ],
  [
    "storeColumn",
    (f32, { at, end, out, rows, column, d }) => {
      const size = ceil4(rows) * d;
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, size);
        f32.storeColumn(r, column, m + VECTOR, rows, d);
        r += size;
      }
      return r;
    },
  ],
  [
    "dotRow",
    (f32, { at, end, out, row, d }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.dotRow(m, row, m + VECTOR, d);
      return r;
    },
  ],
  [
    "addScaledRow",
    (f32, { at, end, out, rows, row, d, scalar }) => {
      const { words } = f32;
      const size = ceil4(rows) * d;
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, size);
        words[r + size] = f32.addScaledRow(r, row, scalar, m + VECTOR, d) ? 1 : 0;
        r += size + 1;
      }
      return r;
    },
  ],
  [
    "moveRowTowards",
    (f32, { at, end, out, rows, row, d, scalar }) => {
      const { words } = f32;
      const size = ceil4(rows) * d;
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, size);
        words[r + size] = f32.moveRowTowards(r, row, scalar, m + VECTOR, d) ? 1 : 0;
        r += size + 1;
      }
      return r;
    },
  ],
  [
    "innerProducts",
    (f32, { at, end, out, rows, d }) => {
      const size = ceil4(rows);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.innerProducts(r, m, m + VECTOR, rows, d);
        r += size;
      }
      return r;
    },
  ],
  [
    "squaredDistances",
    (f32, { at, end, out, rows, d }) => {
      const size = ceil4(rows);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.squaredDistances(r, m, m + VECTOR, rows, d);
        r += size;
      }
      return r;
    },
  ],
  [
    "gaussianRow",
    (f32, { at, end, out, rows, d, scalar }) => {
      const size = ceil4(rows);
      const gamma = Math.abs(scalar);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.gaussianRow(r, m, m + VECTOR, rows, d, gamma);
        r += size;
      }
      return r;
    },
  ],
  [
    "polynomialRow",
    (f32, { at, end, out, rows, d, scalar, row }) => {
      const size = ceil4(rows);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.polynomialRow(r, m, m + VECTOR, rows, d, scalar, 1 + row);
        r += size;
      }
      return r;
    },
  ],
  [
    "symmetricProduct",
    (f32, { at, end, out, rows }) => {
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.symmetricProduct(r, m, m + VECTOR, rows);
        r += rows;
      }
      return r;
    },
  ],
  [
    "symmetricRankOne",
    (f32, { at, end, out, rows, scalar }) => {
      const { words } = f32;
      const size = packedWords(rows);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, size);
        words[r + size] = f32.symmetricRankOne(r, scalar, m + VECTOR, rows) ? 1 : 0;
        r += size + 1;
      }
      return r;
    },
  ],
  [
    "cholesky",
    (f32, { at, end, out, rows }) => {
      const { words } = f32;
      const size = packedWords(rows);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, size);
        if ((m - at) & 1) dominate(words, r, rows);
        words[r + size] = f32.cholesky(r, rows) ? 1 : 0;
        r += size + 1;
      }
      return r;
    },
  ],
  [
    "solveLower",
    (f32, { at, end, out, rows }) => {
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m + VECTOR, rows);
        f32.solveLower(m, r, rows);
        r += rows;
      }
      return r;
    },
  ],
  [
    "solveLowerTransposed",
    (f32, { at, end, out, rows }) => {
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m + VECTOR, rows);
        f32.solveLowerTransposed(m, r, rows);
        r += rows;
      }
      return r;
    },
  ],
  [
    "invertFactor",
    (f32, { at, end, out, rows }) => {
      const size = packedWords(rows);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, size);
        f32.invertFactor(r, rows);
        r += size;
      }
      return r;
    },
  ],
  [
    "exp",
    (f32, { at, end, out }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.exp(SPREAD * words[m]);
      return r;
    },
  ],
  [
    "log",
    (f32, { at, end, out }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.log(words[m]);
      return r;
    },
  ],
  [
    "cos",
    (f32, { at, end, out }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.cos(SPREAD * words[m]);
      return r;
    },
  ],
  [
    "sin",
    (f32, { at, end, out }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.sin(SPREAD * words[m]);
      return r;
    },
  ],
]);

/** What each hash of a self-test is of, in their order. */
export const SELF_TEST_ITEMS: readonly string[] = frozen([...CALLS.map(([name]) => name), "learner"]);

/**
 * Bytes of memory that a self-test of that node's learner needs; a node's own range, before it is made,
 * mostly has them.
 */
export function selfTestBytes(options: NodeOptions): number {
  return Math.max(4 * WORDS, nodeLearnerLayout(options).bytes);
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
  numbers(bits: Uint32Array, from: number, end: number, vector: number): void {
    const kind = vector & 16 ? ABOUT_ONE : RUNS[(vector >>> 5) & 7];
    const mask = kind?.[0] ?? 0;
    const set = kind?.[1] ?? 0;
    for (let k = from; k < end; k++) {
      const word = this.next();
      if (kind) bits[k] = (word & mask) | set;
      else if (word & 1) bits[k] = (word & 0x80000000) | (word & 2 ? 0x7f800000 : 0);
      else bits[k] = (word & 0x80ffffff) | 0x7e000000;
    }
  }
}

function mixed(hash: number, word: number): number {
  const h = Math.imul(hash ^ word, 0x01000193);
  return h ^ (h >>> 15);
}

/** Makes the diagonal of the packed matrix outweigh its rows, so that it has a factor. */
function dominate(words: Float32Array, at: number, rows: number): void {
  for (let i = 0, diagonal = at; i < rows; i++, diagonal += i + 1) words[diagonal] = 64 + i;
}

/** Runs each primitive on the same vectors, and sums up what it returns and leaves in memory. */
function testPrimitives(f32: Primitives, at: number, hashes: Uint32Array, feed: () => void): void {
  const { words, bits } = f32;
  const draw = new Draw();
  const out = at + RESULTS;
  const fresh = out - BATCH * NEW;
  const batch: Batch = { at, end: at + BATCH * NEW, out, n: 0, rows: 0, d: 0, row: 0, column: 0, scalar: 0 };
  const bytes = new Uint8Array(f32.words.buffer, f32.words.byteOffset + 4 * out, 4 * (WORDS - RESULTS));
  draw.numbers(bits, at, out, 16);
  for (let first = 0; first < VECTORS; first += BATCH) {
    bits.copyWithin(at, at + BATCH * NEW, out);
    for (let k = 0, m = fresh; k < BATCH; k++, m += NEW) draw.numbers(bits, m, m + NEW, first + k);
    batch.n = 1 + draw.below(LONGEST);
    batch.rows = 1 + draw.below(ROWS);
    batch.d = 1 + draw.below(COMPONENTS);
    batch.row = draw.below(batch.rows);
    batch.column = draw.below(batch.d);
    batch.scalar = words[at];
    feed();
    for (let i = 0; i < CALLS.length; i++) hashes[i] = testCall(f32, bytes, i, batch, hashes[i]);
  }
}

/** Gives every NaN the same bits: engines differ in which they give. */
function unifyNaN({ words, bits }: Primitives, from: number, end: number): void {
  const largest = Number.POSITIVE_INFINITY;
  for (let k = from; k < end; k++) if (!(words[k] <= largest)) bits[k] = NAN;
}

/** Calls one primitive on the batch; returns the check sum after `before`. */
function testCall(f32: Primitives, bytes: Uint8Array, index: number, batch: Batch, before: number): number {
  const { out } = batch;
  const end = CALLS[index][1](f32, batch);
  if (!f32.finite(out, end - out)) unifyNaN(f32, out, end);
  return f32.crc32(bytes, 0, 4 * (end - out), before);
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
    for (let j = 0; j < x.length; j++) x[j] = (draw.below(256) - 128) / 64;
    learner.learn(x, labelOf(learner.task, x[0] * x[1 % x.length] + x[2 % x.length]));
  }
  const { range, layout } = learner;
  let hash = 0;
  for (let k = range.state; k < range.state + layout.state; k++) hash = mixed(hash, range.f32.bits[k]);
  return hash;
}

/**
 * Tries the arithmetic before a node starts: each primitive on 1,000 fixed vectors, then 100 steps of the
 * node's own learner. Returns one hash for each of `SELF_TEST_ITEMS`, so that whoever compares them can name
 * the first primitive that differs. The hashes are 4 bytes each, and it makes a learner and one input of `4 *
 * dimension` bytes, which the engine may collect when it returns; it is called at boot only. Works in
 * `selfTestBytes(options)` bytes from `memory.state` on, whose contents it spoils: make the node there
 * afterwards.
 * @param feed called for every ten vectors: a microcontroller takes a second or more, and its watchdog may wait for less.
 */
export function selfTest(options: NodeOptions, memory: MemoryRange, feed = () => {}): Uint32Array {
  const hashes = new Uint32Array(SELF_TEST_ITEMS.length);
  testPrimitives(memory.f32, memory.state, hashes, feed);
  const layout = nodeLearnerLayout(options);
  const learner = nodeLearner(options, layout.range(memory.f32, 4 * memory.state));
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
