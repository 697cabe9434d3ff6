/** The simulator, for programs on Node: scenarios, with learners and stages from outside. */
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
export { Random } from "./random.ts";
export type { SimulateResult } from "./result.ts";
export { type RunOptions, runScenario } from "./run-scenario.ts";
export { ScenarioError } from "./scenario.ts";
export { ClassNames, type WrittenLabel } from "./streams/class-names.ts";
