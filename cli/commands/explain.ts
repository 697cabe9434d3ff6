import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { type DataSet, labelledRows, readTable } from "../../host/streams/index.ts";
import { labelledCount } from "../../host/streams/targets.ts";
import { optionsObject, wholeNumber, withFlag } from "../../host/terminal/arguments.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { checkOptionNames, chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { passUnlabelled } from "../../host-sim/prequential/prequential.ts";
import { rangesIn, readNodeFile } from "../../host-sim/scenario/node-file.ts";
import { loadedCopy, optionsIn } from "../../host-sim/state/checked-copy.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import type { NodeCopy } from "../../host-sim/state/node-copy.ts";
import {
  addFileOptions,
  checkWindowScale,
  type DataFlags,
  fileReading,
} from "../../lab/evaluation/data-options.ts";
import { computeTargets, prepare, withRanges } from "../../lab/evaluation/evaluation.ts";
import { explanationText, type NamedExplanation } from "../../lab/evaluation/explanation-text.ts";
import { refuseOutside } from "../../lab/evaluation/features.ts";
import { explainLogged } from "../../lab/evaluation/logged-prediction.ts";
import { makeSamples } from "../../lab/evaluation/one-pass.ts";
import { classesRead, rowsRead } from "../../lab/evaluation/rows-read.ts";
import { measureRanges, scaleRows } from "../../lab/evaluation/scaling.ts";
import { nodeText } from "../../lab/simulation/node-texts.ts";
import type { ComponentRange } from "../../src/dictionary/grid.ts";
import { decidedClass, type Learner } from "../../src/learn/learner.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { type FeaturesOption, featureRanges, resolveFeatures } from "../../src/signal/features.ts";
import { WAVELETS, type Wavelet } from "../../src/signal/wavelet.ts";
import type { Explanation, Part } from "../../tools/explanation/explanation.ts";
import { FeatureMaker } from "../../tools/explanation/feature-maker.ts";
import { featureNames, readingNames } from "../../tools/explanation/feature-names.ts";
import { chooseExplainer } from "../../tools/explanation/one-vs-all-explainer.ts";
import { addNodeFileOption, NOT_EVALUATED, refuseKeys, setOptions } from "../options/node-file.ts";
import { addSpectrumOptions, readSpectrum, type SpectrumFlags } from "../options/spectrum-options.ts";

interface ExplainFlags extends Omit<DataFlags, "shuffle" | "repeat" | "train">, SpectrumFlags {
  /** A node's file. */
  readonly node?: string;
  readonly learner: string;
  readonly log: string;
  readonly at?: number;
  readonly seq?: number;
  readonly options: string;
  readonly window: number;
  readonly wavelet?: Wavelet;
  readonly budget?: number;
  readonly copy?: string;
  readonly json?: boolean;
}

/** The samples as the learner sees them, with the names of its inputs where there are any, and the range of each, for vectors of 16 or 8 bits. */
interface ReadLog {
  readonly train: DataSet;
  readonly inputNames: readonly string[] | undefined;
  /** null: unknown. */
  readonly ranges: readonly ComponentRange[] | null;
}

async function readLog(flags: ExplainFlags, at: number, start?: NodeCopy): Promise<ReadLog> {
  const { log, scale } = flags;
  const features = readFeatures(flags);
  const data = await readTable(log, fileReading(flags));
  const labelled = labelledCount(data);
  if (at > labelled) throw new UserError(`--at ${at}: ${log} has ${labelled} samples with a label`);
  const node = start?.options ?? readNode(flags);
  if (node?.ranges) refuseOutside(data, node.ranges);
  if (scale !== "node") scaleRows(data, scale);
  const names = features ? featureNames(readingNames(data.dimension, data.columns), features) : data.columns;
  const train = features ? withFeatures(data, features, start) : data;
  const known = featureRanges(node?.ranges, features);
  return { train, inputNames: names, ranges: known ?? (node ? null : measureRanges(train)) };
}

/** The file's node, as far as it has what the other options don't. Throws a UserError where only a whole node makes such features. */
function readNode({ node: file }: ExplainFlags): Pick<NodeOptions, "ranges"> | undefined {
  if (file === undefined) return undefined;
  const node = readNodeFile(file);
  refuseKeys("explain --at", file, node, NOT_EVALUATED);
  return { ranges: rangesIn(node) };
}

/** A node standardises what it makes of its readings, so `--scale node` does. Undefined: the readings themselves. */
function readFeatures({ window, wavelet, scale, ...flags }: ExplainFlags): FeaturesOption | undefined {
  const spectrum = readSpectrum(flags);
  const standardise = scale === "node";
  const option = { window, ...(wavelet && { wavelet }), ...(standardise && { standardise }), ...spectrum };
  resolveFeatures(option);
  if (window > 0) checkWindowScale(scale);
  return window > 0 || standardise ? option : undefined;
}

/** The rows with a node's features for readings; all, labelled or not, pass through its windows. */
function withFeatures(data: DataSet, option: FeaturesOption, start?: NodeCopy): DataSet {
  const maker = new FeatureMaker(data.dimension, option);
  if (start) maker.resume(start);
  const { dimension } = maker;
  const rows = new Float32Array(data.count * dimension);
  for (let row = 0; row < data.count; row++) {
    const readings = data.rows.subarray(row * data.dimension, (row + 1) * data.dimension);
    rows.set(maker.next(readings) ?? new Float32Array(dimension).fill(Number.NaN), row * dimension);
  }
  return { ...data, rows, dimension };
}

function readLearner({ learner, options, budget }: ExplainFlags) {
  return { family: chooseFamily(learner), options: withFlag(optionsObject(options), "budget", budget) };
}

/** The node whose memory the samples follow. Throws a UserError where the flags have another one. */
function readStart({ copy: file, ...flags }: ExplainFlags): NodeCopy | undefined {
  if (file === undefined) return undefined;
  const read = readCopy(file);
  const node = optionsIn(file, read);
  const [own, its] = [readFeatures(flags), node.features].map((each) =>
    JSON.stringify(resolveFeatures(each)),
  );
  if (own !== its)
    throw new UserError(
      `--copy ${file}: its node makes other features, ${its}; leave options of features out`,
    );
  return loadedCopy(file, read, node);
}

/** Gives the learner the state of that node's learner. Throws a UserError where it is of another kind. */
function resume({ layout, range }: Learner, start: NodeCopy, file = ""): void {
  const state = start.learnerState;
  if (layout.state !== state.length)
    throw new UserError(`--copy ${file}: its learner has other options; leave options of the learner out`);
  range.f32.bits.set(state, range.state);
}

/** The row of the labelled sample `at`, from 1. */
function labelledRow(targets: Float64Array, at: number): number {
  let left = at;
  return targets.findIndex((target) => !Number.isNaN(target) && --left === 0);
}

/** Learns the samples before the requested one, in the order of the file, and decomposes its prediction. */
async function explanationAt(flags: ExplainFlags, at: number) {
  const { family: named, options: given } = readLearner(flags);
  const start = readStart(flags);
  const { train, inputNames, ranges } = await readLog(flags, at, start);
  const prepared = withRanges(prepare({ family: named, options: given, train }), () => ranges);
  const { family, options } = prepared;
  checkOptionNames(family, options);
  const targets = computeTargets(train, prepared, { train, novel: flags.novel });
  const samples = makeSamples(train, targets, prepared.classes?.count ?? 2);
  const learner = family.create(options);
  if (start) resume(learner, start, flags.copy);
  const explainer = chooseExplainer(learner, family, options, inputNames);
  const end = labelledRow(targets, at);
  const input = samples.input(end);
  if (input.some(Number.isNaN))
    throw new UserError(
      `--at ${at}: a node refuses that sample of ${flags.log}: a reading is missing, or outside its channel's range; take another`,
    );
  let sample = 0;
  for (let row = 0; row < end; row++) {
    if (Number.isNaN(targets[row])) passUnlabelled(learner, samples.input(row));
    else explainer.learn(samples.input(row), targets[row], ++sample);
  }
  return {
    learner: family.name,
    at,
    ...(flags.copy !== undefined && { copy: flags.copy }),
    ...rowsRead(train),
    classes: classesRead(train, prepared.classes),
    ...(inputNames && { inputs: inputNames.map((name, i) => ({ name, value: input[i] })) }),
    ...withNames(explainer.explain(input, labelledRows(train)), prepared.classes),
  };
}

/** The classes of a decision, of the class that it is against, and of the parts' labels, where classes have names. */
function withNames<E extends Pick<Explanation, "decision" | "parts" | "against">>(
  explanation: E,
  classes?: ClassNames,
) {
  if (!classes || classes.isNumbered) return explanation;
  const { decision, parts, against } = explanation;
  const labelName = (label: string | number | null) =>
    label === null ? undefined : classes.targetName(classes.labelTarget(label));
  const nameParts = (parts: readonly Part[]) =>
    parts.map((part) => ({ ...part, class: labelName(part.label) }));
  const target = decidedClass(classes.isMulticlass ? "multiclass" : "classification", decision);
  return {
    ...explanation,
    class: classes.targetName(target),
    parts: nameParts(parts),
    ...(against && {
      against: { ...against, class: classes.targetName(against.target), parts: nameParts(against.parts) },
    }),
  };
}

/** The names that are given for a log's classes. Throws a UserError unless there is one for each of the learner's classes. */
function readClassNames({ classes }: ExplainFlags, count = 2): ClassNames | undefined {
  if (classes === undefined) return undefined;
  if (classes.length === count && new Set(classes).size === count) return new ClassNames(classes);
  throw new UserError(
    `--classes ${classes.join(",")}: the learner has ${count === 2 ? "two" : count} classes; give ${count === 2 ? "two names" : "as many names"}`,
  );
}

/** What only a node's file says of its features. */
function readWholeNode(file: string): Pick<NodeOptions, "ranges"> & FeaturesOption {
  const node = readNodeFile(file);
  const { horizon, stepAfter } = node;
  return { ranges: rangesIn(node), ...(horizon && { horizon }), ...(stepAfter && { stepAfter }) };
}

/** Flags that say how a file is read: a log has one way. */
const OF_FILES = ["format", "columns", "label", "header", "novel"] as const;

/** Decomposes the prediction that a node sent. */
async function explanationLogged(flags: ExplainFlags, seq: number) {
  const { log, node, scale, missing = "refuse" } = flags;
  const flag = OF_FILES.find((name) => flags[name] !== undefined);
  const isFitted = scale === "minmax" || scale === "standard";
  if (flag ?? (isFitted || missing !== "refuse"))
    throw new UserError(
      `--${flag ?? (isFitted ? "scale" : "missing")}: --seq explains what a node predicted, from its own readings; leave it out, or take --at`,
    );
  const { ranges, ...more } = node === undefined ? {} : readWholeNode(node);
  const features = { ...readFeatures(flags), ...more };
  const learner = readLearner(flags);
  const names = readClassNames(flags, learner.options.classes as number | undefined);
  const explained = await explainLogged({ ...learner, features, ranges }, log, seq);
  return { file: log, ...withNames(explained, names) };
}

function makeExplanation(flags: ExplainFlags): Promise<NamedExplanation> {
  const { at, seq, copy } = flags;
  if (copy !== undefined && seq !== undefined)
    throw new UserError("--copy: the samples of --log follow it; takes --at in place of --seq");
  if (at !== undefined && seq === undefined) return explanationAt(flags, at);
  if (seq !== undefined && at === undefined) return explanationLogged(flags, seq);
  throw new UserError("takes either --at or --seq");
}

export function addExplain(program: Command): void {
  const command = program
    .command("explain")
    .description(
      "explain a prediction: the contribution of each stored vector, weight or member, and the source of its label; of several classes for the decided one and the second",
    )
    .requiredOption("--learner <name>", "one of `motelearn learners`, but oskm and robust-z")
    .requiredOption(
      "--log <file>",
      "samples and labels, in the order of learning: CSV, NDJSON or LIBSVM, or a log of `monitor`",
    )
    .option(
      "--at <n>",
      "the sample to explain, from 1, of those that have a label; those before it are learned; rows that --missing skips don't count",
      wholeNumber(1),
    )
    .option(
      "--seq <n>",
      "in place of --at, for a log of `monitor`: explain what the node predicted on its sample n, with the labels that it had by then; give the node's learner, budget, options and features",
      wholeNumber(1),
    )
    .option("--options <json>", "options of the learner, one JSON object", "{}")
    .option(
      "--budget <b>",
      "the most vectors that a learner stores (default: the learner's)",
      wholeNumber(1),
    );
  addSpectrumOptions(
    command
      .option(
        "--window <n>",
        "features of each reading over the last n samples, those without a label, too",
        wholeNumber(0, 65536),
        0,
      )
      .addOption(new Option("--wavelet <name>", "bands of its windows").choices(WAVELETS)),
  );
  addFileOptions(addNodeFileOption(command))
    .option(
      "--copy <file>",
      "the samples follow this state, a file of `evaluate --save`, which gives the learner, its options and features",
      (file: string) => {
        const copy = readCopy(file);
        setOptions(command, file, nodeText(copy.learner, optionsIn(file, copy)));
        return file;
      },
    )
    .option("--json", "print motelearn.explain/1")
    .action(async (flags: ExplainFlags) => {
      const explanation = await makeExplanation(flags);
      if (flags.json) printJson({ schema: "motelearn.explain/1", ...explanation });
      else printText(explanationText(explanation));
    });
}
