import { UserError } from "../../host/errors.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { badRowsText, byNode, type DataSet, readTable, type TableOptions } from "../../host/streams/index.ts";
import { classRule, labelsIn, noveltyTargets } from "../../host/streams/targets.ts";
import { printNote } from "../../host/terminal/print.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import type { DueLabel } from "../../src/peer/labels.ts";
import { MemorySupply, type StoredSamples } from "./memory-supply.ts";
import { SESSION } from "./supply.ts";
import type { TaughtNode } from "./taught-node.ts";

/** How a recorded stream becomes labels. */
interface FileOptions {
  /** The label of a novelty, for a novelty learner; every other label is normal. Default: -1 is, or the first of two names. */
  readonly novel?: string;
  /** How many samples may be fed beyond the last one whose label the node processed; no more than may wait for a label. */
  readonly ahead: number;
}

/**
 * A recorded stream's nodes, in the order of their first rows. A note names bad rows that were skipped. Throws a StreamError that names file
 * and line.
 */
export async function readRecording(
  file: string,
  reading: TableOptions = { optionNames: {} },
): Promise<ReadonlyMap<string, DataSet>> {
  const data = await readTable(file, { ...reading, unlabelled: true, provenance: true });
  if (data.badRows) printNote(badRowsText(data.badRows));
  return byNode(data);
}

/** The targets of a stream's rows, NaN where a row has none, and the classes that they mean, in words. */
interface Targets {
  readonly targets: Float64Array;
  readonly mapping?: string;
}

/** Numbers as they are: of a regression, or a learner that isn't known here. */
function numericTargets(data: DataSet, { task }: TaughtNode): Targets {
  const { source, labelNames, labels } = data;
  if (!labelNames) return { targets: labels };
  const takes =
    task === "regression"
      ? "the node's learner estimates numbers; choose their column with --label"
      : "which classes are they? Give --classes, in the order of the node's";
  throw new UserError(`${source}: labels are words (${labelNames.slice(0, 3).join(", ")}); ${takes}`);
}

/** The classes by which a stream's labels are read. Throws a UserError that names those tried. */
function classesFor(data: DataSet, classes: ClassNames): ClassNames {
  try {
    return classes.forRecording(labelsIn(data));
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    const cure = classes.isNumbered
      ? "name the node's classes by --classes, in the order of their targets"
      : "correct the labels, or choose their column with --label";
    const what = `label ${error.got}: the node's classes are ${classes.text}`;
    throw new UserError(`${data.source}: ${what}; ${cure}`);
  }
}

/** The told label is a novelty, every other normal. */
function toldNovelty(data: DataSet, told: string): Targets {
  const labels = labelsIn(data).map(String);
  const shown = labels.slice(0, 8).join(", ");
  if (!labels.includes(told))
    throw new UserError(`--novel ${told}: ${data.source} has no such label; it has ${shown}`);
  const targets = noveltyTargets(data, (label) => String(label) === told);
  return { targets, mapping: `${told} -1, any other +1` };
}

/** True if labels of a novelty detector without names could mean either: their zeros or ones. */
function isEither(data: DataSet, { task, classes }: TaughtNode): boolean {
  return task === "novelty" && classes?.isNumbered === true && labelsIn(data).includes(0);
}

/** The node's classes, by the names that the file's description has for them where the node has none. */
function classesKnown({ classes: named }: DataSet, { task, classes }: TaughtNode): ClassNames | undefined {
  if (!named || task === "regression") return classes;
  if (!classes) return new ClassNames(named);
  const isNamed = !classes.isNumbered || classes.count !== named.length;
  return isNamed ? classes : new ClassNames(named, classes.isMulticlass);
}

/** Each row's label as the node's target. Throws a UserError for labels that are none. */
function nodeTargets(data: DataSet, pupil: TaughtNode, novel: string | undefined): Targets {
  if (novel !== undefined && pupil.task === "novelty") return toldNovelty(data, novel);
  const known = classesKnown(data, pupil);
  if (!known) return numericTargets(data, pupil);
  if (isEither(data, pupil))
    throw new UserError(`${data.source}: which label is the novelty, 0 or 1? Give --novel`);
  const classes = classesFor(data, known);
  return { targets: data.labels.map(classRule(data, classes)), mapping: classes.text };
}

/** Throws a UserError if no row of that node has a label. */
export function checkLabelled(node: string, data: DataSet): void {
  if (!data.labels.every(Number.isNaN)) return;
  throw new UserError(
    `${data.source}: no row of ${node || "it"} has a label; give a stream with labels, or their column with --label`,
  );
}

/** A recorded stream as labels and samples for that node: row i is sample i, and each label comes with its sample. */
export function fileSupply(
  node: string,
  data: DataSet,
  pupil: TaughtNode,
  options: FileOptions,
): MemorySupply {
  const { targets, mapping } = nodeTargets(data, pupil, options.novel);
  const ahead = Math.min(options.ahead, pupil.pending);
  const { source, confidence } = data.provenance ?? {};
  const labels: DueLabel[] = [];
  const upTo = new Uint32Array(data.count);
  targets.forEach((y, row) => {
    const seq = row + 1;
    const origin = { source: source?.[row], confidence: confidence?.[row] };
    if (!Number.isNaN(y))
      labels.push({ number: labels.length + 1, sid: SESSION, seq, y, due: seq, ...origin });
    upTo[row] = labels.length;
  });
  const after = upTo.map((_, row) => (row < ahead ? 0 : upTo[row - ahead]));
  const end = { labels: labels.length, samples: data.count };
  const samples = { channels: data.dimension, readings: data.rows, after };
  return new MemorySupply(node, labels, samples, end, undefined, mapping);
}

/** A recorded stream's samples alone, for a node with another source of labels. */
export function fileSamples(data: DataSet): StoredSamples {
  return { channels: data.dimension, readings: data.rows, after: new Uint32Array(data.count) };
}
