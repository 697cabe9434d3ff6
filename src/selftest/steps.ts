import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { BATCH, type Calls, COMPONENTS, DRAWN, fill, LONGEST, MATRICES, NEW, ROWS, VECTOR } from "./calls.ts";

/** What `stepExpansion` counts. */
const COUNTS = 5;
/** Words of the largest support set, of a batch's results at most, and of the memory behind the vectors. */
const SET = setWords(ROWS, COMPONENTS);
export const RESULTS_WORDS = BATCH * (SET + COUNTS);
/** Where an input lies, behind `out`: the results of those that take one don't reach it. */
export const GIVEN = RESULTS_WORDS - LONGEST;
/** Word of a vector at which its last components lie, which no set reaches. */
const LAST = DRAWN - COMPONENTS;
/** What of the scalar counts as small: half of the coefficients that were multiplied by it. */
const SMALL = 0.1;

/** Words of a support set of capacity m. */
function setWords(m: number, d: number): number {
  return d * ceil4(m) + 2 * m + 2;
}

/** Numbers of a wave that is transformed, by a vector's: 8, 16 or 32. */
function waveOf(n: number): number {
  return 8 << (n % 3);
}

/** The primitives that make a learner's or a feature's whole step, in the order of their hashes. Sets are as drawn, but for their size. */
export const STEP_CALLS: Calls = frozen([
  [
    "insertVector",
    (f32, batch) => {
      const { at, end, out, row, d } = batch;
      const { words, bits } = f32;
      const size = setWords(ROWS, d);
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        bits[r + size - 2] = row;
        f32.insertVector(r, ROWS, d, m + LAST, words[m + VECTOR]);
        r += size;
      }
      return r;
    },
  ],
  [
    "removeVector",
    (f32, batch) => {
      const { at, end, out, rows, row, d } = batch;
      const { bits } = f32;
      const size = setWords(ROWS, d);
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        bits[r + size - 2] = rows;
        f32.removeVector(r, ROWS, d, row);
        r += size;
      }
      return r;
    },
  ],
  [
    "removeVectorInOrder",
    (f32, batch) => {
      const { at, end, out, rows, row, d } = batch;
      const { bits } = f32;
      const size = setWords(ROWS, d);
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        bits[r + size - 2] = rows;
        f32.removeVectorInOrder(r, ROWS, d, row);
        r += size;
      }
      return r;
    },
  ],
  [
    // Of every two sets about one is full; which vector leaves that is chosen in each of the four ways.
    "stepExpansion",
    (f32, batch) => {
      const { at, end, out, rows, row, d, scalar } = batch;
      const { words, bits } = f32;
      const size = setWords(rows, d);
      const threshold = SMALL * Math.abs(scalar);
      fill(f32, batch, size + COUNTS);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        const way = (m - at) & 3;
        const leaving = way === 3 ? row : -1 - way;
        bits[r + size - 2] = rows - (((m - at) >> 2) & 1);
        f32.stepExpansion(r, rows, d, scalar, m + LAST, words[m + VECTOR], leaving, threshold, r + size);
        r += size + COUNTS;
      }
      return r;
    },
  ],
  [
    "gaussianExpansion",
    (f32, { at, end, out, rows, d, scalar, given, views }) => {
      const { words, bits } = f32;
      const size = setWords(ROWS, d);
      const behind = size + d + ceil4(rows);
      const x = views[d - 1];
      const gamma = Math.abs(scalar);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.copy(r, m, size);
        f32.copy(r + size, m, behind - size);
        bits[r + size - 2] = rows;
        f32.copy(given, m + LAST, d);
        words[r + behind] = f32.gaussianExpansion(r + size, x, r, ROWS, d, gamma);
        r += behind + 1;
      }
      return r;
    },
  ],
  [
    "nearestRow",
    (f32, { at, end, out, rows, d }) => {
      const { words } = f32;
      const size = ceil4(rows);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        words[r + size] = f32.nearestRow(r, m, m + VECTOR, rows, d);
        r += size + 1;
      }
      return r;
    },
  ],
  [
    "mergeNearest",
    (f32, { at, end, out, rows, d, scalar }) => {
      const { words } = f32;
      const matrix = ceil4(rows) * d;
      const behind = matrix + rows + d;
      const size = behind + ceil4(rows);
      const gamma = Math.abs(scalar);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.copy(r, m, behind);
        const a = words[m + LAST];
        words[r + size] = f32.mergeNearest(r + behind, r, r + matrix, rows, d, r + matrix + rows, a, gamma);
        r += size + 1;
      }
      return r;
    },
  ],
  [
    "fourierFeatures",
    (f32, { at, end, out, rows, d }) => {
      const size = ceil4(2 * rows);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.fourierFeatures(r, m, m + VECTOR, rows, d);
        r += size;
      }
      return r;
    },
  ],
  [
    "hingeStep",
    (f32, batch) => {
      const { at, end, out, rows, row, scalar } = batch;
      fill(f32, batch, ROWS);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.hingeStep(r, m, m + ROWS, row, rows, ROWS, scalar, scalar);
        r += ROWS;
      }
      return r;
    },
  ],
  [
    "agreementStep",
    (f32, batch) => {
      const { at, end, out, rows, row, scalar } = batch;
      fill(f32, batch, ROWS);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.agreementStep(r, m, m + ROWS, m + 2 * ROWS, row, rows, ROWS, scalar);
        r += ROWS;
      }
      return r;
    },
  ],
  [
    "agree",
    (f32, batch) => {
      const { at, end, out, rows, d } = batch;
      const size = rows * COMPONENTS;
      fill(f32, batch, size + d);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.agree(r + size, r, m + size, d, rows, COMPONENTS);
        r += size + d;
      }
      return r;
    },
  ],
  [
    "localScores",
    (f32, { at, end, out, n, d }) => {
      const { words } = f32;
      const k = 1 + (n & 1);
      const size = 2 * k * d + k;
      let r = out;
      for (let m = at; m < end; m += NEW) {
        const x = m + VECTOR + k * d;
        words[r + size] = f32.localScores(r + 2 * k * d, m + VECTOR, r, m, (m - at) & 3, x, d, k);
        r += size + 1;
      }
      return r;
    },
  ],
  [
    "localStep",
    (f32, batch) => {
      const { at, end, out, rows, scalar } = batch;
      const { words } = f32;
      const size = 2 * rows;
      const share = Math.abs(scalar);
      fill(f32, batch, size);
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        const y = (m - at) & 1 ? 1 : -1;
        did =
          2 * did +
          (f32.localStep(r, r + rows, m + size, rows, y, words[m + DRAWN - 1], share, share) ? 1 : 0);
        r += size;
      }
      words[r] = did;
      return r + 1;
    },
  ],
  [
    "windowStatistics",
    (f32, batch) => {
      const { at, end, out, rows, row } = batch;
      fill(f32, batch, 4);
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        did = 2 * did + (f32.windowStatistics(r, m, row, rows, ROWS) ? 1 : 0);
        r += 4;
      }
      f32.words[r] = did;
      return r + 1;
    },
  ],
  [
    // Counts before, in and after the warm-up, and runs of every length.
    "standardise",
    (f32, batch) => {
      const { at, end, out, n, d } = batch;
      const { words } = f32;
      const size = 6 * d;
      fill(f32, batch, size);
      let r = out;
      let did = 0;
      let k = 0;
      for (let m = at; m < end; m += NEW) {
        for (let j = 0; j < d; j++) {
          words[r + 3 * d + j] = ++k % 48;
          words[r + 4 * d + j] = (k & 15) - 8;
        }
        did = 2 * did + (f32.standardise(r, r + 5 * d, d, 32 + n, 8) ? 1 : 0);
        r += size;
      }
      words[r] = did;
      return r + 1;
    },
  ],
  [
    "centre",
    (f32, batch) => {
      const { at, end, out, n } = batch;
      const size = 3 + LONGEST;
      fill(f32, batch, size);
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        did = 2 * did + (f32.centre(r, r + 3, n) ? 1 : 0);
        r += size;
      }
      f32.words[r] = did;
      return r + 1;
    },
  ],
  [
    "taper",
    (f32, batch) => {
      const { at, end, out, n } = batch;
      const size = waveOf(n);
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.taper(r, size);
        r += size;
      }
      return r;
    },
  ],
  [
    "fourierTransform",
    (f32, batch) => {
      const { at, end, out, n } = batch;
      const size = waveOf(n);
      fill(f32, batch, size);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.fourierTransform(r, size);
        r += size;
      }
      return r;
    },
  ],
  [
    "goertzel",
    (f32, { at, end, out, n, scalar }) => {
      const { words } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) words[r++] = f32.goertzel(m, n, scalar);
      return r;
    },
  ],
  [
    "diagonalProduct",
    (f32, { at, end, out, n }) => {
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.diagonalProduct(r, m, m + VECTOR, n);
        r += n;
      }
      return r;
    },
  ],
  [
    // On products, beside which a square that is subnormal counts.
    "diagonalRankOne",
    (f32, { at, end, out, n }) => {
      const { words } = f32;
      let r = out;
      let did = 0;
      for (let m = at; m < end; m += NEW) {
        f32.diagonalProduct(r, m, m + VECTOR, n);
        did = 2 * did + (f32.diagonalRankOne(r, words[m + DRAWN - 1], m, n) ? 1 : 0);
        r += n;
      }
      words[r] = did;
      return r + 1;
    },
  ],
]);
