import { dirname, resolve } from "node:path";
import { byName } from "../../host/by-name.ts";
import type { GroupTrainer } from "../../host/training/group-trainer.ts";
import { NODE_COUNTERS, type NodeCounter } from "../../src/node/node-counters.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { checkpointImage } from "../../src/store/checkpoint-image.ts";
import { type Scenario, ScenarioError } from "../scenario/scenario.ts";
import { checkOptions, loadedCopy } from "../state/checked-copy.ts";
import { makeCheckpoint, type ReadCopy, readCopy } from "../state/copy-file.ts";
import { taughtNode } from "../state/taught-node.ts";

export interface StateFile {
  readonly file: string;
  readonly copy: ReadCopy;
}

/** The state from which each node of a network starts. */
export interface StartState {
  readonly seq: number;
  readonly labelled: number;
  /** State, then counters, of the node's layout. */
  readonly words: Uint32Array;
  /** The checkpoint that lies in its flash. */
  readonly image: Uint8Array;
  /** What it has counted already. */
  readonly counts: Readonly<Record<NodeCounter, number>>;
}

/** Reads the state from which a task's nodes start, if they start from one. Throws a UserError. */
export function readState({ node: { state } }: Scenario, source: string): StateFile | undefined {
  return state === undefined ? undefined : { file: state, copy: readCopy(resolve(dirname(source), state)) };
}

/** The state of a file for nodes of these options. Throws a ScenarioError for one that such nodes can't have. */
export function startState({ file, copy }: StateFile, options: NodeOptions): StartState {
  const place = `node.state: ${file}`;
  try {
    checkOptions(place, copy, options);
    const { words, seq, labelled } = copy;
    const { node } = loadedCopy(place, copy, options).counters;
    return { seq, labelled, words, image: makeCheckpoint(copy), counts: node };
  } catch (error) {
    throw new ScenarioError((error as Error).message);
  }
}

/** The state of a newcomer whose learner begins with what its group knows. */
export function taughtState(options: NodeOptions, trainer: Pick<GroupTrainer, "teach">): StartState {
  const node = taughtNode(options, trainer);
  const image = checkpointImage(nodeSchema(options), node.checkpointView);
  const words = new Uint32Array(node.checkpointView.slice().buffer);
  const counted = byName(NODE_COUNTERS, (name) => node.count(name));
  return { seq: node.seq, labelled: node.labelled, words, image, counts: counted };
}
