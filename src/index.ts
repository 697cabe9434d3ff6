/** Motelearn, for programs: learners, nodes, and what they are made of. */
export { Dictionary, type Evict } from "./dictionary/dictionary.ts";
export type { KernelOption } from "./kernel/kernel.ts";
export { Auto } from "./learn/auto.ts";
export { Bsgd } from "./learn/bsgd.ts";
export { Arow, ConfidenceWeighted, ConfidenceWeightedVariance, Scw1, Scw2 } from "./learn/confidence.ts";
export {
  type DefinedOptions,
  defineLearner,
  type LearnerDefinition,
  type RegionWords,
  type Workspace,
} from "./learn/define.ts";
export { DualAga, DualGreedy, DualRho } from "./learn/dual-ascent.ts";
export { type ExpansionOptions, evict, expansionLayout, KernelExpansion } from "./learn/expansion.ts";
export { type Family, type GivenOptions, takesBudget, withBudget } from "./learn/family.ts";
export { Fogd } from "./learn/fogd.ts";
export { Forgetron } from "./learn/forgetron.ts";
export { KernelPerceptron, KernelPerceptronR } from "./learn/kernel-perceptron.ts";
export { KrlsAld, KrlsAldDiscard, KrlsNovelty, KrlsSurprise } from "./learn/krls.ts";
export type { FlipRates } from "./learn/label-noise.ts";
export {
  COUNT,
  COUNTERS,
  type Counter,
  classOf,
  commonRegions,
  Learner,
  noteWords,
  TASK,
  type Task,
} from "./learn/learner.ts";
export type * from "./learn/learner-options.ts";
export { LinearClassifier, linearLayout } from "./learn/linear.ts";
export { ILol, Lol } from "./learn/lol.ts";
export { Nogd } from "./learn/nogd.ts";
export { NormaC, NormaN, NormaR } from "./learn/norma.ts";
export { OlkC, OlkN, OlkR } from "./learn/olk.ts";
export { OneVsAll, oneVsAllFamily } from "./learn/one-vs-all.ts";
export {
  budget,
  choice,
  dimension,
  flag,
  type Given,
  kernel,
  type Option,
  type OptionTable,
  real,
  type Settled,
  settle,
  whole,
} from "./learn/options.ts";
export { Oskm } from "./learn/oskm.ts";
export { PassiveAggressive } from "./learn/passive-aggressive.ts";
export { Pegasos } from "./learn/pegasos.ts";
export { Perceptron } from "./learn/perceptron.ts";
export { Projectron, ProjectronPlusPlus } from "./learn/projectron.ts";
export { Qkapa } from "./learn/qkapa.ts";
export { Qklms } from "./learn/qklms.ts";
export { Qkrls } from "./learn/qkrls.ts";
export { FAMILIES, familyNamed } from "./learn/registry.ts";
export { RlsHmm } from "./learn/rls-hmm.ts";
export { PortableF32 } from "./math/f32.ts";
export { OutOfMemoryError } from "./math/out-of-memory.ts";
export type { Primitives } from "./math/primitives.ts";
export {
  Layout,
  type MemoryRange,
  type PlacedRegion,
  type Region,
  type RegionKind,
} from "./memory/layout.ts";
export { OptionError } from "./memory/option-error.ts";
export {
  NODE_COUNTERS,
  type NodeCounter,
  type NodeOptions,
  nodeLayout,
  nodeLearner,
  SensorNode,
} from "./node/node.ts";
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
export { Station, type StationOptions, type StationPorts, stationBytes } from "./node/station.ts";
export type { DueLabel, LabelSource } from "./peer/labels.ts";
export { type FedSample, Peer, type PeerCounts, type PeerOptions, type SampleSource } from "./peer/peer.ts";
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
export { LabelTag, labelKey, type TaggedLabel } from "./wire/label-tag.ts";
export type { DownName, Message, UpName } from "./wire/messages.ts";
