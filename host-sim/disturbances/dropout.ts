import { type EpisodeOptions, Episodes, LENGTH_OPTION, RATE_OPTION } from "./episodes.ts";
import { type OptionSpec, withDefaults } from "./options.ts";
import type { SignalStage, StageContext } from "./stage.ts";

export interface DropoutOptions extends EpisodeOptions {
  mode: "lose" | "hold";
}

export const DROPOUT_OPTIONS: readonly OptionSpec[] = [
  RATE_OPTION,
  { ...LENGTH_OPTION, default: 3 },
  {
    name: "mode",
    type: "choice",
    values: ["lose", "hold"],
    default: "lose",
    doc: "lose: the sample is missing; hold: the last good one is repeated (missing if there was none)",
  },
];

/** Samples that never come, a run of them at a time. */
export class Dropout implements SignalStage {
  private readonly episodes: Episodes;
  private readonly hold: boolean;
  private readonly last: Float32Array;
  private hasLast = false;

  constructor(options: Partial<DropoutOptions>, { dimension, random }: StageContext) {
    const { rate, length, mode } = withDefaults<DropoutOptions>("dropout", DROPOUT_OPTIONS, options);
    this.episodes = new Episodes({ rate, length }, random);
    this.hold = mode === "hold";
    this.last = new Float32Array(dimension);
  }

  apply(x: Float32Array): boolean {
    this.episodes.next();
    if (!this.episodes.active) {
      if (!x.some(Number.isNaN)) {
        this.last.set(x);
        this.hasLast = true;
      }
      return true;
    }
    if (!this.hold || !this.hasLast) return false;
    x.set(this.last);
    return true;
  }
}
