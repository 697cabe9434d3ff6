import { type ArithmeticName, arithmeticNamed } from "../../host/arithmetic.ts";
import { Random } from "../../host/random.ts";
import { median } from "../../host/statistics.ts";
import * as library from "../../host-sim/motelearn.ts";
import { type Family, type UserOptions, withBudget } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { normals } from "../experiments/lib/drawing.ts";
import type { Samples } from "../experiments/lib/samples.ts";

export const POOL = 512; // inputs taken in turn, so that no branch predictor learns one by heart
const FILL_STEPS_PER_VECTOR = 40;
const ROUNDS = 9;
const ROUND_MS = 12;

/** The memory of a timed learner: the commands' way, or `library`, as with `new` in a program. */
export type Path = ArithmeticName | "library";

/** Cost of one call in nanoseconds: medians over rounds. */
export interface Cost {
  /** How the learner was made: on an arithmetic, or by `import "motelearn"`. */
  readonly arithmetic: Path;
  /** Vectors stored when the clock started. */
  readonly stored: number;
  readonly predictNs: number;
  readonly learnNs: number;
}

function makePool(dimension: number, task: Learner["task"]): Samples {
  const random = new Random(1, "bench");
  const inputs = Array.from({ length: POOL }, () => Float32Array.from(normals(random, dimension)));
  const taskLabel = {
    classification: () => 2 * random.below(2) - 1,
    multiclass: () => random.below(3),
    regression: () => random.normal(),
    novelty: () => 1,
  };
  return { inputs, labels: inputs.map(taskLabel[task]) };
}

/** Learns until the budget is full, or enough samples have passed. */
function fill(learner: Learner, budget: number, { inputs, labels }: Samples): void {
  for (let i = 0; learner.size < budget && i < FILL_STEPS_PER_VECTOR * budget; i++) {
    learner.learn(inputs[i % POOL], labels[i % POOL]);
  }
}

/** Of a call in the mean, which gets the places of the pool in turn. */
export function nanoseconds(calls: number, call: (i: number) => void): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) call(i % POOL);
  return Number(process.hrtime.bigint() - start) / calls;
}

/** Median cost of a call over rounds of about `ROUND_MS`, after a warm-up. */
export function medianNanoseconds(call: (i: number) => void): number {
  let calls = 16;
  let cost = nanoseconds(calls, call);
  while (cost * calls < ROUND_MS * 1e6) {
    calls *= 2;
    cost = nanoseconds(calls, call);
  }
  return median(Array.from({ length: ROUNDS }, () => nanoseconds(calls, call)));
}

/**
 * The cost of a learner's `predict` and `learn` with a full dictionary; undefined where the arithmetic can't
 * run.
 */
export function benchmark(
  family: Family,
  dimension: number,
  budget: number,
  on: Path,
  own: UserOptions = {},
): Cost | undefined {
  const options = withBudget(family, { ...own, dimension }, budget);
  const memory = on === "library" ? undefined : arithmeticNamed(on)?.allocate(family.layout(options));
  if (on !== "library" && !memory) return undefined;
  const learner = (library.familyNamed(family.name) ?? family).create({ ...options, memory });
  const pool = makePool(dimension, learner.task);
  const { inputs, labels } = pool;
  fill(learner, budget, pool);
  const stored = learner.size;
  const predictNs = medianNanoseconds((i) => learner.predict(inputs[i]));
  const learnNs = medianNanoseconds((i) => learner.learn(inputs[i], labels[i]));
  return { arithmetic: on, stored, predictNs, learnNs };
}
