import type { Learner, Task } from "../learn/learner.ts";
import type { Primitives } from "../math/primitives.ts";
import { ceil4, packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { type NodeOptions, nodeLearner, nodeLearnerLayout } from "./node.ts";

/** Vectors on which each primitive runs, and steps that the learner takes. */
const VECTORS = 1000;
const STEPS = 100;
/** Numbers in a vector, rows of a matrix, components of a row: at most. */
const LONGEST = 13;
const ROWS = 6;
const COMPONENTS = 5;

/** The memory, in words: what is drawn, and where a primitive works on a copy of it. */
const DRAWN = 64;
/** The word that a result is rounded into lies before the matrix, so that both are summed up at once. */
const LAST = DRAWN;
const MATRIX = LAST + 1;
const VECTOR = MATRIX + 48;
const RESULT = VECTOR + 16;
const WORDS = RESULT + 16;
/** Words that are new in each vector: the others were drawn for those before it, and moved down. */
const NEW = 8;
const NAN = 0x7fc00000;

/** One primitive on the memory at word `at`; its result, if it has one. */
type Call = (f32: Primitives, at: number, call: Sizes) => unknown;

interface Sizes {
  n: number;
  rows: number;
  d: number;
  row: number;
  column: number;
  scalar: number;
}

/** Where a primitive writes. */
type Area = "matrix" | "vector" | "result" | "none";

/** Every primitive but `load`, which all the learner's steps go through, in the order of their hashes. */
const CALLS: readonly (readonly [name: string, writes: Area, call: Call])[] = frozen([
  ["finite", "none", (f, at, { n }) => f.finite(at + MATRIX, n)],
  ["dot", "none", (f, at, { n }) => f.dot(at + MATRIX, at + VECTOR, n)],
  ["addScaled", "matrix", (f, at, { n, scalar }) => f.addScaled(at + MATRIX, scalar, at + VECTOR, n)],
  ["scale", "matrix", (f, at, { n, scalar }) => f.scale(at + MATRIX, scalar, n)],
  ["copy", "matrix", (f, at, { n }) => f.copy(at + MATRIX, at + MATRIX + 3, n)],
  ["argmin", "none", (f, at, { n }) => f.argmin(at + MATRIX, n)],
  ["argminMagnitude", "none", (f, at, { n }) => f.argminMagnitude(at + MATRIX, n)],
  ["oldest", "none", (f, at, { n }) => f.oldest(at + MATRIX, f.bits[at + VECTOR], n)],
  ["storeRow", "matrix", (f, at, { row, d }) => f.storeRow(at + MATRIX, row, at + VECTOR, d)],
  ["fetchRow", "result", (f, at, { row, d }) => f.fetchRow(at + RESULT, at + MATRIX, row, d)],
  [
    "storeColumn",
    "matrix",
    (f, at, { column, rows, d }) => f.storeColumn(at + MATRIX, column, at + VECTOR, rows, d),
  ],
  ["dotRow", "none", (f, at, { row, d }) => f.dotRow(at + MATRIX, row, at + VECTOR, d)],
  [
    "addScaledRow",
    "matrix",
    (f, at, { row, scalar, d }) => f.addScaledRow(at + MATRIX, row, scalar, at + VECTOR, d),
  ],
  [
    "moveRowTowards",
    "matrix",
    (f, at, { row, scalar, d }) => f.moveRowTowards(at + MATRIX, row, scalar, at + VECTOR, d),
  ],
  [
    "innerProducts",
    "result",
    (f, at, { rows, d }) => f.innerProducts(at + RESULT, at + MATRIX, at + VECTOR, rows, d),
  ],
  [
    "squaredDistances",
    "result",
    (f, at, { rows, d }) => f.squaredDistances(at + RESULT, at + MATRIX, at + VECTOR, rows, d),
  ],
  [
    "gaussianRow",
    "result",
    (f, at, { rows, d, scalar }) =>
      f.gaussianRow(at + RESULT, at + MATRIX, at + VECTOR, rows, d, scalar < 0 ? -scalar : scalar),
  ],
  [
    "polynomialRow",
    "result",
    (f, at, { rows, d, scalar, row }) =>
      f.polynomialRow(at + RESULT, at + MATRIX, at + VECTOR, rows, d, scalar, 1 + row),
  ],
  [
    "symmetricProduct",
    "result",
    (f, at, { rows }) => f.symmetricProduct(at + RESULT, at + MATRIX, at + VECTOR, rows),
  ],
  [
    "symmetricRankOne",
    "matrix",
    (f, at, { rows, scalar }) => f.symmetricRankOne(at + MATRIX, scalar, at + VECTOR, rows),
  ],
  ["cholesky", "matrix", (f, at, { rows }) => f.cholesky(at + MATRIX, rows)],
  ["solveLower", "vector", (f, at, { rows }) => f.solveLower(at + MATRIX, at + VECTOR, rows)],
  [
    "solveLowerTransposed",
    "vector",
    (f, at, { rows }) => f.solveLowerTransposed(at + MATRIX, at + VECTOR, rows),
  ],
  ["invertFactor", "matrix", (f, at, { rows }) => f.invertFactor(at + MATRIX, rows)],
  ["exp", "none", (f, at) => f.exp(f.words[at + VECTOR])],
  ["log", "none", (f, at) => f.log(f.words[at + VECTOR])],
  ["cos", "none", (f, at) => f.cos(f.words[at + VECTOR])],
  ["sin", "none", (f, at) => f.sin(f.words[at + VECTOR])],
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

/** Whole numbers that are the same on every engine. */
class Draw {
  private state = 1;

  /** 32 bits, signed. */
  next(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let h = Math.imul(this.state ^ (this.state >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return h ^ (h >>> 16);
  }

  below(n: number): number {
    return (this.next() >>> 0) % n;
  }
}

function mixed(hash: number, word: number): number {
  const h = Math.imul(hash ^ word, 0x01000193);
  return h ^ (h >>> 15);
}

/**
 * The next of the drawn words, which run through all vectors: mostly numbers about 1; then, for some vectors, of any
 * magnitude; subnormal; huge; and some infinite or zero.
 */
function drawNext(bits: Uint32Array, at: number, draw: Draw, kind: number): void {
  for (let k = at + DRAWN - NEW; k < at + DRAWN; k++) {
    const word = draw.next();
    if (kind < 12) bits[k] = (word & 0x807fffff) | ((122 + ((word >>> 23) & 7)) << 23);
    else if (kind === 12) bits[k] = word & 0xff7fffff;
    else if (kind === 13) bits[k] = word & 0x807fffff;
    else if (kind === 14) bits[k] = (word & 0x80ffffff) | 0x7e000000;
    else bits[k] = (word & 0x80000000) | (word & 0x40000000 ? 0x7f800000 : 0);
  }
}

/**
 * Makes the diagonal of the packed matrix outweigh its rows, as every other vector has it: then it has a
 * factor.
 */
function dominate(words: Float32Array, at: number, rows: number): void {
  for (let i = 0; i < rows; i++) words[at + packedWords(i + 1) - 1] = 64 + i;
}

/** Runs each primitive on the same vectors, and sums up what it returns and leaves in memory. */
function testPrimitives(f32: Primitives, at: number, hashes: Uint32Array, feed: () => void): void {
  const draw = new Draw();
  const sizes: Sizes = { n: 0, rows: 0, d: 0, row: 0, column: 0, scalar: 0 };
  const bytes = new Uint8Array(f32.words.buffer, f32.words.byteOffset + 4 * at, 4 * WORDS);
  f32.bits.fill(0, at, at + WORDS);
  for (let k = 0; k < DRAWN; k += NEW) {
    f32.bits.copyWithin(at, at + NEW, at + DRAWN);
    drawNext(f32.bits, at, draw, 0);
  }
  for (let vector = 0; vector < VECTORS; vector++) {
    f32.bits.copyWithin(at, at + NEW, at + DRAWN);
    // Sixteen vectors of numbers about 1 come between two with others: by then those have been moved out.
    drawNext(f32.bits, at, draw, vector & 16 ? 0 : 12 + ((vector >>> 5) & 3));
    sizes.n = 1 + draw.below(LONGEST);
    sizes.rows = 1 + draw.below(ROWS);
    sizes.d = 1 + draw.below(COMPONENTS);
    sizes.row = draw.below(sizes.rows);
    sizes.column = draw.below(sizes.d);
    sizes.scalar = draw.next() / 0x40000000;
    feed();
    for (let i = 0; i < CALLS.length; i++) hashes[i] = testCall(f32, at, bytes, i, sizes, hashes[i], vector);
  }
}

/** Gives every NaN the same bits: engines differ in which they give. */
function unifyNaN({ words, bits }: Primitives, from: number, end: number): void {
  for (let k = from; k < end; k++) if (Number.isNaN(words[k])) bits[k] = NAN;
}

/** Calls one primitive on a copy of what was drawn; returns the check sum after `before`. */
function testCall(
  f32: Primitives,
  at: number,
  bytes: Uint8Array,
  index: number,
  sizes: Sizes,
  before: number,
  vector: number,
): number {
  const writes = CALLS[index][1];
  f32.bits.copyWithin(at + MATRIX, at, at + DRAWN);
  if (vector & 1) dominate(f32.words, at + MATRIX, sizes.rows);
  const first = writes === "vector" ? VECTOR : writes === "result" ? RESULT : LAST;
  const matrix = Math.max(ceil4(sizes.rows) * sizes.d, packedWords(sizes.rows), sizes.n);
  let end = first + sizes.rows;
  if (writes === "result") end = first + Math.max(ceil4(sizes.rows), sizes.d);
  else if (first === LAST) end = writes === "matrix" ? MATRIX + matrix : MATRIX;
  if (writes === "result") f32.bits.fill(0, at + RESULT, at + WORDS);
  const result = CALLS[index][2](f32, at, sizes);
  f32.words[at + LAST] = Number(result ?? 0);
  if (!f32.finite(at + first, end - first)) unifyNaN(f32, at + first, at + end);
  return f32.crc32(bytes, 4 * first, 4 * end, before);
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
 * @param feed called for each vector: a microcontroller takes seconds, more than its watchdog waits.
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
