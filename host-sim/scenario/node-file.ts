import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { readBounded } from "../../host/bounded-file.ts";
import { placed, UserError } from "../../host/errors.ts";
import { writeLines, writeWhole } from "../../host/files/table-file.ts";
import { parseFiniteJson } from "../../host/json.ts";
import { schemaFault } from "../../host/schema-fault.ts";
import type { Range, Ranges } from "../../src/node/ranges.ts";
import { NODE_SCHEMA, type NODE_VERSION } from "./node-schema.ts";
import type { NodeSettings } from "./scenario.ts";

/** A reading of a node, as its file has it. */
export interface ChannelText {
  readonly name?: string;
  readonly unit?: string;
  readonly range?: Range | null;
}

/** A node's file. `NODE_SCHEMA` explains each key. */
export interface NodeText
  extends Partial<Omit<NodeSettings, "ranges" | "turnMs" | "fed" | "labelRange" | "labelFlips">> {
  readonly schema: typeof NODE_VERSION;
  readonly learner: string;
  readonly options?: { readonly [name: string]: unknown };
  readonly channels: number | readonly ChannelText[];
  readonly classes?: number | readonly string[];
  readonly labelRange?: readonly number[];
  readonly labelFlips?: readonly unknown[];
  readonly labelBudget?: number;
  readonly fleetBudget?: number;
  readonly labelWindow?: number;
  readonly checkpointMs?: number;
  readonly board?: string;
  readonly sdkBoard?: string;
  readonly wire?: string;
  readonly sensors?: readonly object[];
  readonly key?: string;
  readonly labelKey?: string;
  readonly wifi?: string;
}

/** Keys that name files, relative to the node file's folder. */
const FILES = ["key", "labelKey", "wifi", "state"] as const;

let compiled: ValidateFunction<NodeText> | undefined;

function nodeCheck(): ValidateFunction<NodeText> {
  const options = { verbose: true, allowUnionTypes: true, meta: false, validateSchema: false } as const;
  compiled ??= new Ajv({ ...options, code: { optimize: false } }).compile<NodeText>(NODE_SCHEMA);
  return compiled;
}

/**
 * Reads and checks a node's file; the files that it names are then relative to `folder`, as the file itself is. Throws a UserError that names
 * file and key.
 */
export function readNodeFile(file: string, folder = "."): NodeText {
  const path = resolve(folder, file);
  const node = placed(file, () => parseFiniteJson(readBounded(path)), "give a node file");
  const check = nodeCheck();
  if (!check(node))
    throw new UserError(`${file}: ${describeFault((check.errors as ErrorObject[]).at(-1) as ErrorObject)}`);
  const at = (path: string) => (isAbsolute(path) ? path : join(dirname(file), path));
  const named = FILES.flatMap((key) => (node[key] === undefined ? [] : [[key, at(node[key])]]));
  return { ...node, ...Object.fromEntries(named) };
}

/** Writes a node's file; the files that it names are found from it. Throws a UserError that begins with the option. */
export function writeNodeFile(file: string, node: NodeText, option: string): void {
  const at = (path: string) => relative(dirname(file), path);
  const named = FILES.flatMap((key) => (node[key] === undefined ? [] : [[key, at(node[key])]]));
  const keys = Object.entries({ ...node, ...Object.fromEntries(named) }).filter(
    ([, value]) => value !== undefined,
  );
  const text = `{\n${keys.map(([key, value]) => `  "${key}": ${JSON.stringify(value)}`).join(",\n")}\n}`;
  writeWhole(file, option, (part) => writeLines(part, [text]));
}

function describeFault(error: ErrorObject): string {
  if (error.keyword === "not")
    return "options: dimension and classes follow from channels and classes; leave them out";
  return schemaFault(error, "the node");
}

/** Readings in a sample. */
export function channelCount({ channels }: NodeText): number {
  return typeof channels === "number" ? channels : channels.length;
}

/** The possible values of its readings; undefined: any. */
export function rangesIn({ channels }: NodeText): Ranges | undefined {
  if (typeof channels === "number" || channels.every(({ range }) => !range)) return undefined;
  return channels.map(({ range }) => range ?? null);
}

/** An option of a command as its line has it: undefined where the file doesn't say, "" without a value. */
export type NodeFlag = readonly [key: keyof NodeText, flag: string, value: string | undefined];

function optionsJson(options: object): string | undefined {
  const text = JSON.stringify(options);
  return text === "{}" ? undefined : text;
}

/** A node's options, besides its learner's and features', that decide which states are its own, and not what it learns from a data file. */
export function stateOptions({
  coverage,
  coverageBy,
  labelFlips,
  grossLabels,
  labelWindow,
  fleetBudget,
}: NodeText) {
  return { coverage, coverageBy, labelFlips, grossLabels, labelWindow, fleetBudget };
}

/** What `flash --node` takes as JSON: its options without a flag of their own. */
export function besideFlags(node: NodeText) {
  const { labelBudget, coverage, coverageBy, labelFlips, grossLabels, drift, labelRange, labelWindow } = node;
  const { fleetBudget, wavelet, horizon, stepAfter } = node;
  const ranges = rangesIn(node);
  const ofLabels = { labelBudget, coverage, coverageBy, labelFlips, grossLabels, drift };
  return { ...ofLabels, ranges, labelRange, labelWindow, fleetBudget, wavelet, horizon, stepAfter };
}

/** The one table of what a node's file means: the options of `flash` that its keys are, in the order of a command line. */
export function flashFlags(node: NodeText): NodeFlag[] {
  const { budget, ...others } = node.options ?? {};
  const { sleep, standardise, lines } = node;
  const json = (value: object | undefined) => value && JSON.stringify(value);
  return [
    ["board", "--target", node.board],
    ["learner", "--learner", node.learner],
    ["channels", "--dimension", `${channelCount(node)}`],
    ["options", "--budget", budget?.toString()],
    ["classes", "--classes", node.classes?.toString()],
    ["options", "--options", optionsJson(others)],
    ["pending", "--pending", node.pending?.toString()],
    ["window", "--window", node.window?.toString()],
    ["bands", "--bands", node.bands?.toString()],
    ["lines", "--lines", lines && lines.length > 0 ? lines.join(",") : undefined],
    ["burst", "--burst", node.burst?.toString()],
    [
      "standardise",
      standardise ? "--standardise" : "--no-standardise",
      standardise === undefined ? undefined : "",
    ],
    ["channels", "--node", optionsJson(besideFlags(node))],
    ["checkpointEvery", "--checkpoint-every", node.checkpointEvery?.toString()],
    ["checkpointMs", "--checkpoint-ms", node.checkpointMs?.toString()],
    ["periodMs", "--period", node.periodMs?.toString()],
    ["sleep", "--sleep", sleep && ""],
    ["sleep", "--talk-every", sleep?.talkEvery?.toString()],
    ["sleep", "--talk-ms", sleep?.talkMs?.toString()],
    ["sdkBoard", "--board", node.sdkBoard],
    ["wire", "--wire", node.wire],
    ["key", "--key", node.key],
    ["labelKey", "--label-key", node.labelKey],
    ["wifi", "--wifi", node.wifi],
    ["sensors", "--sensors", json(node.sensors)],
    ["state", "--state", node.state],
  ];
}

/** Options of other commands that mean a key, too. */
export function otherFlags({ wavelet, standardise }: NodeText): NodeFlag[] {
  const scale = standardise ? "node" : "none";
  return [
    ["wavelet", "--wavelet", wavelet === "none" ? undefined : wavelet],
    ["standardise", "--scale", standardise === undefined ? undefined : scale],
  ];
}
