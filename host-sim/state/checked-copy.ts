import { UserError } from "../../host/errors.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { chooseFamily } from "../catalogue/learner-choice.ts";
import type { ReadCopy } from "./copy-file.ts";
import { NodeCopy } from "./node-copy.ts";
import { optionDifference } from "./option-difference.ts";

/** The options of a copy's node. Throws a UserError for a copy that doesn't name them, or has others. */
export function optionsIn(file: string, { learner, options, checkpoint }: ReadCopy): NodeOptions {
  if (typeof options !== "object" || typeof options.options !== "object" || options.options === null)
    throw new UserError(`${file}: doesn't name its node's options; takes a file of \`evaluate --save\``);
  const node = { ...options, learner: chooseFamily(learner) };
  try {
    if (nodeSchema(node) !== checkpoint) throw new UserError(`${file}: its options have another schema`);
  } catch (error) {
    throw error instanceof OptionError ? new UserError(`${file}: ${error.message}`) : error;
  }
  return node;
}

/**
 * Throws a UserError for a copy of another node than one of these options; it names the first option that differs, where the copy says, and the
 * remedy.
 */
export function checkOptions(
  file: string,
  copy: ReadCopy,
  node: NodeOptions,
  remedy = "give the options that it was learned with",
): void {
  const schema = nodeSchema(node);
  if (copy.checkpoint === schema) return;
  const difference = copy.options && optionDifference(node, optionsIn(file, copy));
  throw new UserError(
    `${file}: a state of another learner or other options: ${difference ?? `its schema is ${copy.checkpoint}, this node's ${schema}`}; ${remedy}`,
  );
}

/** A node of these options, with the copy's memory. Throws a UserError for a copy that isn't of such a node. */
export function loadedCopy(file: string, { words, hash }: ReadCopy, node: NodeOptions): NodeCopy {
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
