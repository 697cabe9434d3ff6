import type { Random } from "../../host/random.ts";
import type { OptionSpec } from "../disturbances/options.ts";
import {
  BURST_OPTIONS,
  BurstNoise,
  CONFUSION_OPTIONS,
  ConfusionNoise,
  type LabelNoise,
  SYMMETRIC_OPTIONS,
  SymmetricNoise,
} from "./noise.ts";

export { ChairVarshney, type FusionRule, MajorityVote } from "./fusion.ts";
export type { LabelNoise } from "./noise.ts";

/** A label noise that a scenario can name. It is off unless named; options left out take their defaults. */
export interface LabelNoiseEntry {
  /** One line for people: how labels become wrong. */
  doc: string;
  /** Its options, in the order of listings. */
  options: readonly OptionSpec[];
  /** Throws an OptionError that names the option, what it got and what it takes. */
  make(options: object, random: Random): LabelNoise;
}

function noise(
  doc: string,
  options: readonly OptionSpec[],
  Noise: new (options: object, random: Random) => LabelNoise,
): LabelNoiseEntry {
  return { doc, options, make: (given, random) => new Noise(given, random) };
}

export const LABEL_NOISES: Readonly<Record<string, LabelNoiseEntry>> = {
  symmetric: noise("every label wrong with the same probability", SYMMETRIC_OPTIONS, SymmetricNoise),
  confusion: noise("the received class depends on the true class", CONFUSION_OPTIONS, ConfusionNoise),
  burst: noise("wrong labels in bursts (Gilbert-Elliott)", BURST_OPTIONS, BurstNoise),
};
