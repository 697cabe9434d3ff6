import type { Random } from "../../host/random.ts";
import { numberOption } from "./options.ts";

/** How often an episode begins and how long it lasts. */
export interface EpisodeOptions {
  rate: number;
  length: number;
}

export const RATE_OPTION = numberOption(
  "rate",
  [0, 1],
  0.001,
  "probability that an episode begins at a sample outside of episodes",
);

export const LENGTH_OPTION = numberOption("length", [1, 1e6], 20, "mean length in samples (geometric)");

/** Episodes of geometric length at random times; one random draw a sample. */
export class Episodes {
  /** True if the last sample was in one. */
  active = false;

  constructor(
    private readonly options: EpisodeOptions,
    private readonly random: Random,
  ) {}

  /**
   * Moves to the next sample; returns whether an episode begins there. After an episode at least one sample lies outside.
   */
  next(): boolean {
    const draw = this.random.uniform();
    if (this.active) {
      this.active = draw >= 1 / this.options.length;
      return false;
    }
    this.active = draw < this.options.rate;
    return this.active;
  }
}
