import { readFileSync } from "node:fs";
import { placed, UserError } from "../../host/errors.ts";
import { parseJson } from "../../host/json.ts";
import type { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { checkpointImage } from "../../src/store/checkpoint-image.ts";

/** A copy of a node's memory that a node can resume from. */
export interface GivenCopy {
  readonly seq: number;
  readonly labelled: number;
  /** The learner's hash. */
  readonly hash: string;
  /** The schema hash of the node's checkpoints. */
  readonly checkpoint: string;
  /** State, then counters. */
  readonly words: Uint32Array;
}

/** Where a node's cursors have the last label, and the last label in a checkpoint. */
const LABELLED = 2;
const DURABLE = 3;

/** The checkpoint that the copy makes: it holds every label that the copy has. `generation`: see `checkpointImage`. */
export function makeCheckpoint({ words, checkpoint }: GivenCopy, generation = 0): Uint8Array {
  const kept = words.slice();
  kept[DURABLE] = kept[LABELLED];
  return checkpointImage(checkpoint, new Uint8Array(kept.buffer), generation);
}

const SCHEMA = "motelearn.copy/1";
const SCHEMA_HASH = /^[0-9a-f]{16}$/;
const WORD_MAX = 0xffffffff;

/**
 * The memory of a node in this process as a gateway gives a copy, with the node's options.
 * @param trained where its state comes from.
 */
export function copyText(node: SensorNode, trained: object): string {
  const { sid, seq, labelled, checkpointView, options } = node;
  const { learner, ...others } = options;
  return JSON.stringify({
    ...{ schema: SCHEMA, sid, seq, labelled, learner: learner.name, hash: node.learner.stateHash() },
    ...{ whole: true, checkpoint: nodeSchema(options), options: others, trained },
    words: Buffer.from(checkpointView).toString("base64"),
  });
}

/** A copy from a file. */
export interface ReadCopy extends GivenCopy {
  readonly learner: string;
  /** The node's options, which `evaluate --save` writes and a gateway doesn't know. */
  readonly options?: Omit<NodeOptions, "learner">;
}

/** Reads a copy of a node's memory, as a gateway or `evaluate --save` writes it. Throws a UserError that names the file and the fault. */
export function readCopy(file: string): ReadCopy {
  const content = readContent(file);
  const { learner, options: nodeOptions, schema, seq, labelled, hash, whole, checkpoint, words } = content;
  const isWord = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= WORD_MAX;
  if (schema !== SCHEMA)
    throw new UserError(`${file}: no copy of a node's memory: takes one of schema ${SCHEMA}`);
  if (whole !== true)
    throw new UserError(
      `${file}: samples changed the copy while it was read; make another, and restore that one`,
    );
  if (typeof checkpoint !== "string" || !SCHEMA_HASH.test(checkpoint))
    throw new UserError(
      `${file}: lacks "checkpoint", the schema of the node's checkpoints: make another copy`,
    );
  if (!isWord(seq) || !isWord(labelled) || typeof hash !== "string" || typeof words !== "string")
    throw new UserError(`${file}: takes seq, labelled, hash and words as a gateway writes them`);
  const bytes = Uint8Array.from(Buffer.from(words, "base64"));
  if (bytes.length < 16 || bytes.length % 4 !== 0)
    throw new UserError(`${file}: words has ${bytes.length} bytes; takes a multiple of 4, at least 16`);
  const place = { seq: seq as number, labelled: labelled as number, hash, checkpoint };
  const options = nodeOptions as ReadCopy["options"];
  return {
    ...place,
    learner: String(learner),
    ...(options && { options }),
    words: new Uint32Array(bytes.buffer),
  };
}

function readContent(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`${file}: can't be read: ${(error as Error).message}`);
  }
  const content = placed(file, () => parseJson(text));
  if (typeof content === "object" && content !== null) return content as Record<string, unknown>;
  throw new UserError(`${file}: takes a JSON object, a copy of a node's memory`);
}
