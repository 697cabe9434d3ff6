import type { Primitives } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/** How features are made from readings. */
export interface FeaturesOption {
  /** Samples in each reading's window; 0, the default: no window. */
  readonly window?: number;
  /** Features to mean 0 and variance 1 as they come; default false. */
  readonly standardise?: boolean;
}

/** Components of the feature vector of `channels` readings. */
export function featureDimension(channels: number, _option: FeaturesOption = {}): number {
  return channels;
}

export function featureRegions(_channels: number, _option: FeaturesOption = {}): Region[] {
  return [];
}

export class Features {
  readonly dimension: number;
  private readonly f32: Primitives;

  constructor(_layout: Layout, range: MemoryRange, channels: number, option: FeaturesOption = {}) {
    this.dimension = featureDimension(channels, option);
    this.f32 = range.f32;
  }

  extract(readings: ArrayLike<number>, to: number): boolean {
    return readings.length === this.dimension && this.f32.load(to, readings, this.dimension);
  }
}
