import { ceil4, DECISION, LEAVING } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import {
  BATCH,
  type Batch,
  type Calls,
  COMPONENTS,
  DRAWN,
  fill,
  LONGEST,
  MATRICES,
  NEW,
  ROWS,
  VECTOR,
} from "./calls.ts";

/** What `stepExpansion` counts. */
const COUNTS = 5;
/** Words of the largest support set, of a batch's results at most, and of the memory behind the vectors. */
const SET = setWords(ROWS, COMPONENTS);
/**
 * The last vector's input and scratch of `stepExpansion` lie behind the batch; other vectors' are
 * overwritten.
 */
export const RESULTS_WORDS = BATCH * (SET + COUNTS) + 2 * COMPONENTS + ceil4(ROWS);
/** Place of an input, behind `out`: the results of primitives that take an input don't reach it. */
export const GIVEN = RESULTS_WORDS - LONGEST;
/** Word of a vector at which its last components lie, which no set reaches. */
const LAST = DRAWN - COMPONENTS;
/** Of a local model, before which lie the input and scratch. */
const PROTOTYPES = 2;

/** Components with which its words and those before it fit a vector. */
function localComponents({ d }: Batch, k: number): number {
  return k === 1 && d > 1 ? 2 : 1;
}

/** Words before the local model, before its size, and in all. */
function localWords(k: number, d: number): { set: number; size: number; behind: number } {
  const rows = ceil4(PROTOTYPES);
  const across = k * d;
  const set = d + k + rows + 1 + 2 * across;
  const size = set + rows * d + PROTOTYPES;
  return { set, size, behind: size + 1 + across + rows * across };
}

/** Vectors that a shared set has room for. */
const SHARED_VECTORS = 2;

/** Words before the scratch of a shared set of k classes, before its labels, and of the scratch. */
function sharedWords(k: number, d: number): { labels: number; set: number; scratch: number } {
  const labels = setWords(SHARED_VECTORS, d) + ceil4(k) * SHARED_VECTORS;
  return {
    labels,
    set: labels + SHARED_VECTORS + 2,
    scratch: 4 * d + 3 * ceil4(k) + 2 * ceil4(SHARED_VECTORS),
  };
}

/** The threshold, as a multiple of the scalar: half of the coefficients, once multiplied by the scalar, lie below it. */
const SMALL = 0.1;

/** Factors that turn numbers of about 1 into errors of 240 labels, and sizes into numbers of labels. */
const ERRORS = 64;
const LABELS = 12;

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
      const gamma = Math.abs(scalar);
      const threshold = SMALL * gamma;
      let r = out;
      let way = 0;
      for (let m = at; m < end; m += NEW) {
        const counts = r + size;
        const x = counts + COUNTS;
        f32.copy(r, m, size + COUNTS);
        f32.copy(x, m + LAST, d);
        way = way === 4 ? 0 : way + 1;
        const leaving = way === 4 ? row : -1 - way;
        bits[counts - 2] = rows - (((m - at) >> 2) & 1);
        f32.stepExpansion(r, rows, d, scalar, x, words[m + VECTOR], leaving, threshold, counts, gamma);
        r = x;
      }
      return r;
    },
  ],
  [
    "gaussianExpansion",
    (f32, { at, end, out, rows, row, d, scalar, given, views }) => {
      const { words, bits } = f32;
      const size = setWords(ROWS, d);
      const behind = size + d + ceil4(rows);
      const x = views[d - 1];
      const gamma = Math.abs(scalar);
      let r = out;
      let rule: number = row;
      for (let m = at; m < end; m += MATRICES) {
        f32.copy(r, m, size);
        f32.copy(r + size, m, behind - size);
        bits[r + size - 2] = rows;
        f32.copy(given, m + LAST, d);
        words[r + behind] = f32.gaussianExpansion(r + size, x, r, ROWS, d, gamma, rule, m, scalar);
        rule = rule === DECISION.root ? 0 : rule + 1;
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
    "localDecision",
    (f32, batch) => {
      const { at, end, out, n, row, given, views } = batch;
      const { words, bits } = f32;
      const k = 1 + (n & 1);
      const d = localComponents(batch, k);
      const x = views[d - 1];
      const { set, size, behind } = localWords(k, d);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        f32.copy(r, m, behind);
        f32.copy(given, m, d);
        bits[r + size] = (m - at) & 1 ? PROTOTYPES : row % PROTOTYPES;
        words[r + behind] = f32.localDecision(r, x, r + set, PROTOTYPES, d, k);
        r += behind + 1;
      }
      return r;
    },
  ],
  [
    "localStep",
    (f32, batch) => {
      const { at, end, out, n, row, scalar } = batch;
      const { words, bits } = f32;
      const k = 1 + (n & 1);
      const d = localComponents(batch, k);
      const { set, size, behind } = localWords(k, d);
      const share = Math.abs(scalar);
      let r = out;
      for (let m = at; m < end; m += NEW) {
        const odd = (m - at) & 1;
        f32.copy(r, m, behind);
        bits[r + set - 2 * k * d - 1] = row % PROTOTYPES;
        bits[r + size - 1] = bits[r + size - 2] = odd + row;
        bits[r + size] = row % PROTOTYPES;
        const y = k === 1 ? 1 - 2 * odd : odd;
        words[r + behind] = f32.localStep(r, r + set, PROTOTYPES, d, k, y, share, share, (m >> 1) & 1);
        r += behind + 1;
      }
      return r;
    },
  ],
  [
    "classScores",
    (f32, batch) => {
      const { at, end, out, n, row, scalar } = batch;
      const { words, bits } = f32;
      const k = 3 + (n & 1);
      const d = batch.d > 1 ? 2 : 1;
      const { labels, set } = sharedWords(k, d);
      const behind = set + 2 * d + 2 * ceil4(k);
      let r = out;
      for (let m = at; m < end; m += MATRICES) {
        f32.copy(r, m, behind);
        bits[r + labels - ceil4(k) * SHARED_VECTORS - 2] = row % (SHARED_VECTORS + 1);
        words[r + behind] = f32.classScores(r + set, r, SHARED_VECTORS, d, k, scalar);
        r += behind + 1;
      }
      return r;
    },
  ],
  [
    // The scratch of each lies where the next one's results will. Of every eight sets seven are full, and five merge.
    "classStep",
    (f32, { at, end, out, n, row, scalar }) => {
      const { words, bits } = f32;
      const k = 3 + (n & 1);
      const d = 1;
      const { labels, set, scratch } = sharedWords(k, d);
      const size = labels - ceil4(k) * SHARED_VECTORS - 2;
      const positive = Math.abs(scalar);
      let r = out;
      let way = n & 7;
      for (let m = at; m < end; m += MATRICES) {
        const x = r + set + COUNTS;
        f32.copy(r, m, set + COUNTS);
        f32.copy(x, m, scratch);
        way = way === 7 ? 0 : way + 1;
        for (let i = 0; i < SHARED_VECTORS; i++) {
          words[r + size - 4 + i] = Math.abs(words[r + size - 4 + i]);
          bits[r + labels + i] = 0;
        }
        bits[r + size] = way === 7 ? row % SHARED_VECTORS : SHARED_VECTORS;
        bits[r + set - 2] = way;
        const leaving = way > 2 ? LEAVING.merge : -1 - way;
        const most = way & 1 ? positive : 0;
        const small = way === 5 ? SMALL : 0;
        const self = words[m + VECTOR];
        f32.classStep(
          x,
          r,
          SHARED_VECTORS,
          d,
          k,
          way & 1,
          positive,
          self,
          positive,
          scalar,
          positive,
          most,
          way & 1,
          leaving,
          small,
          r + set,
        );
        r = x;
      }
      return r;
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
  [
    // Errors from few to all of 240 labels, at every bound's number of labels; every other decision is right.
    "aggressiveness",
    (f32, { at, end, out, n, scalar }) => {
      const { words, bits } = f32;
      let r = out;
      for (let m = at; m < end; m += NEW) {
        words[r] = ERRORS * Math.abs(words[m]);
        bits[r + 1] = LABELS * n * (m - at);
        const y = words[m + VECTOR];
        words[r + 2] = f32.aggressiveness(r, y, (m - at) & 1 ? y : scalar, n & 1 ? 1 : n);
        r += 3;
      }
      return r;
    },
  ],
]);
