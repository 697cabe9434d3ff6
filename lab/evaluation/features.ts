import type { SampleTable } from "../../host/streams/bursts.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { inRanges, type Ranges } from "../../src/node/ranges.ts";
import { type FeaturesOption, featureDimension } from "../../src/signal/features.ts";
import { FeatureMaker } from "../../tools/explanation/feature-maker.ts";

/** Samples that are the features of a node's readings. */
interface FeaturedTable extends SampleTable {
  readonly readings: SampleTable;
  readonly features: FeaturesOption;
}

const isFeatured = (table: SampleTable): table is FeaturedTable => "readings" in table;

/** What a node reads of these samples, and the features that it makes of it. */
export const tableReadings = (table: SampleTable): SampleTable =>
  isFeatured(table) ? table.readings : table;
export const tableFeatures = (table: SampleTable): FeaturesOption =>
  isFeatured(table) ? table.features : {};

/** Makes features of readings, sample by sample, as a node does; of a sample that it refuses NaN. */
export function nodeFeatures(channels: number, features: FeaturesOption): (x: Float32Array) => Float32Array {
  const maker = new FeatureMaker(channels, features);
  const refused = new Float32Array(maker.dimension).fill(Number.NaN);
  return (x) => maker.next(x) ?? refused;
}

/** The table of the features that a node makes of these readings; each visit of it begins with empty windows. */
export function computeFeatures(readings: SampleTable, features: FeaturesOption): FeaturedTable {
  const { source, count, labels, labelNames, classes, missing, badRows, roles } = readings;
  return {
    ...{ source, count, labels, labelNames, classes, missing, badRows, roles, readings, features },
    dimension: featureDimension(readings.dimension, features),
    each(order, visit) {
      const next = nodeFeatures(readings.dimension, features);
      readings.each(order, (x, label) => visit(next(x), label));
    },
    close: () => readings.close(),
  };
}

/** Has a sample with a reading outside its range become NaN, as a node refuses such a sample whole. */
export function withinRanges(readings: SampleTable, ranges: Ranges): SampleTable {
  const { source, count, dimension, labels, labelNames, classes, missing, badRows, roles } = readings;
  const refused = new Float32Array(dimension).fill(Number.NaN);
  return {
    ...{ source, count, dimension, labels, labelNames, classes, missing, badRows, roles },
    each: (order, visit) =>
      readings.each(order, (x, label) => visit(inRanges(ranges, x) ? x : refused, label)),
    close: () => readings.close(),
  };
}

/** The same of samples in memory, in place. */
export function refuseOutside({ rows, dimension, count }: DataSet, ranges: Ranges): void {
  for (let row = 0; row < count; row++) {
    const x = rows.subarray(row * dimension, (row + 1) * dimension);
    if (!inRanges(ranges, x)) x.fill(Number.NaN);
  }
}

/** The features of readings in memory, with the samples taken in that order. */
export function featuredRows(readings: DataSet, features: FeaturesOption, order: Uint32Array): DataSet {
  const { dimension: channels, count, rows: from } = readings;
  const dimension = featureDimension(channels, features);
  const rows = new Float32Array(count * dimension);
  const next = nodeFeatures(channels, features);
  for (const row of order)
    rows.set(next(from.subarray(row * channels, (row + 1) * channels)), row * dimension);
  return { ...readings, dimension, rows };
}

/** Samples with the last `burst` of the `each` readings that they have of each sensor. */
export function lastReadings(data: DataSet, each: number, burst: number): DataSet {
  if (burst === each) return data;
  const { dimension: wide, rows: from, count } = data;
  const sensors = wide / each;
  const dimension = sensors * burst;
  const rows = new Float32Array(count * dimension);
  for (let s = 0; s < count * sensors; s++)
    rows.set(from.subarray((s + 1) * each - burst, (s + 1) * each), s * burst);
  return { ...data, dimension, rows };
}
