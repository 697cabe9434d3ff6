import type { GroupTrainer } from "../../host/training/group-trainer.ts";
import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";

/** A newcomer that has taken no sample, and whose learner begins with what its group knows: its memory is its first checkpoint. */
export function taughtNode(options: NodeOptions, trainer: Pick<GroupTrainer, "teach">): SensorNode {
  const link = { predicted() {}, acknowledge() {} };
  const node = new SensorNode(options, { now: () => 0 }, link, NO_STORAGE);
  trainer.teach(node.learner);
  return node;
}
