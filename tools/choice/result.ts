import type { DataSet } from "../../host-sim/streams/table.ts";
import type { Target } from "../../targets/boards.ts";
import type { Mean } from "../evaluation/mean.ts";
import type { Scale } from "../evaluation/scaling.ts";
import type { Trivial } from "../evaluation/trivial.ts";
import type { Candidate, ChoiceTask, LeftOut } from "./candidates.ts";
import { paretoFront } from "./pareto.ts";
import type { Passes, Tried } from "./try.ts";

/** What a learner's loss is held against. */
export const COSTS = ["bytes", "instructions"] as const;
export type Cost = (typeof COSTS)[number];

/** One learner with one budget. */
export interface Choice {
  readonly learner: string;
  readonly budget: number | null;
  readonly options: { readonly [name: string]: unknown };
  /** Share of wrong classes, or mean squared error; null where it isn't finite. */
  readonly loss: Mean | null;
  readonly balancedAccuracy: Mean | null;
  /** The learner's range, to the byte. */
  readonly bytes: number;
  /** Of one prediction and the learning of its label; null where they weren't measured. */
  readonly instructions: number | null;
  /** Sizes that lie beyond those whose instructions were counted. */
  readonly beyond: readonly string[];
  readonly supportVectors: Mean | null;
  readonly overflowed: number;
  readonly stateHash: string;
  /** Whether it lies on the Pareto front of loss against each cost. */
  readonly pareto: { readonly [cost in Cost]: boolean };
}

/** What `motelearn choose --json` prints. All but `timing` is the same for the same data. */
export interface ChoiceResult {
  readonly schema: "motelearn.choose/1";
  readonly task: ChoiceTask;
  readonly measure: "error" | "mse";
  readonly train: {
    readonly file: string;
    readonly count: number;
    readonly dimension: number;
  };
  readonly scale: Scale;
  readonly shuffle: number | null;
  readonly repeat: number;
  /** Of learners whose kernel is a Gaussian; null: each its own default, or what the options say. */
  readonly kernel: { readonly [name: string]: unknown } | null;
  readonly target: Target | null;
  /** The board whose instructions these are. */
  readonly costsOf: Target;
  /** The same losses without a learner. */
  readonly trivial: Trivial;
  /** Best first. */
  readonly choices: readonly Choice[];
  readonly leftOut: readonly LeftOut[];
  /** Learners whose costs weren't measured: neither their instructions nor whether they fit are known. */
  readonly unmeasured: readonly string[];
  readonly timing: { readonly seconds: number; readonly threads: number };
}

function onFront(candidates: readonly Candidate[], tried: readonly Tried[], cost: Cost): Set<number> {
  const priced = candidates.map(({ bytes, board }, i) => ({
    cost: cost === "bytes" ? bytes : (board?.instructions ?? null),
    loss: tried[i].loss?.mean ?? null,
  }));
  return new Set(paretoFront(priced));
}

function byLoss(a: Choice, b: Choice): number {
  const [first, second] = [a, b].map(({ loss }) => loss?.mean ?? Infinity);
  if (first !== second) return first < second ? -1 : 1;
  return a.bytes - b.bytes;
}

/** The candidates with what they came to, best first. */
function choicesOf(candidates: readonly Candidate[], tried: readonly Tried[]): Choice[] {
  const fronts = COSTS.map((cost) => onFront(candidates, tried, cost));
  const choices = candidates.map(({ budget, bytes, board }, i): Choice => {
    const { learner, options, loss, balancedAccuracy, supportVectors, overflowed, stateHash } = tried[i];
    const [inBytes, inInstructions] = fronts.map((front) => front.has(i));
    return {
      learner,
      budget,
      options,
      loss,
      balancedAccuracy,
      bytes,
      instructions: board?.instructions ?? null,
      beyond: board?.beyond ?? [],
      supportVectors,
      overflowed,
      stateHash,
      pareto: { bytes: inBytes, instructions: inInstructions },
    };
  });
  return choices.sort(byLoss);
}

/** Everything but the time that it took. */
export function assembleChoice(
  { source, count, dimension }: DataSet,
  set: Pick<ChoiceResult, "task" | "scale" | "kernel" | "costsOf"> & { readonly target?: Target },
  { shuffle, repeat }: Passes,
  { candidates, leftOut }: { candidates: readonly Candidate[]; leftOut: readonly LeftOut[] },
  tried: readonly Tried[],
): Omit<ChoiceResult, "timing"> {
  const { task, scale, kernel, target = null, costsOf } = set;
  const unmeasured = candidates.filter(({ board }) => board === undefined).map(({ learner }) => learner);
  return {
    schema: "motelearn.choose/1",
    task,
    measure: task === "regression" ? "mse" : "error",
    train: { file: source, count, dimension },
    scale,
    shuffle,
    repeat,
    kernel,
    target,
    costsOf,
    trivial: tried[0].trivial,
    choices: choicesOf(candidates, tried),
    leftOut,
    unmeasured: [...new Set(unmeasured)],
  };
}
