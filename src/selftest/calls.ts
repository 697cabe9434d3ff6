import type { Primitives } from "../math/primitives.ts";
import { ceil4, packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";

/** Vectors of a batch: all have the same sizes, and the results of a primitive on them have one check sum. */
export const BATCH = 10;
/** Most numbers in a vector, rows of a matrix, components of a row. */
export const LONGEST = 13;
export const ROWS = 6;
export const COMPONENTS = 3;

/** Words of a vector: a matrix and its operands. The next vector begins this many words later. */
export const VECTOR = ceil4(ROWS) * COMPONENTS;
export const DRAWN = VECTOR + 19;
export const NEW = 3;
/** Words drawn for a batch. */
export const ALL_DRAWN = DRAWN + (BATCH - 1) * NEW;
/** Words from one tried matrix to the next. Each of a matrix's rows, 3.5 on average, counts as a vector. */
export const MATRICES = 4 * NEW;
/** Factor that brings numbers of at most 1 to where exp is subnormal, and the period of sine and cosine matters. */
const SPREAD = 100;
/** Factor that turns numbers of about 1 into lanes. */
const GRID = 4096;

/** The input of one primitive; sizes are for each vector of a batch. */
export interface Batch {
  /** Word of the first vector, and the word behind the last vector. */
  at: number;
  end: number;
  /** Word of the first result. */
  out: number;
  n: number;
  rows: number;
  d: number;
  row: number;
  column: number;
  /** A double, which no float32 is. */
  scalar: number;
  /** The bytes of the memory from word `at` on. */
  readonly bytes: Uint8Array;
  /** The whole memory, as signed words. */
  readonly ints: Int32Array;
  /** Word at which an input lies that isn't yet the primitives' own, and it: views of 1, 2, ... `LONGEST` words. */
  readonly given: number;
  readonly views: readonly Float32Array[];
  /** Such an input of `LONGEST` doubles. */
  readonly doubles: Float64Array;
}

/** One primitive on each vector of a batch, the results one behind the other; returns the word behind them. */
export type Call = (f32: Primitives, batch: Batch) => number;
export type Calls = readonly (readonly [name: string, call: Call])[];

/** Fills `size` words of each vector's results with the words drawn, over and over: one copy a vector would cost more. */
export function fill(f32: Primitives, { at, out }: Batch, size: number): void {
  const words = BATCH * size;
  f32.copy(out, at, ALL_DRAWN);
  for (let done = ALL_DRAWN; done < words; done *= 2) {
    f32.copy(out + done, out, done < words - done ? done : words - done);
  }
}

/**
 * Rows of 16 bits, in a grid as drawn: 1/u about 4096 times the numbers, u about a 4096th, so that lanes and distances are neither 0 nor
 * clipped. Results are the kernel row, the squared distances and one row as it comes back; the rows lie behind them.
 */
function shortRows(f32: Primitives, { at, rows, row, d, scalar }: Batch, out: number): number {
  const { words } = f32;
  const size = ceil4(rows);
  const fetched = out + 2 * size;
  const grid = fetched + d;
  const lanes = grid + 2 + d;
  f32.copy(grid, at + NEW, 2 + d);
  words[grid] /= GRID;
  words[grid + 1] *= GRID;
  for (let i = 0, m = at; i < size; i++, m += NEW) f32.storeRow(lanes, i, m, -d);
  f32.gaussianRow(out, lanes, at + VECTOR, rows, -d, Math.abs(scalar));
  f32.squaredDistances(out + size, lanes, at + VECTOR, rows, -d);
  f32.fetchRow(fetched, lanes, row, -d);
  return grid;
}

/**
 * The plain primitives, in the order of their hashes: first the ones that make the check sum, then the ones
 * that others call. A primitive that writes where it reads works on copies of the drawn numbers; a bit of an
 * additional word records whether it did. Each has a loop of its own: on XS a function more at each vector
 * costs as much as the primitive.
 */
export const PLAIN_CALLS: Calls = frozen([
  [
    "crc32",
    (f32, { at, end, out, n, bytes }) => {
      const { words } = f32;
      let r = out;
      let sum = 0;
      for (let from = 0; from < end - at; from += NEW) {
        sum = f32.crc32(bytes, from, from + 4 * n, sum);
        // In halves: as the bits of a float32 it might be a NaN.
        words[r++] = sum & 0xffff;
        words[r++] = sum >>> 16;
      }
      return r;
    },
  ],
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
      let did = 0;
      for (let m = at; m < end; m += NEW) did = 2 * did + (f32.finite(m, n) ? 1 : 0);
      f32.words[out] = did;
      return out + 1;
    },
  ],
  [
    "load",
    (f32, { at, end, out, n, scalar, given, views, doubles }) => {
      const { words } = f32;
      let r = out;
      let did = 0;
      for (let j = 0; j < LONGEST; j++) doubles[j] = scalar * words[at + j];
      for (let m = at; m < end; m += NEW) {
        const x = m === at ? doubles : views[n - 1];
        if (m > at) f32.copy(given, m, n);
        did = 2 * did + (f32.load(r, x, x.length) ? 1 : 0);
        r += x.length;
      }
      words[r] = did;
      return r + 1;
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
    (f32, batch) => {
      const { at, end, out, n, scalar } = batch;
      const { words } = f32;
      fill(f32, batch, n);
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        did = 2 * did + (f32.addScaled(r, scalar, m + VECTOR, n) ? 1 : 0);
        r += n;
      }
      words[r] = did;
      return r + 1;
    },
  ],
  [
    "scale",
    (f32, batch) => {
      const { at, end, out, n, scalar } = batch;
      fill(f32, batch, n);
      let r = out;
      for (let m = at; m < end; m += NEW) {
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
    (f32, { at, end, out, n, ints }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.oldest(m, ints[m + VECTOR], n);
      return r;
    },
  ],
  [
    "stalest",
    (f32, { at, end, out, n, row, ints }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.stalest(m, m + VECTOR, ints[m + n], 1 + row, n);
      return r;
    },
  ],
  [
    "storeRow",
    (f32, batch) => {
      const { at, end, out, rows, row, d } = batch;
      const size = ceil4(rows) * d;
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += NEW) {
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
    (f32, batch) => {
      const { at, end, out, rows, column, d } = batch;
      const size = ceil4(rows) * d;
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.storeColumn(r, column, m + VECTOR, rows, d);
        r += size;
      }
      return r;
    },
  ],
  [
    "addScaledRow",
    (f32, batch) => {
      const { at, end, out, rows, row, d, scalar } = batch;
      const { words } = f32;
      const size = ceil4(rows) * d;
      fill(f32, batch, size);
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        did = 2 * did + (f32.addScaledRow(r, row, scalar, m + VECTOR, d) ? 1 : 0);
        r += size;
      }
      words[r] = did;
      return r + 1;
    },
  ],
  [
    "moveRowTowards",
    (f32, batch) => {
      const { at, end, out, rows, row, d, scalar } = batch;
      const { words } = f32;
      const size = ceil4(rows) * d;
      fill(f32, batch, size);
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        did = 2 * did + (f32.moveRowTowards(r, row, scalar, m + VECTOR, d) ? 1 : 0);
        r += size;
      }
      words[r] = did;
      return r + 1;
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
    "blockProducts",
    (f32, batch) => {
      const { at, end, out, rows, row, d } = batch;
      const vectors = row + 1; // six at most, more than C takes together
      const size = vectors * ROWS;
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.blockProducts(r, m, m + VECTOR, row, rows, ROWS, d, vectors);
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
    (f32, batch) => {
      const { at, end, out, rows, d, scalar } = batch;
      const size = ceil4(rows);
      const gamma = SPREAD * Math.abs(scalar);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.gaussianRow(r, m, m + VECTOR, rows, d, gamma);
        r += size;
      }
      return shortRows(f32, batch, r);
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
    (f32, batch) => {
      const { at, end, out, rows, scalar } = batch;
      const { words } = f32;
      const size = packedWords(rows);
      fill(f32, batch, size);
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        did = 2 * did + (f32.symmetricRankOne(r, scalar, m + VECTOR, rows) ? 1 : 0);
        r += size;
      }
      words[r] = did;
      return r + 1;
    },
  ],
  [
    "cholesky",
    (f32, batch) => {
      const { at, end, out, rows } = batch;
      const { words } = f32;
      const size = packedWords(rows);
      fill(f32, batch, size);
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        if ((m - at) & 1) dominate(words, r, rows);
        did = 2 * did + (f32.cholesky(r, rows) ? 1 : 0);
        r += size;
      }
      words[r] = did;
      return r + 1;
    },
  ],
  [
    "solveLower",
    (f32, batch) => {
      const { at, end, out, rows } = batch;
      fill(f32, batch, rows);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.solveLower(m, r, rows);
        r += rows;
      }
      return r;
    },
  ],
  [
    "solveLowerTransposed",
    (f32, batch) => {
      const { at, end, out, rows } = batch;
      fill(f32, batch, rows);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.solveLowerTransposed(m, r, rows);
        r += rows;
      }
      return r;
    },
  ],
  [
    // A factor, a vector and a matrix on its columns' basis.
    "deleteFactorRow",
    (f32, batch) => {
      const { at, end, out, rows, row } = batch;
      const n = rows < ROWS ? rows : ROWS - 1;
      const size = packedWords(n);
      fill(f32, batch, 2 * size + n);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.deleteFactorRow(r, n, row % n, r + size, r + size + n);
        r += 2 * size + n;
      }
      return r;
    },
  ],
  [
    "solveUnitLower",
    (f32, batch) => {
      const { at, end, out, rows, row } = batch;
      const size = 2 * rows;
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.solveUnitLower(r, m, r + rows, rows, row);
        r += size;
      }
      return r;
    },
  ],
  [
    "solveUnitLowerTransposed",
    (f32, batch) => {
      const { at, end, out, rows, row } = batch;
      const { bits } = f32;
      const size = 3 * rows;
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        const order = r + 2 * rows;
        for (let i = 0; i < rows; i++) bits[order + i] = (i + row) % rows;
        f32.solveUnitLowerTransposed(r, order, m, r + rows, rows);
        r += size;
      }
      return r;
    },
  ],
  [
    "pivotProduct",
    (f32, { at, end, out, rows }) => {
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.pivotProduct(r, m, m + VECTOR, rows);
        r += rows;
      }
      return r;
    },
  ],
  [
    // A factor, a vector that follows it, and what the update went by.
    "deleteUnitFactorRow",
    (f32, batch) => {
      const { at, end, out, rows, row } = batch;
      const { words } = f32;
      const n = rows < ROWS ? rows : ROWS - 1;
      const size = packedWords(n) + 3 * n;
      fill(f32, batch, size + 1);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        const b = r + packedWords(n);
        words[r + size] = f32.deleteUnitFactorRow(r, n, row % n, b, b + n);
        r += size + 1;
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

/** Makes the diagonal of the packed matrix outweigh its rows, so that it has a factor. */
function dominate(words: Float32Array, at: number, rows: number): void {
  for (let i = 0, diagonal = at; i < rows; i++, diagonal += i + 1) words[diagonal] = 64 + i;
}
