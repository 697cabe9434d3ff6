import { nodeLayout } from "../../src/node/node-layout.ts";
import { NODE_OPTIONS, type NodeOptions } from "../../src/node/node-options.ts";

/** The most samples that a node's option `pending` takes. */
export const PENDING_MAX = 65535;
/** Labels later than all but these are exceptions. */
const MOST = 0.99;
/** Samples that the node takes while a label is on the line. */
const ON_THE_LINE = 1;

/** The number, rounded up to two digits. */
function roundedUp(value: number): number {
  let unit = 1;
  while (100 * unit <= value) unit *= 10;
  return Math.ceil(value / unit) * unit;
}

/** The least `pending` of a node whose labels come so many samples after their own. */
export function leastPending(samples: number): number {
  return Math.min(PENDING_MAX, roundedUp(Math.ceil(samples) + ON_THE_LINE + 1));
}

/** The `pending` of a node whose labels come so many samples after their own: the node's default, or more where the samples need it. */
export function pendingForDelay(samples: number): number {
  return Math.max(NODE_OPTIONS.pending.default, leastPending(samples));
}

/** What would hold the samples of late labels. */
export interface LateRemedy {
  /** Samples that may wait for a label; more than 65535: no node keeps so many. */
  readonly pending: number;
  /** Bytes that the node then takes beyond its own; absent where its options aren't known. */
  readonly bytes?: number;
}

/** How late labels came, in little memory, however many they are. */
export class Lateness {
  /** Labels by the `pending` that would have held their sample, rounded up to two digits. */
  private readonly counts = new Map<number, number>();
  private labels = 0;

  /** @param distance samples from a label's own to the last that the node had taken. */
  add(distance: number): void {
    const pending = roundedUp(distance + 1);
    this.counts.set(pending, (this.counts.get(pending) ?? 0) + 1);
    this.labels++;
  }

  /** Adds what another counted. */
  addAll({ counts, labels }: Lateness): void {
    for (const [pending, count] of counts) this.counts.set(pending, (this.counts.get(pending) ?? 0) + count);
    this.labels += labels;
  }

  /** What would have held the samples of all but one in a hundred; undefined: no label was late. */
  remedy(node?: NodeOptions): LateRemedy | undefined {
    let held = 0;
    for (const pending of [...this.counts.keys()].sort((a, b) => a - b)) {
      held += this.counts.get(pending) as number;
      if (held < MOST * this.labels) continue;
      if (pending > PENDING_MAX || !node) return { pending };
      return { pending, bytes: Math.max(0, nodeLayout({ ...node, pending }).bytes - nodeLayout(node).bytes) };
    }
    return undefined;
  }
}

/** Bytes in words: 640 bytes, 25.6 KB. */
function bytesText(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} KB`;
}

/**
 * The share of labels that came late, and the remedy: "99 % of the labels came after their sample was discarded: set pending to about 800, 25.6
 * KB more".
 */
export function lateText(late: number, labels: number, remedy: LateRemedy | undefined): string {
  const percent = (100 * late) / labels;
  const share = percent < 1 ? "less than 1 %" : `${Math.round(percent)} %`;
  const what = `${share} of the labels came after their sample was discarded`;
  if (!remedy) return `${what}: set pending to more samples`;
  const { pending, bytes = 0 } = remedy;
  if (pending > PENDING_MAX)
    return `${what}: no node keeps samples so long (pending ${PENDING_MAX} at most); have labels come sooner`;
  return `${what}: set pending to about ${pending}${bytes > 0 ? `, ${bytesText(bytes)} more` : ""}`;
}
