// Uses of the library that must compile, and uses that mustn't: `npm run typecheck` reads this file, nothing
// runs it.
import {
  Arow,
  type Learner,
  type NodeOptions,
  OlkC,
  type OlkCOptions,
  OlkN,
  OptionError,
  type PartialOptions,
  PassiveAggressive,
  real,
  type SensorNode,
  Standardiser,
  type UserOptions,
  whole,
} from "../src/index.ts";

export const ofAll: OlkCOptions = {
  dimension: 2,
  budget: 32,
  kernel: { type: "gaussian", p: 1 },
  forgetThreshold: 0.01,
  evict: "smallest",
};
export const learners = [
  new OlkC({ dimension: 2 }),
  new OlkC(ofAll),
  new OlkN({ dimension: 1, rule: "optimal" }),
  new PassiveAggressive({ dimension: 3, classes: 5 }),
  new Arow({ dimension: 3, noiseVariance: 2, covariance: "diagonal" }),
];
export const wrong = [
  // @ts-expect-error: dimension has no default
  () => new OlkC({}),
  // @ts-expect-error: nor has it where other options are given
  () => new Arow({ noiseVariance: 2 }),
  // @ts-expect-error: options are given as one object
  () => new OlkC(),
  // @ts-expect-error: an option has one type
  () => new OlkC({ dimension: "2" }),
  // @ts-expect-error: an option that there isn't
  () => new OlkC({ dimension: 2, budgets: 3 }),
  // @ts-expect-error: one of three words
  () => new OlkC({ dimension: 2, evict: "newest" }),
  // @ts-expect-error: the number of an equation says nothing
  () => new OlkN({ dimension: 2, rule: "68" }),
  // @ts-expect-error: a kernel has a type
  () => new OlkC({ dimension: 2, kernel: { p: 1 } }),
  // @ts-expect-error: features have a dimension
  () => new Standardiser({}),
];

const TABLE = { dimension: whole({ min: 1 }, "d"), rate: real({ default: 1 }, "eta") };
export const least: PartialOptions<typeof TABLE> = { dimension: 1 };
export const most: PartialOptions<typeof TABLE> = { dimension: 1, rate: 0.5 };
// @ts-expect-error: what has no default is required
export const missing: PartialOptions<typeof TABLE> = { rate: 0.5 };

export function blame(error: unknown): string {
  return error instanceof OptionError ? `${error.owner}.${error.option}: ${error.takes}` : "nobody";
}

declare const learner: NodeOptions["learner"];
declare const given: UserOptions;
export const node: NodeOptions = { sid: 1, channels: 2, labelWindow: 8, learner, options: given };
// @ts-expect-error: a session is named
export const unnamed: NodeOptions = { channels: 2, learner, options: given };
// @ts-expect-error: the labels that may wait are labelWindow, the samples of a feature features.window
export const window: NodeOptions = { sid: 1, channels: 2, window: 8, learner, options: given };

export function taught(of: Learner): number {
  // @ts-expect-error: a label is a number; `ClassNames` maps names to them
  of.learn([1, 2], "yes");
  // @ts-expect-error: readings are an array
  of.learn(1, 1);
  return of.learn([1, 2], 1);
}

export function sampled(of: SensorNode): number {
  return of.sample([1, 2]) + of.sample(new Float32Array(2));
}
