// Generated from fuzz-math-calls.h by `npm run build:wasm`. Don't edit.
// biome-ignore-all format: as the C
// biome-ignore-all lint: as the C
import type { Primitives } from "../src/math/primitives.ts";
import { frozen } from "../src/memory/frozen.ts";
import { bytesFrom, readBits, setBits, taken } from "../src/selftest/access.ts";
import { doubles, loadDoubles, quotient, setDouble, times } from "./fuzz-math-memory.ts";

export const WORDS = 8192;
const
  LOAD = 0, FINITE = 1, DOT = 2, ADD_SCALED = 3, SCALE = 4, COPY = 5, ARGMIN = 6, ARGMIN_MAGNITUDE = 7,
  OLDEST = 8, STALEST = 9, STORE_ROW = 10, FETCH_ROW = 11, STORE_COLUMN = 12, NEAREST_BYTES = 13,
  BLOCK_PRODUCTS = 14, ADD_SCALED_ROW = 15, MOVE_ROW_TOWARDS = 16, INNER_PRODUCTS = 17,
  SQUARED_DISTANCES = 18, GAUSSIAN_ROW = 19, POLYNOMIAL_ROW = 20, SYMMETRIC_PRODUCT = 21,
  SYMMETRIC_RANK_ONE = 22, CHOLESKY = 23, SOLVE_LOWER = 24, SOLVE_LOWER_TRANSPOSED = 25,
  DELETE_FACTOR_ROW = 26, SOLVE_UNIT_LOWER = 27, SOLVE_UNIT_LOWER_TRANSPOSED = 28, PIVOT_PRODUCT = 29,
  DELETE_UNIT_FACTOR_ROW = 30, EXP = 31, LOG = 32, COS = 33, SIN = 34, GAUSSIAN_EXPANSION = 35,
  INSERT_VECTOR = 36, REMOVE_VECTOR = 37, REMOVE_VECTOR_IN_ORDER = 38, STEP_EXPANSION = 39, NEAREST_ROW = 40,
  HINGE_STEP = 41, AGREEMENT_STEP = 42, AGREE = 43, AGGRESSIVENESS = 44, LOCAL_DECISION = 45, LOCAL_STEP = 46,
  WINDOW_STATISTICS = 47, STANDARDISE = 48, DIAGONAL_PRODUCT = 49, DIAGONAL_RANK_ONE = 50, MERGE_NEAREST = 51,
  FOURIER_FEATURES = 52, CENTRE = 53, TAPER = 54, FOURIER_TRANSFORM = 55, GOERTZEL = 56, CRC32 = 57,
  CLASS_SCORES = 58, CLASS_STEP = 59, FIRST_ROW = 10, FIRST_MATRIX = 21, FIRST_SCALAR = 31, FIRST_SET = 35,
  FIRST_STEP = 41, FIRST_SHARED = 58, LONGEST = 67, SHARED_WORDS = 96, STEP = 2654435769;

/** The primitives, in the order of the calls' numbers. */
export const NAMES = [
  "load", "finite", "dot", "addScaled", "scale", "copy", "argmin", "argminMagnitude", "oldest", "stalest",
  "storeRow", "fetchRow", "storeColumn", "nearestBytes", "blockProducts", "addScaledRow", "moveRowTowards",
  "innerProducts", "squaredDistances", "gaussianRow", "polynomialRow", "symmetricProduct", "symmetricRankOne",
  "cholesky", "solveLower", "solveLowerTransposed", "deleteFactorRow", "solveUnitLower",
  "solveUnitLowerTransposed", "pivotProduct", "deleteUnitFactorRow", "exp", "log", "cos", "sin",
  "gaussianExpansion", "insertVector", "removeVector", "removeVectorInOrder", "stepExpansion", "nearestRow",
  "hingeStep", "agreementStep", "agree", "aggressiveness", "localDecision", "localStep", "windowStatistics",
  "standardise", "diagonalProduct", "diagonalRankOne", "mergeNearest", "fourierFeatures", "centre", "taper",
  "fourierTransform", "goertzel", "crc32", "classScores", "classStep",
] as const;

/*
 * By what they work on: vectors, rows, matrices, a number, a set, then whole steps. What a call draws follows from the group, so a new name stands
 * within its own.
 */

/* A call: its arguments, and the words of memory that it may access and some beyond. `form` is -d where rows are of 16 bits. The rows, matrix or
   first vector lies at `at`, the second vector at x. */
export interface Call {
  n: number;
  d: number;
  form: number;
  i: number;
  j: number;
  by: number;
  degree: number;
  at: number;
  x: number;
  out: number;
  end: number;
  word: number;
  s: number;
}

let state = 0;

/* The finalizer of MurmurHash3. */
function mix(given: number): number {
  let h = given;
  h = times(h ^ (h >>> 16), 0x85ebca6b);
  h = times(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0; /* TypeScript's is unsigned thereby. */
}

function next(): number {
  state = (state + STEP) >>> 0;
  return mix(state);
}

function below(n: number): number { return next() % n; }
function ceil4(n: number): number { return (n + 3) & ~3; }
function packed(n: number): number { return (n * (n + 1)) >>> 1; }

const SPECIAL_DOUBLES = /* @__PURE__ */ frozen([ 0, 0x80000000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x48000000, 0x3ff00000 ]);
const SPECIAL = /* @__PURE__ */ frozen([
  0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80000001, 0x007fffff, 0x3f800000, 0xbf800000,
]);
const LOWEST = /* @__PURE__ */ frozen([ 120, 1, 0, 180, 0, 0, 122, 122 ]);
const RANGE = /* @__PURE__ */ frozen([ 12, 253, 30, 75, 256, 256, 6, 6 ]);

/*
 * A double with more bits than a float32: between 2^-10 and 2^13, or 2^-8 and 1 as shares and widths are; else any float32's, or special.
 */
function drawDouble(at: number): void {
  const kind = below(16);
  const word = next();
  let high = (word & 0x800fffff) | ((1013 + below(23)) << 20);
  let low = next();
  if (kind < 4) {
    high = (word & 0x800fffff) | ((1023 - 151 + below(282)) << 20);
  } else if (kind === 4) {
    high = SPECIAL_DOUBLES[word % 7];
    low = 0;
  } else if (kind > 9) {
    high = (word & 0xfffff) | ((1015 + below(8)) << 20);
  }
  setDouble(at, high, low);
}

/* Fills the memory: numbers about 1; of every magnitude; tiny; huge; any bits; many special. */
function fill(f32: Primitives, end: number, kind: number): void {
  const lowest = LOWEST[kind];
  const range = RANGE[kind];
  for (let k = 0; k < end; k++) {
    const word = next();
    const exponent = lowest + ((word >>> 23) & 0xff) % range;
    setBits(f32, k, kind === 5 && (word & 0x300) !== 0 ? SPECIAL[word % 12] : (word & 0x807fffff) | (exponent << 23));
  }
}

/* Vectors in the support set of capacity n + 1: room for one, at least one, any number with full as often as not. */
function sizeOfSet(c: Call, primitive: number): number {
  if (primitive === INSERT_VECTOR) return c.by;
  if (primitive === REMOVE_VECTOR || primitive === REMOVE_VECTOR_IN_ORDER) return c.by + 1;
  return c.word & 1 ? c.n + 1 : c.by;
}

/* True if the primitive takes rows of 16 bits. */
function isShort(primitive: number): number {
  switch (primitive) {
    case STORE_ROW: case FETCH_ROW: case MOVE_ROW_TOWARDS: case SQUARED_DISTANCES: case GAUSSIAN_ROW:
    case LOCAL_DECISION: case LOCAL_STEP: case MERGE_NEAREST: case CLASS_SCORES: case CLASS_STEP:
      return 1;
    default:
      return primitive >= FIRST_SET && primitive < FIRST_STEP ? 1 : 0;
  }
}

function rowWords(c: Call): number { return c.form < 0 ? (c.d + 1) >>> 1 : c.d; }

/* A lane of 15 bits as one of 16. */
function lane(bits: number): number { return bits | ((bits & 0x4000) << 1); }

/* Makes the words from..end-1 lanes, with a grid in front, sensible as often as not. */
function shorten(f32: Primitives, c: Call, from: number, end: number): void {
  for (let k = from; k < end; k++) {
    const bits = readBits(f32, k);
    const isPadded = c.d & 1 && ((k - from) >>> 2) % rowWords(c) === rowWords(c) - 1;
    setBits(f32, k, (isPadded ? 0 : lane(bits >>> 17) << 16) | lane((bits & 0xffff) >>> 1));
  }
  if (c.word & 0x8000000) return;
  const exponent = c.word >>> 20 & 15;
  setBits(f32, from - c.d - 2, (127 - exponent) << 23);
  setBits(f32, from - c.d - 1, (127 + exponent) << 23);
  for (let j = 0; j < c.d; j++) setBits(f32, from - c.d + j, j & 1 ? 0x42800000 : 0);
}

function drawSizes(c: Call, primitive: number): void {
  c.n = below(LONGEST + 1);
  const wide = below(16);
  const p = below(LONGEST + 2);
  const q = below(LONGEST + 2);
  if (primitive >= FIRST_MATRIX && primitive < FIRST_SET && wide !== 0) c.n = quotient(quotient(c.n * p, 68) * q, 68);
  c.d = 1 + below(wide === 0 ? LONGEST : 9);
  c.i = below(c.n + 1);
  c.j = below(c.d);
  c.by = below(c.n + 1);
  c.degree = 1 + below(16);
  c.word = next();
  c.form = isShort(primitive) && c.word >>> 28 & 1 ? -c.d : c.d;
  if (primitive >= FIRST_SCALAR && primitive < FIRST_SET) c.n = 0;
}

/* Draws call number `index` of a primitive, and writes its memory. */
export function draw(f32: Primitives, c: Call, seed: number, primitive: number, index: number): void {
  state = mix(mix(seed) + mix(index * 64 + primitive + 1));
  drawSizes(c, primitive);
  const rows = primitive >= FIRST_ROW && primitive < FIRST_MATRIX, matrix = primitive >= FIRST_MATRIX && primitive < FIRST_SET;
  const set = primitive >= FIRST_SET && primitive < FIRST_STEP, step = primitive >= FIRST_STEP;
  const n = c.n;
  let words = rows ? c.d * ceil4(n + 1) : matrix ? packed(n) : 2 * n;
  if (set) words = c.d * ceil4(n + 1) + 2 * (n + 1) + 2;
  if (step) words = 4 * (n + 1) + 15 * c.d + 8 + (primitive >= FIRST_SHARED ? SHARED_WORDS : 0);
  c.at = 1 + below(7) + (rows || set || step ? c.d + 2 : 0);
  c.x = c.at + words + 1 + below(7);
  const behind = set ? 2 * c.d + ceil4(n + 1) : rows && c.d > n ? c.d : n;
  c.out = c.x + behind + (step ? 5 * c.d + 1 : 0) + 1 + below(7);
  c.end = c.out + ceil4(n) + (matrix ? n : 0) + (set || step ? 8 : 4);
  drawDouble(0);
  c.s = doubles[0];
  for (let k = 1; (set || step) && k < 4; k++) drawDouble(k);
  const kind = below(8);
  fill(f32, c.end, kind);
  if (c.form < 0) shorten(f32, c, c.at, c.at + rowWords(c) * ceil4(n + 1));
  if (set) setBits(f32, c.at + rowWords(c) * ceil4(n + 1) + 2 * (n + 1), sizeOfSet(c, primitive));
  if (matrix && kind >= 6) /* A diagonal that outweighs its rows. */
    for (let i = 0; i < n; i++) setBits(f32, c.at + packed(i + 1) - 1, 0x42800000 + (i << 12));
  if (primitive === LOAD)
    for (let k = 0; k < n; k++) drawDouble(k);
}

/* A Gaussian's gamma: as often as not one at which the kernel of numbers about 1 is neither 0 nor 1. */
function scaledGamma(c: Call, drawn: number): number { return c.word & 0x2000000 ? drawn / 64.0 : drawn; }

function stepExpansion(f32: Primitives, c: Call): void {
  const a = (c.word >>> 1) % 8 === 0 ? 0 : doubles[1];
  const way = (c.word >>> 4) % 5;
  const leaving = way === 3 ? c.i : way === 4 ? -4 : -1 - way;
  f32.stepExpansion(c.at, c.n + 1, c.form, c.s, c.x, a, leaving, doubles[2], c.out, scaledGamma(c, doubles[3]));
}

/* Of few uses, and not long ago, as often as not. */
function stalest(f32: Primitives, c: Call): number {
  for (let j = 0; c.word & 1 && j < c.n; j++) {
    setBits(f32, c.at + j, (c.i + 29 * j) % 100);
    setBits(f32, c.x + j, (c.by + 7 * j) >>> 2 & 3);
  }
  return Number(f32.stalest(c.at, c.x, c.word & 1 ? c.word >>> 1 & 63 : c.word, c.by, c.n));
}

/* Two matrices of half the rows lie in one. */
function deleteFactorRow(f32: Primitives, c: Call): void {
  const rows = c.word & 2 ? c.n >>> 1 : c.n;
  const other = c.word & 2 ? c.at + packed(rows) : -1;
  if (rows > 0) f32.deleteFactorRow(c.at, rows, c.i % rows, c.word & 1 ? c.x : -1, other);
}

/* As many vectors as there are words of, and rows whose results there is room for. */
function blockProducts(f32: Primitives, c: Call): void {
  const most = c.n < c.d ? 1 : quotient(c.n, c.d), drawn = 1 + (c.word & 7);
  const k = drawn < most ? drawn : most, size = c.n < k ? 1 : quotient(c.n, k);
  f32.blockProducts(c.out, c.at, c.x, c.i % size, c.by % (size + 1), size, c.d, k);
}

/* The order is the other way round. */
function solveUnitLowerTransposed(f32: Primitives, c: Call): void {
  for (let j = 0; j < c.n; j++) setBits(f32, c.out + c.n + j, c.n - 1 - j);
  f32.solveUnitLowerTransposed(c.out, c.out + c.n, c.at, c.x, c.n);
}

function standardise(f32: Primitives, c: Call): number {
  for (let j = 0; j < c.d; j++) {
    f32.words[c.at + 3 * c.d + j] = ((c.by + 7 * j) % 80);
    f32.words[c.at + 4 * c.d + j] = ((c.i + j) % 19 - 9);
  }
  return Number(f32.standardise(c.at, c.x, c.d, c.by + 32, 8 + c.i % 3));
}

/* Numbers of labels about the bounds' and errors of up to 256 labels, as often as not. */
function aggressiveness(f32: Primitives, c: Call): number {
  if (c.word & 1) setBits(f32, c.at + 1, c.word >>> 1 & 0xfff);
  if (c.word & 0x2000) f32.words[c.at] = ((c.word >>> 14) / 1024.0);
  return Number(f32.aggressiveness(c.at, doubles[1], c.s, 1 + c.by));
}

/* A local model of at most four prototypes and k problems, behind its input and scratch: writes its unsigned words. */
function placeLocal(f32: Primitives, c: Call, k: number): number {
  const most = 1 + c.by % 4, nearest = c.at + c.d + k + 4, set = nearest + 1 + 2 * k * c.d, counts = set + 4 * rowWords(c);
  if (c.form < 0) shorten(f32, c, set, counts);
  setBits(f32, nearest, c.i % most);
  for (let j = 0; j < most; j++) setBits(f32, counts + j, c.word & (16 << j) ? (c.word & 8 ? 0xffffffff : 3) : 0);
  setBits(f32, counts + most, (c.word >>> 8) % (most + 1));
  return set;
}

function runLocal(f32: Primitives, primitive: number, c: Call): number {
  const k = 1 + (c.word & 1), most = 1 + c.by % 4, set = placeLocal(f32, c, k), odd = c.by & 1;
  if (primitive === LOCAL_DECISION) return Number(f32.localDecision(c.at, taken(f32, c.at, c.d), set, most, c.form, k));
  return Number(f32.localStep(c.at, set, most, c.form, k, k === 1 ? 1 - 2 * odd : odd, c.s, doubles[1], c.i & 1));
}

/* A shared set of at most four vectors and k classes: writes its unsigned words. Returns the word behind it. */
function placeShared(f32: Primitives, c: Call, k: number): number {
  const most = 1 + c.by % 4, norms = c.at + 4 * rowWords(c), labels = norms + 2 * most + 2 + ceil4(k) * most;
  if (c.form < 0) shorten(f32, c, c.at, norms);
  for (let j = 0; j < most; j++) {
    setBits(f32, norms + j, readBits(f32, norms + j) & 0x7fffffff);
    setBits(f32, labels + j, c.word >>> (8 + j) & 1);
  }
  setBits(f32, norms + 2 * most, c.word & 16 ? most : c.i % (most + 1));
  setBits(f32, labels + most, c.word & 32 ? 0xffffffff : 5);
  if (c.word & 64) setBits(f32, labels + most + 1, c.word & 128 ? 0 : 0x3f800000);
  return labels + most + 2;
}

function runShared(f32: Primitives, primitive: number, c: Call): number {
  const most = 1 + c.by % 4, k = 2 + (c.word >>> 1 & 3), to = placeShared(f32, c, k), counts = to + 4 * c.d + 8 + 3 * ceil4(k);
  if (primitive === CLASS_SCORES) return Number(f32.classScores(to, c.at, most, c.form, k, c.s));
  const self = c.word & 0x80000 ? 1 : doubles[2], keep = c.word & 0x100000 ? 0.9 : doubles[3];
  const size = c.word & 0x200000 ? 1 : doubles[2], limit = c.word & 0x400000 ? 0 : doubles[3];
  const way = c.word >>> 16 & 7, leaving = way < 3 ? -1 - way : -4;
  f32.classStep(to, c.at, most, c.form, k, c.word & 1, scaledGamma(c, doubles[1]), self, keep, size, c.s, limit, c.word >>> 24 & 1, leaving,
                 c.word & 0x800000 ? 0 : 0.25, counts);
  return 0;
}

function runStep(f32: Primitives, primitive: number, c: Call): number {
  const at = c.at, x = c.x, out = c.out, n = c.n, d = c.d, i = c.i, by = c.by, ring = n + 1, rows = 1 + by % 5;
  const s = c.s;
  let wave = 4;
  while (2 * wave <= 4 * ring + 10 * d && wave < 512) wave *= 2;
  switch (primitive) {
    case HINGE_STEP: f32.hingeStep(x, at, at + ring, i, by, ring, s, doubles[1]); return 0;
    case AGREEMENT_STEP: f32.agreementStep(x, at, at + ring, at + 2 * ring, i, by, ring, s); return 0;
    case AGREE: f32.agree(x, at, at + ring, d, quotient(ring, d), d); return 0;
    case AGGRESSIVENESS: return aggressiveness(f32, c);
    case LOCAL_DECISION: case LOCAL_STEP: return runLocal(f32, primitive, c);
    case WINDOW_STATISTICS: return Number(f32.windowStatistics(out, at, i, by + 1, ring));
    case STANDARDISE: return standardise(f32, c);
    case DIAGONAL_PRODUCT: f32.diagonalProduct(out, at, x, n); return 0;
    case DIAGONAL_RANK_ONE: return Number(f32.diagonalRankOne(at, s, x, n));
    case MERGE_NEAREST: return Number(f32.mergeNearest(out, at, at + ceil4(rows) * rowWords(c), rows, c.form, x, s, scaledGamma(c, doubles[1])));
    case FOURIER_FEATURES: f32.fourierFeatures(out, at, x, rows, d); return 0;
    case CENTRE: return Number(f32.centre(out, at, ring));
    case TAPER: f32.taper(at, wave); return 0;
    case FOURIER_TRANSFORM: f32.fourierTransform(at, wave); return 0;
    case GOERTZEL: return Number(f32.goertzel(at, wave, s));
    case CRC32: return Number(f32.crc32(bytesFrom(f32, 0), 4 * at + 1 + (c.word & 1), 4 * at + 1 + (c.word & 1) + by, c.word));
    default: return runShared(f32, primitive, c);
  }
}

/* Makes the call; returns its result, 0 if it has none. */
export function run(f32: Primitives, primitive: number, c: Call): number {
  const at = c.at, x = c.x, out = c.out, n = c.n, d = c.d, form = c.form, i = c.i, by = c.by;
  const s = c.s;
  switch (primitive) {
    case LOAD: return loadDoubles(f32, x, n);
    case FINITE: return Number(f32.finite(at, n));
    case DOT: return Number(f32.dot(at, c.word & 3 ? x : at, n));
    case ADD_SCALED: return Number(f32.addScaled(at, s, x, n));
    case SCALE: f32.scale(at, s, n); return 0;
    case COPY: f32.copy(c.word & 1 ? at : at + by, c.word & 1 ? at + by : at, n); return 0;
    case ARGMIN: return Number(f32.argmin(at, n));
    case ARGMIN_MAGNITUDE: return Number(f32.argminMagnitude(at, n));
    case OLDEST: return Number(f32.oldest(at, c.word, n));
    case STALEST: return stalest(f32, c);
    case NEAREST_BYTES: return Number(f32.nearestBytes(out, at, x, n, d, 1 + by % (1 + (n >>> 1))));
    case STORE_ROW: f32.storeRow(at, i, x, form); return 0;
    case FETCH_ROW: f32.fetchRow(x, at, i, form); return 0;
    case STORE_COLUMN: f32.storeColumn(at, c.j, x, n, d); return 0;
    case BLOCK_PRODUCTS: blockProducts(f32, c); return 0;
    case ADD_SCALED_ROW: return Number(f32.addScaledRow(at, i, s, x, d));
    case MOVE_ROW_TOWARDS: return Number(f32.moveRowTowards(at, i, s, x, form));
    case INNER_PRODUCTS: f32.innerProducts(out, at, x, n, d); return 0;
    case SQUARED_DISTANCES: f32.squaredDistances(out, at, x, n, form); return 0;
    case GAUSSIAN_ROW: f32.gaussianRow(out, at, x, n, form, scaledGamma(c, s)); return 0;
    case POLYNOMIAL_ROW: f32.polynomialRow(out, at, x, n, d, s, c.degree); return 0;
    case SYMMETRIC_PRODUCT: f32.symmetricProduct(out, at, x, n); return 0;
    case SYMMETRIC_RANK_ONE: return Number(f32.symmetricRankOne(at, s, x, n));
    case CHOLESKY: return Number(f32.cholesky(at, n));
    case SOLVE_LOWER: f32.solveLower(at, x, n); return 0;
    case SOLVE_LOWER_TRANSPOSED: f32.solveLowerTransposed(at, x, n); return 0;
    case DELETE_FACTOR_ROW: deleteFactorRow(f32, c); return 0;
    case SOLVE_UNIT_LOWER: f32.solveUnitLower(out, at, x, n, i); return 0;
    case SOLVE_UNIT_LOWER_TRANSPOSED: solveUnitLowerTransposed(f32, c); return 0;
    case PIVOT_PRODUCT: f32.pivotProduct(out, at, x, n); return 0;
    case DELETE_UNIT_FACTOR_ROW: return n > 0 ? f32.deleteUnitFactorRow(at, n, i % n, x, out) : 0;
    case EXP: return Number(f32.exp(s));
    case LOG: return Number(f32.log(s));
    case COS: return Number(f32.cos(s));
    case SIN: return Number(f32.sin(s));
    case GAUSSIAN_EXPANSION:
      return Number(f32.gaussianExpansion(x, taken(f32, x, d), at, n + 1, form, scaledGamma(c, s), (c.word >>> 1) % 6, out, doubles[1]));
    case INSERT_VECTOR: f32.insertVector(at, n + 1, form, x, s); return 0;
    case REMOVE_VECTOR: f32.removeVector(at, n + 1, form, i % (by + 1)); return 0;
    case REMOVE_VECTOR_IN_ORDER: f32.removeVectorInOrder(at, n + 1, form, i % (by + 1)); return 0;
    case STEP_EXPANSION: stepExpansion(f32, c); return 0;
    case NEAREST_ROW: return Number(f32.nearestRow(out, at, x, n, form));
    default: return runStep(f32, primitive, c);
  }
}
