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

export const LABEL_NOISES: Readonly<Record<string, LabelNoiseEntry>> = {
  symmetric: {
    doc: "every label wrong with the same probability",
    options: SYMMETRIC_OPTIONS,
    make: (options, random) => new SymmetricNoise(options, random),
  },
  confusion: {
    doc: "the received class depends on the true class",
    options: CONFUSION_OPTIONS,
    make: (options, random) => new ConfusionNoise(options, random),
  },
  burst: {
    doc: "wrong labels in bursts (Gilbert-Elliott)",
    options: BURST_OPTIONS,
    make: (options, random) => new BurstNoise(options, random),
  },
};
