import { UserError } from "../../host/errors.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { type ReadCopy, readCopy } from "../session/copy-file.ts";
import { NodeCopy } from "./node-copy.ts";

/** The node of a copy's options, with its memory. Throws a UserError for a copy that doesn't name them, or isn't of such a node. */
function nodeOf(file: string, { learner, options, words, checkpoint, hash }: ReadCopy): NodeCopy {
  if (typeof options !== "object" || typeof options.options !== "object" || options.options === null)
    throw new UserError(`${file}: doesn't name its node's options; takes a file of \`evaluate --save\``);
  const node = { ...options, learner: chooseFamily(learner) };
  try {
    if (nodeSchema(node) !== checkpoint) throw new UserError(`${file}: its options have another schema`);
  } catch (error) {
    throw error instanceof OptionError ? new UserError(`${file}: ${error.message}`) : error;
  }
  const copy = new NodeCopy(node);
  if (words.length !== copy.words)
    throw new UserError(`${file}: has ${words.length} words; takes ${copy.words}`);
  copy.load(words);
  const { fault, hashes } = copy;
  if (fault !== undefined) throw new UserError(`${file}: no such node can have this state: ${fault}`);
  if (hashes.learner !== hash)
    throw new UserError(`${file}: its learner has the hash ${hashes.learner}; the file names ${hash}`);
  return copy;
}

/** Reads the regions of the memory in a file of `evaluate --save`. */
export function inspectCopy(file: string) {
  const read = readCopy(file);
  const copy = nodeOf(file, read);
  const { learner, ...node } = copy.options;
  const { sid } = copy.options;
  return {
    schema: "motelearn.inspect/1" as const,
    ...{ file, learner: learner.name, options: { ...node, learner: learner.name } },
    ...{ sid, seq: read.seq, labelled: read.labelled, hashes: copy.hashes },
    ...copy.fill,
    counters: copy.counters,
    regions: copy.regions,
  };
}

/** What `inspect` prints of a file. */
export type CopyInspection = ReturnType<typeof inspectCopy>;
