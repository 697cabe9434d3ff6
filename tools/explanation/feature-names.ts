import { type FeaturesOption, resolveFeatures } from "../../src/signal/features.ts";

const nameEach = (count: number, name: (k: number) => string) =>
  Array.from({ length: count }, (_, k) => name(k + 1));

/** What the features of one windowed reading, or of one sensor that sends bursts, are called. */
function ofWindow(reading: string, option: ReturnType<typeof resolveFeatures>): string[] {
  const { window, wavelet, bands = 0, lines = [] } = option;
  const over = `${reading} over ${window}`;
  if (bands > 0)
    return [
      ...nameEach(bands, (k) => `level of band ${k} of ${over}`),
      `crest factor of ${over}`,
      `mean crossings of ${over}`,
      ...lines.map((line) => `level at ${line} cycles a reading of ${over}`),
    ];
  if (wavelet === "none")
    return [reading, `${reading} less its mean over ${window}`, `peak to peak of ${over}`];
  return [
    ...nameEach(window / 2, (k) => `${wavelet} approximation ${k} of ${over}`),
    ...nameEach(window / 2, (k) => `${wavelet} detail ${k} of ${over}`),
  ];
}

/**
 * What each feature is called that a node makes of readings of these names.
 *
 *     featureNames(["temperature"], { window: 8 })
 *     // ["temperature", "temperature less its mean over 8", "peak to peak of temperature over 8"]
 */
export function featureNames(readings: readonly string[], option: FeaturesOption = {}): string[] {
  const resolved = resolveFeatures(option);
  const { burst = 1 } = resolved;
  const sensors = readings.filter((_, i) => i % burst === 0);
  const names = resolved.window === 0 ? [...readings] : sensors.flatMap((name) => ofWindow(name, resolved));
  return resolved.standardise ? names.map((name) => `${name}, standardised`) : names;
}

/** Names of readings: those that are known, the others by their numbers. */
export function readingNames(count: number, known: readonly string[] = []): string[] {
  return nameEach(count, (k) => known[k - 1] ?? `reading ${k}`);
}
