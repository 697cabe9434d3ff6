import { type Command, Option } from "commander";
import { classes } from "../../host-sim/streams/classes.ts";
import { type DataSet, FORMATS, type Format, readTable } from "../../host-sim/streams/index.ts";
import type { Family } from "../../src/learn/family.ts";
import { optionsObject, wholeNumber, withFlag } from "../arguments.ts";
import { evaluate } from "../evaluation/evaluation.ts";
import { SCALES, type Scale, scaleLike } from "../evaluation/scaling.ts";
import { textOf } from "../evaluation/text.ts";
import { chooseFamily } from "../learner-choice.ts";
import { printJson, printText } from "../print.ts";

const REPEAT_MAX = 10000;
const SEED_MAX = 2 ** 32 - 1;
const SEED_IMPLIED = 1;

interface EvaluateFlags {
  readonly learner: string;
  readonly train: string;
  readonly test?: string;
  readonly options: string;
  readonly budget?: number;
  readonly shuffle?: number;
  readonly repeat: number;
  readonly scale: Scale;
  readonly novel?: string;
  readonly format?: Format;
  readonly columns?: string[];
  readonly label?: string;
  readonly header?: boolean;
  readonly json?: boolean;
}

/** Reads the train file, and the test file with the same columns; a class that train doesn't have is refused there. */
async function readFiles(flags: EvaluateFlags, family: Family, dimension: unknown): Promise<DataSet[]> {
  const { format, columns, label, header } = flags;
  const choice = { format, columns, label, header };
  const wanted =
    Number.isInteger(dimension) && (dimension as number) > 0 ? { dimension: dimension as number } : {};
  const train = await readTable(flags.train, { ...choice, ...wanted });
  if (flags.test === undefined) return [train];
  const hasClasses = family.task === "classification" || family.task === "multiclass";
  const knownLabels = hasClasses ? (train.labelNames ?? classes(train.labels).values) : undefined;
  return [train, await readTable(flags.test, { ...choice, dimension: train.dimension, knownLabels })];
}

async function run(flags: EvaluateFlags): Promise<void> {
  const start = performance.now();
  const family = chooseFamily(flags.learner);
  const options = withFlag(optionsObject(flags.options), "budget", flags.budget);
  const [train, test] = await readFiles(flags, family, options.dimension);
  scaleLike(train, flags.scale, test ? [test] : []);
  const shuffle = flags.shuffle ?? (flags.repeat > 1 ? SEED_IMPLIED : null);
  const { repeat, novel } = flags;
  const result = evaluate({ family, options, train, test, shuffle, repeat, novel });
  const seconds = (performance.now() - start) / 1000;
  if (!flags.json) return printText(textOf(result, seconds));
  const { learner, ...rest } = result;
  printJson({ schema: "motelearn.evaluate/1", learner, scale: flags.scale, ...rest, timing: { seconds } });
}

/** Adds `motelearn evaluate`. */
export function addEvaluate(program: Command): void {
  program
    .command("evaluate")
    .description("one pass of a learner over a data file: classes, numbers or novelties; then a test file")
    .requiredOption(
      "--learner <name>",
      "learner, see `motelearn learners`; more than two classes: one-vs-all if need be",
    )
    .requiredOption(
      "--train <file>",
      "samples to predict and learn: CSV, NDJSON or LIBSVM text, gzipped or not",
    )
    .option("--test <file>", "samples to predict afterwards, without learning")
    .option(
      "--options <json>",
      "options of the learner, one JSON object; dimension and classes follow from the data",
      "{}",
    )
    .option("--budget <b>", "stored vectors there is room for (default: the learner's)", wholeNumber(1))
    .option(
      "--shuffle <seed>",
      "learn the train samples in an order that follows from the seed",
      wholeNumber(0, SEED_MAX),
    )
    .addOption(
      new Option(
        "--repeat <n>",
        "passes, each from nothing; the i-th, from 0, shuffles with seed + i (seed 1 unless given)",
      )
        .argParser(wholeNumber(1, REPEAT_MAX))
        .default(1),
    )
    .addOption(
      new Option("--scale <how>", "scale features by the train file's range (to -1..1) or mean and deviation")
        .choices(SCALES)
        .default("none"),
    )
    .option("--novel <label>", "for novelty: the label of a novelty (default: -1, else the rarer of two)")
    .addOption(
      new Option("--format <format>", "format of the files (default: by name, else by content)").choices(
        FORMATS,
      ),
    )
    .option("--columns <list>", "CSV: the features, by name or number from 1: a,b or 3-7", (text: string) =>
      text.split(","),
    )
    .option("--label <column>", "CSV: the label, by name or number from 1 (default: the last)")
    .option("--header", "CSV: the first row is a header (default: if it looks like one)")
    .option("--no-header", "CSV: the first row is data")
    .option("--json", "print motelearn.evaluate/1")
    .action(run);
}
