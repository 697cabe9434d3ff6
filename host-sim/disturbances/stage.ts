import type { Random } from "../../host/random.ts";
import type { ColumnStatistics } from "./statistics.ts";

/** A disturbance between the world and a node's sample. */
export interface SignalStage {
  /**
   * @param x the sample, changed in place.
   * @param index the sample's number in the node's stream, from 0. Call it once for each, in order.
   * @returns false if the sample is lost, which no later stage sees then.
   */
  apply(x: Float32Array, index: number): boolean;
}

/** The context of a stage, besides its options. */
export interface StageContext {
  /** Components of a sample. */
  dimension: number;
  /** This stage's own stream of random numbers. */
  random: Random;
  /**
   * Statistics of the node's whole stream, uncorrupted. Without them a deviation is 1 unit of the reading.
   */
  statistics?: ColumnStatistics;
}
