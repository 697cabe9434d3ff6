import { type Command, Option } from "commander";
import { countText } from "../../host/count-text.ts";
import { UserError } from "../../host/errors.ts";
import { addCsvOption, checkCsv, writeCsv } from "../../host/files/csv-files.ts";
import { namedColumns, readStored, type SampleTable } from "../../host/streams/index.ts";
import { labelsIn } from "../../host/streams/targets.ts";
import { optionsObject, wholeNumber, withFlag } from "../../host/terminal/arguments.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import {
  channelCount,
  type NodeText,
  rangesIn,
  readNodeFile,
  stateOptions,
} from "../../host-sim/scenario/node-file.ts";
import { evaluatedRows, PassCurves } from "../../lab/evaluation/csv.ts";
import {
  addFileOptions,
  addOrderOptions,
  addSamplingOptions,
  addTrainOption,
  checkWindowScale,
  type DataFlags,
  fileReading,
  shuffleSeed,
} from "../../lab/evaluation/data-options.ts";
import { evaluate } from "../../lab/evaluation/evaluation.ts";
import { computeFeatures, withinRanges } from "../../lab/evaluation/features.ts";
import { addLabelOptions, type LabelFlags, labelPath } from "../../lab/evaluation/label-options.ts";
import { addPredictionsOption, checkPredictions, Predictions } from "../../lab/evaluation/predictions.ts";
import { checkSave, saveTrained } from "../../lab/evaluation/saved-state.ts";
import { findSecondLabels } from "../../lab/evaluation/second-labels.ts";
import { renderEvaluation } from "../../lab/evaluation/text.ts";
import { trainedOptions } from "../../lab/evaluation/trained-node.ts";
import type { Family } from "../../src/learn/family.ts";
import { type FeaturesOption, featureRanges } from "../../src/signal/features.ts";
import { WAVELETS, type Wavelet } from "../../src/signal/wavelet.ts";
import { noteImport } from "../options/import-note.ts";
import { addNodeFileOption, NOT_EVALUATED } from "../options/node-file.ts";
import { addSpectrumOptions, readSpectrum, type SpectrumFlags } from "../options/spectrum-options.ts";

/** Columns that a message names. */
const NAMED_MAX = 8;

interface EvaluateFlags extends DataFlags, LabelFlags, SpectrumFlags {
  readonly learner: string;
  /** A node's file. */
  readonly node?: string;
  readonly plugin: readonly string[];
  readonly test?: string;
  readonly options: string;
  readonly budget?: number;
  readonly window?: number;
  readonly wavelet?: Wavelet;
  readonly json?: boolean;
  readonly csv?: string;
  readonly predictions?: string;
  readonly save?: string;
}

/** Throws a UserError for an option that says how labels are read, of a learner that reads them otherwise. */
function checkLabelOptions({ novel, classes }: EvaluateFlags, { name, task }: Family): void {
  if (novel !== undefined && task !== "novelty")
    throw new UserError(`--novel: goes with a learner for novelty; ${name} is for ${task}`);
  if (classes && task === "regression")
    throw new UserError(`--classes: goes with a learner of classes; ${name} is for regression`);
}

/** Throws a UserError where the node has another number of readings than the file. */
function checkChannels({ source, dimension, roles }: SampleTable, node: NodeText, file: string): void {
  const channels = channelCount(node);
  if (dimension === channels) return;
  const own = roles && ` (${namedColumns(roles).features.slice(0, NAMED_MAX).join(", ")})`;
  const names = Array.isArray(node.channels) ? ` (${node.channels.map(({ name }) => name).join(", ")})` : "";
  const what = `${source}: ${countText(dimension, "reading")} a sample${own ?? ""}; ${file} has ${channels}${names}`;
  const sampling = (node.burst ?? 1) > 1 ? "say with --rate how many rows a second it has, " : "";
  throw new UserError(`${what}; ${sampling}choose its readings with --columns, or import the file`);
}

/**
 * Reads the train file, and the test file with the same columns; refuses a class that only the test file has.
 */
async function readFiles(
  flags: EvaluateFlags,
  family: Family,
  dimension: unknown,
  node: NodeText | undefined,
): Promise<SampleTable[]> {
  const choice = fileReading(flags);
  const wanted =
    Number.isInteger(dimension) && (dimension as number) > 0 ? { dimension: dimension as number } : {};
  const train = await readStored(flags.train, { ...choice, ...wanted });
  if (node && flags.node !== undefined) checkChannels(train, node, flags.node);
  if (flags.test === undefined) return [train];
  const hasClasses = family.task === "classification" || family.task === "multiclass";
  const knownLabels =
    hasClasses && !flags.classes ? (train.labelNames ?? (labelsIn(train) as number[])) : undefined;
  return [
    train,
    await readStored(flags.test, { ...choice, like: train.roles, dimension: train.dimension, knownLabels }),
  ];
}

/** The features that the flags make of readings; undefined: the readings. */
function readFeatures(flags: EvaluateFlags): FeaturesOption | undefined {
  const { window, wavelet, scale } = flags;
  const features = { ...(window && { window }), ...(wavelet && { wavelet }), ...readSpectrum(flags) };
  if (Object.keys(features).length === 0) return undefined;
  checkWindowScale(scale);
  return features;
}

/** Throws a UserError where a file can't be written after the run. */
function checkOutputs(flags: EvaluateFlags): void {
  const { csv, train, test } = flags;
  checkCsv(csv, test === undefined ? [train] : [train, test]);
  checkPredictions(flags);
  checkSave(flags);
}

async function run(flags: EvaluateFlags): Promise<void> {
  const start = performance.now();
  const catalogue = await catalogueWith(flags.plugin);
  const family = chooseFamily(flags.learner, catalogue);
  checkLabelOptions(flags, family);
  const path = labelPath(flags, flags.train, catalogue);
  const node = flags.node === undefined ? undefined : readNodeFile(flags.node);
  const ranges = node && rangesIn(node);
  const options = withFlag(optionsObject(flags.options), "budget", flags.budget);
  checkOutputs(flags);
  const features = readFeatures(flags);
  const files = await readFiles(flags, family, features ? undefined : options.dimension, node);
  const read = ranges ? files.map((readings) => withinRanges(readings, ranges)) : files;
  const [train, test] = features ? read.map((readings) => computeFeatures(readings, features)) : read;
  const shuffle = shuffleSeed(flags);
  const { repeat, novel, scale } = flags;
  const curves = flags.csv === undefined ? undefined : new PassCurves(train.count);
  const predictions = flags.predictions === undefined ? undefined : new Predictions();
  const watch = (pass: number) => ({ ...curves?.watch(pass), ...predictions?.watch });
  const nodeRanges =
    node && (featureRanges(ranges, { ...features, standardise: flags.scale === "node" }) ?? null);
  const secondLabels = node === undefined ? findSecondLabels(files[0], flags) : undefined;
  const what = {
    ...{ family, options, train, test, secondLabels },
    ...{ scale, shuffle, repeat, novel, ranges: nodeRanges, path, catalogue, watch },
  };
  const others = node ? { ...stateOptions(node), ranges } : {};
  const trained = flags.save === undefined ? undefined : trainedOptions(what, others);
  const result = evaluate(what);
  if (trained && flags.save !== undefined) saveTrained(flags.save, trained, what, result.stateHash);
  train.close();
  test?.close();
  const seconds = (performance.now() - start) / 1000;
  const { learner, ...rest } = result;
  if (flags.json) printJson({ schema: "motelearn.evaluate/1", learner, scale, ...rest, timing: { seconds } });
  else printText(renderEvaluation(result, seconds));
  await noteImport(flags.train, flags, files[0].roles && namedColumns(files[0].roles));
  if (flags.csv !== undefined) writeCsv(flags.csv, evaluatedRows(result), curves?.all(result) ?? []);
  if (flags.predictions !== undefined) predictions?.write(flags.predictions, result);
}

export function addEvaluate(program: Command): void {
  const command = program
    .command("evaluate")
    .description("run a learner once over a data file, then over a test file: classes, numbers or novelties")
    .requiredOption(
      "--learner <name>",
      "learner, see `motelearn learners`; more than two classes: one-vs-all if need be",
    );
  addTrainOption(command)
    .option("--test <file>", "samples to predict afterwards, without learning")
    .option(
      "--options <json>",
      "options of the learner, one JSON object; dimension and classes follow from the data",
      "{}",
    )
    .option(
      "--budget <b>",
      "the most vectors that a learner stores (default: the learner's)",
      wholeNumber(1),
    );
  addSpectrumOptions(command)
    .option(
      "--window <n>",
      "features of each reading over its last n samples, as a node's",
      wholeNumber(1, 65536),
    )
    .addOption(new Option("--wavelet <name>", "with --window: its bands by this wavelet").choices(WAVELETS));
  addNodeFileOption(command, NOT_EVALUATED);
  addCsvOption(
    addPluginOption(addFileOptions(addSamplingOptions(addLabelOptions(addOrderOptions(command))))),
  );
  addPredictionsOption(command)
    .option(
      "--save <file>",
      "write the memory of a node that learned the train file, for `rollback --copy`: one pass, --scale node or none, a shipped learner",
    )
    .option("--json", "print motelearn.evaluate/1")
    .action(run);
}
