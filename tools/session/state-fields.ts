import type { Message } from "../../src/wire/messages.ts";

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}

/** Message state, with its hashes in 16 hex digits, as `stateHash` of a learner and a node has them. */
export function stateFields({ seq, labelled, learnerHigh, learnerLow, nodeHigh, nodeLow }: Message<"state">) {
  return {
    seq,
    labelled,
    stateHash: hex(learnerHigh) + hex(learnerLow),
    nodeHash: hex(nodeHigh) + hex(nodeLow),
  };
}
