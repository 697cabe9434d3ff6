import { type NodeOptions, nodeLayout } from "../../src/node/node.ts";

/** Labels that came late, and what would hold their samples. */
export interface LateLabels {
  /** Labels that came after their sample was discarded, of so many. */
  readonly late: number;
  readonly labels: number;
  /** The samples from each late label's own to the last that the node had taken. */
  readonly distances: ArrayLike<number>;
  /** The node's options; undefined: they aren't known. */
  readonly node?: NodeOptions;
}

/** Of a node's option. */
const PENDING_MAX = 65535;
/** Labels later than all but these are exceptions. */
const MOST = 0.99;

/** The number, rounded up to two digits. */
function roundedUp(value: number): number {
  let unit = 1;
  while (100 * unit <= value) unit *= 10;
  return Math.ceil(value / unit) * unit;
}

/** The `pending` with which a node still has the sample of all but one in a hundred labels of such distances; Infinity: none is large enough. */
export function pendingFor(distances: ArrayLike<number>): number {
  const sorted = Float64Array.from(distances).sort();
  const needed = sorted[Math.ceil(MOST * sorted.length) - 1] + 1;
  return needed > PENDING_MAX ? Number.POSITIVE_INFINITY : Math.min(PENDING_MAX, roundedUp(needed));
}

/** Bytes in words: 640 bytes, 25.6 KB. */
function bytesText(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} KB`;
}

/** The share of labels that came late, and the remedy: "99 % of the labels came after their sample was discarded: set pending to about 800, 25.6 KB more". */
export function lateText({ late, labels, distances, node }: LateLabels): string {
  const percent = (100 * late) / labels;
  const share = percent < 1 ? "less than 1 %" : `${Math.round(percent)} %`;
  const what = `${share} of the labels came after their sample was discarded`;
  if (distances.length === 0) return `${what}: set pending to more samples`;
  const pending = pendingFor(distances);
  if (pending === Number.POSITIVE_INFINITY)
    return `${what}: no node keeps samples so long (pending ${PENDING_MAX} at most); have labels come sooner`;
  const more = node && nodeLayout({ ...node, pending }).bytes - nodeLayout(node).bytes;
  return `${what}: set pending to about ${pending}${more && more > 0 ? `, ${bytesText(more)} more` : ""}`;
}
