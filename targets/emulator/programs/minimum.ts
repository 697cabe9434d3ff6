import { withBudget } from "../../../src/learn/family.ts";
import { Layout } from "../../../src/memory/layout.ts";
import { nodeLayout } from "../../../src/node/node-layout.ts";
import { nodeOptions } from "./loops.ts";
import { subjectNamed } from "./subjects.ts";

/**
 * State that the published algorithm doesn't need. Redundant: the number and order of rows (rows kept in
 * order imply it), osKM's Gram matrix (from its rows), KRLS's L' a (from L and a). This project's own:
 * the errors that C follows from, QKRLS's bound on Lambda and the age of its factorisation, NOGD's unfinished eigenproblem, the progress of
 * W, the limit of outliers, refusals in a row, each row's last use, the search for a width, and the grid of
 * vectors of 16 bits.
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
  ...[
    "most",
    "age",
    "outliers",
    "inputOutliers",
    "labelOutliers",
    "lastUse",
    "uses",
    "clock",
    "refusals",
    "probe",
    "reference",
    "grid",
    "errors",
  ],
];

/** Bytes of the state that isn't dispensable; a part's regions are named `part.name`. */
function neededBytes(layout: Layout): number {
  const needed = layout.regions.filter(
    ({ kind, name }) => kind === "state" && !DISPENSABLE.includes(name.split(".").pop() as string),
  );
  return 4 * needed.reduce((sum, { words }) => sum + words, 0);
}

/**
 * Least bytes of the named program's numbers: the float32 that its algorithm keeps between samples at a full
 * budget, without counters, scratch and dispensable state. For a node: its learner's and all other state.
 * Throws a RangeError for a budget that isn't a multiple of four, where rows have padding.
 */
export function minimumBytes(name: string, dimension: number, budget: number): number {
  if (budget % 4 !== 0) throw new RangeError(`budget: got ${budget}; takes a multiple of 4`);
  if (name !== "node" && name !== "wire") {
    const { family, given } = subjectNamed(name);
    return neededBytes(family.layout(withBudget(family, { ...given, dimension }, budget)));
  }
  const whole = nodeLayout(nodeOptions({}, budget));
  const learner = whole.regions.filter(({ name }) => name.startsWith("learner."));
  const learnerState = learner.filter(({ kind }) => kind === "state");
  const learnerWords = learnerState.reduce((sum, { words }) => sum + words, 0);
  return 4 * (whole.state - learnerWords) + neededBytes(new Layout(learner));
}
