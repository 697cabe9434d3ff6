import type { NodeCounter } from "../../src/node/node-counters.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { LabelTally } from "../scoring/result.ts";
import type { LabelBook } from "./label-book.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import type { StartState } from "./start-state.ts";

interface LabelContext {
  readonly options: NodeOptions;
  /** The state from which the node started; default: nothing. */
  readonly start?: StartState;
  /** Labels that were never issued, and those that the node asked for. */
  readonly lost: number;
  readonly asked: number;
}

/** What became of the labels of a node in this run. */
export function labelTally(
  node: SimulatedNode,
  book: LabelBook,
  { options, start, lost, asked }: LabelContext,
): LabelTally {
  const countSince = (name: NodeCounter) => node.count(name) - (start?.counts[name] ?? 0);
  const { lateness, unread, ...quality } = book.quality;
  const remedy = lateness.remedy(options);
  return {
    issued: book.issued,
    applied: countSince("applied"),
    late: countSince("expired") - unread,
    died: countSince("session") + countSince("unknown"),
    refused: countSince("refused") + countSince("range") + unread,
    open: book.length - node.labelled,
    lost,
    duplicates: countSince("duplicate"),
    held: countSince("held"),
    ...(options.labelBudget !== undefined && { asked }),
    ...quality,
    ...(remedy && { remedy }),
  };
}
