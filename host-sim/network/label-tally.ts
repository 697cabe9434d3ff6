import type { NodeCounter } from "../../src/node/node-counters.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { LabelTally } from "../scoring/result.ts";
import type { LabelBook } from "./label-book.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import type { StartState } from "./start-state.ts";

interface Labelled {
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
  { options, start, lost, asked }: Labelled,
): LabelTally {
  const counted = (name: NodeCounter) => node.count(name) - (start?.counts[name] ?? 0);
  const { lateness, ...quality } = book.quality;
  const remedy = lateness.remedy(options);
  return {
    issued: book.issued,
    applied: counted("applied"),
    late: counted("expired"),
    died: counted("session") + counted("unknown"),
    refused: counted("refused") + counted("range"),
    open: book.length - node.labelled,
    lost,
    duplicates: counted("duplicate"),
    held: counted("held"),
    ...(options.labelBudget !== undefined && { asked }),
    ...quality,
    ...(remedy && { remedy }),
  };
}
