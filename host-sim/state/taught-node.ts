import type { GroupTrainer } from "../../host/training/group-trainer.ts";
import type { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { loneNode } from "./lone-node.ts";

/** A newcomer that has taken no sample, and whose learner begins with what its group knows: its memory is its first checkpoint. */
export function taughtNode(options: NodeOptions, trainer: Pick<GroupTrainer, "teach">): SensorNode {
  const node = loneNode(options);
  trainer.teach(node.learner);
  return node;
}
