/** The simulator, for programs on Node: scenarios, with learners and stages from outside. */

export { Random } from "../host/random.ts";
export { ClassNames, type WrittenLabel } from "../host/streams/class-names.ts";
export { type Plugin, PluginError } from "./catalogue/catalogue.ts";
export {
  type ColumnStatistics,
  type OptionSpec,
  type SignalStage,
  type SignalStageEntry,
  type StageContext,
  withDefaults,
} from "./disturbances/index.ts";
export type { LabelNoise, LabelNoiseEntry } from "./labels/index.ts";
export { type RunOptions, runScenario } from "./runs/run-scenario.ts";
export { ScenarioError, type WrittenScenario } from "./scenario/scenario.ts";
export type { SimulateResult } from "./scoring/result.ts";
