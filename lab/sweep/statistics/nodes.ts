import { average } from "../../../host/statistics.ts";
import type { NetworkRows, NodeRow } from "../../../host-sim/runs/rows.ts";
import { type Estimate, estimateMean, type Range } from "./statistics.ts";

/** The errors of a task's learners at a node, over seeds; each seed's figure is the mean over its points. */
interface NodeSummary {
  readonly node: string;
  /** In the order of the task's learners. */
  readonly errors: readonly (Estimate | null)[];
}

/** The nodes of a task at which its best learner errs most, worst first. */
export interface WorstNodes {
  /** Of all nodes, the listed ones included. */
  readonly count: number;
  readonly worst: readonly NodeSummary[];
}

/** Nodes that are listed at most: a table has all. */
const LISTED_MAX = 1000;

/** A node's place in the sums, and where it first had a figure: seed, then run, then row. */
interface Place {
  readonly at: number;
  first: readonly [number, number, number];
}

/** A learner's figure at each node, summed for each seed: two numbers a node and seed, however many runs. */
export class NodeSums {
  private readonly places = new Map<string, Place>();
  /** By seed, then by node. */
  private readonly sums: number[][] = [];
  private readonly counts: number[][] = [];
  private runs = 0;

  add(seed: number, { nodes }: NetworkRows, measure: string): void {
    this.sums[seed] ??= [];
    this.counts[seed] ??= [];
    nodes.forEach((row: NodeRow, i) => {
      const value = row[measure];
      if (typeof value === "number") this.addValue(seed, String(row.node), i, value);
    });
    this.runs++;
  }

  private addValue(seed: number, node: string, row: number, value: number): void {
    const first = [seed, this.runs, row] as const;
    const place = this.places.get(node) ?? { at: this.places.size, first };
    this.places.set(node, place);
    if (seed < place.first[0]) place.first = first;
    const [sums, counts] = [this.sums[seed], this.counts[seed]];
    while (sums.length <= place.at) {
      sums.push(0);
      counts.push(0);
    }
    sums[place.at] += value;
    counts[place.at]++;
  }

  /** The nodes in the order of the seeds, their runs and rows. */
  get names(): string[] {
    const order = ([, a]: [string, Place], [, b]: [string, Place]) =>
      a.first[0] - b.first[0] || a.first[1] - b.first[1] || a.first[2] - b.first[2];
    return [...this.places].sort(order).map(([name]) => name);
  }

  /** The means of a node, for each of the first `seeds` seeds that has one. */
  valuesAt(node: string, seeds: number): number[] {
    const at = this.places.get(node)?.at;
    if (at === undefined) return [];
    return this.sums
      .slice(0, seeds)
      .flatMap((sums, seed) => (this.counts[seed][at] > 0 ? sums[at] / this.counts[seed][at] : []));
  }
}

/**
 * @param sums of each learner, the best first.
 * @param range the measure's.
 * @param seeds how many count.
 */
export function worstNodes(sums: readonly NodeSums[], range: Range, seeds: number): WorstNodes {
  const names = [...new Set(sums.flatMap((own) => own.names))];
  const meanAt = (node: string) => {
    const values = sums[0].valuesAt(node, seeds);
    return values.length === 0 ? -1 : average(values);
  };
  const ranked = names
    .map((node, place) => ({ node, place, mean: meanAt(node) }))
    .sort((a, b) => b.mean - a.mean || a.place - b.place);
  const worst = ranked.slice(0, LISTED_MAX).map(({ node }) => ({
    node,
    errors: sums.map((own) => {
      const values = own.valuesAt(node, seeds);
      return values.length === 0 ? null : estimateMean(values, range);
    }),
  }));
  return { count: names.length, worst };
}
