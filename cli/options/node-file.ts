import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { jsonObject } from "../../host/terminal/arguments.ts";
import {
  besideFlags,
  flashFlags,
  type NodeText,
  otherFlags,
  readNodeFile,
} from "../../host-sim/scenario/node-file.ts";

/** Sets the command's options as a node's file has them, unless the command line does. `only`: those that these keys mean. */
export function setOptions(
  command: Command,
  file: string,
  node: NodeText,
  only?: readonly (keyof NodeText)[],
): void {
  for (const [key, flag, value] of [...flashFlags(node), ...otherFlags(node)]) {
    const option = command.options.find(({ long }) => long === flag);
    if (value === undefined || !option || flag === "--node" || only?.includes(key) === false) continue;
    const name = option.attributeName();
    if (command.getOptionValueSource(name) === "cli") continue;
    const set = parseValue(option, value, `${file}: ${key}`);
    // A command that takes the names of classes has no use for their number.
    if (Array.isArray(set) && typeof node[key] === "number") continue;
    command.setOptionValueWithSource(name, set, "config");
  }
}

/** An option's value, as its text in a command line gives it. */
function parseValue(option: Option, value: string, place: string): unknown {
  if (option.isBoolean() || option.negate) return !option.negate;
  try {
    return option.parseArg ? option.parseArg(value, undefined) : value;
  } catch (error) {
    throw new UserError(`${place}: ${(error as Error).message}`);
  }
}

function readNamed(file: string): NodeText {
  try {
    return readNodeFile(file);
  } catch (error) {
    throw new UserError(`--node ${(error as Error).message}`);
  }
}

/** Keys of a node's file that change what a learner gets, and that only a whole node has. */
export const NOT_EVALUATED = ["horizon", "stepAfter", "drift", "labelBudget", "labelRange"] as const;

/** Throws a UserError where the node has one of the keys, which the command can't follow. */
export function refuseKeys(
  command: string,
  file: string,
  node: NodeText,
  keys: readonly (keyof NodeText)[],
): void {
  const key = keys.find((each) => node[each] !== undefined);
  if (key !== undefined)
    throw new UserError(
      `${file}: ${key}: ${command} runs the learner on a data file, without this part of the node; simulate has it`,
    );
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Adds `--node`, the file of a node, from which the other options follow. `refused`: keys whose nodes the command can't make. */
export function addNodeFileOption(command: Command, refused: readonly (keyof NodeText)[] = []): Command {
  return command.addOption(
    new Option(
      "--node <file>",
      "a node's file, from which the other options follow unless they are given",
    ).argParser((file: string) => {
      const node = readNamed(file);
      refuseKeys(command.name(), file, node, refused);
      setOptions(command, file, node);
      return file;
    }),
  );
}

/** Reads `--node` of `labels`: a node's name at the source, or a node's file, from which its keys and class names follow. */
export function namesOrFile(
  command: Command,
): (text: string, before?: readonly string[]) => readonly string[] {
  return (text, before = []) => {
    if (!text.endsWith(".json")) return [...before, text];
    setOptions(command, text, readNamed(text), ["key", "labelKey", "classes"]);
    return before;
  };
}

/** Reads `--node` of `plan` and `flash`: a node's file, or JSON of options without a flag of their own, which override the file's. */
export function nodeParser(command: Command): (text: string, before?: string) => string {
  return (text, before) => {
    if (isJson(text))
      return before === undefined
        ? text
        : JSON.stringify({ ...jsonObject("--node", before), ...jsonObject("--node", text) });
    const node = readNamed(text);
    setOptions(command, text, node);
    const beside = JSON.stringify(besideFlags(node));
    return before === undefined
      ? beside
      : JSON.stringify({ ...JSON.parse(beside), ...jsonObject("--node", before) });
  };
}
