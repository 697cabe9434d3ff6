import { Random } from "../../host/random.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { LabelNoise } from "../labels/noise.ts";
import { type LabelOptions, ScenarioError } from "../scenario/scenario.ts";

/**
 * How one node's labels go wrong before they reach the centre: a chain of noises, each with draws of its own.
 */
export class NodeLabels {
  private readonly noises: readonly LabelNoise[];
  private readonly random: Random;

  constructor(
    { labelNoises }: Catalogue,
    private readonly options: LabelOptions,
    private readonly classes: readonly number[],
    index: number,
    place: string,
    seed: number,
  ) {
    const noise = { ...options.noise };
    if (options.nodeRates.length > 0)
      noise.symmetric = { rate: options.nodeRates[index % options.nodeRates.length] };
    this.noises = Object.entries(labelNoises)
      .filter(([name]) => noise[name])
      .map(([name, { make }]) => make(noise[name] as object, new Random(seed, `${place}/labels/${name}`)));
    if (this.noises.length > 0 && classes.length === 0) {
      throw new ScenarioError("labels.noise: a regression's labels have no classes to confuse; leave it out");
    }
    this.random = new Random(seed, `${place}/labels`);
  }

  /** The label reported instead of the truth. */
  corrupt(truth: number): number {
    let label = truth;
    for (const noise of this.noises) label = noise.corrupt(label, this.classes.indexOf(label), this.classes);
    return label;
  }

  /**
   * Samples until the label of the node's sample of that number, from 0, comes: `least` or more; NaN if it never does. Always two random
   * draws, whatever the options.
   */
  delay(number: number, least = 0): number {
    const {
      delayMean,
      delaySpread,
      delayMax = Number.POSITIVE_INFINITY,
      loss,
      round = 1,
      until = Number.POSITIVE_INFINITY,
    } = this.options;
    const lost = this.random.uniform() < loss;
    const drawn = Math.round(delayMean + delaySpread * this.random.normal());
    if (lost || number >= until) return Number.NaN;
    const delay = Math.max(Math.min(Math.max(drawn, 0), delayMax), least);
    return delay + round - 1 - ((number + delay) % round);
  }
}
