import type { Primitives } from "../math/primitives.ts";
import { OptionError } from "../memory/option-error.ts";

/** How features are made from a spectrum. */
export interface SpectrumOption {
  /**
   * Bands of equal width whose levels are features of each sensor, beside crest factor and zero crossings: 1..window/4, with a
   * window of 64, 128, 256 or 512; 0, the default: none.
   */
  readonly bands?: number;
  /** Frequencies of single lines whose levels are features, too, in cycles a reading: each above 0 and below 0.5, at most 16; default none. Takes bands. */
  readonly lines?: readonly number[];
  /**
   * Readings in a sample that follow each other, of one sensor: a sample has so many of the first sensor, oldest first, then of the
   * next. A whole number >= 1 and <= window that divides the channels; default 1. More than 1 takes bands.
   */
  readonly burst?: number;
}

/** The options with defaults filled in, and their window. */
export interface SpectrumShape extends Required<SpectrumOption> {
  readonly window: number;
}

/** Windows that have a spectrum: a power of two, as the transform takes. */
const WINDOWS: readonly number[] = Object.freeze([64, 128, 256, 512]);
const BANDS_MAX = 128;
const LINES_MAX = 16;
const TWO_PI = 6.283185307179586;
/** 2^-126: the least mean square of a level; a constant sensor has 0. */
const LEAST = 1.1754943508222875e-38;
/** Mean square of the factors by which `taper` multiplies a wave. */
const TAPER_POWER = 1.5;
/** Features of a spectrum beside its bands and lines: crest factor and zero crossings. */
const FEATURES_OF_A_WAVE = 2;
/** Words that `centre` writes: peak, root mean square, zero crossings. */
const RMS = 1;
const CROSSINGS = 2;

/** The options with defaults filled in; undefined: no spectrum. Throws an OptionError that names the option. */
export function resolveSpectrum(window: number, options: SpectrumOption): SpectrumShape | undefined {
  const { bands = 0, lines = [], burst = 1 } = options;
  checkSpectrum(window, options);
  return bands === 0 ? undefined : { window, bands, lines, burst };
}

/** Throws as `resolveSpectrum` does. */
export function checkSpectrum(window: number, options: SpectrumOption): void {
  const { bands = 0, lines = [], burst = 1 } = options;
  check("bands", bands, 0, BANDS_MAX);
  if (bands === 0) {
    if (options.lines !== undefined && options.lines?.length !== 0)
      refuse("lines", lines, "none without bands");
    if (burst !== 1) refuse("burst", burst, "1 without bands");
    return;
  }
  if (!WINDOWS.includes(window)) refuse("window", window, `one of ${WINDOWS.join(", ")} with bands`);
  check("bands", bands, 1, window / 4);
  check("burst", burst, 1, window);
  if (!Array.isArray(lines) || lines.length > LINES_MAX || !lines.every(isLine))
    refuse("lines", lines, `at most ${LINES_MAX} numbers > 0 and < 0.5, in cycles a reading`);
}

function isLine(line: unknown): boolean {
  return typeof line === "number" && line > 0 && line < 0.5;
}

function check(name: string, got: number, min: number, max: number): void {
  if (Number.isInteger(got) && got >= min && got <= max) return;
  refuse(name, got, `a whole number >= ${min} and <= ${max}`);
}

function refuse(name: string, got: unknown, takes: string): never {
  throw new OptionError("features", name, got, takes);
}

/** Features of each sensor. */
export function spectrumFeatures({ bands, lines }: SpectrumShape): number {
  return bands + FEATURES_OF_A_WAVE + lines.length;
}

/** The natural logarithm of a mean square, at least that of 2^-126. */
function level(f32: Primitives, meanSquare: number): number {
  return f32.log(meanSquare < LEAST ? LEAST : meanSquare);
}

/**
 * The features of the wave of n readings at word x, n its window, to the words at `to`:
 *
 * - for each of B bands, ln of the wave's mean square there, in squares of the reading's unit. Bin k = 1..n/2-1 of the transform stands for
 *   k / n cycles a reading. Band b has the bins from floor(b n / 2B) to below floor((b + 1) n / 2B); its mean square is
 *   4 / (3 n^2) times the sum of their |X_k|^2;
 * - the crest factor: largest distance from the mean, divided by its root mean square; 0 for a constant wave;
 * - how often the wave crosses its mean;
 * - for each line, ln of the mean square of the wave of just that frequency: 2 / n^2 times |X|^2.
 *
 * It subtracts the mean first; bands and lines are computed under Hann's window. A line is as wide as four bins.
 * It overwrites the wave at x, and the three words at `statistics`. It returns false if float32 can't hold the distances from the mean. A
 * level that float32 can't hold isn't finite.
 */
export function measureSpectrum(
  f32: Primitives,
  to: number,
  x: number,
  statistics: number,
  shape: SpectrumShape,
): boolean {
  const { words } = f32;
  const { window: n, bands, lines } = shape;
  if (!f32.centre(statistics, x, n)) return false;
  const rms = words[statistics + RMS];
  let at = to + bands;
  words[at++] = rms > 0 ? words[statistics] / rms : 0;
  words[at++] = words[statistics + CROSSINGS];
  f32.taper(x, n);
  for (let l = 0; l < lines.length; l++) {
    const power = f32.goertzel(x, n, 2 * f32.cos(TWO_PI * lines[l]));
    words[at++] = level(f32, (2 / (n * n)) * power);
  }
  f32.fourierTransform(x, n);
  const scale = 2 / (TAPER_POWER * n * n);
  for (let b = 0, first = 1; b < bands; b++) {
    const end = Math.floor(((b + 1) * n) / (2 * bands));
    const power = f32.dot(x + 2 * first, x + 2 * first, 2 * (end - first));
    words[to + b] = level(f32, scale * power);
    first = end;
  }
  return true;
}
