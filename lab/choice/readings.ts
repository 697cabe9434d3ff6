import type { DataSet } from "../../host/streams/table.ts";
import { type FeaturesOption, featureDimension } from "../../src/signal/features.ts";
import { featuredRows, lastReadings } from "../evaluation/features.ts";

/** The readings of a file, and the features that a node makes of them. */
export class Readings {
  /** By dimension. */
  private readonly shapes = new Map<number, DataSet>();

  /**
   * @param each readings of each sensor in a sample, of which a node's burst has the last.
   * @param standardises whether the node standardises its features.
   */
  constructor(
    readonly train: DataSet,
    readonly each = 1,
    readonly standardises = false,
  ) {}

  get sensors(): number {
    return this.train.dimension / this.each;
  }

  /** Readings in a sample of the node. */
  channels({ burst = this.each }: FeaturesOption): number {
    return this.sensors * burst;
  }

  /** The file with the features' dimension: its labels, not its rows, are for all features the same. */
  shape(features: FeaturesOption): DataSet {
    const dimension = featureDimension(this.channels(features), features);
    if (dimension === this.train.dimension) return this.train;
    const shape = this.shapes.get(dimension) ?? { ...this.train, dimension };
    this.shapes.set(dimension, shape);
    return shape;
  }

  /** True if the features are the file's readings, whatever the order. */
  areBare({ window = 0 }: FeaturesOption): boolean {
    return window === 0 && !this.standardises;
  }

  /** The features of all samples, made in that order. */
  makeFeatures(features: FeaturesOption, order: Uint32Array): DataSet {
    if (this.areBare(features)) return this.train;
    const { burst = this.each } = features;
    const train = lastReadings(this.train, this.each, burst);
    return featuredRows(train, { ...features, standardise: this.standardises }, order);
  }
}
