import type { LabelOptions } from "../../../host-sim/scenario/scenario.ts";
import type { FlipRates } from "../../../src/learn/label-noise.ts";

/** How labels go wrong: that share of all of them, or `one`: of one class, the last, and never the others. */
export type Flips = number | typeof ONE_CLASS;
export const ONE_CLASS = "one";
/** The share of its labels that are then wrong. */
export const ONE_CLASS_RATE = 0.4;

export const ORDERS = ["time", "shuffled"] as const;
export type Order = (typeof ORDERS)[number];

/** The conditions of a learner, besides its samples. */
export interface Condition {
  /** Samples between a prediction and its label. */
  readonly delay: number;
  readonly flips: Flips;
  readonly order: Order;
}

function confusion(classes: number): number[][] {
  return Array.from({ length: classes }, (_, truth) =>
    Array.from({ length: classes }, (_, label) => {
      if (truth < classes - 1) return label === truth ? 1 : 0;
      return label === truth ? 1 - ONE_CLASS_RATE : ONE_CLASS_RATE / (classes - 1);
    }),
  );
}

/** Its labels in a scenario's terms, for so many classes. */
export function labelOptions(
  { delay, flips }: Pick<Condition, "delay" | "flips">,
  loss: number,
  classes: number,
): LabelOptions {
  const noise =
    flips === ONE_CLASS
      ? { confusion: { matrix: confusion(classes) } }
      : flips > 0
        ? { symmetric: { rate: flips } }
        : {};
  return { noise, nodeRates: [], delayMean: delay, delaySpread: 0, loss, budget: 1 };
}

/** Those rates as option `sources`, for two classes. */
export function flipRates(flips: Flips): FlipRates {
  return flips === ONE_CLASS ? [ONE_CLASS_RATE, 0] : [flips, flips];
}

/** In words: "20 % flipped". */
export function flipsText(flips: Flips): string {
  if (flips === ONE_CLASS) return "one class";
  return `${Number((100 * flips).toFixed(2))} %`;
}
