import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../../host/errors.ts";
import { checkFile, realPlace, writeLines, writeWhole } from "../../host/files/table-file.ts";
import { fileHash } from "../../host/identity.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { copyText } from "../../host-sim/state/copy-file.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { DataFlags } from "./data-options.ts";
import { type EvaluationOptions, prepare } from "./evaluation.ts";
import { checkScaleOfNode } from "./scaling.ts";
import { trainedNode } from "./trained-node.ts";

/** What decides whether a node can have the state. */
interface SaveFlags extends Pick<DataFlags, "train" | "scale" | "repeat"> {
  readonly save?: string;
  readonly test?: string;
  readonly learner: string;
}

/** Throws a UserError where --save asks for a state that no node can have, or for a file that can't be written. Call it before the run. */
export function checkSave({ save, train, test, learner, scale, repeat }: SaveFlags): void {
  if (save === undefined) return;
  checkScaleOfNode("--save", scale);
  if (repeat > 1)
    throw new UserError(`--save: a node learns each sample once; takes one pass, got --repeat ${repeat}`);
  if (!Catalogue.shipped.learner(learner.replace(/^ova:/, "")))
    throw new UserError(`--save: ${learner} is a plugin's; takes a learner of \`motelearn learners\``);
  if (!statSync(train, { throwIfNoEntry: false })?.isFile())
    throw new UserError(`--save: ${train} isn't a file that can be read again; give --train a file`);
  const inputs = [train, ...(test === undefined ? [] : [test])];
  if (inputs.some((input) => resolve(realPlace(input)) === resolve(realPlace(save))))
    throw new UserError(`--save ${save}: would replace a file that is read; give another file`);
  checkFile(save, "--save");
}

/** Writes the memory of a node that learned as the evaluation did, in the form of a gateway's copies. @param hash the evaluation's. */
export function saveTrained(file: string, options: NodeOptions, from: EvaluationOptions, hash: string): void {
  const node = trainedNode(options, from, hash);
  const { source, count } = from.train;
  const { classes } = prepare(from);
  const trained = {
    file: source,
    sha256: fileHash(source),
    samples: count,
    ...(from.shuffle !== null && { shuffle: from.shuffle }),
    ...(classes && { classes: classes.names }),
  };
  writeWhole(file, "--save", (part) => writeLines(part, [copyText(node, trained)]));
}
