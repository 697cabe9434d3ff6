import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { FORMATS, type Format, MISSING, type Missing, type OptionNames } from "../../host/streams/index.ts";
import { namesIn, positiveNumber, wholeNumber } from "../../host/terminal/arguments.ts";
import { isOfNode, SCALES, type Scale } from "./scaling.ts";

const REPEAT_MAX = 10000;
const SEED_MAX = 2 ** 32 - 1;
const SEED_IMPLIED = 1;

export type FileFlags = Pick<
  DataFlags,
  "format" | "columns" | "label" | "header" | "missing" | "classes" | "rate" | "period" | "burst"
>;

/** How these flags are called. */
const FLAG_NAMES: OptionNames = {
  columns: "--columns",
  label: "--label",
  missing: "--missing",
  header: "--header",
};

/** How a data file is read and scaled, and in which order its samples run. */
export interface DataFlags {
  readonly train: string;
  readonly shuffle?: number;
  readonly repeat: number;
  readonly scale: Scale;
  readonly novel?: string;
  readonly format?: Format;
  readonly columns?: string[];
  readonly label?: string;
  readonly header?: boolean;
  readonly missing?: Missing;
  readonly classes?: readonly string[];
  readonly rate?: number;
  readonly period?: number;
  readonly burst?: number;
}

export function fileReading(flags: FileFlags) {
  const { format, columns, label, header, missing, classes, rate, period, burst } = flags;
  const sampling = { rate, period, burst };
  return { format, columns, label, header, missing, classes, ...sampling, optionNames: FLAG_NAMES };
}

/** The first pass's seed, null for the order of the file; several passes shuffle, with seed 1 by default. */
export function shuffleSeed({ shuffle, repeat }: DataFlags): number | null {
  return shuffle ?? (repeat > 1 ? SEED_IMPLIED : null);
}

export function addTrainOption(command: Command): Command {
  return command.requiredOption(
    "--train <file>",
    "samples to predict and learn: CSV, NDJSON or LIBSVM text, gzipped or not",
  );
}

export function addOrderOptions(command: Command): Command {
  return command
    .option(
      "--shuffle <seed>",
      "learn the train samples in an order that follows from the seed",
      wholeNumber(0, SEED_MAX),
    )
    .addOption(
      new Option(
        "--repeat <n>",
        "passes, each with a new learner; pass i, from 0, shuffles with seed + i (seed 1 unless given)",
      )
        .argParser(wholeNumber(1, REPEAT_MAX))
        .default(1),
    );
}

/** Throws a UserError for readings that are scaled before a node's windows. */
export function checkWindowScale(scale: Scale): void {
  if (!isOfNode(scale))
    throw new UserError(`--scale ${scale}: a node scales no readings before its windows; take node or none`);
}

/** Adds the options that make samples of a raw recording. */
export function addSamplingOptions(command: Command): Command {
  return command
    .option(
      "--rate <hz>",
      "rows a second of a raw recording: with --period, the rows of each period are one sample, with the last label among them",
      positiveNumber,
    )
    .option("--period <ms>", "milliseconds from one sample of the node to the next", positiveNumber);
}

export function addFileOptions(command: Command): Command {
  return addReadingOptions(
    command
      .addOption(
        new Option(
          "--scale <how>",
          "how features are scaled. node: to mean 0 and variance 1 by the samples so far, as a node does; minmax, standard: by the whole train file's range (to -1..1), or mean and deviation",
        )
          .choices(SCALES)
          .default("node"),
      )
      .option("--novel <label>", "for novelty: the label of a novelty (default: -1, else the rarer of two)")
      .option(
        "--classes <list>",
        "the names of the classes, in the order of the learner's labels: ok,fault are -1 and +1; of three and more 0, 1, 2 (default: the labels, numbers by size, words by alphabet)",
        namesIn,
      ),
  );
}

export function addReadingOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--format <format>", "format of the files (default: by name, else by content)").choices(
        FORMATS,
      ),
    )
    .addOption(
      new Option(
        "--missing <how>",
        "rows with missing readings (empty, NA, NaN, ?, null, none; default: as the file's description says, else refuse). refuse: refuse the file; skip: leave the rows out; hold: repeat each channel's last reading, and skip rows before its first; nan: the learner gets NaN and refuses the sample, which counts as predicted wrong, in a regression as an estimate of 0",
      ).choices(MISSING),
    )
    .option(
      "--columns <list>",
      "CSV: the features, by name or number from 1: a,b or 3-7 (default: all but the label, an index, time, ticks, faults, node, source and confidence)",
      namesIn,
    )
    .option("--label <column>", "CSV: the label, by name or number from 1 (default: label, else the last)")
    .option("--header", "CSV: the first row is a header (default: if it looks like one)")
    .option("--no-header", "CSV: the first row is data");
}
