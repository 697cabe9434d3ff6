import type { FleetStore } from "../store/fleet-store.ts";
import type { LoggedLabel } from "../store/label-log.ts";
import { WAITING_MAX } from "../store/label-log.ts";
import type { NodeLog } from "./node-log.ts";

/**
 * The labels of a node that gateways share. A label gets its number, also in the store, only once the log has
 * it. A label that isn't in the log can't reach the node, and the node's answer to a number is never mistaken
 * for one to a label that another gateway numbered differently.
 */
export class SharedLabels {
  /** The node lost its checkpoint: waiting labels get the numbers after that one. */
  private lost: { readonly after: number } | undefined;

  constructor(
    private readonly node: string,
    private readonly store: FleetStore,
    private readonly log: NodeLog,
  ) {}

  /** True if no more labels fit the log before the node took some. */
  get full(): boolean {
    return this.log.log.labels.length >= WAITING_MAX;
  }

  /** True if the store's numbers are outdated. */
  get renumbering(): boolean {
    return this.lost !== undefined;
  }

  renumber(after: number): void {
    this.lost = { after };
  }

  /**
   * Writes the labels waiting on disk to the log, with numbers after `labelled`, if known. Rejects with
   * NodeGone.
   */
  async write(labelled: () => number | undefined): Promise<void> {
    const { node, store, log } = this;
    // Read at once: a place is never ahead of the labels that the record has.
    const newest = store.labels.newest(node);
    const places = store.labels.readPlaces(node);
    let lost = this.lost;
    const { labels } = await log.keep(() => {
      lost = this.lost;
      const rows = store.labels.readUnsettled(node, newest);
      return {
        durable: lost?.after ?? store.labels.readDurable(node),
        labels: lost ? renumber(rows, lost.after) : labelsAfter(rows, labelled()),
        places,
      };
    });
    store.labels.setNumbers(node, labels);
    if (!lost || lost !== this.lost) return;
    store.labels.confirm(node, lost.after);
    this.lost = undefined;
  }
}

/** Labels without a number get the next ones, if the node's position is known. */
function labelsAfter(rows: readonly LoggedLabel[], labelled: number | undefined): readonly LoggedLabel[] {
  if (labelled === undefined) return rows;
  let top = rows.reduce((most, { number }) => Math.max(most, number ?? 0), labelled);
  return rows.map((row) => (row.number === null ? { ...row, number: ++top } : row));
}

function renumber(rows: readonly LoggedLabel[], after: number): readonly LoggedLabel[] {
  const last = Number.POSITIVE_INFINITY;
  const inOrder = [...rows].sort((a, b) => (a.number ?? last) - (b.number ?? last) || 0);
  return inOrder.map((row, i) => ({ ...row, number: after + 1 + i }));
}
