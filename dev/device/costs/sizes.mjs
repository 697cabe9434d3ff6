// The sizes at which the chips' costs are measured: those to fit, and those held out for the fit's error.

/** Lists of numbers, from a text such as "2x20 8x64". */
function sizes(text) {
  return text.split(" ").map((size) => size.split("x").map(Number));
}

/**
 * Sizes [d, budget] to fit, the ends of both ranges among them, and held-out sizes for the fit's error.
 */
const FITTED = sizes("2x20 2x64 8x20 8x40 8x64 16x48 24x64 32x20 32x40 20x28 16x80");
const HELD_OUT = sizes("4x32 12x56");
/** Learners with matrices of stored vectors so large that the last of the sizes to fit doesn't fit beside them; a smaller one takes its place. */
const WITH_LARGE_MATRICES = ["auto-r", "krls-t"];
const LARGE_FITTED = [...FITTED.slice(0, -1), [16, 64]];
/**
 * The same for vectors of 16 bits, which double the number of learners: fewer sizes, and only the model's
 * terms for steps with at most some products of rows and components, or of rows.
 */
export const SHORT_FITTED = sizes("2x20 2x64 8x40 16x48 24x64 32x20");
const SHORT_HELD_OUT = sizes("12x56 16x80");
export const SHORT_TERMS = 5;
/** Sizes [d, bytes] of a learner that an option gives its bytes: each form that it then takes, several times. */
export const BYTES_FITTED = sizes(
  "2x1024 2x4096 2x16384 4x8192 8x1024 8x2048 8x8192 8x32768 12x4096 16x4096 24x16384 32x2048 32x8192 32x32768",
);
const BYTES_HELD_OUT = sizes("4x2048 12x8192 16x16384");
/** Sizes [d, bytes, classes] of a learner whose classes share the bytes that an option gives it: to fit, and held out. */
export const SEVERAL_FITTED = [
  ...sizes("2x2048x3 2x8192x10 2x16384x4 4x4096x5 4x16384x3 8x2048x3 8x4096x10 8x8192x3 8x8192x26"),
  ...sizes("8x32768x5 12x8192x7 16x4096x4 16x8192x3 16x16384x10 24x8192x3 24x16384x5 32x8192x4 32x32768x10"),
];
const SEVERAL_HELD_OUT = sizes("4x8192x4 8x4096x4 12x16384x3 16x32768x7");
/** Sizes at which 16 inputs give the width, the last one held out, and the steps that this takes. */
export const WIDTH_SIZES = sizes("2x80 16x64 32x40 8x64");
export const WIDTH_INPUTS = 16;
export const WIDTH_STEPS = 40;
/**
 * Sizes at which to measure the label that finds the width, with everything each learner does in it; the last
 * one held out.
 */
export const FOUND_SIZES = sizes("2x64 12x64 32x64 8x64");
/** The size at which to measure what it takes to read the width, and the steps, after which NOGD has its features. */
export const READING_SIZES = [[2, 20]];
export const READING_STEPS = 100;
/** Sizes at which to measure the correction of a label, the last one held out. */
export const CORRECTED = sizes("2x20 8x64 16x48 32x20 8x40 12x56");
/** Sizes [classes, d, budget] of classes that share a dictionary: to fit, and held out. */
export const FITTED_SHARED = sizes("3x2x20 10x2x64 26x8x20 3x8x64 10x16x48 26x16x40 5x24x64 10x32x20");
export const HELD_OUT_SHARED = sizes("26x8x64 7x12x56");
/** Steps after which one label in eight tries another width. */
export const WATCH_STEPS = 608;
/** Shapes [channels, window, standardise] of a node's features, likewise. */
export const FITTED_SHAPES = [
  ...sizes("2x0 8x0 24x0 2x4 2x16 8x8").map((shape) => [...shape, false]),
  ...sizes("2x0 8x0 8x8 4x16").map((shape) => [...shape, true]),
];
const HELD_OUT_SHAPES = [
  ...sizes("3x8 6x0").map((shape) => [...shape, true]),
  ...sizes("5x12").map((shape) => [...shape, false]),
];
/**
 * Steps at a run's end for the mean, as in programs/program.ts: the windows are full by then, and no
 * checkpoint is due.
 */
export const MEASURED = 64;
/** Shapes [sensors, window, bands, lines, burst] of spectral features, likewise. */
export const FITTED_SPECTRA = sizes(
  "1x64x4x0x1 1x128x8x2x8 1x256x8x0x32 1x512x16x4x64 2x64x16x1x16 2x256x4x4x2 3x128x8x0x1 1x512x4x1x128 1x256x16x8x16",
);
export const HELD_OUT_SPECTRA = sizes("1x256x8x2x32 2x128x4x2x8");
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
export const SEVERAL = [...SEVERAL_FITTED, ...SEVERAL_HELD_OUT];
export const SHORT_SIZES = [...SHORT_FITTED, ...SHORT_HELD_OUT];
export const SHAPES = [...FITTED_SHAPES, ...HELD_OUT_SHAPES];
