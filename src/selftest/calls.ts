// Generated from self-test.c by `npm run build:wasm`. Don't edit.
// biome-ignore-all format: as the C
// biome-ignore-all lint: as the C
import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { bytesFrom, loadScaled, loadWords, magnitude, moveWords, readBits, setBits, taken } from "./access.ts";

export const BATCH = 10;
export const WORDS = 514;
export const VECTORS = 1000;
export const PRIMITIVES = 60;
const
  LONGEST = 13, ROWS = 6, COMPONENTS = 3, VECTOR = 24, NEW = 3, MATRICES = 12, DRAWN = 43, ALL_DRAWN = 70,
  LAST = 40, COUNTS = 5, PROTOTYPES = 2, SHARED_VECTORS = 2, GIVEN = 431, DECISION_ROOT = 5,
  LEAVING_MERGE = -4, SPREAD = 100, GRID = 4096, FRACTION = 0.7, SMALL = 0.1, ERRORS = 64, LABELS = 12,
  CRC32 = 0, COPY = 1, FINITE = 2, LOAD = 3, DOT = 4, ADD_SCALED = 5, SCALE = 6, ARGMIN = 7,
  ARGMIN_MAGNITUDE = 8, OLDEST = 9, STALEST = 10, NEAREST_BYTES = 11, STORE_ROW = 12, FETCH_ROW = 13,
  STORE_COLUMN = 14, ADD_SCALED_ROW = 15, MOVE_ROW_TOWARDS = 16, INNER_PRODUCTS = 17, BLOCK_PRODUCTS = 18,
  SQUARED_DISTANCES = 19, GAUSSIAN_ROW = 20, POLYNOMIAL_ROW = 21, SYMMETRIC_PRODUCT = 22,
  SYMMETRIC_RANK_ONE = 23, CHOLESKY = 24, SOLVE_LOWER = 25, SOLVE_LOWER_TRANSPOSED = 26,
  DELETE_FACTOR_ROW = 27, SOLVE_UNIT_LOWER = 28, SOLVE_UNIT_LOWER_TRANSPOSED = 29, PIVOT_PRODUCT = 30,
  DELETE_UNIT_FACTOR_ROW = 31, EXP = 32, LOG = 33, COS = 34, SIN = 35, INSERT_VECTOR = 36, REMOVE_VECTOR = 37,
  REMOVE_VECTOR_IN_ORDER = 38, STEP_EXPANSION = 39, GAUSSIAN_EXPANSION = 40, NEAREST_ROW = 41,
  MERGE_NEAREST = 42, FOURIER_FEATURES = 43, HINGE_STEP = 44, AGREEMENT_STEP = 45, AGREE = 46,
  LOCAL_DECISION = 47, LOCAL_STEP = 48, CLASS_SCORES = 49, CLASS_STEP = 50, WINDOW_STATISTICS = 51,
  STANDARDISE = 52, CENTRE = 53, TAPER = 54, FOURIER_TRANSFORM = 55, GOERTZEL = 56, DIAGONAL_PRODUCT = 57,
  DIAGONAL_RANK_ONE = 58, AGGRESSIVENESS = 59, LARGEST = 6;

// Marked as pure, so that a board's bundle, which has the calls in C, is without it.
/** The item that each hash of a self-test covers, in order. */
export const SELF_TEST_ITEMS: readonly string[] = /* @__PURE__ */ frozen([
  "crc32", "copy", "finite", "load", "dot", "addScaled", "scale", "argmin", "argminMagnitude", "oldest",
  "stalest", "nearestBytes", "storeRow", "fetchRow", "storeColumn", "addScaledRow", "moveRowTowards",
  "innerProducts", "blockProducts", "squaredDistances", "gaussianRow", "polynomialRow", "symmetricProduct",
  "symmetricRankOne", "cholesky", "solveLower", "solveLowerTransposed", "deleteFactorRow", "solveUnitLower",
  "solveUnitLowerTransposed", "pivotProduct", "deleteUnitFactorRow", "exp", "log", "cos", "sin",
  "insertVector", "removeVector", "removeVectorInOrder", "stepExpansion", "gaussianExpansion", "nearestRow",
  "mergeNearest", "fourierFeatures", "hingeStep", "agreementStep", "agree", "localDecision", "localStep",
  "classScores", "classStep", "windowStatistics", "standardise", "centre", "taper", "fourierTransform",
  "goertzel", "diagonalProduct", "diagonalRankOne", "aggressiveness", "learner",
]);

/* Of the decisions and of what leaves a full set: see primitives.ts. */

/* The primitives in the order of their hashes, each behind those that it calls. */

/* What the primitives run on; sizes are for each vector of a batch. `scalar` is no float32, `given` where an input lies. */
export interface Batch {
  at: number;
  out: number;
  given: number;
  n: number;
  rows: number;
  d: number;
  row: number;
  column: number;
  scalar: number;
}

/* A batch, where a call of a primitive leaves its results, and what calls leave to the next one. */
export interface Run {
  batch: Batch;
  v: number;
  k: number;
  r: number;
  did: number;
  way: number;
  sum: number;
}

function ceil4(n: number): number { return (n + 3) & ~3; }
function packed(n: number): number { return (n * (n + 1)) >>> 1; }
function setWords(capacity: number, d: number): number { return d * ceil4(capacity) + 2 * capacity + 2; }

/* The next number drawn, the same on every engine: xorshift (Marsaglia, J. Stat. Software 8(14), 2003). Its state lies behind the hashes. */
function draw(hashes: Uint32Array): number {
  let s = hashes[PRIMITIVES];
  s ^= s << 13;
  s ^= s >>> 17;
  s ^= s << 5;
  hashes[PRIMITIVES] = s;
  return hashes[PRIMITIVES];
}

function below(hashes: Uint32Array, n: number): number { return draw(hashes) % n; }

/* Kinds of numbers: the bits of a drawn word that stay, and those that are set. */
const ABOUT_ONE = /* @__PURE__ */ frozen([ 0x83ffffff, 0x3c000000 ]);
/* Runs of others: 2^-95 to 2^-64, many of whose products are subnormal, as those of the inverses of 2^65 to 2^96; the largest; between them
   subnormal numbers and some below 2. */
const RUNS = /* @__PURE__ */ frozen([
  [ 0x8fffffff, 0x10000000 ], [ 0x807fffff, 0 ], [ 0xbfffffff, 0 ],          [ 0x807fffff, 0 ],
  [ 0x8fffffff, 0x60000000 ], [ 0x807fffff, 0 ], [ 0x80ffffff, 0x7e000000 ], [ 0x807fffff, 0 ],
]);

/*
 * Numbers of a vector into words from..end-1; later vectors reuse them, shifted. Mostly they are about 1. In every other run of 16 vectors, long
 * enough to fill a vector, they are of another kind. Among the largest are infinities and zeros of a word's sign.
 */
function numbers(f32: Primitives, from: number, end: number, vector: number, hashes: Uint32Array): void {
  const run = vector >>> 5 & 7;
  const kind = vector & 16 ? ABOUT_ONE : RUNS[run];
  for (let k = from; k < end; k++) {
    const word = draw(hashes);
    const isSpecial = run === LARGEST && !(vector & 16) && word & 1;
    setBits(f32, k, isSpecial ? (word & 0x80000000) | (word & 2 ? 0x7f800000 : 0) : (word & kind[0]) | kind[1]);
  }
}

/* Each vector's results of so many words begin as the words drawn, over and over. Returns `size`. */
function fill(f32: Primitives, b: Batch, r: number, size: number): number {
  if (r === b.out)
    for (let k = 0; k < BATCH * size; k++) f32.words[r + k] = f32.words[b.at + k % ALL_DRAWN];
  return size;
}

/*
 * Rows of 16 bits, in a grid as drawn: 1/u about 4096 times the numbers, u about a 4096th, so that lanes and distances are neither 0 nor
 * clipped. Results are the kernel row, the squared distances and one row as it comes back; the rows lie behind them.
 */
function shortRows(f32: Primitives, b: Batch, out: number): number {
  const at = b.at, d = b.d, size = ceil4(b.rows), fetched = out + 2 * size, grid = fetched + d, lanes = grid + 2 + d;
  f32.copy(grid, at + NEW, 2 + d);
  f32.words[grid] = (f32.words[grid] / GRID);
  f32.words[grid + 1] = (f32.words[grid + 1] * GRID);
  for (let i = 0; i < size; i++) f32.storeRow(lanes, i, at + i * NEW, -d);
  f32.gaussianRow(out, lanes, at + VECTOR, b.rows, -d, magnitude(b.scalar));
  f32.squaredDistances(out + size, lanes, at + VECTOR, b.rows, -d);
  f32.fetchRow(fetched, lanes, b.row, -d);
  return grid;
}

/* Words of a shared set of k classes before its labels. */
function sharedLabels(k: number, d: number): number { return setWords(SHARED_VECTORS, d) + ceil4(k) * SHARED_VECTORS; }

function isOfMatrices(primitive: number): number {
  switch (primitive) {
    case INNER_PRODUCTS: case BLOCK_PRODUCTS: case SQUARED_DISTANCES: case GAUSSIAN_ROW: case POLYNOMIAL_ROW: case SYMMETRIC_PRODUCT:
    case GAUSSIAN_EXPANSION: case NEAREST_ROW: case MERGE_NEAREST: case FOURIER_FEATURES: case CLASS_SCORES: case CLASS_STEP:
    case TAPER: case FOURIER_TRANSFORM:
      return 1;
    default:
      return 0;
  }
}

function isJudging(primitive: number): number {
  switch (primitive) {
    case FINITE: case LOAD: case ADD_SCALED: case ADD_SCALED_ROW: case MOVE_ROW_TOWARDS: case SYMMETRIC_RANK_ONE: case CHOLESKY:
    case WINDOW_STATISTICS: case STANDARDISE: case CENTRE: case DIAGONAL_RANK_ONE:
      return 1;
    default:
      return 0;
  }
}

/*
 * The plain primitives on one vector; returns the words of its results. One that writes where it reads works on copies of the drawn numbers. A
 * bit of an additional word records whether it did.
 */
function callPlain(f32: Primitives, primitive: number, run: Run): number {
  const b = run.batch;
  const v = run.v, r = run.r, y = v + VECTOR, n = b.n, rows = b.rows, row = b.row, d = b.d;
  const s = b.scalar;
  const less = rows < ROWS ? rows : ROWS - 1;
  let size = 1;
  switch (primitive) {
    case CRC32:
      run.sum = f32.crc32(bytesFrom(f32, b.at), v - b.at, v - b.at + 4 * n, run.sum);
      f32.words[r] = (run.sum & 0xffff);
      f32.words[r + 1] = (run.sum >>> 16);
      return 2;
    case COPY: f32.copy(r, v + 3, n); return n;
    case FINITE: run.did = Number(f32.finite(v, n)); return 0;
    case LOAD:
      size = run.k === 0 ? LONGEST : n;
      if (run.k > 0) f32.copy(b.given, v, n);
      run.did = run.k === 0 ? loadScaled(f32, r, s, b.at, size) : loadWords(f32, r, b.given, size);
      return size;
    case DOT: f32.words[r] = f32.dot(v, y, n); break;
    case ADD_SCALED: size = fill(f32, b, r, n); run.did = Number(f32.addScaled(r, s, y, n)); break;
    case SCALE: size = fill(f32, b, r, n); f32.scale(r, s, n); break;
    case ARGMIN: f32.words[r] = f32.argmin(v, n); break;
    case ARGMIN_MAGNITUDE: f32.words[r] = f32.argminMagnitude(v, n); break;
    case OLDEST: f32.words[r] = f32.oldest(v, readBits(f32, y), n); break;
    case STALEST: f32.words[r] = f32.stalest(v, y, readBits(f32, v + n), 1 + row, n); break;
    case NEAREST_BYTES: size = fill(f32, b, r, 2 * row + 3); f32.words[r + size - 1] = f32.nearestBytes(r, v, y, rows, d, 1 + row); break;
    case STORE_ROW: size = fill(f32, b, r, ceil4(rows) * d); f32.storeRow(r, row, y, d); break;
    case FETCH_ROW: f32.fetchRow(r, v, row, d); return d;
    case STORE_COLUMN: size = fill(f32, b, r, ceil4(rows) * d); f32.storeColumn(r, b.column, y, rows, d); break;
    case ADD_SCALED_ROW: size = fill(f32, b, r, ceil4(rows) * d); run.did = Number(f32.addScaledRow(r, row, s, y, d)); break;
    case MOVE_ROW_TOWARDS: size = fill(f32, b, r, ceil4(rows) * d); run.did = Number(f32.moveRowTowards(r, row, s, y, d)); break;
    case INNER_PRODUCTS: f32.innerProducts(r, v, y, rows, d); return ceil4(rows);
    case BLOCK_PRODUCTS: /* Six vectors at most, more than C takes together. */
      size = fill(f32, b, r, (row + 1) * ROWS);
      f32.blockProducts(r, v, y, row, rows, ROWS, d, row + 1);
      break;
    case SQUARED_DISTANCES: f32.squaredDistances(r, v, y, rows, d); return ceil4(rows);
    case GAUSSIAN_ROW: f32.gaussianRow(r, v, y, rows, d, SPREAD * magnitude(s)); return ceil4(rows);
    case POLYNOMIAL_ROW: f32.polynomialRow(r, v, y, rows, d, s, 1 + row); return ceil4(rows);
    case SYMMETRIC_PRODUCT: f32.symmetricProduct(r, v, y, rows); return rows;
    case SYMMETRIC_RANK_ONE: size = fill(f32, b, r, packed(rows)); run.did = Number(f32.symmetricRankOne(r, s, y, rows)); break;
    case CHOLESKY:
      size = fill(f32, b, r, packed(rows));
      if (run.k & 1) /* Its diagonal outweighs its rows, so that it has a factor. */
        for (let i = 0; i < rows; i++) f32.words[r + packed(i + 1) - 1] = (64 + i);
      run.did = Number(f32.cholesky(r, rows));
      break;
    case SOLVE_LOWER: size = fill(f32, b, r, rows); f32.solveLower(v, r, rows); break;
    case SOLVE_LOWER_TRANSPOSED: size = fill(f32, b, r, rows); f32.solveLowerTransposed(v, r, rows); break;
    case DELETE_FACTOR_ROW: /* A factor, a vector and a matrix on its columns' basis. */
      size = fill(f32, b, r, 2 * packed(less) + less);
      f32.deleteFactorRow(r, less, row % less, r + packed(less), r + packed(less) + less);
      break;
    case SOLVE_UNIT_LOWER: size = fill(f32, b, r, 2 * rows); f32.solveUnitLower(r, v, r + rows, rows, row); break;
    case SOLVE_UNIT_LOWER_TRANSPOSED:
      size = fill(f32, b, r, 3 * rows);
      for (let i = 0; i < rows; i++) setBits(f32, r + 2 * rows + i, ((i + row) % rows));
      f32.solveUnitLowerTransposed(r, r + 2 * rows, v, r + rows, rows);
      break;
    case PIVOT_PRODUCT: f32.pivotProduct(r, v, y, rows); return rows;
    case DELETE_UNIT_FACTOR_ROW: /* A factor, a vector that follows it, and what the update went by. */
      size = fill(f32, b, r, packed(less) + 3 * less + 1);
      f32.words[r + size - 1] = f32.deleteUnitFactorRow(r, less, row % less, r + packed(less), r + packed(less) + less);
      break;
    case EXP: f32.words[r] = f32.exp(SPREAD * f32.words[v]); break;
    case LOG: f32.words[r] = f32.log(f32.words[v]); break;
    case COS: f32.words[r] = f32.cos(SPREAD * f32.words[v]); break;
    case SIN: f32.words[r] = f32.sin(SPREAD * f32.words[v]); break;
  }
  return size;
}

/* With as many components as leave the words of the model, and those before it, within a vector. */
function callLocal(f32: Primitives, primitive: number, run: Run): number {
  const b = run.batch;
  const v = run.v, r = run.r, odd = run.k & 1, k = 1 + (b.n & 1), d = k === 1 && b.d > 1 ? 2 : 1;
  const rows = ceil4(PROTOTYPES), across = k * d, set = d + k + rows + 1 + 2 * across;
  const size = set + rows * d + PROTOTYPES, behind = size + 1 + across + rows * across;
  const share = magnitude(b.scalar);
  f32.copy(r, v, behind);
  if ((primitive === LOCAL_DECISION)) {
    f32.copy(b.given, v, d);
    setBits(f32, r + size, odd ? PROTOTYPES : b.row % PROTOTYPES);
    f32.words[r + behind] = f32.localDecision(r, taken(f32, b.given, d), r + set, PROTOTYPES, d, k);
    return behind + 1;
  }
  if (!(primitive === LOCAL_STEP)) return 0;
  setBits(f32, r + set - 2 * across - 1, b.row % PROTOTYPES);
  setBits(f32, r + size - 1, odd + b.row);
  setBits(f32, r + size - 2, odd + b.row);
  setBits(f32, r + size, b.row % PROTOTYPES);
  f32.words[r + behind] = f32.localStep(r, r + set, PROTOTYPES, d, k, k === 1 ? 1 - 2 * odd : odd, share, share, (v >>> 1) & 1);
  return behind + 1;
}

/* The scratch of each step lies where the next one's results will. Of every eight sets seven are full, and five merge. */
function callClasses(f32: Primitives, primitive: number, run: Run): number {
  const b = run.batch;
  const v = run.v, r = run.r, k = 3 + (b.n & 1), d = primitive === CLASS_SCORES && b.d > 1 ? 2 : 1;
  const labels = sharedLabels(k, d), size = labels - ceil4(k) * SHARED_VECTORS - 2, set = labels + SHARED_VECTORS + 2;
  if ((primitive === CLASS_SCORES)) {
    const behind = set + 2 * d + 2 * ceil4(k);
    f32.copy(r, v, behind);
    setBits(f32, r + size, (b.row % (SHARED_VECTORS + 1)));
    f32.words[r + behind] = f32.classScores(r + set, r, SHARED_VECTORS, d, k, b.scalar);
    return behind + 1;
  }
  if (!(primitive === CLASS_STEP)) return 0;
  const x = r + set + COUNTS;
  const positive = magnitude(b.scalar);
  if (run.k === 0) run.way = b.n & 7;
  f32.copy(r, v, set + COUNTS);
  f32.copy(x, v, 4 * d + 3 * ceil4(k) + 2 * ceil4(SHARED_VECTORS));
  const way = run.way = (run.way + 1) & 7;
  for (let i = 0; i < SHARED_VECTORS; i++) {
    f32.words[r + size - 4 + i] = magnitude(f32.words[r + size - 4 + i]);
    setBits(f32, r + labels + i, 0);
  }
  setBits(f32, r + size, way === 7 ? b.row % SHARED_VECTORS : SHARED_VECTORS);
  setBits(f32, r + set - 2, way);
  f32.classStep(x, r, SHARED_VECTORS, d, k, way & 1, positive, f32.words[v + VECTOR], positive, b.scalar, positive, way & 1 ? positive : 0, way & 1,
                 way > 2 ? LEAVING_MERGE : -1 - way, way === 5 ? SMALL : 0, r + set);
  return set + COUNTS;
}

/*
 * The sets' primitives that take an expansion along. Of every two sets about one is full; which vector leaves that is chosen in each of the
 * four ways.
 */
function callExpansion(f32: Primitives, primitive: number, run: Run): number {
  const b = run.batch;
  const v = run.v, r = run.r, y = v + VECTOR, rows = b.rows, row = b.row, d = b.d;
  const gamma = magnitude(b.scalar);
  if ((primitive === STEP_EXPANSION)) {
    const size = setWords(rows, d), counts = r + size, x = counts + COUNTS;
    f32.copy(r, v, size + COUNTS);
    f32.copy(x, v + LAST, d);
    const way = run.way = run.way === 4 ? 0 : run.way + 1;
    setBits(f32, counts - 2, (rows - (((v - b.at) >>> 2) & 1)));
    f32.stepExpansion(r, rows, d, b.scalar, x, f32.words[y], way === 4 ? row : -1 - way, SMALL * gamma, counts, gamma);
    return size + COUNTS;
  }
  if (!(primitive === GAUSSIAN_EXPANSION)) return 0;
  const size = setWords(ROWS, d), behind = size + d + ceil4(rows);
  if (run.k === 0) run.way = row;
  f32.copy(r, v, size);
  f32.copy(r + size, v, behind - size);
  setBits(f32, r + size - 2, rows);
  f32.copy(b.given, v + LAST, d);
  f32.words[r + behind] =
    f32.gaussianExpansion(r + size, taken(f32, b.given, d), r, ROWS, d, gamma, run.way, v, b.scalar);
  run.way = run.way === DECISION_ROOT ? 0 : run.way + 1;
  return behind + 1;
}

/*
 * Of the C from errors the words that it updates, and C: errors from few to all of 240 labels, at every bound's number of labels; every other
 * decision is right.
 */
function callErrors(f32: Primitives, run: Run): void {
  const b = run.batch;
  const r = run.r;
  f32.words[r] = ERRORS * magnitude(f32.words[run.v]);
  setBits(f32, r + 1, (LABELS * b.n * (run.v - b.at)));
  const y = f32.words[run.v + VECTOR];
  f32.words[r + 2] = f32.aggressiveness(r, y, run.k & 1 ? y : b.scalar, b.n & 1 ? 1 : b.n);
}

/* The primitives that make a learner's or a feature's whole step, on one vector. Sets are as drawn, but for their size. */
function callStep(f32: Primitives, primitive: number, run: Run): number {
  const b = run.batch;
  const v = run.v, r = run.r, y = v + VECTOR, n = b.n, rows = b.rows, row = b.row, d = b.d;
  const s = b.scalar;
  const set = setWords(ROWS, d), matrix = ceil4(rows) * d, behind = matrix + rows + d;
  let size = set;
  switch (primitive) {
    case INSERT_VECTOR:
      fill(f32, b, r, set);
      setBits(f32, r + set - 2, row);
      f32.insertVector(r, ROWS, d, v + LAST, f32.words[y]);
      break;
    case REMOVE_VECTOR:
      fill(f32, b, r, set);
      setBits(f32, r + set - 2, rows);
      f32.removeVector(r, ROWS, d, row);
      break;
    case REMOVE_VECTOR_IN_ORDER:
      fill(f32, b, r, set);
      setBits(f32, r + set - 2, rows);
      f32.removeVectorInOrder(r, ROWS, d, row);
      break;
    case STEP_EXPANSION: case GAUSSIAN_EXPANSION: return callExpansion(f32, primitive, run);
    case NEAREST_ROW: size = ceil4(rows) + 1; f32.words[r + size - 1] = f32.nearestRow(r, v, y, rows, d); break;
    case MERGE_NEAREST:
      f32.copy(r, v, behind);
      size = behind + ceil4(rows) + 1;
      f32.words[r + size - 1] = f32.mergeNearest(r + behind, r, r + matrix, rows, d, r + matrix + rows, f32.words[v + LAST], magnitude(s));
      break;
    case FOURIER_FEATURES: f32.fourierFeatures(r, v, y, rows, d); size = 2 * rows; break;
    case HINGE_STEP: size = fill(f32, b, r, ROWS); f32.hingeStep(r, v, v + ROWS, row, rows, ROWS, s, s); break;
    case AGREEMENT_STEP:
      size = fill(f32, b, r, ROWS);
      f32.agreementStep(r, v, v + ROWS, v + 2 * ROWS, row, rows, ROWS, s);
      break;
    case AGREE:
      size = fill(f32, b, r, rows * COMPONENTS + d);
      f32.agree(r + rows * COMPONENTS, r, v + rows * COMPONENTS, d, rows, COMPONENTS);
      break;
    case LOCAL_DECISION: case LOCAL_STEP: return callLocal(f32, primitive, run);
    case CLASS_SCORES: case CLASS_STEP: return callClasses(f32, primitive, run);
    case WINDOW_STATISTICS: size = fill(f32, b, r, 4); run.did = Number(f32.windowStatistics(r, v, row, rows, ROWS)); break;
    case STANDARDISE: /* Counts before, in and after the warm-up, and runs of every length. */
      size = fill(f32, b, r, 6 * d);
      for (let j = 0, k = run.k * d + 1; j < d; j++, k++) {
        f32.words[r + 3 * d + j] = (k % 48);
        f32.words[r + 4 * d + j] = ((k & 15) - 8);
      }
      run.did = Number(f32.standardise(r, r + 5 * d, d, 32 + n, 8));
      break;
    case CENTRE: size = fill(f32, b, r, 3 + LONGEST); run.did = Number(f32.centre(r, r + 3, n)); break;
    case TAPER: size = fill(f32, b, r, 8 << n % 3); f32.taper(r, size); break;
    case FOURIER_TRANSFORM: size = fill(f32, b, r, 8 << n % 3); f32.fourierTransform(r, size); break;
    case GOERTZEL: size = 1; f32.words[r] = f32.goertzel(v, n, s); break;
    case DIAGONAL_PRODUCT: f32.diagonalProduct(r, v, y, n); return n;
    case DIAGONAL_RANK_ONE: /* On products, beside which a square that is subnormal counts. */
      size = n;
      f32.diagonalProduct(r, v, y, n);
      run.did = Number(f32.diagonalRankOne(r, f32.words[v + DRAWN - 1], v, n));
      break;
    case AGGRESSIVENESS: callErrors(f32, run); return 3;
  }
  return size;
}

/* Runs a primitive on each vector of the batch; returns the word behind its results. */
function call(f32: Primitives, primitive: number, b: Batch): number {
  const step = isOfMatrices(primitive) ? MATRICES : NEW;
  let run = { batch: b, v: b.at, k: 0, r: b.out, did: 0, way: 0, sum: 0 };
  let did = 0;
  for (; run.v < b.at + BATCH * NEW; run.v += step, run.k++) {
    run.r += primitive < INSERT_VECTOR ? callPlain(f32, primitive, run) : callStep(f32, primitive, run);
    did = 2 * did + run.did;
  }
  if ((primitive === GAUSSIAN_ROW)) return shortRows(f32, b, run.r);
  if (!isJudging(primitive)) return run.r;
  f32.words[run.r] = did;
  return run.r + 1;
}

export function selfTestBatch(f32: Primitives, at: number, first: number, hashes: Uint32Array): void {
  let b = { at: at, out: at + ALL_DRAWN, given: at + ALL_DRAWN + GIVEN, n: 0, rows: 0, d: 0, row: 0, column: 0, scalar: 0 };
  const fresh = b.out - BATCH * NEW;
  if (first === 0) {
    hashes[PRIMITIVES] = 1;
    numbers(f32, at, b.out, 16, hashes);
  }
  moveWords(f32, at, at + BATCH * NEW, ALL_DRAWN - BATCH * NEW);
  for (let k = 0; k < BATCH; k++) numbers(f32, fresh + k * NEW, fresh + (k + 1) * NEW, first + k, hashes);
  b.n = 1 + below(hashes, LONGEST);
  b.rows = 1 + below(hashes, ROWS);
  b.d = 1 + below(hashes, COMPONENTS);
  b.row = below(hashes, b.rows);
  b.column = below(hashes, b.d);
  b.scalar = FRACTION * f32.words[at];
  for (let i = 0; i < PRIMITIVES; i++) {
    const end = call(f32, i, b);
    for (let k = b.out; k < end; k++)
      if ((readBits(f32, k) & 0x7fffffff) > 0x7f800000) setBits(f32, k, 0x7fc00000); /* Engines differ in which NaN they give. */
    hashes[i] = f32.crc32(bytesFrom(f32, at), 4 * ALL_DRAWN, 4 * (ALL_DRAWN + end - b.out), hashes[i]);
  }
}
