import { type EpisodeOptions, Episodes, LENGTH_OPTION, RATE_OPTION } from "./episodes.ts";
import { Fault, type FaultKind } from "./fault.ts";
import { numberOption, type OptionSpec } from "./options.ts";
import type { SignalStage, StageContext } from "./stage.ts";

export interface RandomFaultOptions extends EpisodeOptions {
  /** Only of a fault that shifts readings. */
  magnitude?: number;
}

export const MAGNITUDE_OPTION = numberOption(
  "magnitude",
  [0, 1000],
  4,
  "in standard deviations of the column over the stream; of a spike 0.5 to 1.5 times as much",
);

export const STUCK_AT: readonly OptionSpec[] = [RATE_OPTION, LENGTH_OPTION];
export const OFFSET: readonly OptionSpec[] = [RATE_OPTION, LENGTH_OPTION, MAGNITUDE_OPTION];
export const SPIKE: readonly OptionSpec[] = [RATE_OPTION, { ...LENGTH_OPTION, default: 1 }, MAGNITUDE_OPTION];

/** A fault of one kind (see `Fault`) at random times, in one component at a time. Nothing reports it. */
export class RandomFault implements SignalStage {
  private readonly episodes: Episodes;
  private readonly fault: Fault;

  constructor(
    private readonly kind: FaultKind,
    { magnitude = 0, ...often }: RandomFaultOptions,
    context: StageContext,
  ) {
    this.episodes = new Episodes(often, context.random);
    this.fault = new Fault(magnitude, context);
  }

  apply(x: Float32Array): boolean {
    if (this.episodes.next()) this.fault.begin(this.kind);
    if (this.episodes.active) this.fault.corrupt(x);
    else this.fault.pass(x);
    return true;
  }
}
