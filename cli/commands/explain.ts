import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { printable } from "../../host/printable.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { type DataSet, labelledRows, readTable } from "../../host/streams/index.ts";
import { labelledCount } from "../../host/streams/targets.ts";
import { optionsObject, wholeNumber, withFlag } from "../../host/terminal/arguments.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { table } from "../../host/terminal/table.ts";
import { checkOptionNames, chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { passUnlabelled } from "../../host-sim/prequential/prequential.ts";
import { loadedCopy, optionsIn } from "../../host-sim/state/checked-copy.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import type { NodeCopy } from "../../host-sim/state/node-copy.ts";
import { addFileOptions, type DataFlags, fileReading } from "../../lab/evaluation/data-options.ts";
import { computeTargets, prepare } from "../../lab/evaluation/evaluation.ts";
import { explainLogged } from "../../lab/evaluation/logged-prediction.ts";
import { makeSamples } from "../../lab/evaluation/one-pass.ts";
import {
  type ClassesRead,
  classesRead,
  type RowsRead,
  rowLines,
  rowsRead,
} from "../../lab/evaluation/rows-read.ts";
import { scaleRows } from "../../lab/evaluation/scaling.ts";
import { nodeText } from "../../lab/simulation/node-texts.ts";
import { decidedClass, type Learner } from "../../src/learn/learner.ts";
import { type FeaturesOption, resolveFeatures } from "../../src/signal/features.ts";
import { WAVELETS, type Wavelet } from "../../src/signal/wavelet.ts";
import type { ClassValue, Explanation, Part } from "../../tools/explanation/explanation.ts";
import { FeatureMaker } from "../../tools/explanation/feature-maker.ts";
import { featureNames, readingNames } from "../../tools/explanation/feature-names.ts";
import type { Vote } from "../../tools/explanation/fleet-vote.ts";
import { chooseExplainer } from "../../tools/explanation/one-vs-all-explainer.ts";
import { addNodeFileOption, setOptions } from "../options/node-file.ts";
import { addSpectrumOptions, readSpectrum, type SpectrumFlags } from "../options/spectrum-options.ts";

interface ExplainFlags extends Omit<DataFlags, "shuffle" | "repeat" | "train">, SpectrumFlags {
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

const DIGITS = 6;

/** The samples as the learner sees them, with the names of its inputs where there are any. */
async function readLog(
  flags: ExplainFlags,
  at: number,
  start?: NodeCopy,
): Promise<{ train: DataSet; inputNames?: string[] }> {
  const { log, scale } = flags;
  const features = readFeatures(flags);
  const data = await readTable(log, fileReading(flags));
  if (scale !== "node") scaleRows(data, scale);
  const labelled = labelledCount(data);
  if (at > labelled) throw new UserError(`--at ${at}: ${log} has ${labelled} samples with a label`);
  if (!features) return { train: data, ...(data.columns && { inputNames: data.columns }) };
  const inputNames = featureNames(readingNames(data.dimension, data.columns), features);
  return { train: withFeatures(data, features, start), inputNames };
}

/** A node standardises what it makes of its readings, so `--scale node` does. Undefined: the readings themselves. */
function readFeatures({ window, wavelet, scale, ...flags }: ExplainFlags): FeaturesOption | undefined {
  const spectrum = readSpectrum(flags);
  const standardise = scale === "node";
  const option = { window, ...(wavelet && { wavelet }), ...(standardise && { standardise }), ...spectrum };
  resolveFeatures(option);
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
  const { train, inputNames } = await readLog(flags, at, start);
  const prepared = prepare({ family: named, options: given, train });
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
    throw new UserError(`--at ${at}: that sample of ${flags.log} lacks a reading; take another`);
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

/** Flags that say how a file is read: a log has one way. */
const OF_FILES = ["format", "columns", "label", "header", "novel"] as const;

/** Decomposes the prediction that a node sent. */
async function explanationLogged(flags: ExplainFlags, seq: number) {
  const { log, scale, missing = "refuse" } = flags;
  const flag = OF_FILES.find((name) => flags[name] !== undefined);
  const isFitted = scale === "minmax" || scale === "standard";
  if (flag ?? (isFitted || missing !== "refuse"))
    throw new UserError(
      `--${flag ?? (isFitted ? "scale" : "missing")}: --seq explains what a node predicted, from its own readings; leave it out, or take --at`,
    );
  const features = readFeatures(flags) ?? {};
  const learner = readLearner(flags);
  const names = readClassNames(flags, learner.options.classes as number | undefined);
  const explained = await explainLogged({ ...learner, features }, log, seq);
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

function number(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}

/** The parts, the largest first, and what they come to. `never`: what stands for the sample of a part that none changed. */
function valueLines({ parts, sum, after, bits }: NamedValue, never: string, value: string): string[] {
  const largest = [...parts].sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  const rows = largest.map((part) => [
    ...[
      part.input ? `${part.of}: ${part.input}` : part.of,
      number(part.part),
      number(part.weight),
      number(part.by),
    ],
    ...[part.sample ?? never, printable(`${part.class ?? part.label ?? ""}`), part.source || ""],
  ]);
  return [
    table(rows, {
      head: ["of", "part", "weight", "times", "sample", "label", "source"],
      aligns: ["left", "right", "right", "right", "right", "left", "right"],
    }),
    "",
    `sum of the parts ${number(sum)}${after.map((step) => `, ${step}`).join("")}: bits ${bits}, the same as ${value}'s`,
  ];
}

/** ", class wet: 0.6", and of two classes ", class wet", where it has a name. */
function classText({ class: name, decision, score }: NamedExplanation): string {
  if (score === undefined) return name === undefined ? "" : `, class ${name}`;
  return `, class ${name ?? decision}: ${number(score)}`;
}

function explanationText(explanation: NamedExplanation): string {
  const { learner, file, inputs, decision, against } = explanation;
  const never = explanation.copy === undefined ? "never" : "before";
  const second = against && printable(`${against.class ?? against.target}`);
  return [
    printable(
      `${learner} on ${placeText(explanation)} of ${file}: decision ${number(decision)}${classText(explanation)}`,
    ),
    ...(explanation.count === undefined ? [] : rowLines(explanation as RowsRead, explanation.classes)),
    ...(explanation.vote ? [voteText(explanation.vote, learner)] : []),
    "",
    ...(inputs ? [inputTable(inputs), ""] : []),
    ...valueLines(explanation, never, against ? "the class" : "the decision"),
    ...(against
      ? [
          "",
          `against class ${second}: ${number(against.score)}`,
          "",
          ...valueLines(against, never, "the class"),
        ]
      : []),
  ].join("\n");
}

/** Who judged: the model of the node's fleet or its own learner, and why. */
function voteText({ judge, labels, own, fleet, model }: Vote, learner: string): string {
  const form = model.vectors === 0 ? "a plane" : `${model.vectors} vectors`;
  const [less, more] = judge === "fleet" ? [fleet, own] : [own, fleet];
  return `${judge === "fleet" ? "the fleet's model" : learner} judged: of ${number(labels)} own labels the fleet's model (${form}) erred on ${number(fleet.errors)}, ${learner} on ${number(own.errors)}; against them count ${number(less.against)} and ${number(more.against)}, and less wins`;
}

/** Which prediction it is. */
function placeText({ at, seq, labels }: NamedSource): string {
  if (seq === undefined) return `sample ${at}`;
  return `sample ${seq}, as the node predicted it after ${labels} ${labels === 1 ? "label" : "labels"},`;
}

function inputTable(inputs: readonly NamedInput[]): string {
  const rows = inputs.map(({ name, value }) => [printable(name), number(value)]);
  return table(rows, { head: ["input", "value"], aligns: ["left", "right"] });
}

interface NamedInput {
  readonly name: string;
  readonly value: number;
}

/** A value's parts, with the names of their labels' classes where these are known. */
interface NamedValue extends Pick<Explanation, "sum" | "after" | "bits"> {
  readonly parts: readonly (Part & { readonly class?: string })[];
  /** Of the class that was decided, or whose value it is. */
  readonly class?: string;
}

interface NamedExplanation extends Omit<Explanation, "parts" | "against">, NamedSource, NamedValue {
  readonly against?: Omit<ClassValue, "parts"> & NamedValue;
}

interface NamedSource extends Partial<RowsRead> {
  readonly classes?: ClassesRead;
  readonly inputs?: readonly NamedInput[];
  readonly learner: string;
  readonly file: string;
  /** The labelled sample; or the node's sample, its session, and the number of the last label before it. */
  readonly at?: number;
  /** The state that the samples follow. */
  readonly copy?: string;
  readonly seq?: number;
  readonly sid?: number;
  readonly labels?: number;
  /** Of a node that takes models of its fleet: who judged. */
  readonly vote?: Vote;
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
