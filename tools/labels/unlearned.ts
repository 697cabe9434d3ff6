import { type Lateness, lateText } from "../../host-sim/labels/late-labels.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";

/** The labels of a source that a node didn't learn. */
interface UnlearnedLabels {
  /** The node's answers by status, where known. */
  readonly counted: { readonly [status: string]: number };
  /** Labels that the source no longer had. */
  readonly lost: number;
  /** How late the late ones came. */
  readonly lateness: Lateness;
  readonly node?: NodeOptions;
  /** The node's classes, in words. */
  readonly classes?: string;
}

/** What became of the labels that a node didn't learn, and the remedy, in one line; undefined: it learned all. */
export function unlearnedText({
  counted,
  lost,
  lateness,
  node,
  classes,
}: UnlearnedLabels): string | undefined {
  const { applied = 0, expired = 0, session = 0, unknown = 0, refused = 0, range = 0 } = counted;
  const gone = expired + session + unknown + refused + range + lost;
  if (gone === 0) return undefined;
  const labels = applied + gone;
  const parts = [
    expired > 0 && lateText(expired, labels, lateness.remedy(node)),
    refused > 0 && `${refused} refused by the learner${classes ? `, whose classes are ${classes}` : ""}`,
    range > 0 && `${range} outside the node's labelRange`,
    session > 0 &&
      `${session} of samples that the node lost when it started again: have it keep checkpoints more often`,
    unknown > 0 && `${unknown} of samples that the node never took: is this the node's own source?`,
    lost > 0 && `${lost} lost at the source`,
  ].filter((part) => part !== false);
  return `${gone} of ${labels} labels weren't learned: ${parts.join("; ")}`;
}
