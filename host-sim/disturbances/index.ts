import { DRIFT_OPTIONS, Drift } from "./drift.ts";
import { DROPOUT_OPTIONS, Dropout } from "./dropout.ts";
import { NOISE_OPTIONS, Noise } from "./noise.ts";
import type { OptionSpec } from "./options.ts";
import { QUANTISATION_OPTIONS, Quantisation } from "./quantisation.ts";
import {
  OFFSET_FAULT_OPTIONS,
  OffsetFault,
  SPIKE_FAULT_OPTIONS,
  SpikeFault,
  STUCK_AT_OPTIONS,
  StuckAt,
} from "./random-fault.ts";
import type { SignalStage, StageContext } from "./stage.ts";

export { FAULT_KINDS, type FaultKind } from "./fault.ts";
export {
  FAULT_INJECTOR_OPTIONS,
  type FaultEpisode,
  FaultInjector,
  type FaultInjectorOptions,
} from "./fault-injector.ts";
export { type OptionSpec, withDefaults } from "./options.ts";
export type { SignalStage, StageContext } from "./stage.ts";
export { type ColumnStatistics, columnStatistics, runningStatistics } from "./statistics.ts";

/** A stage that a scenario can name. It is off unless named; options left out take their defaults. */
export interface SignalStageEntry {
  /** One line for people: what the stage does to readings. */
  doc: string;
  /** Its options, in the order of listings. */
  options: readonly OptionSpec[];
  /** Throws an OptionError that names the option, what it got and what it takes. */
  make(options: object, context: StageContext): SignalStage;
}

/**
 * By name, in the order in which the world spoils a signal: the sensor, its ageing, the converter, the
 * sampling.
 */
export const SIGNAL_STAGES: Readonly<Record<string, SignalStageEntry>> = {
  noise: {
    doc: "white Gaussian noise on every component",
    options: NOISE_OPTIONS,
    make: (options, context) => new Noise(options, context),
  },
  drift: {
    doc: "gain and offset that drift with time",
    options: DRIFT_OPTIONS,
    make: (options, context) => new Drift(options, context),
  },
  stuckAt: {
    doc: "a component that repeats its last reading for a while",
    options: STUCK_AT_OPTIONS,
    make: (options, context) => new StuckAt(options, context),
  },
  offsetFault: {
    doc: "a component that is wrong by a constant for a while",
    options: OFFSET_FAULT_OPTIONS,
    make: (options, context) => new OffsetFault(options, context),
  },
  spikeFault: {
    doc: "a component that is wrong by a large value for one sample or more",
    options: SPIKE_FAULT_OPTIONS,
    make: (options, context) => new SpikeFault(options, context),
  },
  quantisation: {
    doc: "an analogue-to-digital converter of few bits",
    options: QUANTISATION_OPTIONS,
    make: (options, context) => new Quantisation(options, context),
  },
  dropout: {
    doc: "samples lost, or the last one held",
    options: DROPOUT_OPTIONS,
    make: (options, context) => new Dropout(options, context),
  },
};
