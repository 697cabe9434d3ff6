import { withBudget } from "../../../src/learn/family.ts";
import { Layout } from "../../../src/memory/layout.ts";
import { nodeLayout } from "../../../src/node/node.ts";
import { nodeOptions } from "./loops.ts";
import { subjectNamed } from "./subjects.ts";

/**
 * State that the published algorithm can do without: how many rows there are and in which order they came (rows kept in
 * order would say it), osKM's Gram matrix (follows from its rows), KRLS's L' a (from L and a). And what is this project's: QKRLS's
 * bound on Lambda and the age of its factorisation, NOGD's eigenproblem while it is being solved, how far W is, the limit of outliers, refusals in a row, when each row
 * was last of use, how a width is found, and the grid of vectors of 16 bits.
 */
const DISPENSABLE = [
  ...[
    "births",
    "count",
    "order",
    "size",
    "ring",
    "gram",
    "whitened",
    "solving",
    "tridiagonal",
    "renewal",
    "waiting",
  ],
  ...["most", "age", "outliers", "lastUse", "uses", "clock", "refusals", "probe", "reference", "grid"],
];

/** Bytes of the state that isn't dispensable; a part's regions are named `part.name`. */
function minimumBytes(layout: Layout): number {
  const needed = layout.regions.filter(
    ({ kind, name }) => kind === "state" && !DISPENSABLE.includes(name.split(".").pop() as string),
  );
  return 4 * needed.reduce((sum, { words }) => sum + words, 0);
}

/**
 * Least bytes that the named program's numbers take: the float32 that its algorithm keeps from one sample to the next, at a
 * full budget. So no counters, no scratch, nothing dispensable; of a node, its learner's and all other state.
 * Throws a RangeError for a budget that isn't a multiple of four, where rows have padding.
 */
export function minimumOf(name: string, dimension: number, budget: number): number {
  if (budget % 4 !== 0) throw new RangeError(`budget: got ${budget}; takes a multiple of 4`);
  if (name !== "node" && name !== "wire") {
    const { family, given } = subjectNamed(name);
    return minimumBytes(family.layout(withBudget(family, { ...given, dimension }, budget)));
  }
  const whole = nodeLayout(nodeOptions({}, budget));
  const learner = whole.regions.filter(({ name }) => name.startsWith("learner."));
  const learnerState = learner.filter(({ kind }) => kind === "state");
  const learnerWords = learnerState.reduce((sum, { words }) => sum + words, 0);
  return 4 * (whole.state - learnerWords) + minimumBytes(new Layout(learner));
}
