import { total } from "../../host/statistics.ts";
import { distinctLabels } from "../../host/streams/class-names.ts";
import type { DataSet } from "../../host/streams/table.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Readings } from "./readings.ts";

/** Of a stream of samples: the readings, their change since the last sample, and windows of these lengths. */
const OF_SAMPLES: readonly FeaturesOption[] = [
  {},
  { window: 2, wavelet: "haar" },
  { window: 8 },
  { window: 32 },
];
/** Of a raw recording: spectra of these windows, in so many bands. */
const WINDOWS = [64, 128, 256, 512];
const BANDS = [4, 16];
const BANDS_MAX = 128;
/** The most readings in a node's sample. */
const CHANNELS_MAX = 4096;
export const SPECTRUM_NEEDED = `${WINDOWS[0]} or more, of ${CHANNELS_MAX / WINDOWS[0]} sensors at most, are needed`;
/** How many lines are tried, and how many bands apart at least: a line is as wide as two of the finest. */
const LINES = 3;
const APART = 2;
const DIGITS = 4;

/** The features that are tried, the plainest first: of bursts spectra, of other samples windows, where the samples follow each other. */
export function featureSets({ each, sensors }: Readings, follow: boolean): readonly FeaturesOption[] {
  if (each === 1) return follow ? OF_SAMPLES : OF_SAMPLES.slice(0, 1);
  return WINDOWS.flatMap((window) => {
    const burst = Math.min(window, each);
    if (sensors * burst > CHANNELS_MAX || (burst < window && !follow)) return [];
    return BANDS.map((bands) => ({ window, burst, bands }));
  });
}

/** How far apart the classes' means of a feature are, in variances within the classes. */
function separation(
  { rows, dimension, labels }: DataSet,
  feature: number,
  classes: readonly number[],
): number {
  const [counts, sums, squares] = [0, 1, 2].map(() => new Float64Array(classes.length));
  labels.forEach((label, row) => {
    const [place, value] = [classes.indexOf(label), rows[row * dimension + feature]];
    if (place < 0 || Number.isNaN(value)) return;
    counts[place]++;
    sums[place] += value;
    squares[place] += value * value;
  });
  const mean = total(sums) / total(counts);
  const between = total(
    sums.map((sum, c) => (counts[c] > 0 ? counts[c] * (sum / counts[c] - mean) ** 2 : 0)),
  );
  const within = total(squares.map((square, c) => (counts[c] > 0 ? square - sums[c] ** 2 / counts[c] : 0)));
  return within > 0 ? between / within : 0;
}

/** The same features with the lines whose levels differ most between the classes of these samples. */
export function withLines(readings: Readings, features: FeaturesOption, order: Uint32Array): FeaturesOption {
  const { window = 0 } = features;
  const bands = Math.min(BANDS_MAX, window / 4);
  const data = readings.makeFeatures({ ...features, bands }, order);
  const classes = distinctLabels(data.labels);
  const each = data.dimension / readings.sensors;
  const separations = Array.from({ length: bands }, (_, band) =>
    Math.max(
      ...Array.from({ length: readings.sensors }, (_, s) => separation(data, s * each + band, classes)),
    ),
  );
  const ordered = [...separations.keys()].sort((a, b) => separations[b] - separations[a] || a - b);
  const chosen: number[] = [];
  for (const band of ordered)
    if (chosen.length < LINES && chosen.every((other) => Math.abs(other - band) >= APART)) chosen.push(band);
  const frequency = (band: number) => Number(((band + 0.5) / (2 * bands)).toPrecision(DIGITS));
  return { ...features, lines: chosen.sort((a, b) => a - b).map(frequency) };
}
