import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import type { DataSet } from "../../host-sim/streams/table.ts";
import { chooseFamily } from "../cli/learner-choice.ts";
import { evaluate } from "../evaluation/evaluation.ts";
import type { Mean } from "../evaluation/mean.ts";
import type { Trivial } from "../evaluation/trivial.ts";

/** A learner to be tried, with the options that don't follow from the data. */
export interface Trial {
  readonly learner: string;
  readonly options: { readonly [name: string]: unknown };
}

/** In which order the samples come, how often, and what is a novelty, as for `evaluate`. */
export interface Passes {
  readonly shuffle: number | null;
  readonly repeat: number;
  readonly novel?: string;
}

/** What a learner came to, each sample predicted before it was learned. */
export interface Tried {
  /** As it ran: with several classes it may be one-vs-all. */
  readonly learner: string;
  readonly options: { readonly [name: string]: unknown };
  /** Share of wrong classes, or mean squared error; null where it isn't finite. */
  readonly loss: Mean | null;
  /** Null for regression. */
  readonly balancedAccuracy: Mean | null;
  readonly supportVectors: Mean | null;
  readonly overflowed: number;
  readonly stateHash: string;
  readonly trivial: Trivial;
}

/** Tries the catalogue's learner on the data. */
export function tryOn(
  catalogue: Catalogue,
  train: DataSet,
  { shuffle, repeat, novel }: Passes,
  { learner, options }: Trial,
): Tried {
  const result = evaluate({
    family: chooseFamily(learner, catalogue),
    options,
    train,
    shuffle,
    repeat,
    novel,
  });
  const { trivial, supportVectors, counters, stateHash } = result;
  const loss = ("cumulativeMse" in result ? result.cumulativeMse : result.cumulativeError) ?? null;
  return {
    learner: result.learner,
    options: result.options,
    loss: loss && Number.isFinite(loss.mean + loss.sd) ? loss : null,
    balancedAccuracy: "cumulativeMse" in result ? null : (result.cumulativeBalancedAccuracy ?? null),
    supportVectors,
    overflowed: counters.overflowed,
    stateHash,
    trivial,
  };
}
