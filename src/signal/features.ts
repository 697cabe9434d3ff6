import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import {
  measureSpectrum,
  resolveSpectrum,
  type SpectrumOption,
  type SpectrumShape,
  spectrumFeatures,
} from "./spectrum.ts";
import { checkStandardiser, HORIZON, STEP_AFTER, Standardiser } from "./standardiser.ts";
import { WAVELETS, type Wavelet, waveletBands } from "./wavelet.ts";
import { SlidingWindow, WINDOW_STATISTICS } from "./window.ts";

type FeatureRange = readonly [least: number, largest: number];

/** Bound of a standardised feature's magnitude. */
const Z_LARGEST = 5;

/** How features are made from a sample's readings. */
export interface FeaturesOption extends SpectrumOption {
  /** Samples in each reading's window, 1..65536; 0, the default: no window, the readings are the features. */
  readonly window?: number;
  /**
   * Instead of its statistics, the features of a window are its bands, approximations and then details, by one level of
   * this wavelet; takes a window of an even number. "none", the default: the statistics.
   */
  readonly wavelet?: "none" | Wavelet;
  /** True if features are standardised, to mean 0 and variance 1, as they come; default false. */
  readonly standardise?: boolean;
  /** Samples after which standardisation forgets older ones, 32..65536; default 2000. */
  readonly horizon?: number;
  /** Number of consecutive features far off on one side after which standardisation restarts there, 8..65536; default 32. */
  readonly stepAfter?: number;
}

/** No literal where samples pass: XS copies one each time that it is evaluated. */
const NONE = "none";
/** Features of a reading that has a window: the reading, its distance from the window's mean, the window's peak to peak. */
const FEATURES_OF_A_WINDOW = 3;
const MEAN = WINDOW_STATISTICS.indexOf("mean");
const PEAK_TO_PEAK = WINDOW_STATISTICS.indexOf("peakToPeak");

/** The options with defaults filled in. Throws an OptionError for an unknown wavelet, or a wavelet or spectrum that the window doesn't allow. */
export function resolveFeatures(options: FeaturesOption = {}) {
  const { window = 0, wavelet = "none", standardise = false } = options;
  const { horizon = HORIZON, stepAfter = STEP_AFTER } = options;
  checkStandardiser({ dimension: 1, horizon, stepAfter }, "features");
  const spectrum = resolveSpectrum(window, options);
  checkWavelet(wavelet, window, spectrum !== undefined);
  return { window, wavelet, standardise, ...(standardise && { horizon, stepAfter }), ...spectrum };
}

/** Throws an OptionError for an unknown wavelet, or one that the window or a spectrum doesn't allow. */
export function checkWavelet(wavelet: Wavelet | "none", window: number, hasSpectrum: boolean): void {
  const names: readonly string[] = ["none", ...WAVELETS];
  if (!names.includes(wavelet)) {
    throw new OptionError("features", "wavelet", wavelet, `one of ${names.join(", ")}`);
  }
  if (wavelet !== "none" && (window === 0 || window % 2 !== 0)) {
    throw new OptionError("features", "window", window, "an even number >= 2 with a wavelet");
  }
  if (hasSpectrum && wavelet !== "none") {
    throw new OptionError("features", "wavelet", wavelet, "none with bands");
  }
}

type ResolvedFeatures = ReturnType<typeof resolveFeatures>;

/** The spectrum of checked options; undefined: none. */
function spectrumShape({ window, bands, lines, burst }: ResolvedFeatures): SpectrumShape | undefined {
  return bands ? { window, bands, lines: lines ?? [], burst: burst ?? 1 } : undefined;
}

/** Number of windows: one for each channel, or for each sensor that sends bursts. Throws an OptionError if the channels aren't whole bursts. */
function countSensors(channels: number, { window, burst = 1 }: ResolvedFeatures): number {
  if (window === 0) return 0;
  if (channels % burst === 0) return channels / burst;
  throw new OptionError("features", "burst", burst, `a divisor of the channels, ${channels}`);
}

/** Components of the feature vector of `channels` readings. */
export function featureDimension(channels: number, option: FeaturesOption = {}): number {
  const resolved = resolveFeatures(option);
  const { window, wavelet } = resolved;
  if (window === 0) return channels;
  const spectrum = spectrumShape(resolved);
  const each = wavelet === "none" ? FEATURES_OF_A_WINDOW : window;
  return countSensors(channels, resolved) * (spectrum ? spectrumFeatures(spectrum) : each);
}

/** The range of each feature, or one range for all; undefined if the range of any is unknown. */
export function featureRanges(
  readings: readonly (FeatureRange | null)[] | undefined,
  option: FeaturesOption = {},
): readonly FeatureRange[] | undefined {
  const { window, standardise } = resolveFeatures(option);
  if (standardise) return [[-Z_LARGEST, Z_LARGEST]];
  if (window > 0 || readings === undefined) return undefined;
  const known = readings.filter((range) => range !== null);
  return known.length === readings.length ? known : undefined;
}

/** Their memory, as regions of the node's. */
export function featureRegions(channels: number, option: FeaturesOption = {}): Region[] {
  const resolved = resolveFeatures(option);
  const { window, wavelet, standardise, horizon, stepAfter, bands } = resolved;
  const each = Array.from({ length: countSensors(channels, resolved) }, (_, c) =>
    SlidingWindow.layout({ samples: window }).parts(`window.${c}`),
  ).flat();
  const dimension = featureDimension(channels, option);
  return [
    ...each,
    ...(standardise ? Standardiser.layout({ dimension, horizon, stepAfter }).parts("standardiser") : []),
    { name: "readings", kind: "scratch", words: channels },
    { name: "statistics", kind: "scratch", words: WINDOW_STATISTICS.length },
    { name: "samples", kind: "scratch", words: wavelet === "none" && !bands ? 0 : window },
  ];
}

/** In flash, for a node without windows. */
const NO_WINDOWS: readonly SlidingWindow[] = frozen([]);

/** From readings to the vector that a learner sees: windows of the latest samples, their bands or spectrum, then standardisation. */
export class Features {
  readonly dimension: number;
  private readonly f32: Primitives;
  /** True if there are no windows. */
  private readonly isBare: boolean;
  private readonly windows: readonly SlidingWindow[] = NO_WINDOWS;
  private readonly standardiser: Standardiser | undefined;
  private readonly readings: number;
  private readonly statistics: number;
  private readonly wavelet: "none" | Wavelet;
  private readonly spectrum: SpectrumShape | undefined;
  /** A window's samples, for its bands or spectrum: scratch. */
  private readonly samples: number;

  /** @param layout of a whole that has the `featureRegions`. */
  constructor(
    layout: Layout,
    range: MemoryRange,
    private readonly channels: number,
    option: FeaturesOption = {},
  ) {
    const resolved = resolveFeatures(option);
    const { window, wavelet, standardise, horizon, stepAfter } = resolved;
    this.wavelet = wavelet;
    this.spectrum = spectrumShape(resolved);
    this.dimension = featureDimension(channels, option);
    this.f32 = range.f32;
    if (window > 0)
      this.windows = Array.from(
        { length: countSensors(channels, resolved) },
        (_, c) => new SlidingWindow({ samples: window, memory: layout.within(`window.${c}`, range) }),
      );
    this.standardiser = standardise
      ? new Standardiser({
          dimension: this.dimension,
          horizon,
          stepAfter,
          memory: layout.within("standardiser", range),
        })
      : undefined;
    this.isBare = window === 0;
    this.readings = layout.at("readings", range);
    this.statistics = layout.at("statistics", range);
    this.samples = layout.at("samples", range);
  }

  /**
   * Takes a sample, and writes its features at word `to`. False if it is refused: too few or too many readings, one
   * that isn't finite (then no state is changed), or a result that float32 can't hold.
   */
  extract(readings: ArrayLike<number>, to: number): boolean {
    const isBare = this.isBare;
    const channels = this.channels;
    if (readings.length !== channels || !this.f32.load(isBare ? to : this.readings, readings, channels))
      return false;
    if (!isBare && !this.ofWindows(to)) return false;
    return !this.standardiser || this.standardiser.standardise(to);
  }

  private ofWindows(to: number): boolean {
    if (this.spectrum) return this.analyse(to, this.spectrum);
    return this.wavelet === NONE ? this.measure(to) : this.transform(to, this.wavelet);
  }

  private measure(to: number): boolean {
    const { words } = this.f32;
    for (let c = 0; c < this.channels; c++) {
      const reading = words[this.readings + c];
      const at = to + FEATURES_OF_A_WINDOW * c;
      this.windows[c].push(reading);
      if (!this.windows[c].measure(this.statistics)) return false;
      words[at] = reading;
      words[at + 1] = reading - words[this.statistics + MEAN];
      words[at + 2] = words[this.statistics + PEAK_TO_PEAK];
    }
    return this.f32.finite(to, this.dimension);
  }

  private transform(to: number, wavelet: Wavelet): boolean {
    const { f32, samples } = this;
    for (let c = 0, at = to; c < this.channels; c++) {
      const window = this.windows[c];
      window.push(f32.words[this.readings + c]);
      window.copyTo(samples);
      if (!waveletBands(f32, at, samples, window.samples, wavelet)) return false;
      at += window.samples;
    }
    return true;
  }

  private analyse(to: number, spectrum: SpectrumShape): boolean {
    const { f32, samples, readings, statistics } = this;
    const { burst } = spectrum;
    const each = this.dimension / this.windows.length;
    let whole = true;
    for (let s = 0; s < this.windows.length; s++) {
      const window = this.windows[s];
      window.pushAll(readings + s * burst, burst);
      window.copyTo(samples);
      if (!measureSpectrum(f32, to + s * each, samples, statistics, spectrum)) whole = false;
    }
    return whole && f32.finite(to, this.dimension);
  }
}
