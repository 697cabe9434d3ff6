import { type EpisodeOptions, Episodes, LENGTH_OPTION, RATE_OPTION } from "./episodes.ts";
import { Fault, type FaultKind } from "./fault.ts";
import { numberOption, type OptionSpec, withDefaults } from "./options.ts";
import type { SignalStage, StageContext } from "./stage.ts";

export interface ShiftFaultOptions extends EpisodeOptions {
  magnitude: number;
}

export const MAGNITUDE_OPTION = numberOption(
  "magnitude",
  [0, 1000],
  4,
  "in standard deviations of the column over the stream",
);

export const STUCK_AT_OPTIONS: readonly OptionSpec[] = [RATE_OPTION, LENGTH_OPTION];
export const OFFSET_FAULT_OPTIONS: readonly OptionSpec[] = [RATE_OPTION, LENGTH_OPTION, MAGNITUDE_OPTION];
export const SPIKE_FAULT_OPTIONS: readonly OptionSpec[] = [
  RATE_OPTION,
  { ...LENGTH_OPTION, default: 1 },
  MAGNITUDE_OPTION,
];

/** A fault of one kind (see `Fault`) at random times, in one component at a time. Nothing reports it. */
class RandomFault implements SignalStage {
  private readonly episodes: Episodes;
  private readonly fault: Fault;

  constructor(
    private readonly kind: FaultKind,
    options: EpisodeOptions,
    magnitude: number,
    context: StageContext,
  ) {
    this.episodes = new Episodes(options, context.random);
    this.fault = new Fault(magnitude, context);
  }

  apply(x: Float32Array): boolean {
    if (this.episodes.next()) this.fault.begin(this.kind);
    if (this.episodes.active) this.fault.corrupt(x);
    else this.fault.pass(x);
    return true;
  }
}

/** One component repeats its last reading. */
export class StuckAt extends RandomFault {
  constructor(options: Partial<EpisodeOptions>, context: StageContext) {
    super("stuck-at", withDefaults<EpisodeOptions>("stuckAt", STUCK_AT_OPTIONS, options), 0, context);
  }
}

/** A component's reading is off by a constant. */
export class OffsetFault extends RandomFault {
  constructor(options: Partial<ShiftFaultOptions>, context: StageContext) {
    const filled = withDefaults<ShiftFaultOptions>("offsetFault", OFFSET_FAULT_OPTIONS, options);
    super("offset", filled, filled.magnitude, context);
  }
}

/** A component's reading is wrong by an amount drawn at each sample. */
export class SpikeFault extends RandomFault {
  constructor(options: Partial<ShiftFaultOptions>, context: StageContext) {
    const filled = withDefaults<ShiftFaultOptions>("spikeFault", SPIKE_FAULT_OPTIONS, options);
    super("spike", filled, filled.magnitude, context);
  }
}
