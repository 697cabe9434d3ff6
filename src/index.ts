/** Motelearn, for programs: learners, nodes, and their parts. */
export { Dictionary } from "./dictionary/dictionary.ts";
export type { Evict } from "./dictionary/eviction.ts";
export type { KernelOption } from "./kernel/kernel.ts";
export { Balanced, offerBalance } from "./learn/balanced.ts";
export {
  type DefinedOptions,
  defineLearner,
  type LearnerDefinition,
  type RegionWords,
  type Workspace,
} from "./learn/define.ts";
export { KernelExpansion } from "./learn/expansion.ts";
export { type ExpansionOptions, evict, expansionLayout } from "./learn/expansion-layout.ts";
export { FalseAlarms, withFalseAlarms } from "./learn/false-alarms.ts";
export { type Family, takesBudget, type UserOptions, withBudget } from "./learn/family.ts";
export type { FlipRates } from "./learn/label-noise.ts";
export {
  COUNT,
  COUNTERS,
  type Counter,
  commonRegions,
  decidedClass,
  Learner,
  noteWords,
  TASK,
  type Task,
} from "./learn/learner.ts";
export type * from "./learn/learner-options.ts";
export * from "./learn/learners.ts";
export { LinearClassifier, linearLayout } from "./learn/linear.ts";
export { decodeModel, encodeModel, type Model, modelCrc } from "./learn/model-bytes.ts";
export { OneVsAll, oneVsAllFamily } from "./learn/one-vs-all.ts";
export {
  budget,
  choice,
  dimension,
  flag,
  kernel,
  type Option,
  type OptionTable,
  type PartialOptions,
  type ResolvedOptions,
  real,
  resolveOptions,
  whole,
} from "./learn/options.ts";
export { FAMILIES, familyNamed } from "./learn/registry.ts";
export { Residual, withResidual } from "./learn/residual.ts";
export type { Addend, DecisionTerms, Step, Term } from "./learn/terms.ts";
export type { CostTraits, SearchedOption, SpreadLabel, Traits } from "./learn/traits.ts";
export { PortableF32 } from "./math/f32.ts";
export { OutOfMemoryError } from "./math/out-of-memory.ts";
export type { Primitives } from "./math/primitives.ts";
export {
  ANY,
  FINITE,
  Layout,
  type MemoryRange,
  type PlacedRegion,
  POSITIVE,
  type Region,
  type RegionKind,
  TO_ONE,
} from "./memory/layout.ts";
export { OptionError } from "./memory/option-error.ts";
export { SensorNode } from "./node/node.ts";
export { NODE_COUNTERS, type NodeCounter } from "./node/node-counters.ts";
export { nodeLayout } from "./node/node-layout.ts";
export { type NodeOptions, nodeLearner } from "./node/node-options.ts";
export { PacketPort } from "./node/packet-port.ts";
export {
  type BytePort,
  type Clock,
  type EngineFigures,
  type FramePort,
  LABEL_STATUS,
  type Label,
  type LabelStatus,
  type Link,
  type PortLimits,
  type Storage,
} from "./node/ports.ts";
export type { Range, Ranges } from "./node/ranges.ts";
export { nodeSchema, nodeStore } from "./node/schema.ts";
export { Station } from "./node/station.ts";
export { type StationOptions, type StationPorts, stationBytes } from "./node/station-options.ts";
export type { PeerCounts } from "./peer/counts.ts";
export { type Install, installTag } from "./peer/install.ts";
export type { DueLabel, LabelSource } from "./peer/labels.ts";
export { Peer, type PeerOptions } from "./peer/peer.ts";
export type { FedSample, SampleSource } from "./peer/samples.ts";
export { firstDifference, SELF_TEST_ITEMS, selfTest, selfTestBytes } from "./selftest/self-test.ts";
export type { SpectrumOption } from "./signal/spectrum.ts";
export { Standardiser } from "./signal/standardiser.ts";
export { WAVELETS, type Wavelet, waveletBands } from "./signal/wavelet.ts";
export { SlidingWindow } from "./signal/window.ts";
export { type Sensor, Sensors } from "./start/sensors.ts";
export { retainedBytes, type SleepMemory, type SleepOptions } from "./start/sleep.ts";
export {
  type FedOptions,
  type MachineOptions,
  type SensingOptions,
  StartedNode,
  type StartOptions,
  startNode,
} from "./start/start-node.ts";
export { Uptime } from "./start/uptime.ts";
export type { BlockDevice } from "./store/block-device.ts";
export {
  CheckpointStore,
  type CheckpointStoreOptions,
  checkpointBytes,
  type RestoreStatus,
  storeBytes,
} from "./store/checkpoint-store.ts";
export {
  LabelTag,
  labelKey,
  type TaggedInstall,
  type TaggedLabel,
  type TaggedRestore,
} from "./wire/label-tag.ts";
export type { DownName, Message, UpName } from "./wire/messages.ts";
