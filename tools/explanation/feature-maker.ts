import type { NodeCopy } from "../../host-sim/state/node-copy.ts";
import { Layout, type MemoryRange } from "../../src/memory/layout.ts";
import {
  Features,
  type FeaturesOption,
  featureDimension,
  featureRegions,
} from "../../src/signal/features.ts";

/** Makes features of readings, one sample after the other, as a node does. */
export class FeatureMaker {
  readonly dimension: number;
  private readonly features: Features;
  private readonly layout: Layout;
  private readonly range: MemoryRange;
  private readonly vector: number;

  /** Throws an OptionError that names what can't be used. */
  constructor(channels: number, option: FeaturesOption) {
    this.dimension = featureDimension(channels, option);
    const layout = new Layout([
      ...featureRegions(channels, option),
      { name: "vector", kind: "scratch", words: this.dimension },
    ]);
    this.layout = layout;
    this.range = layout.ownRange();
    this.features = new Features(layout, this.range, channels, option);
    this.vector = layout.at("vector", this.range);
  }

  /** Goes on from where a node is that makes the same features. */
  resume(copy: NodeCopy): void {
    const { layout, range } = this;
    for (const { name, kind } of layout.regions)
      if (kind !== "scratch") range.f32.bits.set(copy.region(name), layout.at(name, range));
  }

  /** The features of the next sample; undefined: the node refuses it. */
  next(readings: ArrayLike<number>): Float32Array | undefined {
    const { vector, dimension } = this;
    if (!this.features.extract(readings, vector)) return undefined;
    return this.range.f32.words.slice(vector, vector + dimension);
  }
}
