import type { GroupTrainer } from "../../host/training/group-trainer.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import type { GivenCopy } from "../../host-sim/state/copy-file.ts";
import { taughtNode } from "../../host-sim/state/taught-node.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import type { NamedOptions } from "../../tools/fusion/lines.ts";

/** What a newcomer begins with: its memory after the labels of its group. */
export interface FirstState {
  readonly copy: GivenCopy;
  /** Where the learner's state begins among the copy's words. */
  readonly from: number;
  /** The group's labels that its learner has learned. */
  readonly labels: number;
}

/** The first state of a newcomer with these options; undefined: its group has no labels. */
export function firstState(
  { learner, ...options }: NamedOptions,
  trainer: GroupTrainer,
): FirstState | undefined {
  const labels = trainer.lessons.length;
  if (labels === 0) return undefined;
  const node = taughtNode({ ...options, learner: chooseFamily(learner) }, trainer);
  const { seq, labelled, layout, range, checkpointView } = node;
  const place = { seq, labelled, hash: node.learner.stateHash(), checkpoint: nodeSchema(node.options) };
  return {
    copy: { ...place, words: new Uint32Array(checkpointView.slice().buffer) },
    from: layout.within("learner", range).state - range.state,
    labels,
  };
}
