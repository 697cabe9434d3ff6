/** Motelearn, for programs: learners, nodes, and what they are made of. */
export { Dictionary, type Evict } from "./dictionary/dictionary.ts";
export type { KernelOption } from "./kernel/kernel.ts";
export { DualAga, DualGreedy, DualRho } from "./learn/dual-ascent.ts";
export type { Family, GivenOptions } from "./learn/family.ts";
export { KernelPerceptron, KernelPerceptronR } from "./learn/kernel-perceptron.ts";
export { COUNTERS, type Counter, type Learner, type Task } from "./learn/learner.ts";
export { ILol, Lol } from "./learn/lol.ts";
export { NormaC, NormaN, NormaR } from "./learn/norma.ts";
export { OlkC, OlkN, OlkR } from "./learn/olk.ts";
export { OneVsAll, oneVsAllFamily } from "./learn/one-vs-all.ts";
export { Oskm } from "./learn/oskm.ts";
export { PassiveAggressive } from "./learn/passive-aggressive.ts";
export { Qklms } from "./learn/qklms.ts";
export { Qkrls } from "./learn/qkrls.ts";
export { FAMILIES, familyNamed } from "./learn/registry.ts";
export { PortableF32 } from "./math/f32.ts";
export type { Primitives } from "./math/primitives.ts";
export {
  Layout,
  type MemoryRange,
  type PlacedRegion,
  type Region,
  type RegionKind,
} from "./memory/layout.ts";
export { NODE_COUNTERS, type NodeCounter, type NodeOptions, nodeLayout, SensorNode } from "./node/node.ts";
export { type Clock, LABEL_STATUS, type LabelStatus, type Link, type Storage } from "./node/ports.ts";
export { Standardiser } from "./signal/standardiser.ts";
export { SlidingWindow } from "./signal/window.ts";
