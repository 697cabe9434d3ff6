import { statSync } from "node:fs";
import { UserError } from "../../host/errors.ts";
import {
  type DataSet,
  type NamedColumns,
  namedColumns,
  type TableOptions,
} from "../../host/streams/index.ts";
import type { NodeReplay } from "../../host-sim/network/journal.ts";
import { type NetworkChoice, simulatedReplays } from "../fusion/replays.ts";
import { type CentreLinkEvents, type CentreOptions, CentreSupply } from "./centre-supply.ts";
import { checkLabelled, fileSupply, readRecording } from "./file-supply.ts";
import { replaySupply } from "./memory-supply.ts";
import type { Supply } from "./supply.ts";
import type { TaughtNode } from "./taught-node.ts";

export interface SourceOptions extends Omit<NetworkChoice, "scenario">, CentreOptions {
  readonly from: string;
  readonly novel?: string;
  readonly ahead: number;
  /** How a recorded stream is read. */
  readonly reading?: TableOptions;
}

/** A source of labels for any number of nodes. */
export interface Source {
  /** What the columns of a recorded stream are, where it is CSV. */
  readonly columns?: NamedColumns;
  /** Throws a UserError if it is known to have no label for that node, which is `wanted` as in `supply`. */
  check(wanted: string | number): void;
  /** The labels of one node. `wanted`: its name at the source, or its place there, from 1. */
  supply(wanted: string | number, pupil: TaughtNode, events: CentreLinkEvents): Promise<Supply>;
}

interface RecordedNode {
  readonly name: string;
  readonly data: DataSet;
}

const FUSION = "fusion:";
const FILE = "file:";

/** The kind of a path: a device with a fusion centre behind it, or a recorded stream. */
function isDevice(path: string): boolean {
  if (/^COM\d+$/i.test(path)) return true;
  try {
    return statSync(path).isCharacterDevice();
  } catch {
    return path.startsWith("/dev/");
  }
}

/** The requested node, by name or place. */
export function findNode<T>(
  nodes: readonly (readonly [name: string, T])[],
  wanted: string | number,
  what: string,
): T {
  const found = nodes.find(([name], i) => name === wanted || i + 1 === wanted);
  if (found) return found[1];
  const names = nodes.map(([name]) => name || "one without a name").join(", ");
  throw new UserError(`${what}: no node ${wanted}; there ${nodes.length === 1 ? "is" : "are"} ${names}`);
}

/** Opens what `--from` names. Throws a UserError or StreamError for what can't be read. */
export async function openSource(options: SourceOptions): Promise<Source> {
  const { from } = options;
  if (from.startsWith(FUSION)) return replaySource(from, options);
  if (/^(tcp|unix):/.test(from) || isDevice(from)) {
    const supply: Source["supply"] = (wanted, _, events) => CentreSupply.open(from, wanted, options, events);
    return { check: () => {}, supply }; // the centre answers that on subscription
  }
  return fileSource(from.startsWith(FILE) ? from.slice(FILE.length) : from, options);
}

async function replaySource(from: string, options: SourceOptions): Promise<Source> {
  const scenario = from.slice(FUSION.length) || undefined;
  const replays = await simulatedReplays({ ...options, scenario });
  const nodes = replays.map((replay): [string, NodeReplay] => [replay.node, replay]);
  const findNamed = (wanted: string | number) => findNode(nodes, wanted, from);
  return { check: findNamed, supply: async (wanted) => replaySupply(findNamed(wanted)) };
}

async function fileSource(file: string, { learner, novel, ahead, reading }: SourceOptions): Promise<Source> {
  if (learner !== undefined)
    throw new UserError(
      `--learner ${learner}: is for fusion:SCENARIO; the labels of ${file} are for the node's own learner`,
    );
  const nodes = Array.from(await readRecording(file, reading), ([name, data]): [string, RecordedNode] => [
    name,
    { name, data },
  ]);
  const findNamed = (wanted: string | number) => findNode(nodes, wanted, file);
  const [[, { data: first }]] = nodes;
  return {
    ...(first.roles && { columns: namedColumns(first.roles) }),
    check: (wanted) => {
      const { name, data } = findNamed(wanted);
      checkLabelled(name, data);
    },
    supply: async (wanted, pupil) => {
      const { name, data } = findNamed(wanted);
      return fileSupply(name, data, pupil, { novel, ahead });
    },
  };
}
