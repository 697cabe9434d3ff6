import { DRIFT_OPTIONS, Drift } from "./drift.ts";
import { DROPOUT_OPTIONS, Dropout } from "./dropout.ts";
import { FAULT_KINDS, type FaultKind } from "./fault.ts";
import { NOISE_OPTIONS, Noise } from "./noise.ts";
import { type OptionSpec, withDefaults } from "./options.ts";
import { QUANTISATION_OPTIONS, Quantisation } from "./quantisation.ts";
import { OFFSET, RandomFault, type RandomFaultOptions, SPIKE, STUCK_AT } from "./random-fault.ts";
import type { SignalStage, StageContext } from "./stage.ts";

export {
  FAULT_INJECTOR_OPTIONS,
  type FaultEpisode,
  FaultInjector,
  type FaultInjectorOptions,
} from "./fault-injector.ts";
export type { SignalStage, StageContext } from "./stage.ts";
export { type ColumnStatistics, runningStatistics } from "./statistics.ts";

export { FAULT_KINDS, type FaultKind, type OptionSpec, withDefaults };

/** A stage that a scenario can name. It is off unless named; options left out take their defaults. */
export interface SignalStageEntry {
  /** One line for people: what the stage does to readings. */
  doc: string;
  /** Its options, in the order of listings. */
  options: readonly OptionSpec[];
  /** Throws an OptionError that names the option, what it got and what it takes. */
  make(options: object, context: StageContext): SignalStage;
}

function stage(
  doc: string,
  options: readonly OptionSpec[],
  Stage: new (options: object, context: StageContext) => SignalStage,
): SignalStageEntry {
  return { doc, options, make: (given, context) => new Stage(given, context) };
}

function fault(
  kind: FaultKind,
  owner: string,
  doc: string,
  options: readonly OptionSpec[],
): SignalStageEntry {
  const make = (given: object, context: StageContext) =>
    new RandomFault(kind, withDefaults<RandomFaultOptions>(owner, options, given), context);
  return { doc, options, make };
}

/**
 * By name, in the order in which the world spoils a signal: the sensor, its ageing, the converter, the
 * sampling.
 */
export const SIGNAL_STAGES: Readonly<Record<string, SignalStageEntry>> = {
  noise: stage("white Gaussian noise on every component", NOISE_OPTIONS, Noise),
  drift: stage("gain and offset that drift with time", DRIFT_OPTIONS, Drift),
  stuckAt: fault("stuck-at", "stuckAt", "a component that repeats its last reading for a while", STUCK_AT),
  offsetFault: fault("offset", "offsetFault", "a component that is wrong by a constant for a while", OFFSET),
  spikeFault: fault(
    "spike",
    "spikeFault",
    "a component that is wrong by a large value for one sample or more",
    SPIKE,
  ),
  quantisation: stage("an analogue-to-digital converter of few bits", QUANTISATION_OPTIONS, Quantisation),
  dropout: stage("samples lost, or the last one held", DROPOUT_OPTIONS, Dropout),
};
