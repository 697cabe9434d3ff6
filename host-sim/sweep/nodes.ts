import type { NetworkRows, NodeRow } from "./rows.ts";
import { type Estimate, estimateOf, type Range } from "./statistics.ts";

/** What the learners of a task err at a node, over seeds; each seed's figure is the mean over its points. */
export interface NodeSummary {
  readonly node: string;
  /** In the order of the task's learners. */
  readonly errors: readonly (Estimate | null)[];
}

/** The nodes of a task at which its best learner errs most, worst first. */
export interface WorstNodes {
  /** Of all nodes, those that are listed included. */
  readonly count: number;
  readonly worst: readonly NodeSummary[];
}

/** Nodes that are listed at most: a table has all. */
const LISTED_MAX = 1000;

/** Sums of a learner's figure, node by node, for one seed. */
type Sums = Map<string, { sum: number; count: number }>;

function addTo(sums: Sums, { nodes }: NetworkRows, measure: string): void {
  for (const row of nodes as readonly NodeRow[]) {
    const value = row[measure];
    if (typeof value !== "number") continue;
    const name = String(row.node);
    const known = sums.get(name) ?? { sum: 0, count: 0 };
    known.sum += value;
    known.count++;
    sums.set(name, known);
  }
}

/**
 * @param runs the runs of each learner, in the order of the learners, the best first, seed by seed.
 * @param range the measure's.
 */
export function worstNodes(
  runs: readonly (readonly (readonly NetworkRows[])[])[],
  measure: string,
  range: Range,
): WorstNodes {
  const sums = runs.map((seeds) =>
    seeds.map((rows) => {
      const own: Sums = new Map();
      for (const each of rows) addTo(own, each, measure);
      return own;
    }),
  );
  const names = [...new Set(sums.flat().flatMap((own) => [...own.keys()]))];
  const valuesAt = (learner: number, node: string) =>
    sums[learner].flatMap((own) => {
      const known = own.get(node);
      return known ? [known.sum / known.count] : [];
    });
  const meanAt = (node: string) => {
    const values = valuesAt(0, node);
    return values.length === 0 ? -1 : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const ranked = names
    .map((node, place) => ({ node, place, mean: meanAt(node) }))
    .sort((a, b) => b.mean - a.mean || a.place - b.place);
  const worst = ranked.slice(0, LISTED_MAX).map(({ node }) => ({
    node,
    errors: sums.map((_, learner) => {
      const values = valuesAt(learner, node);
      return values.length === 0 ? null : estimateOf(values, range);
    }),
  }));
  return { count: names.length, worst };
}
