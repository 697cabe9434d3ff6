import { Random } from "../../host/random.ts";
import { easyStream, type Sample } from "../../host-sim/conformance/easy-streams.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { Task } from "../../src/learn/learner.ts";
import type { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nodeStore } from "../../src/node/schema.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import type { BlockDevice } from "../../src/store/block-device.ts";
import type { CheckpointStore, RestoreStatus } from "../../src/store/checkpoint-store.ts";
import { drawModel } from "../wire/installs.ts";

/** A node that was just switched on, its store, and how it started. */
export interface StartedNode {
  readonly node: SensorNode;
  readonly store: CheckpointStore;
  readonly status: RestoreStatus;
}

export const CLOCK = { now: () => 0 };

export function start(options: NodeOptions, block: BlockDevice): StartedNode {
  const store = nodeStore(options, block, CLOCK);
  const node = loneNode(options, undefined, store);
  return { node, store, status: node.restore() };
}

export function readings(task: Task, channels: number, count: number): Sample[] {
  return easyStream(task, channels, count, new Random(5, task).below(1000));
}

/** On a node that takes models, every third label is an install. */
const INSTALL_EVERY = 3;

/** Feeds samples, from where the node's cursors are, each with its label, up to label `end`. */
export function feed(node: SensorNode, samples: readonly Sample[], end = samples.length): void {
  // A checkpoint is saved between a sample's label and the next sample.
  for (let number = node.labelled + 1; number <= end; number++) {
    const { x, y } = samples[number - 1];
    if (node.fleet && number % INSTALL_EVERY === 0) {
      installWhole(node, number, drawModel(new Random(number, "models"), number % 4, x.length));
      continue;
    }
    node.sample(x);
    node.label({ number, sid: node.sid, seq: node.seq, y });
  }
}
