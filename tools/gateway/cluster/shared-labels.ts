import type { FleetStore } from "../store.ts";
import type { LoggedLabel } from "./label-log.ts";
import { WAITING_MAX } from "./label-log.ts";
import type { NodeLog } from "./node-log.ts";

/**
 * The labels of a node that gateways share: one has a number, in the store too, only once the log says so. What isn't there can't reach
 * the node, and what the node says of a number is never taken for an answer to a label that another gateway numbered otherwise.
 */
export class SharedLabels {
  /** The node lost its checkpoint: what waits gets the numbers after that one. */
  private lost: { readonly after: number } | undefined;

  constructor(
    private readonly node: string,
    private readonly store: FleetStore,
    private readonly log: NodeLog,
  ) {}

  /** Whether no more labels fit the log before the node took some. */
  get full(): boolean {
    return this.log.log.labels.length >= WAITING_MAX;
  }

  /** Whether what the store says of numbers holds no longer. */
  get renumbering(): boolean {
    return this.lost !== undefined;
  }

  renumber(after: number): void {
    this.lost = { after };
  }

  /** Has the log say what waits on disk, with numbers after `labelled`, if that is known. Rejects with NodeGone. */
  async write(labelled: () => number | undefined): Promise<void> {
    const { node, store, log } = this;
    // Read at once: a place is never ahead of the labels that the record has.
    const newest = store.newestLabel(node);
    const places = store.placesOf(node);
    let lost = this.lost;
    const { labels } = await log.keep(() => {
      lost = this.lost;
      const rows = store.unsettled(node, newest);
      return {
        durable: lost?.after ?? store.durableOf(node),
        labels: lost ? renumbered(rows, lost.after) : numbered(rows, labelled()),
        places,
      };
    });
    store.numbered(node, labels);
    if (!lost || lost !== this.lost) return;
    store.settle(node, lost.after);
    this.lost = undefined;
  }
}

/** Those without a number get the next ones, if it is known how far the node is. */
function numbered(rows: readonly LoggedLabel[], labelled: number | undefined): readonly LoggedLabel[] {
  if (labelled === undefined) return rows;
  let top = rows.reduce((most, { number }) => Math.max(most, number ?? 0), labelled);
  return rows.map((row) => (row.number === null ? { ...row, number: ++top } : row));
}

function renumbered(rows: readonly LoggedLabel[], after: number): readonly LoggedLabel[] {
  const last = Number.POSITIVE_INFINITY;
  const inOrder = [...rows].sort((a, b) => (a.number ?? last) - (b.number ?? last) || 0);
  return inOrder.map((row, i) => ({ ...row, number: after + 1 + i }));
}
