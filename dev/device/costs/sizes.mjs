// The sizes at which the chips' costs are measured: those to fit, and those held out for the fit's error.

/**
 * Sizes [d, budget] to fit, the ends of both ranges among them, and held-out sizes for the fit's error.
 */
const FITTED = [
  [2, 20],
  [2, 64],
  [8, 20],
  [8, 40],
  [8, 64],
  [16, 48],
  [24, 64],
  [32, 20],
  [32, 40],
  [20, 28],
  [16, 80],
];
const HELD_OUT = [
  [4, 32],
  [12, 56],
];
/** Learners with matrices of stored vectors so large that the last of the sizes to fit doesn't fit beside them; a smaller one takes its place. */
const WITH_LARGE_MATRICES = ["auto-r", "krls-t"];
const LARGE_FITTED = [...FITTED.slice(0, -1), [16, 64]];
/**
 * The same for vectors of 16 bits, which double the number of learners: fewer sizes, and only the model's
 * terms for steps with at most some products of rows and components, or of rows.
 */
export const SHORT_FITTED = [
  [2, 20],
  [2, 64],
  [8, 40],
  [16, 48],
  [24, 64],
  [32, 20],
];
const SHORT_HELD_OUT = [
  [12, 56],
  [16, 80],
];
export const SHORT_TERMS = 5;
/** Sizes [d, bytes] of a learner that an option gives its bytes: each form that it then takes, several times. */
export const BYTES_FITTED = [
  [2, 1024],
  [2, 4096],
  [2, 16384],
  [4, 8192],
  [8, 1024],
  [8, 2048],
  [8, 8192],
  [8, 32768],
  [12, 8192],
  [16, 4096],
  [24, 16384],
  [32, 2048],
  [32, 8192],
  [32, 32768],
];
const BYTES_HELD_OUT = [
  [4, 2048],
  [12, 4096],
  [16, 16384],
];
/** Sizes at which 16 inputs give the width, the last one held out, and the steps that this takes. */
export const WIDTH_SIZES = [
  [2, 80],
  [16, 64],
  [32, 40],
  [8, 64],
];
export const WIDTH_INPUTS = 16;
export const WIDTH_STEPS = 40;
/**
 * Sizes at which to measure the label that finds the width, with everything each learner does in it; the last
 * one held out.
 */
export const FOUND_SIZES = [
  [2, 64],
  [12, 64],
  [32, 64],
  [8, 64],
];
/** The size at which to measure what it takes to read the width, and the steps, after which NOGD has its features. */
export const READING_SIZES = [[2, 20]];
export const READING_STEPS = 100;
/** Sizes at which to measure the correction of a label, the last one held out. */
export const CORRECTED = [
  [2, 20],
  [8, 64],
  [16, 48],
  [32, 20],
  [8, 40],
  [12, 56],
];
/** Sizes [classes, d, budget] of classes that share a dictionary: to fit, and held out. */
export const FITTED_SHARED = [
  [3, 2, 20],
  [10, 2, 64],
  [26, 8, 20],
  [3, 8, 64],
  [10, 16, 48],
  [26, 16, 40],
  [5, 24, 64],
  [10, 32, 20],
];
export const HELD_OUT_SHARED = [
  [26, 8, 64],
  [7, 12, 56],
];
/** Steps after which one label in eight tries another width. */
export const WATCH_STEPS = 608;
/** Shapes [channels, window, standardise] of a node's features, likewise. */
export const FITTED_SHAPES = [
  [2, 0, false],
  [8, 0, false],
  [24, 0, false],
  [2, 4, false],
  [2, 16, false],
  [8, 8, false],
  [2, 0, true],
  [8, 0, true],
  [8, 8, true],
  [4, 16, true],
];
const HELD_OUT_SHAPES = [
  [3, 8, true],
  [6, 0, true],
  [5, 12, false],
];
/**
 * Steps at a run's end for the mean, as in programs/program.ts: the windows are full by then, and no
 * checkpoint is due.
 */
export const MEASURED = 64;
/** Shapes [sensors, window, bands, lines, burst] of spectral features, likewise. */
export const FITTED_SPECTRA = [
  [1, 64, 4, 0, 1],
  [1, 128, 8, 2, 8],
  [1, 256, 8, 0, 32],
  [1, 512, 16, 4, 64],
  [2, 64, 16, 1, 16],
  [2, 256, 4, 4, 2],
  [3, 128, 8, 0, 1],
  [1, 512, 4, 1, 128],
  [1, 256, 16, 8, 16],
];
export const HELD_OUT_SPECTRA = [
  [1, 256, 8, 2, 32],
  [2, 128, 4, 2, 8],
];
/** Learners that store few samples: novelties, or inputs on which a perceptron errs. */
const STORES_FEW = /-n$|^kernel-perceptron$|^forgetron$/;
/** Steps behind those that fill the bytes of a committee. */
const COMMITTEE_STEPS = 320;
/** CW rescales once its variances are small, after some 61 steps a component. */
const RESCALES_AFTER = 64;
/**
 * Steps enough to fill the budget, then to learn, forget and evict. osKM, whose steps take long, stores every
 * sample; a forgetful learner stores at least every other where forgetting is measured.
 */
export function steps(budget, name, place, dimension) {
  if (name === "oskm") return budget + 16;
  if (name === "cw") return RESCALES_AFTER * dimension + 128;
  if (STORES_FEW.test(name)) return 8 * budget + 256;
  return place ? 2 * budget + 96 : 3 * budget + 128;
}

/** Steps enough to fill so many bytes with samples, of which the smallest take a byte a component and four besides. */
export function stepsToFill(bytes, dimension) {
  return Math.ceil(bytes / (dimension + 4)) + COMMITTEE_STEPS;
}

/** The size [d, budget] of the long runs of `test:device`. */
export const LONG_RUN = [8, 64];

export const SIZES = [...FITTED, ...HELD_OUT];
/** How many of a learner's sizes are to fit: the others are held out. */
export const FITTED_SIZES = FITTED.length;

/** The sizes at which to measure a learner with float32 vectors. */
export function measuredSizes(name) {
  return WITH_LARGE_MATRICES.includes(name) ? [...LARGE_FITTED, ...HELD_OUT] : SIZES;
}

export const BYTES = [...BYTES_FITTED, ...BYTES_HELD_OUT];
export const SHORT_SIZES = [...SHORT_FITTED, ...SHORT_HELD_OUT];
export const SHAPES = [...FITTED_SHAPES, ...HELD_OUT_SHAPES];
