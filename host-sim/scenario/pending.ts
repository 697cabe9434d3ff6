import { NODE_OPTIONS } from "../../src/node/node-options.ts";
import { pendingForDelay } from "../labels/late-labels.ts";
import type { LabelOptions, NodeSettings } from "./scenario.ts";

/** The standard deviations above the mean below which 99 % of normal values lie. */
const MOST_DEVIATIONS = 2.3263;

/** When labels come, in a scenario's terms. */
export type Delays = Pick<LabelOptions, "delayMean" | "delaySpread" | "delayMax" | "round">;

/** The longest delay of labels up to so many standard deviations above the mean, `least` or more, with their wait for the end of a round. */
export function delayWithin(
  { delayMean, delaySpread, delayMax = Number.POSITIVE_INFINITY, round = 1 }: Delays,
  deviations: number,
  least = 0,
): number {
  return Math.max(Math.min(delayMax, delayMean + deviations * delaySpread), least) + round - 1;
}

/** Samples that may wait for a label, and what says so. */
export interface PendingChoice {
  readonly samples: number;
  readonly from: "scenario" | "delay" | "default";
}

/** The `pending` that a scenario's nodes have: its own, or one that holds the samples of all but one in a hundred labels by their delay. */
export function choosePending({ node, labels }: PendingSource): PendingChoice {
  if (node.pending !== undefined) return { samples: node.pending, from: "scenario" };
  const delay = delayWithin(labels, MOST_DEVIATIONS);
  const samples = pendingForDelay(delay + (node.sleep ? node.sleep.talkEvery - 1 : 0));
  return { samples, from: samples > NODE_OPTIONS.pending.default ? "delay" : "default" };
}

interface PendingSource {
  readonly node: Pick<NodeSettings, "pending" | "sleep">;
  readonly labels: Delays;
}
